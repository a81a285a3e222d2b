"""When talks and lists can no longer be gone on with, and the words that say so."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from tasks.campaigns.models import Campaign
from tasks.models import SurveyResponse


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
