"""The one way from an agent to the ledger: policy first, then done or proposed, always recorded."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from chat.assistant.provenance import untrusted_in
from chat.guides import GuideEvent, Part, Turn
from chat.models import Participant, Run
from chat.operations.changes import Actor, Cause, Change, Delete, Kind
from chat.operations.execute import execute, executed_before
from chat.operations.models import Operation, OperationBatch
from chat.operations.policy import reasons_to_wait
from chat.operations.registry import operable
from chat.operations.review import propose, reject
from chat.operations.undo import undo
from chat.runs.lease import LeaseLost
from futura.errors import NotFound
from futura.text import shortened
from projects.modes.state import READ_ONLY, AgentState

State, Status = OperationBatch.Status, Operation.Status
Again = Callable[[], Sequence[Change]]


@dataclass(frozen=True)
class Applied:
    """What became of some changes. `again` is the one repair attempt after a failure."""

    batch: OperationBatch
    again: OperationBatch | None = None

    @property
    def batches(self) -> tuple[OperationBatch, ...]:
        """Everything that was recorded, in order."""
        return (self.batch, self.again) if self.again else (self.batch,)

    @property
    def is_waiting(self) -> bool:
        """Nothing was done: it waits for review."""
        return self.batch.status == State.REVIEW

    @property
    def is_done(self) -> bool:
        """Everything was done, at once or by the repair."""
        return self.batches[-1].status == State.COMPLETED

    @property
    def error(self) -> str:
        """Why it failed, for people; empty unless it did."""
        failed = self.batches[-1].operations.filter(status=Status.FAILED).first()
        return failed.error if failed else ""


@dataclass
class Ledger:
    """What one turn has applied so far; its parts are to be yielded by the guide."""

    applied: list[Applied] = field(default_factory=list)
    _shown: int = 0

    @property
    def batches(self) -> list[OperationBatch]:
        """Every batch of this turn, in order."""
        return [batch for one in self.applied for batch in one.batches]

    def parts(self, turn: Turn[Any]) -> Iterator[GuideEvent]:
        """What has not been shown yet: each message shows the changes that it caused."""
        fresh, self._shown = self.applied[self._shown :], len(self.applied)
        for one in fresh:
            for batch in one.batches:
                yield Part(part_of(batch), to="message" if turn.message else "reply")


def apply(
    turn: Turn[Any],
    changes: Sequence[Change],
    *,
    title: str,
    tool_call_id: str,
    waiting_title: str = "",
    is_atomic: bool = False,
    is_confirmed: bool = False,
    again: Again | None = None,
    owner_id: uuid.UUID | None = None,
) -> Applied:
    """Does changes or lets them wait for their owner, as the session's policy says.

    They are linked to session, run, message and tool call; the same call of the same run is done
    once. `waiting_title` says what would be done, where it has to wait.
    `is_confirmed`: the person has
    just confirmed a preview of exactly this, which is the review (DECISIONS 27); deletions wait
    all the same. After a failure, `again` gives the changes worked out anew from what stands now:
    they are tried once. `owner_id` names the rows' owner where the person of the session has
    several. Raises BadInput, NotFound; LeaseLost when the run was taken away; PermissionError in a
    mode without writing tools.
    """
    how = {"is_atomic": is_atomic, "is_confirmed": is_confirmed}
    titles = title, waiting_title or title
    first = _once(turn, changes, titles, tool_call_id, owner_id, **how)
    if first.status != State.FAILED or again is None:
        return _counted(turn, Applied(first))
    retry = _once(turn, again(), titles, f"{tool_call_id}:again", owner_id, **how)
    return _counted(turn, Applied(first, retry))


def _counted(turn: Turn[Any], applied: Applied) -> Applied:
    state: AgentState = turn.state
    for batch in applied.batches:
        state.operations_executed += batch.operations.filter(status=Status.COMPLETED).count()
    return applied


def _once(
    turn: Turn[Any],
    changes: Sequence[Change],
    titles: tuple[str, str],
    tool_call_id: str,
    owner_id: uuid.UUID | None,
    *,
    is_atomic: bool,
    is_confirmed: bool,
) -> OperationBatch:
    with transaction.atomic():
        run = _running(turn)
        _refuse_readers(run)
        actor = actor_of(run, owner_id)
        cause = Cause(run.session, run, run.message, tool_call_id)
        if not is_confirmed and (known := executed_before(cause)) is not None:
            return known
        reasons = _reasons(turn, run, changes, is_confirmed)
        if reasons:
            batch = propose(
                actor=actor, changes=changes, reasons=reasons, cause=cause, title=titles[1],
                is_atomic=is_atomic,
            )  # fmt: skip
        else:
            batch = execute(
                actor=actor, changes=changes, cause=cause, title=titles[0], is_atomic=is_atomic
            )
    return batch


def _running(turn: Turn[Any]) -> Run:
    """The turn's run, locked: one that was stopped or taken away writes nothing any more."""
    runs = Run.objects.select_for_update(of=("self",))
    run = runs.select_related("session__participant", "message").filter(pk=turn.run_id).first()
    if run is None or run.status != Run.Status.RUNNING or run.session_id != turn.session_id:
        raise LeaseLost
    return run


