"""Writes whether people get in: opened, closed early, reopened; and wraps up what is over."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.models import Message
from futura.errors import BadInput
from tasks.actions import start_pipeline
from tasks.campaigns.models import Campaign
from tasks.models import SurveyResponse


def open_now(*, campaign: Campaign) -> Campaign:
    """Lets people in from now on, or from the opening time when that is still to come.

    Raises BadInput when its consent text is missing, or its time is over.
    """
    now = timezone.now()
    with transaction.atomic():
        stored = Campaign.objects.select_for_update().get(pk=campaign.pk)
        _refuse_without_consent(stored)
        if stored.closes_at is not None and stored.closes_at <= now:
            raise BadInput(
                _("Its closing time is over. Choose a later one first."), field="closes_at"
            )
        stored.status, stored.closed_at = Campaign.Status.OPEN, None
        _save(stored)
    return stored


def close(*, campaign: Campaign) -> Campaign:
    """Lets nobody new in. Talks that were begun may be finished in the hours of grace.

    Twice changes nothing; nothing that was told is touched.
    """
    with transaction.atomic():
        stored = Campaign.objects.select_for_update().get(pk=campaign.pk)
        if stored.status == Campaign.Status.OPEN:
            stored.status, stored.closed_at = Campaign.Status.CLOSED, timezone.now()
            _save(stored)
    return stored


def reopen(*, campaign: Campaign) -> Campaign:
    """Lets people in again; a closing time that is over is dropped. Raises BadInput."""
    with transaction.atomic():
        stored = Campaign.objects.select_for_update().get(pk=campaign.pk)
        _refuse_without_consent(stored)
        if stored.closes_at is not None and stored.closes_at <= timezone.now():
            stored.closes_at = None
        stored.status, stored.closed_at = Campaign.Status.OPEN, None
        _save(stored)
    return stored


def _refuse_without_consent(campaign: Campaign) -> None:
    if not campaign.consent.strip():
        raise BadInput(
            _("Write the consent text first: nobody takes part without agreeing to one."),
            field="consent",
        )


def _save(campaign: Campaign) -> None:
    campaign.version += 1
    campaign.save(update_fields=["status", "closed_at", "closes_at", "version", "updated_at"])


def wrap_up(*, now: datetime | None = None, limit: int = 200) -> int:
    """Writes the lists of talks that nobody finished before their campaign was over; how many.

    So that what was told there is kept as tasks, too. They count as not sent.
    """
    at, written = now or timezone.now(), 0
    over = [one for one in Campaign.objects.exclude(status="draft") if _is_over(one, at)]
    said = Message.objects.filter(session=OuterRef("pk"), role=Message.Role.PERSON)
    left = SurveyResponse.objects.filter(
        Exists(said), campaign__in=over, step=SurveyResponse.Step.IDLE, submitted_at=None
    )
    for response_id in list(left.values_list("pk", flat=True)[:limit]):
        written += start_pipeline(response_id)
    return written


def _is_over(campaign: Campaign, at: datetime) -> bool:
    return campaign.phase(at) == Campaign.Phase.CLOSED
