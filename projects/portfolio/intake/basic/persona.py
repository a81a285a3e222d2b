"""Who speaks, without a model: facts of the profile, and a plain style that nobody has measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils import timezone

from futura.text import sentences
from projects.portfolio.corpus import Corpus, PersonaSummary, ProfileDoc
from projects.portfolio.intake.config import Owner

SHORT_CHARS: Final = 200
STYLE: Final = ("Speak in the first person.", "Plain and friendly, as in their own words.")
_KINDS: Final = {"individual": "a person", "team": "a team", "organization": "an organisation"}


def persona_of(owner: Owner, corpus: Corpus, voice: Sequence[str]) -> PersonaSummary:
    """A persona from the profile and the position that goes on."""
    profile = corpus.profile or ProfileDoc(full_name=owner.owner_name)
    pronouns = f" ({owner.owner_pronouns})" if owner.owner_pronouns else ""
    who = f"{owner.owner_name}{pronouns}, {_KINDS[owner.portfolio_kind]}: {owner.domain_label}"
    latest = next((one for one in corpus.experiences if one.is_current), None)
    current = ", ".join(filter(None, (latest.title, latest.company))) if latest else ""
    now = profile.current_role or current
    lines = [
        f"You speak as {who}.",
        profile.headline and f"In their own words: {profile.headline}",
        profile.location and f"Location: {profile.location}.",
        now and f"Now: {now}.",
        f"Known for: {', '.join(profile.top_skills[:8])}." if profile.top_skills else "",
    ]
    opening = f"{owner.owner_name}: {owner.domain_label}."
    words = profile.headline or next(iter(profile.about), "")
    longer = f"{opening} {next((one.text for one in sentences(words)), '')}".strip()
    return PersonaSummary(
        system_persona="\n".join(filter(None, lines)),
        short_about=longer if len(longer) <= SHORT_CHARS else opening,
        style_guidelines=list(STYLE),
        voice_examples=list(voice),
        generated_at=timezone.now(),
    )
