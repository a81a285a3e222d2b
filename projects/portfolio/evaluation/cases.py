"""A question with what should come of it: the case of spec 3, section 8.5, and some more; and cases
made from a portfolio's own records: what an owner's visitors must be told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from projects.portfolio.documents import Doc
from projects.portfolio.visitors.contract import (
    EnumerationMode,
    ExperienceScope,
    QuestionType,
    Verdict,
)

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
