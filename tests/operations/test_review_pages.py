"""Review through the doors: approve, change and reject, one by one and all, as it was shown."""

from __future__ import annotations

import re

import pytest

from chat.operations.changes import Cause, Change, Create, Delete, Update
from chat.operations.execute import execute
from chat.operations.models import OperationBatch
from chat.operations.review import propose
from projects.models import Project, Task
from tests.operations.pages import HTMX, panel, url, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(agent, project, cause) -> OperationBatch:
    changes: list[Change] = [
        Update("project", project.pk, {"name": "Fit"}),
        Create("task", {"title": "Draw", "project": str(project.pk)}),
        Delete("project", project.pk),
    ]
    return propose(actor=agent, changes=changes, reasons=["It deletes something."], cause=cause)


def test_what_waits_is_approved_changed_and_rejected_one_by_one(page, talk, project, waiting):
    shown = page.get(panel(talk)).content.decode()
    assert "3 changes to review" in shown
    assert "Approve all 3" in shown
    update, create, delete = waiting.operations.select_related("payload").order_by("sequence")
    page.post(url("revise", waiting, update), {"name": "Fitter"})
    stale = {"shown": f"{update.pk}:{update.payload.digest}"}
    assert page.post(url("approve", waiting), stale).status_code == 409
    update.payload.refresh_from_db()
    for one in (update, create):
        page.post(url("approve", waiting), {"shown": f"{one.pk}:{one.payload.digest}"})
    page.post(url("reject", waiting), {"operation": str(delete.pk)})
    project.refresh_from_db()
    waiting.refresh_from_db()
    assert (project.name, project.deleted_at, waiting.status) == ("Fitter", None, "completed")
    assert "You rejected this." in page.get(panel(talk)).content.decode()


def test_what_is_left_to_review_of_many_is_shown_and_no_more(page, talk, agent, project, cause):
    changes = [
        Create("task", {"title": f"Task {n}", "project": str(project.pk)}) for n in range(1, 9)
    ]
    batch = propose(actor=agent, changes=changes, reasons=["Many."], cause=cause)
    assert "Review all 8" in words(page.get(panel(talk)))
    operations = batch.operations.select_related("payload").order_by("sequence")
    seen = [f"{item.pk}:{item.payload.digest}" for item in operations]
    page.post(url("approve", batch), {"shown": seen[:6]})
    displayed = words(page.get(panel(talk)))
    assert "2 changes to review" in displayed
    assert "Approve all 2" in displayed
    assert "Task 8" in displayed
    assert "Show all 8" in displayed


def test_an_approval_names_what_goes_along_and_asks_again_when_it_is_more(
    page, talk, agent, project, make, cause
):
    make("task", title="Draw", project=str(project.pk))
    gone = Delete("project", project.pk)
    batch = propose(actor=agent, changes=[gone], reasons=["Deletes."], cause=cause)
    details = words(page.get(url("details", batch, batch.operations.get())))
    assert "1 dependent item would also be deleted: To-do: Draw" in details
    seen = re.findall(r'name="shown" value="([^"]+)"', page.get(panel(talk)).content.decode())
    make("task", title="Late", project=str(project.pk))
    answer = page.post(url("approve", batch), {"shown": seen}, headers=HTMX)
    assert "Other items would now be affected" in words(answer)
    assert "2 dependent items would also be deleted" in words(answer)
    project.refresh_from_db()
    assert project.deleted_at is None
    seen = re.findall(r'name="shown" value="([^"]+)"', answer.content.decode())
    page.post(url("approve", batch), {"shown": seen}, headers=HTMX)
    assert Task.objects.filter(deleted_at=None).count() == 0


def test_all_that_waits_is_approved_as_it_was_shown(page, talk, waiting):
    shown = re.findall(r'name="shown" value="([^"]+)"', page.get(panel(talk)).content.decode())
    page.post(url("approve", waiting), {"shown": list(dict.fromkeys(shown))})
    waiting.refresh_from_db()
    assert waiting.status == "completed"
    assert Project.objects.get().deleted_at
    assert Task.objects.get().deleted_at


def test_an_approval_that_one_change_stops_says_how_many_were_made(page, talk, actor, agent, make):
    first, second = make("task", title="Draw"), make("task", title="Print")
    changes = [Update("task", task.pk, {"title": "New"}) for task in (first, second)]
    batch = propose(actor=agent, changes=changes, reasons=[], cause=Cause(session=talk))
    seen = re.findall(r'name="shown" value="([^"]+)"', page.get(url("batch", batch)).text)
    execute(actor=actor, changes=[Update("task", second.pk, {"title": "By hand"})])
    answer = page.post(url("approve", batch), {"shown": seen}, headers=HTMX)
    assert "1 change made. Not applied: This was changed meanwhile." in words(answer)
