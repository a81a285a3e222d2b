"""The evidence of a turn: verdict, quotes that were checked by code, cards out of these alone.

The pair `judge_with_model` / `judge_by_rules` gives the same; both end in `settled`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from futura.llm.client import Llm
from projects.agent.fencing import Fence
from projects.portfolio.documents import Doc
from projects.portfolio.visitors import prompts
from projects.portfolio.visitors.contract import (
    Confidence,
    Dropped,
    EvidenceCounts,
    EvidenceSource,
    EvidenceSummary,
    EvidenceUiHints,
    RetrievalPlan,
    SelectedEvidenceItem,
    SemanticFlag,
    ShownCard,
    ShownEvidence,
    UiHintValidationWarning,
    UiPayload,
)
from projects.portfolio.visitors.judged import MOST, Case, Judged
from projects.portfolio.visitors.judging import judge
from projects.portfolio.visitors.quotes import (
    month_span,
    said_by,
    sentences_of,
    shortened,
    stands_in,
)
from projects.portfolio.visitors.retrieval import Retrieved

STAGE: Final = "portfolio_evidence"
DEEP_STAGE: Final = "portfolio_evidence_deep"
DEEP_DOCUMENTS: Final = 12
DEEP_DOCUMENTS_OF_ALL: Final = 8
"""Documents from which on the larger model is asked, where one is named (DECISIONS 40)."""
LINE_CHARS: Final = 160
_LABEL: Final = re.compile(r"[A-Z][a-z ]{2,18}: ")
CORPUS: Final[dict[EvidenceSource, str]] = {
    "project": "projects", "resume": "resume", "profile": "profile",
}  # fmt: skip
SOURCE: Final[dict[str, EvidenceSource]] = {corpus: one for one, corpus in CORPUS.items()}


@dataclass(frozen=True)
class Settled:
    """Evidence that holds: its documents in the order of its items, its cards, what fell out."""

    summary: EvidenceSummary
    documents: Sequence[Doc] = ()
    cards: Sequence[Doc] = ()
    dropped: Sequence[Dropped] = ()
    judged: Judged | None = None

    @property
    def counts(self) -> EvidenceCounts:
        """The figures that the answer stage is told."""
        hints, chosen = self.summary.ui_hints, self.summary.selected_evidence
        positions = len({one.id for one in chosen if one.source == "resume"})
        projects = len({one.id for one in chosen if one.source == "project"})
        return EvidenceCounts(
            selected_evidence_count=len(chosen),
            ui_hints_project_count=len(hints.projects),
            ui_hints_experience_count=len(hints.experiences),
            breakdown=f"{positions} from the resume, {projects} projects",
        )


def judge_by_rules(case: Case, retrieved: Retrieved) -> Settled:
    """The verdict by rules."""
    found = judge(case)
    items = [
        SelectedEvidenceItem(
            source=SOURCE[one.doc.corpus],
            id=one.doc.doc_id,
            title=one.doc.title,
            snippet=one.quote,
            relevance=one.relevance,
        )
        for one in found.picks
    ]
    summary = EvidenceSummary(
        verdict=found.verdict,
        confidence=found.confidence,
        reasoning=_reasoning(case, found),
        selected_evidence=items,
        semantic_flags=list(found.flags),
        ui_hints=EvidenceUiHints(
            projects=_ids(found.cards, "project"), experiences=_ids(found.cards, "experience")
        ),
    )
    return settled(summary, case.plan, retrieved, judged=found)


def judge_with_model(
    case: Case, retrieved: Retrieved, llm: Llm, fence: Fence, *, has_deep_model: bool
) -> tuple[Settled, str]:
    """The verdict by a model, held to the documents; and the stage that was asked.

    Raises ModelUnavailable.
    """
    stage = DEEP_STAGE if has_deep_model and is_deep(case.plan, retrieved) else STAGE
    messages = prompts.evidence(case.question, case.plan, retrieved.documents, fence)
    told = llm.structured(
        stage, messages, prompts.EvidenceOut, prompt_version=prompts.EVIDENCE_VERSION
    )
    found = settled(told.as_summary(), case.plan, retrieved)
    return _believable(found, case), stage


def is_deep(plan: RetrievalPlan, retrieved: Retrieved) -> bool:
    """Whether so much was found that the larger model is wanted."""
    most = DEEP_DOCUMENTS_OF_ALL if plan.enumeration == "all_relevant" else DEEP_DOCUMENTS
    return len(retrieved.documents) >= most


def settled(
    told: EvidenceSummary,
    plan: RetrievalPlan,
    retrieved: Retrieved,
    *,
    judged: Judged | None = None,
) -> Settled:
    """Evidence as far as it can be shown (spec 3, 5.3 and 5.5).

    An item stays when its document was retrieved and its quote stands there; without any item
    there is no verdict but `unknown`; cards are of retrieved documents only.
    """
    if plan.question_type == "meta":
        return Settled(_empty("n/a", told), judged=judged)
    items, documents, dropped = _checked(told.selected_evidence, retrieved)
    if not items or told.verdict in {"unknown", "n/a"}:
        return Settled(_empty("unknown", told), dropped=dropped, judged=judged)
    hints, warnings = _hints(told, plan, retrieved, documents)
    confidence: Confidence = "medium" if dropped and told.confidence == "high" else told.confidence
    summary = told.model_copy(
        update={
            "selected_evidence": items,
            "ui_hints": hints,
            "ui_hint_warnings": warnings,
            "confidence": confidence,
        }
    )
    cards = [
        doc
        for source, ids in (("projects", hints.projects), ("resume", hints.experiences))
        for one in ids
        if (doc := retrieved.by_key.get((source, one)))
    ]
    return Settled(summary, documents, cards, dropped, judged)


def _empty(verdict: str, told: EvidenceSummary) -> EvidenceSummary:
    return EvidenceSummary(
        verdict="n/a" if verdict == "n/a" else "unknown",
        confidence="low",
        reasoning=told.reasoning,
        semantic_flags=told.semantic_flags,
    )


def _checked(
    told: Iterable[SelectedEvidenceItem], retrieved: Retrieved
) -> tuple[list[SelectedEvidenceItem], list[Doc], list[Dropped]]:
    items: dict[tuple[str, str], tuple[SelectedEvidenceItem, Doc]] = {}
    dropped: list[Dropped] = []
    for one in told:
        doc = retrieved.by_key.get((CORPUS[one.source], one.id))
        if doc is None:
            dropped.append(Dropped(stage="evidence", code="UNKNOWN_DOCUMENT", what=one.id[:120]))
            continue
        quote = _quotable(one.snippet, doc)
        if not quote:
            what = f"{one.id}: {one.snippet}"[:200]
            dropped.append(Dropped(stage="evidence", code="QUOTE_NOT_FOUND", what=what))
            continue
        kept = one.model_copy(update={"title": doc.title, "snippet": quote})
        items.setdefault((one.id, quote), (kept, doc))
    chosen = list(items.values())[:MOST]
    return [item for item, _doc in chosen], [doc for _item, doc in chosen], dropped


def _quotable(snippet: str, doc: Doc) -> str:
    """The quote, cut to a bearable length; empty where it does not stand in the document."""
    plain = " ".join(snippet.split()).strip(" \"“”'…").removesuffix("...").strip()
    if not plain or not stands_in(plain, doc):
        return ""
    return shortened(plain)


def _hints(
    told: EvidenceSummary, plan: RetrievalPlan, retrieved: Retrieved, documents: Sequence[Doc]
) -> tuple[EvidenceUiHints, list[UiHintValidationWarning]]:
    """Cards that may be shown, and warnings for ids that were never retrieved."""
    projects, experiences = retrieved.ids("projects"), retrieved.ids("resume", "experience")
    warnings = []
    for code, given, known in (
        ("UIHINT_INVALID_PROJECT_ID", told.ui_hints.projects, projects),
        ("UIHINT_INVALID_EXPERIENCE_ID", told.ui_hints.experiences, experiences),
    ):
        if wrong := [one for one in dict.fromkeys(given) if one not in known]:
            warnings.append(
                UiHintValidationWarning.model_validate(
                    {"code": code, "invalidIds": wrong, "retrievedIds": list(known)}
                )
            )
    hints = EvidenceUiHints(
        projects=[one for one in dict.fromkeys(told.ui_hints.projects) if one in projects],
        experiences=[one for one in dict.fromkeys(told.ui_hints.experiences) if one in experiences],
    )
    is_left_out = not told.ui_hints.projects and not told.ui_hints.experiences
    if is_left_out and plan.enumeration != "all_relevant":
        hints = EvidenceUiHints(
            projects=_ids(documents, "project"), experiences=_ids(documents, "experience")
        )
    if told.verdict == "no":
        hints = EvidenceUiHints()
    return hints, warnings


def _ids(docs: Iterable[Doc], facet: str) -> list[str]:
    return list(dict.fromkeys(one.doc_id for one in docs if one.facet == facet))


def _believable(found: Settled, case: Case) -> Settled:
    """A model's “yes” to a tool that no chosen document names is none."""
    if found.summary.verdict not in {"yes", "partial"}:
        return found
    tools = [one for one in case.looks_for.topics if one.is_tool]
    is_named = any(one.keys & said_by(doc) for one in tools for doc in found.documents)
    if not tools or is_named:
        return found
    fallen = [Dropped(stage="evidence", code="OUT_OF_SCOPE", what=one.doc_id)
              for one in found.documents]  # fmt: skip
    return Settled(_empty("unknown", found.summary), dropped=[*found.dropped, *fallen])


