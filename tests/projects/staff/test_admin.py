"""The admin's lists of projects."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chat.models import Participant
from chat.operations.changes import Actor
from tests import project_rows

pytestmark = pytest.mark.django_db


@pytest.mark.thorough
def test_lists_are_read_by_the_same_queries_for_many_owners(admin_client):
    def add(name: str) -> None:
        user = User.objects.create_user(name)
        actor = Actor(Participant.objects.create(user=user).pk)
        project_rows.create_project(actor=actor, values={"name": name})
        project_rows.start_draft(actor=actor, values={"name": name})

    def asked() -> list[int]:
        numbers = []
        for model in ("project", "projectdraft"):
            with CaptureQueriesContext(connection) as queries:
                assert admin_client.get(f"/admin/projects/{model}/").status_code == 200
            numbers.append(len(queries))
        return numbers

    add("Ann")
    asked()  # the first asks what a process remembers
    few = asked()
    for name in ("Ben", "Cleo", "Dora"):
        add(name)
    assert asked() == few
