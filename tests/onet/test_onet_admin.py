"""Reference data in the admin: found, read, never edited; closed to all but staff."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client

from onet.actions import load_release, load_starter
from onet.models import (
    EmbeddingSpace,
    Release,
    StatementScore,
)
from tests.extent import some
from tests.lasting import lasting
from tests.onet.releases import tables, write_folder

pytestmark = pytest.mark.django_db

LISTS = (
    *("release", "occupation", "alternatetitle", "workactivity", "detailedactivity"),
    *("taskstatement", "embeddingspace"),
)


@pytest.fixture
def admin_client(db: None) -> Client:
    client = Client()
    # No password: hashing one for every test takes longer than the test.
    client.force_login(User.objects.create(username="root", is_staff=True, is_superuser=True))
    return client


@pytest.fixture(scope="module")
def _loaded(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: Any
) -> Iterator[None]:
    def load() -> None:
        folder = tmp_path_factory.mktemp("onet") / "db_30_2_text"
        load_release(str(write_folder(folder, tables())))
        load_starter()
        release = Release.objects.get(is_active=True)
        StatementScore.objects.create(name="exposure", task_id="1", value=0.5)
        EmbeddingSpace.objects.create(release=release, name="lexical", dimension=2)

    with lasting(django_db_blocker, load):
        yield


@pytest.fixture
def catalogue(_loaded: None, db: None) -> Release:
    return Release.objects.get(is_active=True)


@pytest.mark.parametrize("name", some(LISTS, 3))
def test_every_list_opens_searches_and_shows_its_rows(
    catalogue: Release, admin_client: Client, name: str
) -> None:
    for query in ("", "?q=soft", "?q=%00%27%22<script>"):
        page = admin_client.get(f"/admin/onet/{name}/{query}")
        assert page.status_code in (200, 302), query
        assert b"<script>alert" not in page.content
    model = apps.get_model("onet", name)
    row = model.objects.latest("pk")
    page = admin_client.get(f"/admin/onet/{name}/{row.pk}/change/")
    assert page.status_code == 200
    assert b'name="_save"' not in page.content
    assert b"0.75" not in page.content


@pytest.mark.parametrize("name", some(LISTS, 3))
def test_nothing_is_added_changed_or_deleted_by_hand(
    catalogue: Release, admin_client: Client, name: str
) -> None:
    row = apps.get_model("onet", name).objects.latest("pk")
    assert admin_client.get(f"/admin/onet/{name}/add/").status_code == 403
    assert admin_client.post(f"/admin/onet/{name}/{row.pk}/change/", {}).status_code == 403
    deletion = admin_client.post(f"/admin/onet/{name}/{row.pk}/delete/", {"post": "yes"})
    assert deletion.status_code == 403
    assert apps.get_model("onet", name).objects.filter(pk=row.pk).exists()


def test_the_lists_are_narrowed_to_the_release_in_use(
    catalogue: Release, admin_client: Client
) -> None:
    address = "/admin/onet/occupation/?q=cooks"
    assert b"Cooks, All Other" in admin_client.get(address).content
    shown = admin_client.get(f"{address}&release__is_active__exact=1").content
    assert b"Cooks, Restaurant" in shown
    assert b"Cooks, All Other" not in shown


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["occupation", "taskstatement", "alternatetitle"])
def test_a_list_takes_as_many_queries_for_twenty_rows_as_for_one(
    catalogue: Release, admin_client: Client, django_assert_max_num_queries, name: str
) -> None:
    admin_client.get(f"/admin/onet/{name}/")
    with django_assert_max_num_queries(9):
        assert admin_client.get(f"/admin/onet/{name}/").status_code == 200


def test_a_stranger_gets_nowhere(catalogue: Release, charlie: User) -> None:
    client = Client()
    client.force_login(charlie)
    for name in LISTS:
        assert client.get(f"/admin/onet/{name}/").status_code == 302
