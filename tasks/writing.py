"""How everything of the survey writes tasks and matches: as one batch of the ledger, or not."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from chat.operations.changes import Actor, Cause, Change
from chat.operations.execute import execute, raise_if_failed
from chat.operations.models import OperationBatch
from tasks.models import SurveyResponse


def owner_of(response: SurveyResponse, kind: str = OperationBatch.Actor.PERSON) -> Actor:
    """Who changes a list: the person whose it is, or something that acts for them."""
    return Actor(response.session.participant_id, kind=kind)


def perform(
    response: SurveyResponse, wanted: Sequence[Change], *, actor: Actor, title: str
) -> OperationBatch:
    """Does changes of one list, whole or not at all. Raises Conflict; then nothing is recorded."""
    with transaction.atomic():
        batch = execute(
            actor=actor,
            changes=wanted,
            cause=Cause(session=response.session),
            title=title,
            is_atomic=True,
        )
        if batch.status == OperationBatch.Status.FAILED:
            raise_if_failed(batch)
    return batch
