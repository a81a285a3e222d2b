"""Writes the end of a response: sent, or erased with everything in it."""

from __future__ import annotations

import uuid

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat import actions as chat_actions
from chat.operations.changes import Actor
from chat.operations.erase import erase
from chat.operations.models import OperationBatch
from chat.staff import cards
from futura.errors import BadInput, Conflict
from tasks import changes
from tasks.actions.editing import RUNNING_STEPS, tell
from tasks.campaigns.closing import closed_words
from tasks.campaigns.noting import note_sent
from tasks.models import SurveyResponse, WorkTask


def submit(*, response: SurveyResponse) -> SurveyResponse:
    """Sends the list; it can be read afterwards, not changed. Twice changes nothing.

    A total other than 100 or missing AI use are the person's business; an empty list is not sent.
    """
    with transaction.atomic():
        locked = SurveyResponse.objects.select_for_update().get(pk=response.pk)
        if locked.submitted_at is not None:
            return locked
        if words := closed_words(locked.campaign):
            raise Conflict(words)
        if locked.step in RUNNING_STEPS:
            raise Conflict(_("Your list is still being written. Wait a moment, then send it."))
        if not locked.tasks.filter(deleted_at=None).exists():
            raise BadInput(_("There is no task on the list yet. Add one, or go back to the talk."))
        locked.submitted_at = timezone.now()
        locked.save(update_fields=["submitted_at", "updated_at"])
        note_sent(locked)
        tell(locked.pk, kind="pipeline", id=locked.pk, version=0)
        cards.outdated([locked.pk])
        return locked


def delete_answers(*, response: SurveyResponse) -> None:
    """Deletes the conversation, the tasks and everything that hangs on them, for good."""
    chat_actions.erase(response.session)


def erase_list(session_id: uuid.UUID) -> None:
    """Erases the tasks of a conversation, what the ledger has of their words included.

    Must run in a transaction: nobody adds to the list until that ends.
    """
    SurveyResponse.objects.select_for_update().filter(pk=session_id).first()
    tasks = WorkTask.objects.filter(response=session_id)
    owned: dict[uuid.UUID, list[tuple[str, uuid.UUID]]] = {}
    for owner_id, pk in tasks.values_list("owner_id", "pk"):
        owned.setdefault(owner_id, []).append((changes.TASK, pk))
    for owner_id, rows in owned.items():
        actor = Actor(owner_id, kind=OperationBatch.Actor.SYSTEM)
        erase(actor=actor, rows=rows, reason=_("The conversation was deleted for good."))
