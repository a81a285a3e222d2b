"""People, projects and drafts for the tests of projects; everything is made by the real actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chat.operations.changes import Actor
from projects.models import Project, ProjectDraft, Task
from tests import project_rows, todos
from tests.projects.talks import TEXTS, plan_into


@pytest.fixture
def bobs(bob, participant_of) -> Actor:
    return Actor(participant_of(bob).pk, user_id=bob.pk)


@pytest.fixture
def project(actor) -> Project:
    values = {"name": "Weekly sheet", "description": "No retyping.", "tags": ["lab"]}
    return project_rows.create_project(actor=actor, values=values).row


@pytest.fixture
def todo(actor, project) -> Callable[..., Task]:
    """Adds a to-do to the project."""

    def add(title: str = "Agree on the columns", **values: Any) -> Task:
        told = {"title": title, **values}
        return todos.add(actor=actor, project=project, values=told).row

    return add


@pytest.fixture
def draft(actor) -> ProjectDraft:
    """A draft with two dimensions and two to-dos."""
    values = {
        "name": "Fitness app",
        "core_goals_momentum": "Launch in spring.",
        "core_people_bonds": "Just me for now.",
    }
    made = project_rows.start_draft(actor=actor, values=values).row
    for title in ("Design wireframes", "Choose a stack"):
        project_rows.add_draft_task(actor=actor, draft=made, values={"title": title})
    made.refresh_from_db()
    return made


@pytest.fixture
def planned(actor) -> Project:
    """A project with a plan: due dates, estimates, dependencies."""
    made = project_rows.create_project(actor=actor, values=TEXTS).row
    plan_into(actor, made)
    return Project.objects.get(pk=made.pk)
