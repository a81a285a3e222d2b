"""What Planner, Evidence and Answer ask of the model: instructions, material, forms of the answers.

Documents, questions and earlier turns stand between marks as material, whatever they say: nothing
is taken out of a document because of its words (DECISIONS 53).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from pydantic import BaseModel, Field

from chat.memory.tokens import count
from futura.llm.client import ChatMessage
from projects.agent.fencing import Fence
from projects.portfolio.documents import Doc
from projects.portfolio.visitors.contract import (
    Confidence,
    EvidenceCounts,
    EvidenceSource,
    EvidenceSummary,
    EvidenceUiHints,
    ResumeFacet,
    RetrievalPlan,
    RetrievalRequest,
    SelectedEvidenceItem,
    SemanticFlag,
    Verdict,
)
from projects.portfolio.visitors.quotes import month_span
from projects.portfolio.visitors.speaking import Speaker

PLANNER_VERSION: Final = "portfolio-planner-1"
EVIDENCE_VERSION: Final = "portfolio-evidence-1"
ANSWER_VERSION: Final = "portfolio-answer-1"
PLANNER_TOKENS: Final = 16_000
EVIDENCE_TOKENS: Final = 12_000
ANSWER_TOKENS: Final = 16_000
"""What goes into each call at most (spec 3, 5.0.1); what comes out is limited in stages.toml."""
DOCUMENT_CHARS: Final = 4_000
Said = tuple[Literal["user", "assistant"], str]


class RequestOut(BaseModel):
    """One thing to look for."""

    source: Literal["projects", "resume", "profile"]
    query_text: str = Field(max_length=400)
    top_k: int


class PlanOut(BaseModel):
    """How to answer a question, and where to look."""

    question_type: Literal["binary", "list", "narrative", "meta"]
    enumeration: Literal["sample", "all_relevant"]
    scope: Literal["employment_only", "any_experience"]
    retrieval_requests: list[RequestOut] = Field(max_length=6)
    resume_facets: list[ResumeFacet]
    cards_enabled: bool
    topic: str | None

    def as_plan(self) -> RetrievalPlan:
        """The plan as the stages know it."""
        return RetrievalPlan(
            question_type=self.question_type,
            enumeration=self.enumeration,
            scope=self.scope,
            retrieval_requests=[
                RetrievalRequest(source=one.source, query_text=one.query_text, top_k=one.top_k)
                for one in self.retrieval_requests
            ],
            resume_facets=list(dict.fromkeys(self.resume_facets)),
            cards_enabled=self.cards_enabled,
            topic=self.topic,
        )


class ItemOut(BaseModel):
    """A document that directly supports the verdict; `quote` is copied from it word for word."""

    source: EvidenceSource
    id: str
    quote: str
    relevance: Literal["high", "medium", "low"]


class FlagOut(BaseModel):
    """Something about the shape of the question."""

    type: Literal["multi_topic", "ambiguous", "needs_clarification", "off_topic"]
    reason: str = Field(max_length=300)


class EvidenceOut(BaseModel):
    """What is true, by which documents, and which cards go with it."""

    verdict: Verdict
    confidence: Confidence
    reasoning: str = Field(max_length=1_500)
    selected_evidence: list[ItemOut] = Field(max_length=12)
    semantic_flags: list[FlagOut] = Field(max_length=4)
    project_cards: list[str] = Field(max_length=60)
    experience_cards: list[str] = Field(max_length=60)

    def as_summary(self) -> EvidenceSummary:
        """The summary as the stages know it; nothing in it is checked yet."""
        return EvidenceSummary(
            verdict=self.verdict,
            confidence=self.confidence,
            reasoning=self.reasoning,
            selected_evidence=[
                SelectedEvidenceItem(
                    source=one.source,
                    id=one.id,
                    title=one.id,
                    snippet=one.quote,
                    relevance=one.relevance,
                )
                for one in self.selected_evidence
            ],
            semantic_flags=[
                SemanticFlag(type=one.type, reason=one.reason) for one in self.semantic_flags
            ],
            ui_hints=EvidenceUiHints(
                projects=list(self.project_cards), experiences=list(self.experience_cards)
            ),
        )


class AnswerOut(BaseModel):
    """The answer, and a few notes for developers (empty where there is nothing to note)."""

    message: str
    thoughts: list[str] = Field(max_length=6)


def planner(
    question: str, history: Sequence[Said], speaker: Speaker, fence: Fence
) -> list[ChatMessage]:
    """How to ask for a plan."""
    instructions = (
        f"You plan how questions to the portfolio of {speaker.name} ({speaker.domain}) are "
        "answered. You do not answer them. “You” and “your” in a question mean "
        f"{speaker.name}.\n"
        "question_type: binary for yes or no; list for several items, also where and which; "
        "narrative for a story, an overview or a comparison; meta only for greetings, thanks, how "
        "this chat works, and what has nothing to do with the portfolio. Questions about skills, "
        "projects, jobs, education, travel, residence or location are never meta.\n"
        "enumeration: all_relevant for a list unless a few or examples are wanted; sample for "
        "everything else.\n"
        "scope: employment_only only when the words limit the question to jobs, companies or "
        "roles, internships included; else any_experience.\n"
        "retrieval_requests: choose sources deliberately. resume for employers, jobs, education, "
        "awards and places; projects for work that was made; profile for who somebody is. A place "
        "is always looked up in resume, with its exact name. Ask for top_k 5 for binary, 8 for "
        "others, 20 when everything is wanted. Put all tools that are named into query_text; "
        "widen broad topics by related words, never narrow tools. Leave it empty for meta, and "
        "for a follow-up that the last answer's evidence covers.\n"
        "resume_facets: kinds of records to lean to, or none. cards_enabled: false for counts, "
        "sums of attributes (“what languages do you know?”) and who somebody is. topic: two to "
        f"five words.\n{fence.rule}"
    )
    said = fence.blocks([("earlier", _as_text(history)), ("question", question)])
    return _within(instructions, said, PLANNER_TOKENS)


def evidence(
    question: str, plan: RetrievalPlan, docs: Sequence[Doc], fence: Fence
) -> list[ChatMessage]:
    """How to ask what is true."""
    instructions = (
        "You decide what documents of a portfolio say to a question. Nothing but these documents "
        "counts, not what you know of the world.\n"
        "verdict: yes, no, partial, unknown or n/a. `no` only when a document says that it is not "
        "so; when nothing says anything it is unknown, with low confidence, no evidence and no "
        "cards. partial when only a part holds, or when the question is about jobs and only "
        "projects support it.\n"
        "selected_evidence: one to six documents that directly support the verdict, best first; "
        "with a single one nothing nearby is added. id is that of the document; quote is copied "
        "from its text word for word, at most two sentences.\n"
        "project_cards and experience_cards: ids of projects, and of positions (kind experience). "
        "When everything is wanted they hold all that fit and nothing else; otherwise those of the "
        "evidence. semantic_flags only for the shape of the question. reasoning: two to six "
        f"sentences.\n{fence.rule}"
    )
    asked = (
        f"type {plan.question_type}, enumeration {plan.enumeration}, scope {plan.scope}, "
        f"cards {'wanted' if plan.cards_enabled else 'not wanted'}"
    )
    head = fence.blocks([("plan", asked), ("question", question)])
    room = EVIDENCE_TOKENS - count(instructions) - count(head) - 50
    blocks, left = [], room
    for one in docs:
        told = fence.around("document", document_text(one))
        left -= count(told)
        if left < 0:
            break
        blocks.append(told)
    return [
        {"role": "system", "content": instructions},
        {"role": "user", "content": "\n\n".join([*blocks, head])},
    ]


def document_text(doc: Doc) -> str:
    """A document as the model reads it."""
    source = {"projects": "project"}.get(doc.corpus, doc.corpus)
    dates = month_span(doc)
    head = f"source: {source}\nid: {doc.doc_id}\nkind: {doc.facet}\ntitle: {doc.title}"
    when = f"\ndates: {dates}" if dates else ""
    return f"{head}{when}\ntext:\n{doc.text[:DOCUMENT_CHARS]}"


def answer(
    question: str,
    plan: RetrievalPlan,
    found: EvidenceSummary,
    counts: EvidenceCounts,
    history: Sequence[Said],
    speaker: Speaker,
    fence: Fence,
) -> list[ChatMessage]:
    """How to ask for the words of an answer. The verdict stands before."""
    material = fence.blocks(
        [
            ("about", speaker.identity),
            ("evidence", _numbered(found)),
            ("earlier", _as_text(history)),
            ("question", question),
        ]
    )
    return _within(
        answer_instructions(plan, found, counts, speaker, fence), material, ANSWER_TOKENS
    )


def answer_instructions(
    plan: RetrievalPlan,
    found: EvidenceSummary,
    counts: EvidenceCounts,
    speaker: Speaker,
    fence: Fence,
) -> str:
    """The instructions of an answer; nothing of them may ever show in one."""
    flags = "; ".join(f"{one.type}: {one.reason}" for one in found.semantic_flags)
    pronoun = "we" if speaker.is_group else "I"
    parts = [
        _voice(speaker),
        (
            f"You are {speaker.name}, {speaker.domain}, and answer visitors of your portfolio in "
            f"the first person ({pronoun}). {speaker.persona}"
        ),
        (
            f"The verdict is {found.verdict} with {found.confidence} confidence: say it clearly in "
            "the first sentence, hedge when the confidence is not high, and never contradict it. "
            "Say only what the evidence says. Numbers, dates and names must stand in it. Put [n] "
            "behind what rests on evidence number n."
        ),
        (
            f"Counts: {counts.selected_evidence_count} pieces of evidence ({counts.breakdown}), "
            f"{counts.ui_hints_project_count} project cards, "
            f"{counts.ui_hints_experience_count} experience cards. With one piece speak in the "
            "singular and add nothing nearby; never write “various” or “several” unless the "
            "counts are that high."
        ),
        _shape(plan),
        f"About the question: {flags}. Say briefly how you read it." if flags else "",
        (
            "Plain words, short; Markdown lists where several items are named. thoughts: up to "
            "three short notes on how you came to these words."
        ),
        *(f"- {one}" for one in speaker.style),
        fence.rule,
    ]
    return "\n".join(filter(None, parts))


def _voice(speaker: Speaker) -> str:
    if not speaker.voice_examples:
        return ""
    told = "\n".join(f"- {one}" for one in speaker.voice_examples)
    return (
        "IMPORTANT: match the voice of these examples as closely as you can; where one fits, its "
        f"very words may be used again:\n{told}\nFor greetings stay short, without a list of "
        "what you have done."
    )


def _shape(plan: RetrievalPlan) -> str:
    cards = (
        "The cards below the answer show the items."
        if plan.cards_enabled
        else "There are no cards: do not speak of any."
    )
    match plan.question_type, plan.enumeration:
        case "list", "all_relevant":
            return f"A list is wanted, complete: name the main items. {cards}"
        case "list", _:
            return f"A few examples are wanted; say that they are examples. {cards}"
        case "meta", _:
            return "It is about this chat or small talk: one or two friendly sentences."
        case "binary", _:
            return f"A yes or no question: two to four sentences. {cards}"
    return f"A story is wanted: one or two short paragraphs. {cards}"


def _numbered(found: EvidenceSummary) -> str:
    return "\n".join(
        f"[{number}] {one.title} ({one.source}): “{one.snippet}”"
        for number, one in enumerate(found.selected_evidence, start=1)
    )


def _as_text(history: Sequence[Said]) -> str:
    names = {"user": "Visitor", "assistant": "Answer"}
    return "\n".join(f"{names[role]}: {text}" for role, text in history)


def _within(instructions: str, material: str, budget: int) -> list[ChatMessage]:
    """Two messages that together keep to a budget of tokens: what is oldest goes first."""
    left = budget - count(instructions) - 20
    while count(material) > left and len(material) > 400:
        material = material[len(material) // 10 :]
    return [
        {"role": "system", "content": instructions},
        {"role": "user", "content": material},
    ]
