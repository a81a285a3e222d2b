"""A to-do that is edited in the log of changes keeps the rules of its own page."""

from __future__ import annotations

import pytest
from django.urls import reverse

from chat.operations.changes import Update
from chat.operations.models import Operation
from chat.operations.review import propose
from chat.operations.undo import undo
from projects.models import Task

pytestmark = pytest.mark.django_db


@pytest.fixture
def edit(client):
    """Sends the form under a change with other values."""

    def send(operation: Operation, door: str = "amend", expect: int = 303, **values: str) -> str:
        page = reverse(f"operations:{door}", args=[operation.batch_id, operation.pk])
        fields = client.get(page).context["form"]
        sent = {name: fields[name].value() or "" for name in ("version", *fields.names)}
        answer = client.post(page, {**sent, **values})
        assert answer.status_code == expect, answer.content
        return answer.content.decode()

    return send


@pytest.fixture
def gym(loose) -> Task:
    return loose("Gym", due_date="2026-12-01", due_time="07:00", repeat="FREQ=DAILY")


def made(task: Task) -> Operation:
    return Operation.objects.get(entity_id=task.pk, type="create")


def test_a_rule_that_is_none_is_refused_with_its_reason(edit, gym):
    assert "Enter a repeat rule" in edit(made(gym), repeat="often", expect=422)
    gym.refresh_from_db()
    assert gym.repeat == "FREQ=DAILY"


def test_one_that_repeats_and_is_done_makes_the_next(edit, gym, actor):
    edit(made(gym), status="completed")
    gym.refresh_from_db()
    assert gym.completed_at
    following = Task.objects.get(deleted_at=None, status="inbox")
    assert (following.title, following.repeat) == ("Gym", "FREQ=DAILY")
    edited = Operation.objects.filter(batch__amends=made(gym).batch)
    assert edited.count() == 2
    undo(actor=actor, operations=list(edited))
    gym.refresh_from_db()
    assert (gym.status, gym.repeat, gym.completed_at) == ("inbox", "FREQ=DAILY", None)
    assert not Task.objects.filter(pk=following.pk, deleted_at=None).exists()


def test_without_a_day_the_time_and_the_repetition_go(edit, gym):
    edit(made(gym), due_date="")
    gym.refresh_from_db()
    assert (gym.due_date, gym.due_time, gym.repeat) == (None, None, "")


def test_a_change_that_waits_keeps_the_rules(edit, gym, actor):
    wish = [Update("task", gym.pk, {"repeat": "FREQ=WEEKLY", "status": "available"})]
    waiting = propose(actor=actor, changes=wish, reasons=["policy"]).operations.get()
    assert "Enter a repeat rule" in edit(waiting, "revise", repeat="often", expect=422)
    edit(waiting, "revise", status="completed")
    waiting.payload.refresh_from_db()
    assert waiting.payload.requested["completed_at"]
