"""One answer of an agent as one batch: a round of calls is judged whole, then done or proposed.

A round is tried in a savepoint first: what it would change, and what stands against each part, is
known before anything stands. Later rounds of the same run are added to its batch.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from django.db import transaction
from django.utils import timezone

from chat.operations.changes import Actor, Cause, Change
from chat.operations.execute import new_batch, operation_of, store
from chat.operations.models import Operation, OperationBatch
from chat.operations.review import proposed
from chat.operations.rows import Rows
from chat.operations.steps import do_all, failure_of, open_ledger
from futura.errors import Conflict, FuturaError

State, Status = OperationBatch.Status, Operation.Status
Plan = Callable[[], tuple[Actor, Sequence[Change]]]
Judge = Callable[[Sequence[Change]], Sequence[str]]


@dataclass
class Part:
    """What one call wants: `plan` works it out from the rows as they stand. The rest is filled in.

    `error` says why it cannot be done; the others of its round are done all the same. Without
    `changes` afterwards everything is like that already.
    """

    plan: Plan
    changes: Sequence[Change] = ()
    actor: Actor | None = None
    error: Exception | None = None
    operations: list[Operation] = field(default_factory=list)
    done: list[Operation] = field(default_factory=list)


def carry_out(
    parts: Sequence[Part], *, cause: Cause, judge: Judge, title: Callable[[bool], str]
) -> Sequence[str]:
    """Does the parts in order, each whole or not at all, or proposes all of them and gives the
    reasons.

    `judge` gives the reasons to wait for all changes together; `title` names a new batch, told
    whether it waits. Must run in a transaction that holds the run. One batch for each owner.
    """
    open_ledger()
    reasons: Sequence[str] = ()
    with transaction.atomic():
        for part in parts:
            _try(part)
        changes = [change for part in parts if part.error is None for change in part.changes]
        reasons = judge(changes) if changes else ()
        if reasons:
            transaction.set_rollback(True)
    able = [part for part in parts if part.error is None and part.changes]
    for owner_id in dict.fromkeys(part.actor.owner_id for part in able if part.actor):
        own = [part for part in able if part.actor and part.actor.owner_id == owner_id]
        if reasons:
            rows = Rows(owner_id)
            for part in own:
                part.operations = part.done = proposed(part.changes, rows)
        _record(own, owner_id, cause, reasons, title)
    return reasons


def _try(part: Part) -> None:
    try:
        with transaction.atomic():
            part.actor, part.changes = part.plan()
            part.operations = [operation_of(change) for change in part.changes]
            part.done = do_all(part.operations, Rows(part.actor.owner_id), is_atomic=True)
            if failure := failure_of(part.operations):
                raise Conflict(failure)
        update = Operation.Type.UPDATE
        if all(item.type == update and not item.changed_fields for item in part.done):
            part.changes, part.operations, part.done = (), [], []
    except FuturaError as error:
        part.error = error


def _record(
    parts: Sequence[Part],
    owner_id: uuid.UUID,
    cause: Cause,
    reasons: Sequence[str],
    title: Callable[[bool], str],
) -> None:
    call_id = f"turn {owner_id.hex}"
    batches = OperationBatch.objects.select_for_update().filter(run=cause.run, tool_call_id=call_id)
    batch = batches.first() if cause.run else None
    number = batch.operations.count() if batch else 0
    if batch is None:
        actor = parts[0].actor
        assert actor is not None  # noqa: S101 - it was planned
        own = replace(cause, tool_call_id=call_id)
        batch = new_batch(actor, own, title=title(bool(reasons)), is_atomic=False)
    if reasons:
        batch.status = State.REVIEW
        batch.review_reasons = list(dict.fromkeys([*batch.review_reasons, *reasons]))
    elif batch.status != State.REVIEW:
        batch.status, batch.finished_at = State.COMPLETED, timezone.now()
    store(batch, [operation for part in parts for operation in part.done], after=number)
    if number:
        batch.save(update_fields=["status", "review_reasons", "finished_at"])
