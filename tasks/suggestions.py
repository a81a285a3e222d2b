"""How a display of suggestion cards looks: which are picked, which are already in the talk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chat.models import Message, Session
from onet.groups import ActivityGroup


@dataclass(frozen=True)
class ShownCard:
    """One card."""

    id: str
    statement: str
    group: str
    picked: bool
    is_acknowledged: bool


def cards_context(part: Mapping[str, Any], message: Message, session: Session) -> dict[str, Any]:
    """What `tasks/_suggestions.html` needs; no query."""
    picked = set(session.state.get("selectedSuggestionIds", ()))
    known = set(session.state.get("acknowledgedIds", ()))
    cards = [
        ShownCard(
            id=str(one["id"]),
            statement=str(one["statement"]),
            group=_label(one.get("group") or one.get("gwaCategory")),
            picked=one["id"] in picked,
            is_acknowledged=one["id"] in known,
        )
        for one in part.get("cards", ())
    ]
    return {
        "cards": cards,
        "picked": sum(card.picked for card in cards),
        "fresh": sum(card.picked and not card.is_acknowledged for card in cards),
        "message": message,
        "session": session,
    }


def _label(group: object) -> str:
    return str(ActivityGroup(group).label) if group in ActivityGroup.values else ""
