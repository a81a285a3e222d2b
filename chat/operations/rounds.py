"""One answer of an agent as one batch: a round of calls is judged whole, then done or proposed.

A round is tried in a savepoint first: what it would change, and what stands against each part, is
known before anything stands. Later rounds of the same run are added to its batch.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.utils import timezone

from chat.operations.changes import Actor, Cause, Change
from chat.operations.execute import new_batch, step_of, store
from chat.operations.models import Operation, OperationBatch
from chat.operations.review import show
from chat.operations.rows import Rows
from chat.operations.steps import Step, do_all, open_ledger
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
    title: str = ""
    changes: Sequence[Change] = ()
    operations: list[Operation] = field(default_factory=list)
    actor: Actor | None = None
    error: Exception | None = None
    steps: list[Step] = field(default_factory=list)
    done: list[Step] = field(default_factory=list)


@dataclass(frozen=True)
class Round:
    """What became of a round; `reasons` say why it waits, none that it was done."""

    batches: Sequence[OperationBatch]
    reasons: Sequence[str] = ()


def carry_out(
    parts: Sequence[Part], *, cause: Cause, judge: Judge, title: Callable[[bool], str]
) -> Round:
    """Does the parts in order, each whole or not at all, or proposes all of them.

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
    owners = dict.fromkeys(part.actor.owner_id for part in able if part.actor)
    batches = []
    for owner_id in owners:
        own = [part for part in able if part.actor and part.actor.owner_id == owner_id]
        if reasons:
            _propose(own, owner_id)
        batches.append(_record(own, owner_id, cause, reasons, title))
    return Round(batches, reasons)


def batches_of(run_id: uuid.UUID) -> list[OperationBatch]:
    """What a run has in the ledger, without what it took back; the oldest first."""
    own = OperationBatch.objects.filter(run=run_id, undoes=None)
    return list(own.order_by("created_at"))


def _try(part: Part) -> None:
    try:
        with transaction.atomic():
            part.actor, part.changes = part.plan()
            part.steps = [step_of(change) for change in part.changes]
            part.done = do_all(part.steps, Rows(part.actor.owner_id), is_atomic=True)
            failed = [step for step in part.steps if step.operation.status == Status.FAILED]
            if failed:
                raise Conflict(failed[0].operation.error)
        if all(_is_idle(step.operation) for step in part.done):
            part.changes, part.steps, part.done = (), [], []
    except FuturaError as error:
        part.error = error


def _is_idle(operation: Operation) -> bool:
    return operation.type == Operation.Type.UPDATE and not operation.changed_fields


def _propose(parts: Sequence[Part], owner_id: uuid.UUID) -> None:
    """The same steps as they wait: bound to the rows as they stand."""
    rows = Rows(owner_id)
    for part in parts:
        part.steps = part.done = [step_of(change) for change in part.changes]
        rows.lock(step.key for step in part.steps)
        for step in part.steps:
            show(step, rows)


def _record(
    parts: Sequence[Part],
    owner_id: uuid.UUID,
    cause: Cause,
    reasons: Sequence[str],
    title: Callable[[bool], str],
) -> OperationBatch:
    call_id = f"turn {owner_id.hex}"
    batches = OperationBatch.objects.select_for_update().filter(run=cause.run, tool_call_id=call_id)
    batch = batches.first() if cause.run else None
    number = batch.operations.count() if batch else 0
    if batch is None:
        actor = parts[0].actor
        assert actor is not None  # noqa: S101 - it was planned
        own = Cause(cause.session, cause.run, cause.message, call_id, cause.reason)
        batch = new_batch(actor, own, title=title(bool(reasons)), is_atomic=False)
    if reasons:
        batch.status = State.REVIEW
        batch.review_reasons = list(dict.fromkeys([*batch.review_reasons, *reasons]))
    elif batch.status != State.REVIEW:
        batch.status, batch.finished_at = State.COMPLETED, timezone.now()
    store(batch, [step for part in parts for step in part.done], after=number)
    for part in parts:
        part.operations = [step.operation for step in part.steps]
    if number:
        batch.save(update_fields=["status", "review_reasons", "finished_at"])
    return batch
