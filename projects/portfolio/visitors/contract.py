"""What the stages of visitors' chat hand to each other (spec 3, 4, appendix A): the question, who
speaks, what was read and decided; and what a conversation remembers between two questions.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal

from django.utils import timezone
from pydantic import AliasChoices, AliasGenerator, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from chat.assistant.delimiter import Delimiter
from chat.memory.shapes import Utterance
from chat.memory.tokens import newest
from futura.llm.client import Llm
from onet.embeddings import LEXICAL
from projects.portfolio.documents import Doc
from projects.portfolio.index.searching import Index
from projects.portfolio.visitors.sentences import Sentence

QuestionType = Literal["binary", "list", "narrative", "meta"]
EnumerationMode = Literal["sample", "all_relevant"]
ExperienceScope = Literal["employment_only", "any_experience"]
Verdict = Literal["yes", "no", "partial", "unknown", "n/a"]
Confidence = Literal["high", "medium", "low"]
Relevance = Literal["high", "medium", "low"]
RetrievalSource = Literal["projects", "resume", "profile"]
EvidenceSource = Literal["project", "resume", "profile", "fact"]
Stage = Literal["planner", "retrieval", "evidence", "answer"]
STAGES: Final[tuple[Stage, ...]] = ("planner", "retrieval", "evidence", "answer")
KIND: Final = "portfolio_visit"
QUESTION_CHARS: Final = 2_000  # where tokens are not counted (DECISIONS 22)
PART: Final = "portfolio_answer"
"""The type of the record that an answer's message keeps."""
WINDOW_TOKENS: Final = 8_000
WINDOW_TURNS: Final = 3
"""What a turn sees of the talk: so many tokens, the last turns always."""


@dataclass(frozen=True)
class Speaker:
    """Whose voice answers, and what visitors may know of them. Private fields never stand here.

    `identity` is the identity context of the answer, as text; a group says “we”.
    """

    portfolio_id: uuid.UUID
    name: str
    domain: str
    is_group: bool
    headline: str
    identity: str
    persona: str
    style: tuple[str, ...]
    voice_examples: tuple[str, ...]


class VisitState(BaseModel):
    """Saved in the session as JSON.

    `last_evidence` are (source, id) of the documents that the last answer rested on or showed.
    """

    portfolio_id: str
    last_evidence: list[tuple[str, str]] = Field(default_factory=list)


@dataclass
class Question:
    """A question and everything that its answer may use. `state` is changed in place; the history
    `is_cut` where older messages are not in it; it `has_inbox` where the owner hears of it.
    """

    text: str
    speaker: Speaker
    index: Index | None
    state: VisitState
    llm: Llm
    history: Sequence[Utterance] = ()
    is_cut: bool = False
    anchor_id: str = ""
    is_moderated: bool = False
    has_inbox: bool = True
    seed: str = field(default_factory=lambda: uuid.uuid4().hex)
    today: dt.date = field(default_factory=timezone.localdate)

    @cached_property
    def delimiter(self) -> Delimiter:
        return Delimiter(f"{self.speaker.portfolio_id} {self.seed}")

    @cached_property
    def window(self) -> list[Utterance]:
        """What the stages see of the talk before."""
        return newest(self.history, WINDOW_TOKENS, least=2 * WINDOW_TURNS)


def _both(name: str) -> AliasChoices:
    return AliasChoices(name, to_camel(name))


class Contract(BaseModel):
    """Written in camelCase, as the spec has it; models may answer so or with the names here."""

    model_config = ConfigDict(
        alias_generator=AliasGenerator(validation_alias=_both, serialization_alias=to_camel),
        populate_by_name=True,
    )


class RetrievalRequest(Contract):
    """What is looked for in one source; `top_k` is clamped before it is used."""

    source: RetrievalSource
    query_text: str
    top_k: int


class RetrievalPlan(Contract):
    """How to answer a question, and where to look."""

    standalone_question: str = ""
    language: str = ""
    question_type: QuestionType
    enumeration: EnumerationMode = "sample"
    scope: ExperienceScope = "any_experience"
    retrieval_requests: list[RetrievalRequest] = Field(default_factory=list)
    resume_facets: list[Literal["experience", "education", "award", "skill"]] = Field(
        default_factory=list
    )
    cards_enabled: bool = True
    topic: str | None = None


