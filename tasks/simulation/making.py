"""Makes the campaign that invented people take part in."""

from __future__ import annotations

from django.utils import timezone

from tasks.campaigns.actions.setting_up import create
from tasks.campaigns.models import Campaign

CONSENT = "Nobody agreed to this: the people of this campaign are invented."


def invented_campaign(title: str) -> Campaign:
    """A closed campaign, marked as invented: real people never get in."""
    campaign = create(user_id=None, values={"title": title, "consent": CONSENT})
    campaign.is_invented = True
    campaign.status, campaign.closed_at = Campaign.Status.CLOSED, timezone.now()
    campaign.grace_hours = 0
    campaign.save(update_fields=["is_invented", "status", "closed_at", "grace_hours"])
    return campaign
