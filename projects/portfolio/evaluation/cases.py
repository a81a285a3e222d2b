"""Questions with what should come of them (spec 3, section 8.5), from a file or made of a
portfolio's own records; and the portfolios beside such a file, put into the database as
preprocessing would.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from chat.operations.changes import Actor, Kind
from futura.errors import BadInput
from projects.portfolio.documents import Doc
from projects.portfolio.index import building
from projects.portfolio.intake.config import Owner
from projects.portfolio.intake.drafts import Draft
from projects.portfolio.intake.plan import Reading, plan, write
from projects.portfolio.intake.spec_form import draft_of, persona_values
from projects.portfolio.models import Portfolio
from projects.portfolio.visitors.contract import (
    EnumerationMode,
    ExperienceScope,
    QuestionType,
    Verdict,
)

REASON: Final = "evaluation"
EACH: Final = 12
"""Records of a kind that are asked about."""
NOWHERE: Final = "Quennet and Voss Ironmongers"
_MARK: Final = re.compile(r"[ ]*\{\{(.+?)\}\}")


class _Part(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")


class EarlierMessage(_Part):
    """A message from before; what the portfolio said is never given, it answers itself."""

    role: Literal["user"]
    content: str


class Input(_Part):
    user_message: str
    conversation_history: list[EarlierMessage] = Field(default_factory=list)


class Expected(_Part):
    """What should come. None where several readings are right: that is not judged.

    `relevant_documents` (`source:id`) should be among the first ten retrieved of their source.
    Cards of `may_include_…` do neither good nor harm to enumeration.
    """

    question_type: QuestionType | None = None
    enumeration: EnumerationMode | None = None
    scope: ExperienceScope | None = None
    verdict: Verdict
    cards_enabled: bool | None = None
    answer_contains: list[str] = Field(default_factory=list)
    answer_not_contains: list[str] = Field(default_factory=list)
    ui_hints_projects_min_count: int | None = None
    ui_hints_projects_max_count: int | None = None
    ui_hints_experiences_min_count: int | None = None
    ui_hints_experiences_max_count: int | None = None
    must_include_project_ids: list[str] = Field(default_factory=list)
    must_include_experience_ids: list[str] = Field(default_factory=list)
    must_not_include_project_ids: list[str] = Field(default_factory=list)
    must_not_include_experience_ids: list[str] = Field(default_factory=list)
    may_include_project_ids: list[str] = Field(default_factory=list)
    may_include_experience_ids: list[str] = Field(default_factory=list)
    relevant_documents: list[str] = Field(default_factory=list)


class Right(_Part):
    """What a right model says, where the expectations alone do not tell.

    `supports` and `contradicts` are beginnings of sentences and facts; in `says` each stands in
    double braces behind what it supports.
    """

    standalone: str = ""
    language: str = "English"
    supports: list[str] = Field(default_factory=list)
    contradicts: list[str] = Field(default_factory=list)
    says: str = ""


class Case(_Part):
    """One line of the file. `portfolio` is the name of a corpus beside it."""

    id: str
    name: str
    category: Literal["binary", "list", "narrative", "meta", "edge_case"]
    portfolio: str
    kind: Literal["plain", "unanswerable", "near_miss", "follow_up", "superlative", "private"] = (
        "plain"
    )
    language: Literal["en", "de", "es", "ja"] = "en"
    input: Input
    expected: Expected
    right: Right | None = None

    @property
    def is_enumeration(self) -> bool:
        """Whether everything relevant is wanted, and the case says what that is."""
        named = self.expected.must_include_project_ids or self.expected.must_include_experience_ids
        return self.expected.enumeration == "all_relevant" and bool(named)

    @property
    def answer(self) -> str:
        """The words of the right answer, without the marks of its sentences."""
        return _MARK.sub("", self.right.says) if self.right else ""

    @property
    def sentences(self) -> list[str]:
        return _MARK.findall(self.right.says) if self.right else []


def own_cases(portfolio: str, docs: Iterable[Doc]) -> list[Case]:
    """Cases about the positions, projects, education and awards of a portfolio, and one about
    nothing.
    """
    return [
        Case.model_validate(
            {
                "id": f"{portfolio}-{number}",
                "name": question[:80],
                "category": category,
                "portfolio": portfolio,
                "kind": "unanswerable" if expected["verdict"] == "unknown" else "plain",
                "input": {"userMessage": question},
                "expected": expected,
            }
        )
        for number, (question, category, expected) in enumerate(_own_questions(docs), start=1)
    ]


def _own_questions(docs: Iterable[Doc]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    by_facet: dict[str, list[Doc]] = {}
    for doc in docs:
        by_facet.setdefault(doc.facet, []).append(doc)
    positions = by_facet.get("experience", [])
    for doc in positions[:EACH]:
        yield f"Did you work at {_employer(doc)}?", "binary", _told_by(doc)
    for doc in [doc for doc in positions if doc.is_current][:1]:
        yield "Where do you work now?", "list", _told_by(doc) | {"answerContains": [_employer(doc)]}
    for facet, begins in (("project", "What is"), ("education", "Tell me about"),
                          ("award", "Tell me about")):  # fmt: skip
        for doc in by_facet.get(facet, [])[:EACH]:
            end = "?" if facet == "project" else "."
            yield f"{begins} {doc.title}{end}", "narrative", _told_by(doc)
    yield f"Did you work at {NOWHERE}?", "binary", {"verdict": "unknown"}


def _employer(doc: Doc) -> str:
    return doc.title.rsplit(" — ", 1)[-1]


def _told_by(doc: Doc) -> dict[str, Any]:
    return {"verdict": "yes", "relevantDocuments": ["{}:{}".format(*doc.key)]}


# Portfolios -------------------------------------------------------------------------------------
@dataclass(frozen=True)
class WrittenCorpus:
    """A portfolio in one JSON file, in the shapes of spec 3, section 3."""

    owner: Owner
    drafts: Sequence[Draft]
    persona: Mapping[str, Any]


def read_corpus(file: Path) -> WrittenCorpus:
    """A portfolio from its file. BadInput says what is wrong with it."""
    try:
        return parsed(json.loads(file.read_text(encoding="utf-8")))
    except BadInput as error:
        raise BadInput(f"{file}: {error.field}: {error}") from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(f"{file} cannot be read: {error}.") from error


def parsed(content: dict[str, Any]) -> WrittenCorpus:
    """A portfolio in the shapes of the spec. Raises ValidationError, BadInput, KeyError."""
    owner = Owner.model_validate(content["owner"])
    profile = draft_of(content["profile"], "profile")
    profile.values["private_contact"] = content.get("privateContact", [])
    return WrittenCorpus(
        owner,
        [
            *(draft_of(document, "entry") for document in content["projects"]),
            *(draft_of(document) for document in content["resume"]),
            profile,
        ],
        persona_values(content["persona"]),
    )


def load(written: WrittenCorpus, owner_id: uuid.UUID) -> Portfolio:
    """Makes the portfolio and its index, in the space that this installation embeds in.

    Its address gets a tail that nothing else has. Words alone are searched where embedding fails.
    """
    address = f"{written.owner.slug[:70]}-{uuid.uuid4().hex[:8]}"
    owner = {**written.owner.model_dump(), "slug": address}
    intake = plan(None, [Reading(None, written.drafts)], owner=owner)
    intake.add_persona(written.persona, None)
    write(intake.changes, Actor(owner_id, Kind.SYSTEM), REASON, "")
    portfolio = Portfolio.objects.get(pk=intake.portfolio_id)
    docs = building.current_documents(portfolio)
    vectors, _error = building.vectors_for(docs, building.space_of())
    building.store(portfolio, docs, vectors)
    return portfolio
