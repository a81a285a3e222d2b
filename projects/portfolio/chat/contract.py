"""The types that the stages of visitors' chat hand to each other (spec 3, section 4, appendix A).

Names in JSON are camelCase, as the spec has them.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

QuestionType = Literal["binary", "list", "narrative", "meta"]
EnumerationMode = Literal["sample", "all_relevant"]
ExperienceScope = Literal["employment_only", "any_experience"]
Verdict = Literal["yes", "no", "partial", "unknown", "n/a"]
Confidence = Literal["high", "medium", "low"]
RetrievalSource = Literal["projects", "resume", "profile"]
EvidenceSource = Literal["project", "resume", "profile"]
Relevance = Literal["high", "medium", "low"]
ResumeFacet = Literal["experience", "education", "award", "skill"]
SemanticFlagType = Literal["multi_topic", "ambiguous", "needs_clarification", "off_topic"]
WarningCode = Literal["UIHINT_INVALID_PROJECT_ID", "UIHINT_INVALID_EXPERIENCE_ID"]


class Contract(BaseModel):
    """What all have in common."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class RetrievalRequest(Contract):
    """What is looked for in one source; `top_k` is clamped before it is used."""

    source: RetrievalSource
    query_text: str
    top_k: int


class RetrievalPlan(Contract):
    """What a question asks for. `topic` is telemetry: nothing depends on it (DECISIONS 40)."""

    question_type: QuestionType
    enumeration: EnumerationMode = "sample"
    scope: ExperienceScope = "any_experience"
    retrieval_requests: list[RetrievalRequest] = Field(default_factory=list)
    resume_facets: list[ResumeFacet] = Field(default_factory=list)
    cards_enabled: bool = True
    topic: str | None = None


class RetrievalSummary(Contract):
    """What one request brought."""

    source: RetrievalSource
    query_text: str
    requested_top_k: int
    effective_top_k: int
    num_results: int


class SelectedEvidenceItem(Contract):
    """A document that supports the verdict, with the words that do."""

    source: EvidenceSource
    id: str
    title: str
    snippet: str
    relevance: Relevance


class SemanticFlag(Contract):
    """Something about the shape of a question; uncertainty is `confidence`."""

    type: SemanticFlagType
    reason: str


class EvidenceUiHints(Contract):
    """Cards, in order."""

    projects: list[str] = Field(default_factory=list)
    experiences: list[str] = Field(default_factory=list)


class UiHintValidationWarning(Contract):
    """Cards that were asked for and had not been retrieved."""

    code: WarningCode
    invalid_ids: list[str]
    retrieved_ids: list[str]


class EvidenceSummary(Contract):
    """What is true, how surely, by which documents."""

    verdict: Verdict
    confidence: Confidence
    reasoning: str = ""
    selected_evidence: list[SelectedEvidenceItem] = Field(default_factory=list)
    semantic_flags: list[SemanticFlag] = Field(default_factory=list)
    ui_hints: EvidenceUiHints = Field(default_factory=EvidenceUiHints)
    ui_hint_warnings: list[UiHintValidationWarning] = Field(default_factory=list)


class AnswerPayload(Contract):
    """What the visitor reads; `thoughts` are for developers."""

    message: str
    thoughts: list[str] = Field(default_factory=list)


class UiPayload(Contract):
    """The cards of a turn; only ever out of the evidence."""

    show_projects: list[str] = Field(default_factory=list)
    show_experiences: list[str] = Field(default_factory=list)
    banner_text: str | None = None
    core_evidence_ids: list[str] = Field(default_factory=list)
