"""Who speaks in a portfolio: the voice of its answers, and what visitors may know of it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass


@dataclass(frozen=True)
class Speaker:
    """Whose voice answers, and what visitors may know of them. Private fields never stand here."""

    portfolio_id: uuid.UUID
    slug: str
    name: str
    pronouns: str
    domain: str
    kind: str
    headline: str = ""
    location: str = ""
    current_role: str = ""
    about: tuple[str, ...] = ()
    persona: str = ""
    short_about: str = ""
    style: tuple[str, ...] = ()
    voice_examples: tuple[str, ...] = ()

    @property
    def is_group(self) -> bool:
        """A team or an organisation says “we”."""
        return self.kind != "individual"

    @property
    def identity(self) -> str:
        """The identity context of the answer, as text."""
        told = (
            f"Name: {self.name}",
            f"Pronouns: {self.pronouns}" if self.pronouns else "",
            f"Field: {self.domain}",
            self.headline,
            f"Now: {self.current_role}" if self.current_role else "",
            f"Location: {self.location}" if self.location else "",
            *self.about,
        )
        return "\n".join(filter(None, told))
