"""What a visitor's conversation remembers between two questions."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel, Field

from projects.portfolio.visitors.contract import RetrievalPlan

KIND: Final = "portfolio_visit"
KEPT_PLANS: Final = 20
KEPT_SEARCHES: Final = 40


class KeptSearch(BaseModel):
    """What a search brought: ids with their scores, best first."""

    hits: list[tuple[str, float]] = Field(default_factory=list)


class VisitState(BaseModel):
    """Saved in the session as JSON.

    `plans` and `searches` hold for the index `build` only; `last_evidence` are (source, id) of the
    documents that the last answer rested on.
    """

    portfolio_id: str
    slug: str = ""
    build: str = ""
    plans: dict[str, RetrievalPlan] = Field(default_factory=dict)
    searches: dict[str, KeptSearch] = Field(default_factory=dict)
    last_evidence: list[tuple[str, str]] = Field(default_factory=list)
    turns: int = 0
