"""Writes that a response's list is to be written now."""

from __future__ import annotations

import uuid
from functools import partial

from django.db import transaction
from django.utils import timezone

from tasks.coding import announce
from tasks.coding.run import tell
from tasks.models import SurveyResponse

_AT_REST = (SurveyResponse.Step.IDLE, SurveyResponse.Step.DONE, SurveyResponse.Step.FAILED)


def start_pipeline(session_id: uuid.UUID) -> bool:
    """Queues the pipeline of a conversation; False when it runs already, or was submitted.

    Called again later, it takes over what was said or picked since, and nothing twice.
    """
    with transaction.atomic():
        queued = SurveyResponse.objects.filter(
            pk=session_id, step__in=_AT_REST, submitted_at=None
        ).update(
            step=SurveyResponse.Step.QUEUED, step_error="", lease=None, updated_at=timezone.now()
        )
        if queued:
            transaction.on_commit(partial(tell, session_id))
            transaction.on_commit(partial(announce.response, session_id))
    return bool(queued)
