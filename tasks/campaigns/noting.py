"""What the survey itself tells a participation: that its list was sent."""

from __future__ import annotations

from tasks.campaigns.models import Participation
from tasks.models import SurveyResponse


def note_sent(response: SurveyResponse) -> None:
    """The list was sent: the participation behind it knows when. Nothing without one."""
    if response.campaign_id is not None:
        Participation.objects.filter(response=response.pk, submitted_at=None).update(
            submitted_at=response.submitted_at
        )
