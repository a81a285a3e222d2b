"""Shares of time with fewer decimals than are kept are the same shares when they are taken back."""

from __future__ import annotations

from decimal import Decimal

from chat.operations.changes import Actor
from chat.operations.models import Operation
from chat.operations.replay import differences
from chat.operations.undo import undo
from tests.tasks import changing


def test_a_share_written_with_one_decimal_can_be_taken_back_without_a_question(survey):
    task = survey.tasks[0]
    changing.change(task, time_share=Decimal("12.5"))
    assert not list(differences())
    done = Operation.objects.filter(entity_id=task.pk).order_by("-executed_at").first()
    assert done is not None
    batch = undo(actor=Actor(task.owner_id), operations=[done])
    assert batch.status == "completed"
    task.refresh_from_db()
    assert task.time_share != Decimal("12.50")