def ui_of(found: Settled, plan: RetrievalPlan, *, banner: str = "") -> UiPayload:
    """What the page shows beside the words; without cards where the plan wants none."""
    ids = [one.id for one in found.summary.selected_evidence]
    shows = plan.cards_enabled
    return UiPayload(
        show_projects=list(found.summary.ui_hints.projects) if shows else [],
        show_experiences=list(found.summary.ui_hints.experiences) if shows else [],
        banner_text=banner or None,
        core_evidence_ids=list(dict.fromkeys(ids)),
    )


def shown_evidence(found: Settled) -> list[ShownEvidence]:
    """The items as a message keeps them, numbered from 1."""
    pairs = zip(found.summary.selected_evidence, found.documents, strict=True)
    return [
        ShownEvidence(
            number=number,
            source=item.source,
            facet=doc.facet,
            id=item.id,
            title=doc.title,
            quote=item.snippet,
            relevance=item.relevance,
            dates=month_span(doc),
        )
        for number, (item, doc) in enumerate(pairs, start=1)
    ]


def shown_cards(found: Settled, ui: UiPayload) -> list[ShownCard]:
    """The cards as a message keeps them."""
    wanted = {("projects", one) for one in ui.show_projects}
    wanted |= {("resume", one) for one in ui.show_experiences}
    return [
        ShownCard(
            kind="project" if one.corpus == "projects" else "experience",
            id=one.doc_id,
            title=one.title,
            line=_line(one),
            dates=month_span(one),
        )
        for one in found.cards
        if (one.corpus, one.doc_id) in wanted
    ]


def _line(doc: Doc) -> str:
    """What a card says of a document: its first sentence that is more than a label."""
    plain = (one for one in sentences_of(doc.text) if not _LABEL.match(one))
    told = next((one for one in plain if one != month_span(doc)), "")
    return shortened(told, LINE_CHARS)


def _reasoning(case: Case, found: Judged) -> str:
    about = ", ".join(one.text for one in case.looks_for.topics) or case.looks_for.aspect
    kind = case.plan.question_type
    return (
        f"The question was read as {kind} about {about}, looking at {len(case.documents)} "
        f"documents. {found.why} The verdict is {found.verdict} with {found.confidence} "
        f"confidence, resting on {len(found.picks)} quotes; {len(found.cards)} cards go with it."
    )


def flags_of(found: Settled) -> list[SemanticFlag]:
    """Flags about the shape of the question."""
    return list(found.summary.semantic_flags)


__all__ = [
    "Settled", "flags_of", "is_deep", "judge_by_rules", "judge_with_model", "settled",
    "shown_cards", "shown_evidence", "ui_of",
]  # fmt: skip
