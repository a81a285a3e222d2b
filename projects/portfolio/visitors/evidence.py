"""The evidence of a turn: a verdict, the sentences that it stands on, cards out of these alone.

A model names sentences by id and code expands the ids; see `basic` for what a search finds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from chat.assistant.delimiter import Delimiter
from chat.memory.shapes import Utterance
from futura.llm import stages
from futura.llm.checks import Reason
from futura.llm.client import Llm
from projects.portfolio.documents import Doc
from projects.portfolio.visitors import prompts
from projects.portfolio.visitors.contract import (
    Dropped,
    EvidenceSource,
    EvidenceSummary,
    EvidenceUiHints,
    RetrievalPlan,
    SelectedEvidenceItem,
    ShownCard,
    ShownEvidence,
    UiHintValidationWarning,
    UiPayload,
    Verdict,
)
from projects.portfolio.visitors.prompts import EvidenceOut
from projects.portfolio.visitors.retrieval import Retrieved
from projects.portfolio.visitors.sentences import (
    Sentence,
    id_in,
    is_label,
    key_of,
    month_span,
    sentences_of,
    shortened,
)

STAGE: Final = "portfolio_evidence"
DEEP_STAGE: Final = "portfolio_evidence_deep"
DEEP_DOCUMENTS: Final = 12
DEEP_DOCUMENTS_OF_ALL: Final = 8
"""Documents from which on the larger model is asked, where one is named (DECISIONS 40)."""
MOST: Final = {"sample": 6, "all_relevant": 60}
"""Pieces of evidence at most (DECISIONS 36); a complete list has one for each item."""
LINE_CHARS: Final = 160
SOURCE: Final[dict[str, EvidenceSource]] = {
    "projects": "project", "resume": "resume", "profile": "profile",
}  # fmt: skip


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
        return list({key_of(doc): doc for doc in docs}.values())

    @property
    def counts(self) -> str:
        """The figures that the answer stage gets (spec 3, section 5.4)."""
        hints, docs = self.summary.ui_hints, self.documents
        positions = sum(doc.corpus == "resume" for doc in docs)
        projects = sum(doc.corpus == "projects" for doc in docs)
        return (
            f"{len(self.sentences)} pieces of evidence ({positions} from the resume, "
            f"{projects} projects), {len(hints.projects)} project cards, "
            f"{len(hints.experiences)} experience cards"
        )


def judge_with_model(
    question: str,
    plan: RetrievalPlan,
    retrieved: Retrieved,
    history: Sequence[Utterance],
    llm: Llm,
    delimiter: Delimiter,
) -> Evidence:
    """The verdict by a model, its ids checked. Raises ModelUnavailable."""
    stage = DEEP_STAGE if is_deep(plan, retrieved) else STAGE
    messages = prompts.evidence(question, plan, retrieved, history, delimiter)
    answer = llm.structured(
        stage, messages, prompts.EvidenceOut, prompt_version=prompts.EVIDENCE_VERSION
    )
    judged = checked(answer, plan, retrieved)
    refused = len(judged.dropped)
    used = len(answer.supports) + len(answer.contradicts) - refused
    llm.checked(stage, used=used, refused={Reason.UNKNOWN_ID: refused})
    return judged


def is_deep(plan: RetrievalPlan, retrieved: Retrieved) -> bool:
    """Whether a larger model is named, and so much was retrieved that it is asked."""
    is_named = stages.stage(DEEP_STAGE).model != stages.stage(STAGE).model
    most = DEEP_DOCUMENTS_OF_ALL if plan.enumeration == "all_relevant" else DEEP_DOCUMENTS
    return is_named and len(retrieved.documents) >= most


def checked(answer: EvidenceOut, plan: RetrievalPlan, retrieved: Retrieved) -> Evidence:
    """A model's evidence with its ids expanded to the sentences; ids that were not shown are
    dropped, and with none left the verdict is `unknown` (DECISIONS 51).
    """
    supports, dropped = _known(answer.supports, retrieved)
    contradicts, more = _known(answer.contradicts, retrieved)
    dropped += more
    speaks_for = {"yes": supports, "partial": supports, "no": [*contradicts, *supports]}
    verdict: Verdict = answer.verdict if speaks_for.get(answer.verdict) else "unknown"
    summary = EvidenceSummary(
        verdict=verdict,
        confidence="low" if verdict == "unknown" else answer.confidence,
        reasoning=answer.reasoning[:1_500],
        semantic_flags=answer.semantic_flags,
    )
    if verdict == "unknown":
        return Evidence(summary, dropped=dropped)
    if dropped and summary.confidence == "high":
        summary.confidence = "medium"
    hints = EvidenceUiHints(projects=answer.project_cards, experiences=answer.experience_cards)
    first = contradicts if verdict == "no" else supports
    both = list(dict.fromkeys([*first, *supports, *contradicts]))
    return evidence_of(summary, both[: MOST[plan.enumeration]], hints, plan, retrieved, dropped)


def _known(ids: Iterable[str], retrieved: Retrieved) -> tuple[list[Sentence], list[Dropped]]:
    sentences: list[Sentence] = []
    dropped: list[Dropped] = []
    by_id = retrieved.by_id
    for written in ids:
        if sentence := by_id.get(id_in(written)):
            sentences.append(sentence)
        else:
            dropped.append(Dropped(stage="evidence", code="UNKNOWN_SENTENCE", what=written[:120]))
    return list(dict.fromkeys(sentences)), dropped


def evidence_of(
    summary: EvidenceSummary,
    sentences: Sequence[Sentence],
    hints: EvidenceUiHints,
    plan: RetrievalPlan,
    retrieved: Retrieved,
    dropped: Sequence[Dropped] = (),
) -> Evidence:
    """Evidence with its items and cards; cards are of documents that were retrieved only."""
    docs = [doc for sentence in sentences for doc in sentence.docs if not sentence.is_fact]
    summary.selected_evidence = [_item(sentence) for sentence in sentences]
    summary.ui_hints, summary.ui_hint_warnings = _hints(hints, summary, plan, retrieved, docs)
    by_key = retrieved.by_key
    cards = [
        by_key[source, doc_id]
        for source, ids in (
            ("projects", summary.ui_hints.projects),
            ("resume", summary.ui_hints.experiences),
        )
        for doc_id in ids
    ]
    return Evidence(summary, sentences, cards, dropped)


def _item(sentence: Sentence) -> SelectedEvidenceItem:
    doc = sentence.docs[0]
    return SelectedEvidenceItem(
        source="fact" if sentence.is_fact else SOURCE[doc.corpus],
        id=sentence.id if sentence.is_fact else doc.doc_id,
        title=_("Calculated from dates and lists") if sentence.is_fact else doc.title,
        snippet=sentence.text if sentence.is_fact else shortened(sentence.text),
    )


def _hints(
    hints: EvidenceUiHints,
    summary: EvidenceSummary,
    plan: RetrievalPlan,
    retrieved: Retrieved,
    docs: Sequence[Doc],
) -> tuple[EvidenceUiHints, list[UiHintValidationWarning]]:
    """Cards that may be shown, and warnings for ids that were never retrieved."""
    projects, experiences = retrieved.ids("projects"), retrieved.ids("resume", "experience")
    warnings = []
    for code, given, known in (
        ("UIHINT_INVALID_PROJECT_ID", hints.projects, projects),
        ("UIHINT_INVALID_EXPERIENCE_ID", hints.experiences, experiences),
    ):
        if wrong := [doc_id for doc_id in dict.fromkeys(given) if doc_id not in known]:
            values = {"code": code, "invalid_ids": wrong, "retrieved_ids": known}
            warnings.append(UiHintValidationWarning.model_validate(values))
    if summary.verdict == "no":
        return EvidenceUiHints(), warnings
    is_left_out = not hints.projects and not hints.experiences
    if is_left_out and plan.enumeration != "all_relevant":
        return EvidenceUiHints(projects=ids(docs, "project"),
                               experiences=ids(docs, "experience")), warnings  # fmt: skip
    return EvidenceUiHints(
        projects=[doc_id for doc_id in dict.fromkeys(hints.projects) if doc_id in projects],
        experiences=[doc_id for doc_id in dict.fromkeys(hints.experiences)
                     if doc_id in experiences],
    ), warnings  # fmt: skip


def ids(docs: Iterable[Doc], facet: str) -> list[str]:
    """Ids of the documents of a kind, each once."""
    return list(dict.fromkeys(doc.doc_id for doc in docs if doc.facet == facet))


def ui_of(judged: Evidence, plan: RetrievalPlan, *, banner: str = "") -> UiPayload:
    """What the page shows beside the words; without cards where the plan wants none."""
    shows = plan.cards_enabled
    return UiPayload(
        show_projects=list(judged.summary.ui_hints.projects) if shows else [],
        show_experiences=list(judged.summary.ui_hints.experiences) if shows else [],
        banner_text=banner or None,
        core_evidence_ids=list(dict.fromkeys(i.id for i in judged.summary.selected_evidence)),
    )


def shown_evidence(judged: Evidence) -> list[ShownEvidence]:
    """The items as a message keeps them, numbered from 1."""
    pairs = zip(judged.summary.selected_evidence, judged.sentences, strict=True)
    return [
        ShownEvidence(
            number=number,
            source=item.source,
            facet=sentence.kind or sentence.docs[0].facet,
            id=item.id,
            title=item.title,
            quote=item.snippet,
            dates="" if sentence.is_fact else month_span(sentence.docs[0]),
        )
        for number, (item, sentence) in enumerate(pairs, start=1)
    ]


def shown_cards(judged: Evidence, ui: UiPayload) -> list[ShownCard]:
    """The cards as a message keeps them."""
    chosen = {("projects", doc_id) for doc_id in ui.show_projects}
    chosen |= {("resume", doc_id) for doc_id in ui.show_experiences}
    return [
        ShownCard(
            kind="project" if doc.corpus == "projects" else "experience",
            id=doc.doc_id,
            title=doc.title,
            line=_line(doc),
            dates=month_span(doc),
        )
        for doc in judged.cards
        if key_of(doc) in chosen
    ]


def _line(doc: Doc) -> str:
    """What a card says of a document: its first sentence that is more than a label."""
    texts = (text for text in sentences_of(doc.text) if not is_label(text))
    return shortened(next((text for text in texts if text != month_span(doc)), ""), LINE_CHARS)
