"""Runs a command: it plans, the scope executes or proposes, the outcome says what became of it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db import transaction

from chat.commands.base import Command, Scope
from chat.operations.changes import Cause
from chat.operations.models import Operation, OperationBatch


@dataclass(frozen=True)
class Outcome:
    """What became of a command: its batch in the ledger."""

    batch: OperationBatch

    @property
    def is_waiting(self) -> bool:
        """Nothing was done: it waits for review."""
        return self.batch.status == OperationBatch.Status.REVIEW

    @property
    def batch_id(self) -> uuid.UUID | None:
        """What undoes it; None where nothing had to change and nothing was recorded."""
        is_recorded = self.batch.finished_at or self.is_waiting
        return self.batch.pk if is_recorded else None

    @property
    def created(self) -> list[uuid.UUID]:
        """The ids of new rows, in order. One query."""
        new = self.batch.operations.filter(type=Operation.Type.CREATE).order_by("sequence")
        return list(new.values_list("entity_id", flat=True))


def run(command: Command, scope: Scope, *, cause: Cause | None = None) -> Outcome:
    """Carries a command out, whole or not at all, or lets it wait for its owner.

    Raises NotInScope, Rejected, BadInput, TooLong, and Conflict where the ledger refuses.
    """
    with transaction.atomic():
        return Outcome(command.carry_out(scope, cause))
