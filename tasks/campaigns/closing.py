"""When talks and lists can no longer be gone on with, in words; and that a list was sent."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from tasks.campaigns.models import Campaign, Participation
from tasks.models import SurveyResponse


def note_sent(response: SurveyResponse) -> None:
    """The list was sent: the participation behind it knows when. Nothing without one."""
    if response.campaign_id is not None:
        Participation.objects.filter(response=response.pk, submitted_at=None).update(
            submitted_at=response.submitted_at
        )


def closed_words(campaign: Campaign | None) -> str:
    """Why nothing can be added to a response of this campaign any more; empty while it can."""
    if campaign is None or campaign.phase(timezone.now()) != Campaign.Phase.CLOSED:
        return ""
    return _("This survey has closed. What you told so far is kept; nothing is lost.")


def fixed_words(response: SurveyResponse) -> str:
    """Why a talk and its list can only be read: sent, or closed before; empty while they go on."""
    if response.submitted_at is not None:
        return _("This list was sent. It can be read, but no longer changed.")
    return closed_words(response.campaign)
