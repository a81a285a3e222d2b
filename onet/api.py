"""JSON for programs: job titles while typing, and the statements that say a task best."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import HttpRequest
from ninja import Field, Query, Router, Schema
from pydantic import ConfigDict
from pydantic.alias_generators import to_camel

from futura.limits import JOB_TITLE_CHARS, TASK_STATEMENT_CHARS, required_text
from onet import queries
from onet.candidates import Candidate, CatalogueKind
from onet.matching import code
from onet.titles import suggest_titles

router = Router(tags=["O*NET"])


class Camel(Schema):
    """Names as JavaScript writes them."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class TitlesQuery(Schema):
    """What was typed so far."""

    q: str = Field("", description="What was typed so far.")


class MatchQuery(Schema):
    """A task, and the occupation of whoever does it."""

    q: str = Field(description="A task in any words.")
    occupation: str = Field("", description="O*NET-SOC code to search first.", max_length=10)


class OccupationOut(Camel):
    """An occupation by code and title."""

    code: str
    title: str


class TitleOut(Camel):
    """A job title and the occupations that carry it."""

    title: str
    occupations: list[OccupationOut]


class TitlesOut(Camel):
    """Titles that fit what was typed, best first."""

    query: str
    catalogue: CatalogueKind | None
    catalogue_name: str
    titles: list[TitleOut]


class CandidateOut(Camel):
    """A statement with its calibrated score, 0 to 1."""

    task_id: str
    statement: str
    occupation_code: str
    occupation_title: str
    task_type: str
    score: float
    gwa_categories: list[str]


class MatchOut(Camel):
    """Five candidates, which of them is chosen without a model (null is an answer), activities."""

    query: str
    catalogue: CatalogueKind | None
    catalogue_name: str
    confidence: str
    best_match: CandidateOut | None
    candidates: list[CandidateOut]
    activities: list[str]
    gwa_category: str | None


@router.get("/onet/titles", response=TitlesOut, by_alias=True, summary="Job titles while typing")
def titles(request: HttpRequest, query: Query[TitlesQuery]) -> TitlesOut:
    """Up to eight titles; an empty query gives none."""
    del request
    typed = query.q.strip()[:JOB_TITLE_CHARS]
    result = suggest_titles(typed) if typed else []
    return TitlesOut(
        query=query.q,
        **_catalogue(),
        titles=[TitleOut.model_validate(asdict(hit)) for hit in result],
    )


@router.get("/onet/match", response=MatchOut, by_alias=True, summary="Statements for a task")
def match(request: HttpRequest, query: Query[MatchQuery]) -> MatchOut:
    """Searches the occupation first, then everywhere; no model is asked."""
    del request
    statement = required_text(query.q, limit=TASK_STATEMENT_CHARS, field="q")
    coding = code(statement, occupation_code=query.occupation)
    return MatchOut(
        query=query.q,
        **_catalogue(),
        confidence=coding.confidence,
        best_match=candidate_out(coding.choice) if coding.choice else None,
        candidates=[candidate_out(candidate) for candidate in coding.candidates],
        activities=list(coding.activities),
        gwa_category=str(coding.groups[0]) if coding.groups else None,
    )


def _catalogue() -> dict[str, Any]:
    """Which catalogue answers: its kind, and its name with the release."""
    result = queries.catalogue()
    return {"catalogue": result.kind, "catalogue_name": result.name}


def candidate_out(candidate: Candidate) -> CandidateOut:
    """A candidate in the API's words."""
    return CandidateOut(
        task_id=candidate.task_id,
        statement=candidate.text,
        occupation_code=candidate.occupation_code,
        occupation_title=candidate.occupation_title,
        task_type=candidate.kind,
        score=round(candidate.score, 4),
        gwa_categories=[str(group) for group in candidate.groups],
    )
