"""Staff see everybody's changes and may undo them, with a reason, in their own name."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chat.models import Message
from chat.operations.changes import Change, Create, Update
from chat.operations.execute import execute
from chat.operations.models import OperationBatch
from futura import roles

pytestmark = pytest.mark.django_db
LIST = "/staff/operations"
ALL = {"private": "1"}


@pytest.fixture
def office(browser, stan):
    """Staff who have said why they look at the changes of private things."""
    client = browser(stan)
    assert client.post("/staff/changes/why", {"reason": "Asked by phone"}).status_code == 303
    return client


@pytest.fixture
def done(agent, project, cause) -> OperationBatch:
    changes: list[Change] = [
        Update("project", project.pk, {"name": "Fit at home"}),
        Create("task", {"title": "Draw", "project": str(project.pk)}),
    ]
    return execute(actor=agent, changes=changes, cause=cause, title="Push the launch")


def told(answer) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def test_the_list_tells_what_whose_by_whom_and_because_of_what(office, done):
    words = told(office.get(LIST, ALL))
    for word in ("Project updated", "Fit at home", "Assistant", "alice", "Push the launch to Q3."):
        assert word in words


NARROWED = (
    ({"person": "alice"}, True),
    ({"person": "bob"}, False),
    ({"entity": "task"}, True),
    ({"entity": "note"}, False),
    ({"type": "delete"}, False),
    ({"status": "completed"}, True),
    ({"actor": "agent"}, True),
    ({"actor": "program"}, False),
    ({"since": "2020-01-01", "until": "2099-01-01"}, True),
    ({"until": "2020-01-01"}, False),
)


def test_the_list_is_narrowed(office, done):
    for asked, is_there in NARROWED:
        shown = told(office.get(LIST, ALL | asked))
        assert ("Push the launch" in shown) is is_there, asked


def test_a_replay_shows_changes_at_the_message_after_which_they_were_made(office, talk, done):
    Message.objects.create(session=talk, seq=2, role="assistant", text="Done.")
    before = f"/staff/sessions/{talk.pk}/replay"
    asked, answered = (told(office.get(before, {"at": place})) for place in (1, 2))
    for word in ("Push the launch, the assistant", "Project: Name", "Fitness app → Fit at home"):
        assert word in asked
        assert word not in answered


def test_the_list_costs_the_same_for_many(office, done, agent, project, cause):
    def visit() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert office.get(LIST, ALL).status_code == 200
        return len(asked)

    few = visit()
    for number in range(8):
        change = Update("project", project.pk, {"name": f"Name {number}"})
        execute(actor=agent, changes=[change], cause=cause)
    assert visit() == few


def test_staff_undo_on_behalf_with_a_reason_in_their_own_name(
    office, browser, alice, stan, done, project, talk
):
    address = f"{LIST}/{done.pk}"
    page = office.get(address)
    assert "Fitness app" in told(page)
    digest = re.search(r'name="digest" value="([0-9a-f]{64})"', page.content.decode())
    assert digest is not None
    refused = office.post(address, {"digest": digest[1], "reason": " "})
    assert refused.status_code == 400
    assert "Give a reason" in told(refused)
    answer = office.post(address, {"digest": digest[1], "reason": "Asked by phone"})
    assert answer.status_code == 303
    project.refresh_from_db()
    assert project.name == "Fitness app"
    made = OperationBatch.objects.get(undoes=done)
    assert (made.actor, made.user, made.reason) == ("staff", stan, "Asked by phone")
    assert "Asked by phone" in told(office.get(answer["Location"]))
    assert "Undone by staff at" in told(browser(alice).get(f"/operations/sessions/{talk.pk}"))


def test_changes_of_private_things_are_shown_for_a_reason_only(browser, stan, done, talk):
    client = browser(stan)
    type(talk).objects.filter(pk=talk.pk).update(kind="project_update")
    assert "Push the launch" not in told(client.get(LIST))
    for page in (f"{LIST}?private=1", f"{LIST}/{done.pk}"):
        refused = client.get(page)
        assert refused.status_code == 403
        assert "Reason for reading" in told(refused)
        assert "Push the launch" not in told(refused)
    assert client.post(f"{LIST}/{done.pk}", {"reason": "Because"}).status_code == 403
    assert client.post("/staff/changes/why", {"reason": ""}).status_code == 422
    client.post("/staff/changes/why", {"reason": "Asked by phone"})
    assert "Push the launch" in told(client.get(f"{LIST}?private=1"))
    assert client.get(f"{LIST}/{done.pk}").status_code == 200
    log = told(client.get("/staff/log"))
    assert "changes of private things" in log
    assert "Asked by phone" in log


def test_reviewers_see_what_was_changed_in_surveys_only(browser, django_user_model, done, talk):
    rita = django_user_model.objects.create_user("rita", "rita@example.org", is_staff=True)
    rita.groups.add(Group.objects.get(name=roles.REVIEWER))
    desk = browser(rita)
    type(talk).objects.filter(pk=talk.pk).update(kind="project_update")
    assert "Push the launch" not in told(desk.get(LIST))
    refused = desk.get(f"{LIST}/{done.pk}")
    assert refused.status_code == 403
    assert "Fit at home" not in told(refused)
    assert desk.post(f"{LIST}/{done.pk}", {"reason": "Because"}).status_code == 403
    type(talk).objects.filter(pk=talk.pk).update(kind="survey")
    assert "Push the launch" in told(desk.get(LIST))
    assert desk.get(f"{LIST}/{done.pk}").status_code == 200


def test_the_admin_shows_facts_and_lets_nobody_change_them(done, browser, django_user_model):
    root = django_user_model.objects.create_superuser("root", "root@example.org", "x")
    page = browser(root)
    for name, pk in (("operationbatch", done.pk), ("operation", done.operations.all()[0].pk)):
        base = f"/admin/chat/{name}/"
        assert page.get(base).status_code == 200
        assert page.get(f"{base}{pk}/change/").status_code == 200
        assert page.post(f"{base}{pk}/delete/", {"post": "yes"}).status_code == 403
        assert page.get(f"{base}add/").status_code == 403
