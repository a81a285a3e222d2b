"""The types that the stages of visitors' chat hand to each other (spec 3, section 4, appendix A).

Names in JSON are camelCase, as the spec has them.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

QuestionType = Literal["binary", "list", "narrative", "meta"]
EnumerationMode = Literal["sample", "all_relevant"]
ExperienceScope = Literal["employment_only", "any_experience"]
Verdict = Literal["yes", "no", "partial", "unknown", "n/a"]
Confidence = Literal["high", "medium", "low"]
RetrievalSource = Literal["projects", "resume", "profile"]
EvidenceSource = Literal["project", "resume", "profile", "fact"]
Relevance = Literal["high", "medium", "low"]
ResumeFacet = Literal["experience", "education", "award", "skill"]
SemanticFlagType = Literal["multi_topic", "ambiguous", "needs_clarification", "off_topic"]
WarningCode = Literal["UIHINT_INVALID_PROJECT_ID", "UIHINT_INVALID_EXPERIENCE_ID"]
Stage = Literal["planner", "retrieval", "evidence", "answer"]
STAGES: Final[tuple[Stage, ...]] = ("planner", "retrieval", "evidence", "answer")
By = Literal["model", "rules", "engine"]
PART: Final = "portfolio_answer"
"""The type of the record that an answer's message keeps."""


class Contract(BaseModel):
    """What all have in common."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class RetrievalRequest(Contract):
    """What is looked for in one source; `top_k` is clamped before it is used."""

    source: RetrievalSource
    query_text: str
    top_k: int


class RetrievalPlan(Contract):
    """What a question asks for. `topic` is telemetry: nothing depends on it (DECISIONS 40).

    `standalone_question` is the question as it would be asked without the conversation before it,
    in the visitor's `language` (named in English); both are empty in basic mode.
    """

    question_type: QuestionType
    enumeration: EnumerationMode = "sample"
    scope: ExperienceScope = "any_experience"
    retrieval_requests: list[RetrievalRequest] = Field(default_factory=list)
    resume_facets: list[ResumeFacet] = Field(default_factory=list)
    cards_enabled: bool = True
    topic: str | None = None
    standalone_question: str = ""
    language: str = ""


class RetrievalSummary(Contract):
    """What one request brought."""

    source: RetrievalSource
    query_text: str
    requested_top_k: int
    effective_top_k: int
    num_results: int


class SelectedEvidenceItem(Contract):
    """A sentence that supports the verdict, and the document where it stands."""

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


class UiPayload(Contract):
    """The cards of a turn; only ever out of the evidence."""

    show_projects: list[str] = Field(default_factory=list)
    show_experiences: list[str] = Field(default_factory=list)
    banner_text: str | None = None
    core_evidence_ids: list[str] = Field(default_factory=list)


class EvidenceCounts(Contract):
    """What the answer may put in the plural, and what not (spec 3, section 5.4)."""

    selected_evidence_count: int = 0
    ui_hints_project_count: int = 0
    ui_hints_experience_count: int = 0
    breakdown: str = ""


class AnswerMeta(Contract):
    """What stood behind the words of an answer."""

    model: str
    question_type: QuestionType
    enumeration: EnumerationMode
    scope: ExperienceScope
    verdict: Verdict
    confidence: Confidence
    thoughts: list[str] = Field(default_factory=list)


class ReasoningTrace(Contract):
    """Plan, retrieval, evidence, answer, as far as they are done; sent only where asked for."""

    plan: RetrievalPlan | None = None
    retrieval: list[RetrievalSummary] | None = None
    evidence: EvidenceSummary | None = None
    answer_meta: AnswerMeta | None = None


class ShownEvidence(Contract):
    """A sentence that an answer rests on; `number` counts from 1.

    `quote` stands in the document word for word, or (`source` fact) was computed from typed rows.
    """

    number: int
    source: EvidenceSource
    facet: str
    id: str
    title: str
    quote: str
    relevance: Relevance = "high"
    dates: str = ""


class Claim(Contract):
    """A stretch of the answer's text, [start, end) in characters, and the evidence behind it."""

    start: int
    end: int
    text: str
    evidence: list[int]


class ShownCard(Contract):
    """A card below an answer. Only ever out of the evidence."""

    kind: Literal["project", "experience"]
    id: str
    title: str
    line: str = ""
    dates: str = ""


class Dropped(Contract):
    """Something a stage said and the code did not let through; `code` says why."""

    stage: Stage
    code: Literal["UNKNOWN_SENTENCE", "UNKNOWN_ADDRESS", "MODERATED"]
    what: str = ""


class StageRecord(Contract):
    """How one stage went. `meta` is what the spec's `stage` event carries (section 6.4)."""

    stage: Stage
    by: By
    duration_ms: int = 0
    meta: dict[str, Any] = Field(default_factory=dict)


class AnswerRecord(Contract):
    """What the message of an answer keeps, as one part of type `portfolio_answer`.

    The text itself is the message's; claims point into it.
    """

    type: Literal["portfolio_answer"] = PART
    anchor_id: str = ""
    question_type: QuestionType
    enumeration: EnumerationMode
    scope: ExperienceScope
    cards_enabled: bool = True
    topic: str | None = None
    verdict: Verdict
    confidence: Confidence
    claims: list[Claim] = Field(default_factory=list)
    evidence: list[ShownEvidence] = Field(default_factory=list)
    counts: EvidenceCounts = Field(default_factory=EvidenceCounts)
    cards: list[ShownCard] = Field(default_factory=list)
    ui: UiPayload = Field(default_factory=UiPayload)
    flags: list[SemanticFlag] = Field(default_factory=list)
    warnings: list[UiHintValidationWarning] = Field(default_factory=list)
    dropped: list[Dropped] = Field(default_factory=list)
    stages: list[StageRecord] = Field(default_factory=list)
    follow_ups: list[str] = Field(default_factory=list)
    basic_mode: bool = True
    truncation_applied: bool = False
    was_refused: bool = False


class RetrievalTrace(Contract):
    """Section 8.2 of retrieval; `left_out` are documents that did not fit, as source/id.

    `space` is what told likeness: `lexical`, or the space of the question's vectors.
    """

    requests: list[RetrievalSummary] = Field(default_factory=list)
    enumeration_mode: bool = False
    cache_hits: int = 0
    cache_misses: int = 0
    reused_last_evidence: bool = False
    read_whole: bool = False
    space: str = "lexical"
    left_out: list[str] = Field(default_factory=list)


class TurnTrace(Contract):
    """Everything of section 8.2 but what the ledger of model calls has (tokens, cost)."""

    plan: RetrievalPlan
    planner_cache_hit: bool = False
    retrieval: RetrievalTrace = Field(default_factory=RetrievalTrace)
    verdict: Verdict
    confidence: Confidence
    selected_evidence_count: int = 0
    ui_hints_project_count: int = 0
    ui_hints_experience_count: int = 0
    semantic_flags: list[SemanticFlag] = Field(default_factory=list)
    answer_meta: AnswerMeta
    message_length: int = 0
    thoughts_count: int = 0
    thoughts_length: int = 0
    stages: list[StageRecord] = Field(default_factory=list)
    dropped: list[Dropped] = Field(default_factory=list)


class TurnResult(Contract):
    """One question answered, with all that led to the answer."""

    message: str
    record: AnswerRecord
    plan: RetrievalPlan
    retrieved: list[str] = Field(default_factory=list, description="source/id, best first")
    evidence: EvidenceSummary
    trace: TurnTrace
