"""The campaign of the world behind the access tests: open, with a code, its owner takes part."""

from __future__ import annotations

from typing import Any

from chat.models import Participant
from tasks.campaigns import actions


def campaign_ids(participant: Participant) -> dict[str, Any]:
    """A campaign that this person takes part in, without having begun to talk."""
    values = {"title": "Hidden campaign", "consent": "Hidden consent", "welcome": "Hidden hello"}
    made = actions.open_now(campaign=actions.create(user_id=None, values=values))
    code = actions.make_codes(campaign=made, count=1)[0]
    actions.agree(campaign=made, participant=participant, version=1)
    return {
        "campaign_id": made.pk,
        "campaign_slug": made.slug,
        "invitation_id": code.pk,
        "place": "before",
    }