def _refuse_readers(run: Run) -> None:
    """Audit and forecast write nothing, whatever reaches this place."""
    if run.session.kind in READ_ONLY:
        raise PermissionError(f"A conversation of kind {run.session.kind} only reads.")


def actor_of(run: Run, owner_id: uuid.UUID | None = None) -> Actor:
    """The agent, acting for the owner of the run's session, or for another participant of the
    same account. Raises NotFound for any other.
    """
    owner = run.session.participant
    if owner_id is not None and owner_id != owner.pk:
        same = Participant.objects.filter(pk=owner_id, user__participants=owner)
        if not same.exists():
            raise NotFound
    return Actor(owner_id or owner.pk, Kind.AGENT, owner.user_id)


def _reasons(turn: Turn[Any], run: Run, changes: Sequence[Change], is_confirmed: bool) -> list[str]:
    """Why these must wait.

    A draft counts with its tasks as one thing: none of it is real before the confirmed preview.
    """
    state: AgentState = turn.state
    touched = Operation.objects.filter(batch__run=run, undoes=None).exclude(entity="draft_task")
    done_before = set(touched.values_list("entity_id", "entity", "type"))
    listed = {
        key
        for key, entity, kind in done_before
        if kind == Operation.Type.CREATE and operable(entity).is_listed
    }
    before = {key for key, _entity, _kind in done_before} - listed
    rows = {one.id for one in changes if one.entity != "draft_task"}
    kept = [one for one in changes if not is_confirmed or isinstance(one, Delete)]
    return reasons_to_wait(
        "" if is_confirmed else run.session.policy,
        kept,
        # those already counted are not counted twice
        touched_before=0 if is_confirmed else len(before - rows),
        listed_before=0 if is_confirmed else len(listed - rows),
        has_untrusted_text=not is_confirmed and (state.has_untrusted_text or untrusted_in(turn)),
    )


def taken_back(
    turn: Turn[Any],
    batches: Sequence[OperationBatch],
    *,
    tool_call_id: str,
    title: str,
    about: uuid.UUID | None = None,
) -> list[Applied]:
    """Takes back what stands of some batches, the last one first, all or none.

    With `about` only what was done to that row, and the links that its deletion cut. What waits
    in them for review is dropped. The same call of the same run is done once.
    Raises UndoConflict, Conflict, NotFound, LeaseLost.
    """
    with transaction.atomic():
        run = _running(turn)
        _refuse_readers(run)
        known = OperationBatch.objects.filter(run=run, tool_call_id__startswith=f"{tool_call_id}:")
        if found := list(known.order_by("created_at")):
            return [Applied(one) for one in found]
        done = []
        for number, batch in enumerate(batches):
            actor = actor_of(run, batch.owner_id)
            waiting = batch.operations.filter(status=Status.PENDING)
            if batch.status == State.REVIEW and (ids := list(waiting.values_list("pk", flat=True))):
                reject(actor=actor, batch_id=batch.pk, operation_ids=ids)
            done_then = batch.operations.filter(status=Status.COMPLETED)
            if standing := [one for one in done_then if _is_of(one, about)]:
                cause = Cause(run.session, run, run.message, f"{tool_call_id}:{number}")
                done.append(
                    Applied(undo(actor=actor, operations=standing, cause=cause, title=title))
                )
    return done


def _is_of(operation: Operation, about: uuid.UUID | None) -> bool:
    return about in {None, operation.entity_id} or operation.changed_fields == ["depends_on"]


def part_of(batch: OperationBatch) -> dict[str, Any]:
    """How a batch is noted with the message that caused it: which, and how much came of it."""
    counts = {
        status: batch.operations.filter(status=status).count()
        for status in (Status.COMPLETED, Status.PENDING, Status.FAILED)
    }
    return {
        "type": "operations",
        "batch": str(batch.pk),
        "title": shortened(batch.title),
        "done": counts[Status.COMPLETED],
        "waiting": counts[Status.PENDING] if batch.status == State.REVIEW else 0,
        "failed": counts[Status.FAILED],
        "quiet": True,
    }
