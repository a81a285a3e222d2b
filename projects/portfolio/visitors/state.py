"""What a visitor's conversation remembers between two questions."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel, Field

KIND: Final = "portfolio_visit"


class VisitState(BaseModel):
    """Saved in the session as JSON.

    `last_evidence` are (source, id) of the documents that the last answer rested on.
    """

    portfolio_id: str
    slug: str = ""
    last_evidence: list[tuple[str, str]] = Field(default_factory=list)
