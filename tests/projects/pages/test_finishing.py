"""Completing a project asks what becomes of its open to-dos, and does it all in one gesture."""

from __future__ import annotations

import pytest

from projects.models import Project, Task
from tests.extent import some

pytestmark = pytest.mark.django_db


@pytest.fixture
def boat(make):
    """A project with two open to-dos, one of which repeats, and a done one."""
    project = make("project", name="Boat")
    own = {"project": project.pk}
    make("task", title="Sand the hull", status="available", **own)
    make(
        "task", title="Pump", status="available", due_date="2026-12-01", repeat="FREQ=DAILY", **own
    )
    make("task", title="Buy wood", status="completed", **own)
    return project


def statuses(project):
    return sorted(project.tasks.values_list("title", "status"))


@pytest.mark.parametrize("chosen", some(["completed", "dropped"], 2))
def test_open_todos_end_with_their_project_and_one_undo_brings_all_back(
    browser, alice, boat, chosen
):
    client, page = browser(alice), f"/projects/{boat.pk}"
    before = statuses(boat)
    asked = client.post(f"{page}/status", {"status": "completed"})
    assert asked.url == f"{page}/finish"
    form = client.get(asked.url).text
    assert "2 to-dos are still open." in form
    assert "Sand the hull" in form
    assert "Buy wood" not in form
    assert "working time" not in form  # it came from no survey
    done = client.post(asked.url, {"open_todos": chosen})
    boat.refresh_from_db()
    assert boat.status == "completed"
    assert statuses(boat) == [
        ("Buy wood", "completed"),
        ("Pump", chosen),
        ("Sand the hull", chosen),
    ]
    client.post(f"/projects/undo/{done.url.partition('done=')[2]}")
    assert (Project.objects.get().status, statuses(boat)) == ("active", before)


def test_open_todos_can_be_kept_and_without_any_nothing_is_asked(browser, alice, boat):
    client, page = browser(alice), f"/projects/{boat.pk}"
    client.post(f"{page}/finish", {"open_todos": ""})
    assert Project.objects.get().status == "completed"
    assert boat.tasks.filter(status__in=Task.ACTIVE).count() == 2
    client.post(f"{page}/status", {"status": "active"})
    assert client.post(f"{page}/finish", {"open_todos": "forgotten"}).status_code == 422
    client.post(f"{page}/finish", {"open_todos": "dropped"})
    client.post(f"{page}/status", {"status": "active"})
    assert "done=" in client.post(f"{page}/status", {"status": "completed"}).url
