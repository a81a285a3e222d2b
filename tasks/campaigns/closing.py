"""When a campaign's talks and lists can no longer be gone on with, and the words that say so."""

from __future__ import annotations

import uuid

from django.utils import timezone
from django.utils.translation import gettext as _

from tasks.campaigns.models import Campaign


def closed_words(campaign: Campaign | None) -> str:
    """Why nothing can be added to a response of this campaign any more; empty while it can."""
    if campaign is None or campaign.phase(timezone.now()) != Campaign.Phase.CLOSED:
        return ""
    return _("This survey has closed. What you told so far is kept; nothing is lost.")


def closed_words_of(response_id: uuid.UUID) -> str:
    """The same for a response by its id: one query."""
    return closed_words(Campaign.objects.filter(responses=response_id).first())
