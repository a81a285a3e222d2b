"""Reads of visitors' conversations: who speaks in a portfolio, and the door to a visit."""

from __future__ import annotations

import hashlib
import uuid
from typing import Final

from chat.models import Session
from projects.portfolio.models import Persona, Portfolio, Profile
from projects.portfolio.undecided import hider
from projects.portfolio.visitors.speaking import Speaker
from projects.portfolio.visitors.state import KIND

LONG_ENOUGH: Final = 16
"""Characters from which on a conversation's id counts as one that nobody guesses."""


def speaker_of(portfolio: Portfolio) -> Speaker:
    """The voice of a portfolio. Three queries."""
    hide = hider(portfolio)
    profile = Profile.objects.filter(portfolio=portfolio, deleted_at=None).first()
    persona = Persona.objects.filter(portfolio=portfolio, deleted_at=None).first()
    profile, persona = profile and hide(profile), persona and hide(persona)
    told = {
        "headline": profile.headline, "location": profile.location,
        "current_role": profile.current_role, "about": tuple(profile.about),
    } if profile else {}  # fmt: skip
    voice = {
        "persona": persona.system_persona, "short_about": persona.short_about,
        "style": tuple(persona.style_guidelines), "voice_examples": tuple(persona.voice_examples),
    } if persona else {}  # fmt: skip
    return Speaker(
        portfolio_id=portfolio.pk,
        slug=portfolio.slug,
        name=portfolio.owner_name,
        pronouns=portfolio.pronouns,
        domain=portfolio.domain_label,
        kind=portfolio.kind,
        **told,  # type: ignore[arg-type]
        **voice,  # type: ignore[arg-type]
    )


def visit_id(portfolio_id: uuid.UUID, conversation_id: str, address: str) -> uuid.UUID:
    """The session that a client's conversation id stands for.

    An id that could be guessed names a conversation only together with the caller's address.
    """
    scope = "" if len(conversation_id) >= LONG_ENOUGH else address
    told = f"visit\x00{portfolio_id}\x00{conversation_id}\x00{scope}"
    return uuid.UUID(bytes=hashlib.sha256(told.encode()).digest()[:16], version=4)


def visit(portfolio_id: uuid.UUID, session_id: uuid.UUID) -> Session | None:
    """A running visit of this portfolio."""
    found = Session.objects.filter(pk=session_id, kind=KIND, deleted_at=None).first()
    if found is None or found.state.get("portfolio_id") != str(portfolio_id):
        return None
    return found
