"""Writes the end of a response: sent, or deleted with everything in it."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from futura.errors import BadInput, Conflict
from tasks.actions.editing import RUNNING_STEPS, tell
from tasks.models import SurveyResponse


def submit(*, response: SurveyResponse) -> SurveyResponse:
    """Sends the list; it can be read afterwards, not changed. Twice changes nothing.

    A total other than 100 or missing AI use are the person's business; an empty list is not sent.
    """
    with transaction.atomic():
        locked = SurveyResponse.objects.select_for_update().get(pk=response.pk)
        if locked.submitted_at is not None:
            return locked
        if locked.step in RUNNING_STEPS:
            raise Conflict(_("Your list is still being written. Wait a moment, then send it."))
        if not locked.tasks.filter(deleted_at=None).exists():
            raise BadInput(_("There is no task on the list yet. Add one, or go back to the talk."))
        locked.submitted_at = timezone.now()
        locked.save(update_fields=["submitted_at", "updated_at"])
        tell(locked.pk, kind="pipeline", id=locked.pk, version=0)
        return locked


def delete_answers(*, response: SurveyResponse) -> None:
    """Deletes the conversation, the tasks and everything that hangs on them, for good."""
    response.session.delete()
