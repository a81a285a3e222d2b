"""The campaign of the world behind the access tests: open, with a code, its owner takes part."""

from __future__ import annotations

from typing import Any

from chat.models import Participant
from tasks.campaigns.actions import joining, setting_up


def campaign_ids(participant: Participant) -> dict[str, Any]:
    """A campaign that this person takes part in, without having begun to talk."""
    values = {"title": "Hidden campaign", "consent": "Hidden consent", "welcome": "Hidden hello"}
    made = setting_up.open_now(campaign=setting_up.create(user_id=None, values=values))
    code = setting_up.make_codes(campaign=made, count=1)[0]
    joining.agree(campaign=made, participant=participant, version=1)
    return {
        "campaign_id": made.pk,
        "campaign_slug": made.slug,
        "invitation_id": code.pk,
        "place": "before",
    }
