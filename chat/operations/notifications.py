"""Tells the readers of a session that its operations changed, and features what was done."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

from django.db import transaction

from chat import events
from chat.events.kinds import Reference
from chat.operations.models import Operation, OperationBatch
from chat.operations.registry import operable

KIND: Final = "operations"
POLICY: Final = "policy"  # in place of a batch's id


def tell(batch: OperationBatch) -> None:
    """On commit: a reference in the session's log; the panel is rendered from PostgreSQL."""
    if batch.session_id is not None:
        reference = Reference(KIND, str(batch.pk))
        transaction.on_commit(partial(events.append, batch.session_id, reference))


def tell_features(operations: Iterable[Operation]) -> None:
    """After the commit: what was done to rows, for those who asked (`Operable.changed`)."""
    done: dict[str, list[Operation]] = {}
    for operation in operations:
        if operation.status == Operation.Status.COMPLETED:
            done.setdefault(operation.entity, []).append(operation)
    for entity, some in done.items():
        changed = operable(entity).changed
        if changed is not None:
            transaction.on_commit(partial(changed, some))