class RetrievalSummary(Contract):
    source: RetrievalSource
    query_text: str
    requested_top_k: int
    effective_top_k: int
    num_results: int


@dataclass(frozen=True)
class Retrieved:
    """What a turn reads: documents, best first by source, their sentences, and facts.

    `left_out` are documents that did not fit; `space` is what told likeness: `lexical`, or the
    space of the question's vectors.
    """

    documents: Sequence[Doc] = ()
    sentences: Sequence[Sentence] = ()
    facts: Sequence[Sentence] = ()
    requests: Sequence[RetrievalSummary] = ()
    left_out: Sequence[Doc] = ()
    is_whole: bool = False
    is_reread: bool = False
    space: str = LEXICAL


class SelectedEvidenceItem(Contract):
    """A sentence that supports the verdict, and the document where it stands."""

    source: EvidenceSource
    id: str
    title: str
    snippet: str
    relevance: Relevance = "high"


class SemanticFlag(Contract):
    """Something about the shape of a question; uncertainty is `confidence`."""

    type: Literal["multi_topic", "ambiguous", "needs_clarification", "off_topic"]
    reason: str


class EvidenceUiHints(Contract):
    projects: list[str] = Field(default_factory=list)
    experiences: list[str] = Field(default_factory=list)


class UiHintValidationWarning(Contract):
    """Cards that were asked for and had not been retrieved."""

    code: Literal["UIHINT_INVALID_PROJECT_ID", "UIHINT_INVALID_EXPERIENCE_ID"]
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

    @property
    def is_open(self) -> bool:
        """Whether the portfolio lacks an answer that its owner could give."""
        flags = {flag.type for flag in self.semantic_flags}
        return self.verdict == "unknown" and flags.isdisjoint({"off_topic", "needs_clarification"})


class UiPayload(Contract):
    """The cards of a turn; only ever out of the evidence."""

    show_projects: list[str] = Field(default_factory=list)
    show_experiences: list[str] = Field(default_factory=list)
    banner_text: str | None = None
    core_evidence_ids: list[str] = Field(default_factory=list)


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


class AnswerRecord(Contract):
    """What the message of an answer keeps, as one part of type `portfolio_answer`.

    The text itself is the message's; claims point into it.
    """

    type: Literal["portfolio_answer"] = PART
    anchor_id: str = ""
    verdict: Verdict
    confidence: Confidence
    claims: list[Claim] = Field(default_factory=list)
    evidence: list[ShownEvidence] = Field(default_factory=list)
    cards: list[ShownCard] = Field(default_factory=list)
    ui: UiPayload = Field(default_factory=UiPayload)
    dropped: list[Dropped] = Field(default_factory=list)
    basic_mode: bool = True
    truncation_applied: bool = False
    was_refused: bool = False


@dataclass(frozen=True)
class Evidence:
    """Evidence that holds: its sentences in order, its cards, and what was refused."""

    summary: EvidenceSummary
    sentences: Sequence[Sentence] = ()
    cards: Sequence[Doc] = ()
    dropped: Sequence[Dropped] = ()

    @property
    def documents(self) -> list[Doc]:
        """Where the sentences stand, each document once."""
        docs = (doc for sentence in self.sentences if not sentence.is_fact for doc in sentence.docs)
        return list({doc.key: doc for doc in docs}.values())

    @property
    def counts(self) -> str:
        """The figures that the answer stage gets (spec 3, section 5.4)."""
        hints, sources = self.summary.ui_hints, [doc.corpus for doc in self.documents]
        return (
            f"{len(self.sentences)} pieces of evidence ({sources.count('resume')} from the resume, "
            f"{sources.count('projects')} projects), {len(hints.projects)} project cards, "
            f"{len(hints.experiences)} experience cards"
        )


@dataclass(frozen=True)
class TurnResult:
    """One question answered; `retrieved` are the documents that were read, as source/id."""

    message: str
    record: AnswerRecord
    plan: RetrievalPlan
    evidence: EvidenceSummary
    retrieved: Sequence[str] = ()
