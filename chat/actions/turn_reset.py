"""Setting the last turn back, so that it can be done anew: changes undone, answers aside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from pydantic import BaseModel

from chat.events.kinds import Event, Reference
from chat.guides import guide_for
from chat.models import OPEN, Message, Run, Session
from chat.operations.changes import Actor, Cause
from chat.operations.execute import close
from chat.operations.models import Operation, OperationBatch
from chat.operations.undo import UndoConflict, undo
from chat.presenters import presenter_for
from futura.errors import Busy, Conflict


def refuse_unless_last(session: Session, run: Run) -> None:
    """Raises Conflict when an answer is being made, or something was said after this run.

    What was taken back counts as never said.
    """
    if run.message is not None and run.message.superseded_at is not None:
        raise Conflict(_("This message has been edited or removed."))
    later = Run.objects.filter(session=session, created_at__gt=run.created_at)
    later = later.exclude(message__superseded_at__isnull=False)
    if run.is_open or later.filter(status__in=OPEN).exists():
        refusal = Busy if run.is_open else Conflict
        raise refusal(_("Futura is replying. Wait for the reply, or stop it first."))
    if later.exists():
        raise Conflict(
            _("The conversation has continued since then. Send the message again instead.")
        )


def refuse_fixed(session: Session, message: Message | None) -> None:
    """Raises Conflict when the feature has made something of this turn that stays."""
    refusal = presenter_for(session.kind).rewind_refusal(session, message)
    if refusal:
        raise Conflict(refusal)


def rewind(session: Session, run: Run) -> list[Event]:
    """Undoes what a run changed, puts the state back and takes the run's notes off its message.

    The session's row must be locked; what was changed from outside meanwhile (a tapped card) stays
    where the guide knows how. Returns what readers have to be told. Raises Conflict when a change
    of the run was changed since.
    """
    take_back(run)
    if run.started_at is not None or run.state_before:
        session.state = _state_before(session, run)
        session.status = Session.Status.ACTIVE
    session.save(update_fields=["state", "status", "updated_at"])
    if run.message is not None:
        run.message.parts = [part for part in run.message.parts if part.get("sent")]
        run.message.status = Message.Status.COMPLETE
        run.message.save(update_fields=["parts", "status"])
    displayed = presenter_for(session.kind).state_event
    return [Reference(displayed, str(session.pk))] if displayed else []


def _state_before(session: Session, run: Run) -> Mapping[str, Any]:
    guide = guide_for(session.kind)
    state: BaseModel = guide.rewound(before=run.state_before, saved=session.state)
    return state.model_dump(mode="json", by_alias=True)


def answers_to(run: Run) -> QuerySet[Message]:
    """Everything that stands as an answer to a run's message, or as the opening."""
    answers = Message.objects.filter(
        session=run.session_id, role=Message.Role.ASSISTANT, superseded_at__isnull=True
    )
    return answers if run.message is None else answers.filter(seq__gt=run.message.seq)


def set_aside(messages: QuerySet[Message]) -> list[Event]:
    """Marks messages as replaced, all at one time, by which staff see what belongs together.

    Returns what readers have to be told.
    """
    ids = list(messages.values_list("pk", flat=True))
    Message.objects.filter(pk__in=ids).update(superseded_at=timezone.now())
    return [Reference("message", str(pk)) for pk in ids]


Status, State = Operation.Status, OperationBatch.Status


def take_back(run: Run) -> OperationBatch | None:
    """Undoes everything that a run did and lets drop what it left waiting.

    Must run in a transaction. Raises Conflict when some of it was changed since: that has to be
    decided among the changes first. Returns the undo; None when nothing stood.
    """
    batches = list(OperationBatch.objects.select_for_update().filter(run=run))
    for batch in batches:
        _let_drop(batch)
    done = Operation.objects.filter(batch__in=batches, status=Status.COMPLETED, because_of=None)
    # what the answer itself took back is gone already
    standing = list(done.exclude(undoes__batch__in=batches))
    if not standing:
        return None
    owner_id = batches[0].owner_id
    try:
        return undo(
            actor=Actor(owner_id, user_id=run.session.participant.user_id),
            operations=standing,
            cause=Cause(session=run.session),
            title=_("Undone for a new reply"),
        )
    except UndoConflict:
        raise Conflict(
            _("Some changes made by this reply were edited later. Undo them under Changes first.")
        ) from None


def _let_drop(batch: OperationBatch) -> None:
    waiting = batch.operations.filter(status=Status.PENDING)
    if waiting.update(status=Status.REJECTED) and batch.status == State.REVIEW:
        stands = batch.operations.filter(status=Status.COMPLETED).exists()
        close(batch, State.COMPLETED if stands else State.REJECTED)
