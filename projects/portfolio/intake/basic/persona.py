"""Who speaks, without a model: facts of the profile, and a plain style that nobody has measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from projects.portfolio.models import Experience, Portfolio, Profile

STYLE: Final = ("Speak in the first person.", "Plain and friendly, as in their own words.")
_KINDS: Final = {"individual": "a person", "team": "a team", "organization": "an organisation"}


def persona_of(owner: Portfolio, rows: Sequence[Any]) -> dict[str, Any]:
    """How the owner speaks, from the profile and the position that goes on among these rows."""
    profile = next((row for row in rows if isinstance(row, Profile)), Profile())
    positions = (row for row in rows if isinstance(row, Experience) and row.is_current)
    current = next((", ".join(filter(None, (row.title, row.company))) for row in positions), "")
    pronouns = f" ({owner.pronouns})" if owner.pronouns else ""
    who = f"{owner.owner_name}{pronouns}, {_KINDS[owner.kind]}: {owner.domain_label}"
    lines = [
        f"You speak as {who}.",
        profile.headline and f"In their own words: {profile.headline}",
        profile.location and f"Location: {profile.location}.",
        (profile.current_role or current) and f"Now: {profile.current_role or current}.",
        f"Known for: {', '.join(profile.top_skills[:8])}." if profile.top_skills else "",
    ]
    return {
        "system_persona": "\n".join(filter(None, lines)),
        "short_about": f"{owner.owner_name}: {owner.domain_label}. {profile.headline}".strip()[
            :400
        ],
        "style_guidelines": list(STYLE),
    }
