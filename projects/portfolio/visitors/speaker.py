"""Who speaks in a portfolio: the voice of its answers, and what visitors may know of it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.utils.translation import gettext as _

from projects.portfolio.models import Persona, Portfolio, Profile
from projects.portfolio.undecided import hider


@dataclass(frozen=True)
class Speaker:
    """Whose voice answers, and what visitors may know of them. Private fields never stand here."""

    portfolio_id: uuid.UUID
    name: str
    pronouns: str
    domain: str
    kind: str
    headline: str = ""
    location: str = ""
    current_role: str = ""
    about: tuple[str, ...] = ()
    persona: str = ""
    style: tuple[str, ...] = ()
    voice_examples: tuple[str, ...] = ()

    @property
    def is_group(self) -> bool:
        """A team or an organisation says “we”."""
        return self.kind != "individual"

    @property
    def identity(self) -> str:
        """The identity context of the answer, as text."""
        lines = (
            f"Name: {self.name}",
            f"Pronouns: {self.pronouns}" if self.pronouns else "",
            f"Field: {self.domain}",
            self.headline,
            f"Now: {self.current_role}" if self.current_role else "",
            f"Location: {self.location}" if self.location else "",
            *self.about,
        )
        return "\n".join(filter(None, lines))


def speaker_of(portfolio: Portfolio) -> Speaker:
    """The voice of a portfolio. Three queries."""
    hide = hider(portfolio)
    own = {"portfolio": portfolio, "deleted_at": None}
    profile = hide(Profile.objects.filter(**own).first() or Profile())
    persona = hide(Persona.objects.filter(**own).first() or Persona())
    return Speaker(
        portfolio_id=portfolio.pk,
        name=portfolio.owner_name,
        pronouns=portfolio.pronouns,
        domain=portfolio.domain_label,
        kind=portfolio.kind,
        headline=profile.headline,
        location=profile.location,
        current_role=profile.current_role,
        about=tuple(profile.about),
        persona=persona.system_persona,
        style=tuple(persona.style_guidelines),
        voice_examples=tuple(persona.voice_examples),
    )


def greeting_of(speaker: Speaker) -> str:
    """The words with which a portfolio receives a visitor, in the first person."""
    text = _("Hello, I am %(name)s. Ask me about my projects, my experience or what I work with.")
    if speaker.is_group:
        text = _("Hello, this is %(name)s. Ask us about our projects, our experience or our tools.")
    return text % {"name": speaker.name}
