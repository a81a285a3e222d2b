"""“Undo that”: takes back what the last answer of the conversation changed, or a named batch."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from chat.operations.models import Operation, OperationBatch
from chat.operations.registry import operable
from chat.operations.undo import UndoConflict
from futura.errors import Conflict
from futura.llm.tools import ToolRejected
from projects.agent.apply import taken_back
from projects.concierge.basic.shapes import Pending
from projects.concierge.calls import TakeBack, Undo
from projects.concierge.desk import NO_TASK, Desk, Gone
from projects.concierge.outcomes import AskedBack, TakenBack
from projects.concierge.telling import bold
from projects.models import Task

LOOKED_BACK: Final = 200  # batches of a conversation
OTHERS: Final = (
    "This was asked for with text that somebody else wrote, so nothing was undone. Every change "
    "has its own Undo."
)
NO_BATCH: Final = "There is no such change of this person's; nothing was undone."


def undo_last(call: Undo, desk: Desk, call_id: str) -> TakenBack | AskedBack:
    """Undoes what one answer did, or drops what it proposed; or the latest changes; or the last
    change of a task.

    What would take back something created waits for the person's yes (DECISIONS 61).
    Raises Gone, ToolRejected.
    """
    if desk.turn.state.has_untrusted_text:  # an undo cannot wait for a review
        raise ToolRejected(OTHERS)
    about = _task(call.task, desk) if call.task else None
    batches = _wanted(call, desk, about)
    if not batches:
        return TakenBack(call)
    rows, has_creation = _rows(batches, about)
    if has_creation:
        keys = [str(one.pk) for one in batches]
        agreed = TakeBack(batches=keys, task=str(about) if about else None)
        pending = Pending(kind="offer", calls=[agreed], question=_("Shall I take it back?"))
        return AskedBack(call, rows, pending)
    return _undone(call, batches, rows, desk, call_id, about)


def take_back(call: TakeBack, desk: Desk, call_id: str) -> TakenBack:
    """Undoes exactly the batches whose rows the person has seen. Raises Gone, ToolRejected."""
    if desk.turn.state.has_untrusted_text:
        raise ToolRejected(OTHERS)
    about = _task(call.task, desk) if call.task else None
    batches = [_named(one, desk) for one in call.batches]
    return _undone(call, batches, _rows(batches, about)[0], desk, call_id, about)


def _undone(
    call: Undo | TakeBack,
    batches: Sequence[OperationBatch],
    rows: Sequence[str],
    desk: Desk,
    call_id: str,
    about: uuid.UUID | None,
) -> TakenBack:
    titles = [one.title for one in batches]
    try:
        done = taken_back(
            desk.turn, batches, tool_call_id=call_id, title=_("Took it back"), about=about
        )
    except UndoConflict:
        return TakenBack(call, titles=titles, is_changed_since=True, batch_id=batches[0].pk)
    except Conflict as error:
        raise ToolRejected(f"Not undone: {error}") from error
    desk.ledger.applied += done
    return TakenBack(call, done, titles, rows, batch_id=batches[0].pk)


def _rows(batches: Sequence[OperationBatch], about: uuid.UUID | None) -> tuple[list[str], bool]:
    """What was done to each row that would change back; and whether one of them was created."""
    changed = Operation.objects.filter(batch__in=batches).select_related("payload")
    standing = changed.filter(status__in=(Operation.Status.COMPLETED, Operation.Status.PENDING))
    operations = [
        one
        for one in standing.order_by("batch__created_at", "sequence")
        if about in {None, one.entity_id}
    ]
    rows = [_row(one) for one in operations]
    has_creation = any(
        one.type == Operation.Type.CREATE and one.status == Operation.Status.COMPLETED
        for one in operations
    )
    return list(dict.fromkeys(rows)), has_creation


def _row(operation: Operation) -> str:
    deeds = {
        Operation.Type.CREATE: _("created"),
        Operation.Type.UPDATE: _("changed"),
        Operation.Type.DELETE: _("deleted"),
        Operation.Type.RESTORE: _("brought back"),
    }
    of = operable(operation.entity)
    now = of.model._default_manager.filter(pk=operation.entity_id).values(*of.fields).first()
    payload = operation.payload
    name = of.title(now or payload.after or payload.before or {}) or str(
        of.model._meta.verbose_name
    )
    return f"{bold(name)} ({deeds[Operation.Type(operation.type)]})"


def _wanted(call: Undo, desk: Desk, about: uuid.UUID | None) -> Sequence[OperationBatch]:
    if call.batch:
        return [_named(call.batch, desk)]
    if call.last:
        return list(_of_talk(desk)[: call.last])
    return _last_of(about, desk) if about else _back(desk, call.steps_back or 0)


def _task(ref: str, desk: Desk) -> uuid.UUID:
    """The id of the person's own task, deleted or not. Raises Gone."""
    try:
        own = Task.objects.filter(pk=uuid.UUID(ref.strip()), owner_id__in=desk.owner_ids)
    except ValueError:
        raise Gone(NO_TASK) from None
    found = own.values_list("pk", flat=True).first()
    if found is None:
        raise Gone(NO_TASK)
    return found


def _last_of(task_id: uuid.UUID, desk: Desk) -> Sequence[OperationBatch]:
    """The last batch that changed a task and stands, wherever it was made."""
    changed = Operation.objects.filter(
        entity="task", entity_id=task_id, status=Operation.Status.COMPLETED, undoes=None,
        batch__owner_id__in=desk.owner_ids, batch__undoes=None,
    ).exclude(changed_fields=["position"])  # fmt: skip
    last = changed.select_related("batch").order_by("-batch__created_at").first()
    return [last.batch] if last else ()


def _named(ref: str, desk: Desk) -> OperationBatch:
    try:
        key = uuid.UUID(ref.strip())
    except ValueError:
        raise Gone(NO_BATCH) from None
    found = OperationBatch.objects.filter(pk=key, owner_id__in=desk.owner_ids).first()
    if found is None:
        raise Gone(NO_BATCH)
    return found


def _back(desk: Desk, steps: int) -> Sequence[OperationBatch]:
    """What stands or waits of the newest answer that changed something, the last change first.

    With `steps`, of an answer before it; none when there are not so many.

    What this very answer has done is no part of it.
    """
    of_talk = _of_talk(desk)
    answers: dict[uuid.UUID, OperationBatch] = {}
    for batch in of_talk[:LOOKED_BACK]:
        answers.setdefault(batch.run_id or batch.pk, batch)
    if len(answers) <= steps:
        return ()
    wanted = list(answers.values())[steps]
    return list(of_talk.filter(run=wanted.run_id)) if wanted.run_id else [wanted]


def _of_talk(desk: Desk) -> QuerySet[OperationBatch]:
    """The batches of the conversation that stand or wait, the last one first."""
    counts = Operation.objects.filter(batch=OuterRef("pk")).filter(
        Q(status=Operation.Status.COMPLETED)
        | Q(status=Operation.Status.PENDING, batch__status=OperationBatch.Status.REVIEW)
    )
    return (
        OperationBatch.objects.filter(Exists(counts), session=desk.session, undoes=None)
        .filter(owner_id__in=desk.owner_ids)
        .exclude(run=desk.turn.run_id)
        .order_by("-created_at")
    )
