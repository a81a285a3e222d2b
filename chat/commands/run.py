"""Runs a command: it plans, the scope executes or proposes, the outcome says what became of it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from chat.commands.base import Command, Scope
from chat.operations.changes import Cause, Change, Create
from chat.operations.models import OperationBatch


@dataclass(frozen=True)
class Outcome:
    """What became of a command: its batch in the ledger, and the changes it stood for."""

    batch: OperationBatch
    changes: Sequence[Change]

    @property
    def is_waiting(self) -> bool:
        """Nothing was done: it waits for review."""
        return self.batch.status == OperationBatch.Status.REVIEW

    @property
    def created(self) -> list[uuid.UUID]:
        """The ids of new rows, in order."""
        return [change.id for change in self.changes if isinstance(change, Create)]


def run(command: Command, scope: Scope, *, cause: Cause | None = None) -> Outcome:
    """Carries a command out, whole or not at all, or lets it wait for its owner.

    Raises NotInScope, Rejected, BadInput, TooLong, and Conflict where the ledger refuses.
    """
    with transaction.atomic():
        changes = command.plan(scope)
        batch = scope.commit(command, changes, cause)
    return Outcome(batch, changes)
