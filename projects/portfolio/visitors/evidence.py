"""The evidence of a turn: a verdict, the sentences that it stands on, cards out of these alone.

A model names sentences by id and code expands the ids; see `basic` for what a search finds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from django.utils.translation import gettext as _

from futura.llm import stages
from futura.llm.checks import Reason
from projects.portfolio.documents import Doc
from projects.portfolio.visitors import prompts
from projects.portfolio.visitors.contract import (
    Dropped,
    Evidence,
    EvidenceSource,
    EvidenceSummary,
    EvidenceUiHints,
    Question,
    RetrievalPlan,
    Retrieved,
    SelectedEvidenceItem,
    ShownCard,
    ShownEvidence,
    UiHintValidationWarning,
    Verdict,
)
from projects.portfolio.visitors.sentences import Sentence, is_label, sentences_of, shortened

STAGE: Final = "portfolio_evidence"
DEEP_STAGE: Final = "portfolio_evidence_deep"
DEEP_DOCUMENTS: Final = {"sample": 12, "all_relevant": 8}
"""Documents from which on the larger model is asked, where one is named (DECISIONS 40)."""
MOST: Final = {"sample": 6, "all_relevant": 60}
"""Pieces of evidence at most (DECISIONS 36); a complete list has one for each item."""
SOURCE: Final[dict[str, EvidenceSource]] = {
    "projects": "project", "resume": "resume", "profile": "profile",
}  # fmt: skip
_ID: Final = re.compile(r"\W*([sf]\d+)\W*", re.IGNORECASE)


def judge_with_model(question: Question, plan: RetrievalPlan, retrieved: Retrieved) -> Evidence:
    """The verdict by a model, its ids expanded to the sentences. Ids that were not shown are
    dropped, and with none left the verdict is `unknown` (DECISIONS 51). Raises ModelUnavailable.
    """
    stage = DEEP_STAGE if is_deep(plan, retrieved) else STAGE
    answer = question.llm.structured(
        stage,
        prompts.evidence(question, plan, retrieved),
        prompts.EvidenceOut,
        prompt_version=prompts.EVIDENCE_VERSION,
    )
    supports, dropped = _expanded(answer.supports, retrieved)
    contradicts, more = _expanded(answer.contradicts, retrieved)
    dropped += more
    used = len(answer.supports) + len(answer.contradicts) - len(dropped)
    question.llm.checked(stage, used=used, refused={Reason.UNKNOWN_ID: len(dropped)})
    # what is no yes-or-no question has sentences and “n/a” (spec 3, appendix A)
    speaks_for = dict.fromkeys(("yes", "partial", "n/a"), supports)
    speaks_for["no"] = [*contradicts, *supports]
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


def is_deep(plan: RetrievalPlan, retrieved: Retrieved) -> bool:
    """Whether a larger model is named, and so much was retrieved that it is asked."""
    is_named = stages.stage(DEEP_STAGE).model != stages.stage(STAGE).model
    return is_named and len(retrieved.documents) >= DEEP_DOCUMENTS[plan.enumeration]


def _expanded(written: Iterable[str], retrieved: Retrieved) -> tuple[list[Sentence], list[Dropped]]:
    """The sentences of ids as a model wrote them, with brackets or without."""
    by_id = {sentence.id: sentence for sentence in (*retrieved.sentences, *retrieved.facts)}
    sentences: list[Sentence] = []
    dropped: list[Dropped] = []
    for text in written:
        match = _ID.fullmatch(text)
        if match and (sentence := by_id.get(match[1].lower())):
            sentences.append(sentence)
        else:
            dropped.append(Dropped(stage="evidence", code="UNKNOWN_SENTENCE", what=text[:120]))
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
    for sentence in sentences:
        doc, text = sentence.docs[0], sentence.text
        item = SelectedEvidenceItem(
            source=SOURCE[doc.corpus], id=doc.doc_id, title=doc.title, snippet=shortened(text)
        )
        # of a question about jobs projects are support only (DECISIONS 35)
        if plan.scope == "employment_only" and doc.corpus == "projects":
            item.relevance = "medium"
        if sentence.is_fact:
            title = _("Calculated from dates and lists")
            item = SelectedEvidenceItem(source="fact", id=sentence.id, title=title, snippet=text)
        summary.selected_evidence.append(item)
    if not hints.projects and not hints.experiences and plan.enumeration != "all_relevant":
        hints = card_hints(docs)
    cards: list[Doc] = []
    for facet, ids in (("project", hints.projects), ("experience", hints.experiences)):
        read = (*retrieved.documents, *retrieved.left_out)
        by_id = {doc.doc_id: doc for doc in read if doc.facet == facet}
        if invalid := [doc_id for doc_id in dict.fromkeys(ids) if doc_id not in by_id]:
            warning = {
                "code": f"UIHINT_INVALID_{facet.upper()}_ID",
                "invalid_ids": invalid,
                "retrieved_ids": [*by_id],
            }
            summary.ui_hint_warnings.append(UiHintValidationWarning.model_validate(warning))
        cards += [by_id[doc_id] for doc_id in dict.fromkeys(ids) if doc_id in by_id]
    if summary.verdict in {"no", "unknown"} or not plan.cards_enabled:
        cards = []
    summary.ui_hints = card_hints(cards)
    return Evidence(summary, sentences, cards, dropped)


def card_hints(docs: Sequence[Doc]) -> EvidenceUiHints:
    """Cards of all projects and positions among documents, each once."""
    ids = {
        facet: list(dict.fromkeys(doc.doc_id for doc in docs if doc.facet == facet))
        for facet in ("project", "experience")
    }
    return EvidenceUiHints(projects=ids["project"], experiences=ids["experience"])


def record_evidence(evidence: Evidence) -> list[ShownEvidence]:
    """The items as a message keeps them, numbered from 1."""
    pairs = zip(evidence.summary.selected_evidence, evidence.sentences, strict=True)
    return [
        ShownEvidence(
            number=number,
            source=item.source,
            facet=sentence.kind or sentence.docs[0].facet,
            id=item.id,
            title=item.title,
            quote=item.snippet,
            relevance=item.relevance,
            dates="" if sentence.is_fact else sentence.docs[0].months,
        )
        for number, (item, sentence) in enumerate(pairs, start=1)
    ]


def record_cards(evidence: Evidence) -> list[ShownCard]:
    return [
        ShownCard(
            kind="project" if doc.corpus == "projects" else "experience",
            id=doc.doc_id,
            title=doc.title,
            line=_line(doc),
            dates=doc.months,
        )
        for doc in evidence.cards
    ]


def _line(doc: Doc) -> str:
    """What a card says of a document: its first sentence that is more than a label."""
    texts = (text for text in sentences_of(doc.text) if not is_label(text))
    return shortened(next((text for text in texts if text != doc.months), ""), 160)
