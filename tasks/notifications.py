"""What follows when tasks or matches have changed, whoever changed them: news, and lookups.

Called by the ledger after the commit, with the operations of one batch on rows of one kind.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from chat import events
from chat.operations.models import Operation, OperationBatch
from chat.staff import cards
from tasks.coding import announce
from tasks.models import TaskMatch
from tasks.wording import follow_wording

Type = Operation.Type


def tasks_changed(operations: Sequence[Operation]) -> None:
    """Open pages fetch the rows, or the list when tasks came, went or moved."""
    batch = operations[0].batch
    if batch.session_id is None:
        return  # the conversation went, and its list with it
    cards.outdated([batch.session_id])
    if any(one.type != Type.UPDATE or "position" in one.changed_fields for one in operations):
        events.append(batch.session_id, _row("list", batch.session_id, 0))
    else:
        versions = [(one.entity_id, one.result_version) for one in operations]
        events.append(batch.session_id, *(_row("task", *one) for one in versions if one[1]))
    # the list's own actions look after the match, and a reviewer chooses it
    if (batch.undoes_id or batch.amends_id) and not _of_a_review(batch):
        reworded = [one for one in operations if "statement" in one.changed_fields]
        follow_wording(batch, reworded)


def _of_a_review(batch: OperationBatch) -> bool:
    """Whether it takes back what staff corrected."""
    return batch.undoes is not None and batch.undoes.actor == OperationBatch.Actor.STAFF


def matches_changed(operations: Sequence[Operation]) -> None:
    """Open pages fetch the matches; what waits is looked up."""
    batch = operations[0].batch
    if batch.session_id is None:
        return
    cards.outdated([batch.session_id])
    updated = {one.entity_id: one for one in operations if one.type == Type.UPDATE}
    if updated:
        found = TaskMatch.objects.filter(pk__in=updated).values_list("pk", "task_id")
        versions = [(task_id, updated[pk].result_version) for pk, task_id in found]
        events.append(batch.session_id, *(_row("match", *one) for one in versions))
    waiting = sum(_waits(one) for one in operations)
    if waiting:
        announce.matches(batch.session_id, waiting)


def _waits(operation: Operation) -> bool:
    after = operation.payload.after or {}
    return after.get("status") == TaskMatch.Status.PENDING


def _row(kind: str, key: uuid.UUID, version: int | None) -> events.Feature:
    return events.Feature(kind=kind, id=str(key), version=version or 0)
