"""“Undo that”: what the last answers of the conversation changed, or one change by its id.

Every row that would change back is named, and nothing that was created is taken back before the
person has seen that and agreed (DECISIONS 61).
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from pydantic import BaseModel, Field

from chat.assistant.toolset import Acting, UndoQuestion
from chat.assistant.working import Working, running
from chat.operations import labels
from chat.operations.changes import Actor, Cause, Kind
from chat.operations.models import Operation, OperationBatch
from chat.operations.review import reject
from chat.operations.undo import UndoConflict, undo
from futura.errors import Conflict
from futura.llm.tools import ToolRejected

Status = Operation.Status
LOOKED_BACK: Final = 200  # batches of a conversation
ANSWERS: Final = 20
ABOUT: Final = (
    "Takes back what the last answer of this conversation changed, the latest few answers' "
    "changes, or one change by its id. What created something is taken back only after the person "
    "has agreed: then call it again with `confirmed`."
)
OTHERS: Final = (
    "This was asked for with text that somebody else wrote, so nothing was undone. Every change "
    "has its own Undo."
)
NO_CHANGE: Final = "There is no such change of this person's; nothing was undone."
NOTHING: Final = "There is nothing in this conversation that could be taken back."
DROPPED: Final = "Dropped; it had only waited for the person, and nothing of it was done"
CHANGED: Final = (
    "NOT UNDONE: some of it was changed since. The person decides what shall stand on the page of "
    "that change."
)
ASKED: Final = (
    "NOT UNDONE: it would take back something that was created. Name these rows to the person and "
    "ask; when they agree in a later message, call it again with `confirmed`:"
)


class Undo(BaseModel):
    """What to take back; with nothing given, what the last answer changed."""

    batch: str | None = Field(None, max_length=40, description="Id of a change.")
    last: int | None = Field(
        None, ge=1, le=ANSWERS, description="How many of the latest answers with changes."
    )
    confirmed: bool | None = Field(
        None, description="The person has agreed to exactly what was named to them before."
    )


@dataclass(frozen=True)
class Undone:
    """What an undo came to. `rows` say of each row what was done to it.

    `question` is there while the person has to be asked; `conflict` is a batch of which something
    was changed since; neither and no rows: there was nothing to take back.
    """

    batches: Sequence[OperationBatch] = ()
    rows: Sequence[str] = ()
    question: UndoQuestion | None = None
    conflict: uuid.UUID | None = None


def tool(name: str = "undo") -> Acting:
    def act(arguments: Undo, working: Working, call_id: str) -> str:
        return outcome_text(take_back(arguments, working, call_id))

    return Acting(name, ABOUT, Undo, act)


def outcome_text(undone: Undone) -> str:
    rows = "\n".join(f"- {row}" for row in undone.rows)
    if undone.question is not None:
        return f"{ASKED}\n{rows}"
    if undone.conflict is not None:
        return CHANGED
    was_done = any(batch.undoes_id for batch in undone.batches)
    return f"{'Undone' if was_done else DROPPED}:\n{rows}" if undone.batches else NOTHING


def take_back(arguments: Undo, working: Working, call_id: str) -> Undone:
    """Takes back what was asked for, or asks. Raises ToolRejected; LeaseLost.

    In the turn's state `undo_question` is what the person was asked; only a later turn answers it.
    """
    if working.is_tainted:  # an undo cannot wait for a review
        raise ToolRejected(OTHERS)
    state = working.turn.state
    question: UndoQuestion | None = state.undo_question
    if arguments.confirmed and question and question.asked_by != working.turn.run_id:
        batches, is_agreed = _named(question.batches, working), True
    else:
        batches, is_agreed = _meant(arguments, working), False
    if not batches:
        return Undone()
    rows, has_creation = rows_of(batches)
    if has_creation and not is_agreed:
        ids = [batch.pk for batch in batches]
        state.undo_question = UndoQuestion(batches=ids, asked_by=working.turn.run_id)
        undone = Undone(rows=rows, question=state.undo_question)
    else:
        state.undo_question = None
        try:
            done = _undo(batches, working, call_id)
            undone = Undone(done or batches, rows)
        except UndoConflict:
            undone = Undone(rows=rows, conflict=batches[0].pk)
        except Conflict as error:
            raise ToolRejected(f"Not undone: {error}") from error
    working.acts.append(undone)
    return undone


def _undo(
    batches: Sequence[OperationBatch], working: Working, call_id: str
) -> list[OperationBatch]:
    """All or none, the last one first; what waits in them is dropped."""
    with transaction.atomic():
        run = running(working.turn)
        before = OperationBatch.objects.filter(run=run, tool_call_id__startswith=f"{call_id}:")
        if again := list(before):
            return again
        done = []
        for number, batch in enumerate(batches):
            actor = Actor(batch.owner_id, Kind.AGENT, run.session.participant.user_id)
            waiting = batch.operations.filter(status=Status.PENDING)
            ids = list(waiting.values_list("pk", flat=True))
            if batch.status == OperationBatch.Status.REVIEW and ids:
                reject(actor=actor, batch_id=batch.pk, operation_ids=ids)
            if standing := list(batch.operations.filter(status=Status.COMPLETED)):
                cause = Cause(run.session, run, run.message, f"{call_id}:{number}")
                title = _("Undid changes")
                done.append(undo(actor=actor, operations=standing, cause=cause, title=title))
    return done


def rows_of(batches: Sequence[OperationBatch]) -> tuple[list[str], bool]:
    """What was done to each row that would change back; and whether one of them was created."""
    changed = Operation.objects.filter(batch__in=batches).select_related("payload")
    standing = changed.filter(status__in=(Status.COMPLETED, Status.PENDING))
    operations = list(standing.order_by("batch__created_at", "sequence"))
    has_creation = any(
        operation.type == Operation.Type.CREATE and operation.status == Status.COMPLETED
        for operation in operations
    )
    return list(dict.fromkeys(labels.deed(operation) for operation in operations)), has_creation


def _meant(arguments: Undo, working: Working) -> list[OperationBatch]:
    if arguments.batch:
        return _named([_uuid(arguments.batch)], working)
    answers = _answers(working)[: arguments.last or 1]
    return [batch for answer in answers for batch in answer]


def _named(ids: Sequence[uuid.UUID], working: Working) -> list[OperationBatch]:
    own = OperationBatch.objects.filter(
        pk__in=ids, owner_id__in=working.scope().identity.participant_ids
    )
    batches = list(own.order_by("-created_at"))
    if len(batches) != len(set(ids)):
        raise ToolRejected(NO_CHANGE)
    return batches


def _answers(working: Working) -> list[list[OperationBatch]]:
    """What stands or waits of each answer that changed something, the newest first.

    What this very answer has done is no part of it.
    """
    answers: dict[uuid.UUID, list[OperationBatch]] = {}
    for batch in _of_conversation(working)[:LOOKED_BACK]:
        answers.setdefault(batch.run_id or batch.pk, []).append(batch)
    return list(answers.values())


def _of_conversation(working: Working) -> QuerySet[OperationBatch]:
    counts = Operation.objects.filter(batch=OuterRef("pk"), undoes=None).filter(
        Q(status=Status.COMPLETED)
        | Q(status=Status.PENDING, batch__status=OperationBatch.Status.REVIEW)
    )
    turn = working.turn
    return (
        OperationBatch.objects.filter(Exists(counts), session=turn.session_id, undoes=None)
        .filter(owner_id__in=working.scope().identity.participant_ids)
        .exclude(run=turn.run_id)
        .order_by("-created_at")
    )


def _uuid(text: Any) -> uuid.UUID:
    try:
        return uuid.UUID(str(text).strip())
    except ValueError:
        raise ToolRejected(NO_CHANGE) from None
