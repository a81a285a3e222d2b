"""Matches one piece of work to the statement of the catalogue that says it best, or to none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from django.utils.translation import gettext as _

from futura.errors import ModelUnavailable
from futura.llm.client import Llm
from onet.candidates import Candidate
from onet.prompts import NO_MATCH, MatchSelection, MatchSelectionInput
from onet.queries import catalogue
from onet.search import search

Confidence = Literal["high", "medium", "low", "none"]
Method = Literal["model", "rules"]

CANDIDATES: Final = 5
"""Statements looked at (spec 1, stage 4)."""
BANDS: Final[tuple[tuple[float, Confidence], ...]] = (
    (0.60, "high"),
    (0.45, "medium"),
    (0.30, "low"),
)
"""Smallest calibrated score of each confidence (spec 1, stage 4; DECISIONS 12)."""
AS_GOOD: Final = 0.05
"""Scores this close say the same; the order of the candidates decides."""
STAGE: Final = "match_selection"


@dataclass(frozen=True, slots=True)
class Choice:
    """Which of the candidates it is, if any, and why; `reason` is for the person."""

    choice: Candidate | None
    confidence: Confidence
    reason: str
    method: Method


@dataclass(frozen=True, slots=True)
class Match:
    """A choice with everything it was made from."""

    candidates: tuple[Candidate, ...]
    choice: Candidate | None
    confidence: Confidence
    reason: str
    method: Method
    space: str
    catalogue: str


def match(statement: str, *, occupation_code: str = "", llm: Llm | None = None) -> Match:
    """Five candidates, the occupation's own first, and the best of them or none.

    Without a usable answer of a model the rules choose. Raises `Cancelled` from the gateway only.
    """
    found = search(statement, occupation_code=occupation_code, limit=CANDIDATES)
    try:
        chosen = match_with_model(statement, found.candidates, llm=llm)
    except ModelUnavailable:
        chosen = match_by_rules(statement, found.candidates)
    return Match(
        candidates=tuple(found.candidates),
        choice=chosen.choice,
        confidence=chosen.confidence,
        reason=f"{chosen.reason} {found.note}".strip(),
        method=chosen.method,
        space=found.space,
        catalogue=catalogue().name,
    )


def match_with_model(
    statement: str, candidates: Sequence[Candidate], *, llm: Llm | None = None
) -> Choice:
    """The model's pick and word; raises ModelUnavailable when it gives nothing usable."""
    if llm is None or not llm.is_configured or not candidates:
        raise ModelUnavailable(reason="not_configured")
    answer = llm.structured(
        STAGE,
        MatchSelectionInput(statement, candidates).messages(),
        MatchSelection,
        prompt_version=MatchSelection.VERSION,
    )
    if answer.best_index == NO_MATCH:
        return Choice(None, "none", answer.reasoning.strip() or _no_match(), "model")
    if not 0 <= answer.best_index < len(candidates):
        raise ModelUnavailable(reason="index_out_of_range")
    picked = candidates[answer.best_index]
    return Choice(picked, answer.confidence, answer.reasoning.strip(), "model")


def match_by_rules(
    statement: str, candidates: Sequence[Candidate], *, llm: Llm | None = None
) -> Choice:
    """The candidate with the best score, when it reaches the lowest band.

    Of two that are about as good, the one of the person's occupation (listed first) is taken.
    """
    del statement, llm
    top = max((one.score for one in candidates), default=0.0)
    best = next((one for one in candidates if one.score >= top - AS_GOOD), None)
    confidence = confidence_of(best.score) if best else "none"
    if best is None or confidence == "none":
        return Choice(None, "none", _no_match(), "rules")
    return Choice(best, confidence, _why(confidence), "rules")


def confidence_of(score: float) -> Confidence:
    """The band that a calibrated score falls into."""
    return next((name for floor, name in BANDS if score >= floor), "none")


def _no_match() -> str:
    return _("No statement in the catalogue says this closely enough.")


def _why(confidence: Confidence) -> str:
    """A sentence for the person on how close the wording is."""
    if confidence == "high":
        return _("Says nearly the same in the catalogue's words.")
    if confidence == "medium":
        return _("Much of the wording and of the kind of work agree.")
    return _("Only part of the wording agrees; look whether it fits.")
