"""Who speaks in a portfolio: the voice of its answers, and what visitors may know of it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from projects.portfolio.contact_review import hider
from projects.portfolio.models import Persona, Portfolio, Profile


@dataclass(frozen=True)
class Speaker:
    """Whose voice answers, and what visitors may know of them. Private fields never stand here.

    `identity` is the identity context of the answer, as text; a group says “we”.
    """

    portfolio_id: uuid.UUID
    name: str
    domain: str
    is_group: bool
    headline: str
    identity: str
    persona: str
    style: tuple[str, ...]
    voice_examples: tuple[str, ...]


def speaker_of(portfolio: Portfolio) -> Speaker:
    """The voice of a portfolio. Three queries."""
    hide = hider(portfolio)
    own = {"portfolio": portfolio, "deleted_at": None}
    profile = hide(Profile.objects.filter(**own).first() or Profile())
    persona = hide(Persona.objects.filter(**own).first() or Persona())
    identity = (
        f"Name: {portfolio.owner_name}",
        f"Pronouns: {portfolio.pronouns}" if portfolio.pronouns else "",
        f"Field: {portfolio.domain_label}",
        profile.headline,
        f"Now: {profile.current_role}" if profile.current_role else "",
        f"Location: {profile.location}" if profile.location else "",
        *profile.about,
    )
    return Speaker(
        portfolio_id=portfolio.pk,
        name=portfolio.owner_name,
        domain=portfolio.domain_label,
        is_group=portfolio.kind != Portfolio.Kind.INDIVIDUAL,
        headline=profile.headline,
        identity="\n".join(filter(None, identity)),
        persona=persona.system_persona,
        style=tuple(persona.style_guidelines),
        voice_examples=tuple(persona.voice_examples),
    )
