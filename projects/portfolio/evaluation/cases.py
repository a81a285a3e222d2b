"""A question with what should come of it: the case of spec 3, section 8.5, and some more."""

from __future__ import annotations

import re
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from projects.portfolio.visitors.contract import (
    EnumerationMode,
    ExperienceScope,
    QuestionType,
    Verdict,
)

_MARK: Final = re.compile(r"[ ]*\{\{(.+?)\}\}")


class _Part(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")


class Said(_Part):
    """A message from before; what the portfolio said is never given, it answers itself."""

    role: Literal["user"]
    content: str


class Input(_Part):
    """What the visitor says, and said before."""

    user_message: str
    conversation_history: list[Said] = Field(default_factory=list)


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
        """The sentences that the right answer rests on."""
        return _MARK.findall(self.right.says) if self.right else []
