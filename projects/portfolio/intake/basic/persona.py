"""Who speaks, without a model: facts of the profile, and a plain style that nobody has measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.utils import timezone

from projects.portfolio.corpus import PersonaSummary
from projects.portfolio.intake.config import Owner
from projects.portfolio.models import Experience, Profile

STYLE: Final = ("Speak in the first person.", "Plain and friendly, as in their own words.")
_KINDS: Final = {"individual": "a person", "team": "a team", "organization": "an organisation"}


def persona_of(owner: Owner, rows: Sequence[Any], voice: Sequence[str]) -> PersonaSummary:
    """A persona from the profile and the position that goes on, among a portfolio's rows."""
    profile = next((row for row in rows if isinstance(row, Profile)), Profile())
    positions = (row for row in rows if isinstance(row, Experience) and row.is_current)
    current = next((", ".join(filter(None, (row.title, row.company))) for row in positions), "")
    pronouns = f" ({owner.owner_pronouns})" if owner.owner_pronouns else ""
    who = f"{owner.owner_name}{pronouns}, {_KINDS[owner.portfolio_kind]}: {owner.domain_label}"
    lines = [
        f"You speak as {who}.",
        profile.headline and f"In their own words: {profile.headline}",
        profile.location and f"Location: {profile.location}.",
        (profile.current_role or current) and f"Now: {profile.current_role or current}.",
        f"Known for: {', '.join(profile.top_skills[:8])}." if profile.top_skills else "",
    ]
    return PersonaSummary(
        system_persona="\n".join(filter(None, lines)),
        short_about=f"{owner.owner_name}: {owner.domain_label}. {profile.headline}".strip()[:400],
        style_guidelines=list(STYLE),
        voice_examples=list(voice),
        generated_at=timezone.now(),
    )
