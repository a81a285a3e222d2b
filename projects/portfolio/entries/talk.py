"""Where the builder's conversation and the pages of an entry meet: what is changed by hand there
is told in the conversation's log of changes, too, and refreshes its preview.
"""

from __future__ import annotations

from typing import Final

from chat.models import Session
from projects.portfolio.models import Entry

BUILDER: Final = "portfolio_builder"
"""The kind of that conversation."""


def session_of(entry: Entry) -> Session | None:
    """The living conversation about an entry."""
    about = Session.objects.filter(
        kind=BUILDER, participant_id=entry.owner_id, state__entry_id=str(entry.pk), deleted_at=None
    )
    return about.order_by("created_at").first()
