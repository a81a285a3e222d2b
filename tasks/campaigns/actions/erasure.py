"""Writes that what a participant told is deleted: by the person, or by the time it was kept for.

What goes: the talk with every message, the list, what the ledger of changes has of its words, the
answers to extra questions. What stays names nobody: the number of the participation, when its
steps were reached, which consent was given, the counts; and model calls without a conversation.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max, Min
from django.utils import timezone

from chat import actions as chat_actions
from chat.models import Message, Session
from futura.llm.models import ModelCall
from tasks.campaigns.models import Campaign, Participation
from tasks.campaigns.queries import due_for_deletion
from tasks.models import WorkTask

ErasedBy = Participation.ErasedBy


def erase_participation(
    *, participation: Participation, by: Participation.ErasedBy = ErasedBy.PERSON
) -> None:
    """Deletes all that was told in a participation, for good and at once. Twice changes nothing."""
    with transaction.atomic():
        rows = Participation.objects.select_for_update(of=("self",))
        row = rows.filter(pk=participation.pk, erased_at=None).first()
        if row is None:
            return
        session = Session.objects.filter(pk=row.response_id).first() if row.response_id else None
        _close(row, by)
        if session is not None:
            chat_actions.erase(session)


def let_go(session_id: uuid.UUID) -> None:
    """Before a survey is erased, whoever does it: its participation keeps the counts only.

    Must run in the transaction that erases the session.
    """
    rows = Participation.objects.select_for_update(of=("self",))
    row = rows.filter(response=session_id, erased_at=None).first()
    if row is not None:
        _close(row, ErasedBy.PERSON)


def forget_people(people: Sequence[uuid.UUID]) -> None:
    """Closes every participation of these participants; their talks are erased after this."""
    rows = Participation.objects.select_for_update(of=("self",))
    for row in rows.filter(participant__in=people, erased_at=None).order_by("pk"):
        _close(row, ErasedBy.PERSON)


def _close(row: Participation, by: Participation.ErasedBy) -> None:
    if row.response_id is not None:
        said = Message.objects.filter(session=row.response_id, superseded_at=None)
        span = said.aggregate(first=Min("created_at"), last=Max("created_at"))
        if span["first"] is not None:
            row.talk_minutes = round((span["last"] - span["first"]).total_seconds() / 60)
        row.turn_count = said.filter(role=Message.Role.PERSON).count()
        row.task_count = WorkTask.objects.filter(response=row.response_id, deleted_at=None).count()
        ModelCall.objects.filter(session_id=row.response_id).update(
            session_id=None, run_id=None, error=""
        )
    row.extra_answers.all().delete()
    row.response = row.participant = row.invitation = None
    row.erased_at, row.erased_by = timezone.now(), by
    row.save()


def purge_expired(*, now: datetime | None = None, limit: int = 200) -> int:
    """Deletes what was kept for as long as its campaign said; how many participations.

    The time runs from the end of the campaign, grace included; while that has no end, from the
    day a list was sent (or a talk was begun). Safe to call again; goes on where it stopped.
    """
    at, gone = now or timezone.now(), 0
    for campaign in due_for_deletion():
        for participation in _expired(campaign, at)[: limit - gone]:
            erase_participation(participation=participation, by=ErasedBy.RETENTION)
            gone += 1
    return gone


def _expired(campaign: Campaign, at: datetime) -> list[Participation]:
    kept = timedelta(days=campaign.retention_days or 0)
    rows = campaign.participations.filter(erased_at=None).order_by("created_at")
    ends = campaign.grace_ends_at
    if ends is not None:
        return list(rows) if ends + kept <= at else []
    return [row for row in rows if (row.submitted_at or row.created_at) + kept <= at]
