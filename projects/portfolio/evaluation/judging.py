"""One turn held against its case, and against what must hold of every answer; the figures of many,
and the floors that they must reach.

Quotes stand where they are said to stand, cards, verdict and evidence say the same: written apart
from the stages that see to it, so that none judges itself.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from django.utils import timezone

from projects.portfolio.documents import Doc
from projects.portfolio.evaluation.cases import Case, Expected
from projects.portfolio.visitors.contract import ShownEvidence, TurnResult
from projects.portfolio.visitors.sentences import facts_of

AXES: Final = ("question_type", "enumeration", "scope")
AT: Final = 10
"""Of each source the first ten documents count for recall."""
QUOTE_BEGINS: Final = 200
FLOORS: Final[dict[str, float]] = {
    "question_type": 0.85,
    "enumeration_mode": 0.85,
    "scope": 0.85,
    "verdict": 0.85,
    "recall_at_10": 0.95,
    "enumeration": 0.90,
    "abstention_recall": 0.95,
    "citation_validity": 1.0,
    "card_text_agreement": 1.0,
}
BASIC: Final = frozenset({"recall_at_10", "citation_validity", "card_text_agreement"})
"""What basic mode is held to: a search gives no verdict and does not plan."""
MOST_FALSE_ABSTENTION: Final = 0.10
_QUOTES: Final = str.maketrans("’‘“”–—\u00a0", "''\"\"-- ")

Keys = set[tuple[str, str]]
Docs = Mapping[tuple[str, str], Doc]


@dataclass(frozen=True)
class Judged:
    """A turn held against its case; `docs` are those of the portfolio that was asked. `calls` and
    `ms` stood before the first word.
    """

    case: Case
    turn: TurnResult
    docs: Docs
    is_faithful: bool = False
    calls: int = 0
    ms: float = 0

    @cached_property
    def faults(self) -> dict[str, list[str]]:
        """By kind; `lost` is what a right model said and the visitor did not get."""
        case, turn = self.case, self.turn
        return {
            "citations": citation_faults(turn, self.docs),
            "agreement": agreement_faults(turn),
            "cards": _card_faults(case.expected, turn),
            "text": _text_faults(case.expected, turn.message),
            "lost": _lost(case, turn) if self.is_faithful else [],
        }

    @cached_property
    def missed_documents(self) -> list[str]:
        return _missed(self.case.expected.relevant_documents, self.turn.retrieved)

    @property
    def verdict(self) -> str:
        return self.turn.evidence.verdict

    @property
    def has_abstained(self) -> bool:
        """What is no yes-or-no question may be answered and have no verdict."""
        verdict = self.verdict
        return verdict == "unknown" or (verdict == "n/a" and not self.turn.record.evidence)

    @property
    def is_verdict_right(self) -> bool:
        return self.verdict == self.case.expected.verdict

    @property
    def axes(self) -> dict[str, bool]:
        """Whether the plan is right, on each axis that the case says something of."""
        expected = self.case.expected
        return {
            name: getattr(self.turn.plan, name) == value
            for name in AXES
            if (value := getattr(expected, name)) is not None
        }

    @property
    def is_right(self) -> bool:
        return self.is_verdict_right and all(self.axes.values()) and not any(self.faults.values())

    @property
    def recall(self) -> float | None:
        """Documents that were read, of those that the case names; None where it names none."""
        relevant = self.case.expected.relevant_documents
        return 1 - len(self.missed_documents) / len(relevant) if relevant else None

    @property
    def cards(self) -> tuple[int, int, int]:
        """How many cards should be there, are there, are there rightly."""
        expected = self.case.expected
        keys = _keys(expected.must_include_project_ids, expected.must_include_experience_ids)
        neutral = _keys(expected.may_include_project_ids, expected.may_include_experience_ids)
        card_keys = _cards(self.turn) - (neutral - keys)
        return len(keys), len(card_keys), len(keys & card_keys)

    @property
    def summary(self) -> dict[str, Any]:
        summary: dict[str, Any] = {"id": self.case.id, "question": self.case.input.user_message}
        if not self.is_verdict_right:
            summary["verdict"] = f"{self.verdict} for {self.case.expected.verdict}"
        if wrong := [axis for axis, is_right in self.axes.items() if not is_right]:
            summary["planned"] = {axis: getattr(self.turn.plan, axis) for axis in wrong}
        summary |= {kind: faults for kind, faults in self.faults.items() if faults}
        if self.missed_documents:
            summary["missed_documents"] = self.missed_documents
        return {**summary, "answer": self.turn.message}


def citation_faults(turn: TurnResult, docs: Docs) -> list[str]:
    """Evidence that is not retrieved, quotes that do not stand in it, claims out of place."""
    faults = [fault for row in turn.record.evidence for fault in _quote_faults(turn, docs, row)]
    numbers = {displayed.number for displayed in turn.record.evidence}
    for claim in turn.record.claims:
        if turn.message[claim.start : claim.end] != claim.text:
            faults.append(f"claim not at its place: {claim.text!r}")
        if not claim.evidence or not set(claim.evidence) <= numbers:
            faults.append(f"claim without evidence: {claim.text!r}")
    return faults


def agreement_faults(turn: TurnResult) -> list[str]:
    """Where cards, verdict and evidence contradict each other, or nothing is said."""
    faults: list[str] = []
    cards, cited, retrieved = _cards(turn), _cited(turn), set(turn.retrieved)
    hinted = _keys(turn.evidence.ui_hints.projects, turn.evidence.ui_hints.experiences)
    if strange := sorted(key for key in cards if "/".join(key) not in retrieved):
        faults.append(f"cards not retrieved: {strange}")
    if foreign := sorted(cards - hinted - cited):
        faults.append(f"cards not of the evidence: {foreign}")
    if cards and not turn.plan.cards_enabled:
        faults.append("cards although they are off")
    is_nothing = turn.evidence.verdict == "unknown" or turn.plan.question_type == "meta"
    if is_nothing and (cards or cited):
        faults.append(f"verdict {turn.evidence.verdict} with cards or evidence")
    if not turn.message.strip():
        faults.append("no text")
    return faults


def _keys(projects: Iterable[str], experiences: Iterable[str]) -> Keys:
    return {("projects", pk) for pk in projects} | {("resume", pk) for pk in experiences}


def _cards(turn: TurnResult) -> Keys:
    return _keys(turn.record.ui.show_projects, turn.record.ui.show_experiences)


def _cited(turn: TurnResult) -> Keys:
    return {(_source_of(item.source), item.id) for item in turn.evidence.selected_evidence}


def _source_of(kind: str) -> str:
    return "projects" if kind == "project" else kind


def _quote_faults(turn: TurnResult, docs: Docs, evidence: ShownEvidence) -> list[str]:
    key, quote = (_source_of(evidence.source), evidence.id), evidence.quote
    if evidence.source == "fact":
        is_true = quote in {fact.text for fact in facts_of([*docs.values()], timezone.localdate())}
        return [] if is_true else [f"no fact: {quote!r}"]
    doc = docs.get(key)
    if doc is None:
        return [f"no such document: {key}"]
    faults = [] if "/".join(key) in turn.retrieved else [f"not retrieved: {key}"]
    normalized = _normalized(quote)
    if not normalized or (
        normalized not in _normalized(doc.text) and normalized not in _normalized(doc.title)
    ):
        faults.append(f"quote not in {key}: {quote!r}")
    return faults


def _normalized(text: str) -> str:
    return " ".join(text.translate(_QUOTES).split()).strip(" .…").casefold()


def _lost(case: Case, turn: TurnResult) -> list[str]:
    """Words and sentences of the case's right answer that did not arrive."""
    text = case.answer
    lost = [f"not whole: {text!r}"] if text and turn.message.strip() != text.strip() else []
    quotes = [displayed.quote for displayed in turn.record.evidence]
    return lost + [
        f"without its sentence: {sentence!r}"
        for sentence in case.sentences
        if not any(quote.startswith(sentence[:QUOTE_BEGINS]) for quote in quotes)
    ]


def _missed(relevant: Sequence[str], retrieved: Sequence[str]) -> list[str]:
    """Documents (`source:id`) that are not among the first ten of their source."""
    places: Counter[str] = Counter()
    read = set()
    for name in retrieved:
        source, _, doc_id = name.partition("/")
        places[source] += 1
        if places[source] <= AT:
            read.add(f"{source}:{doc_id}")
    return [name for name in relevant if name not in read]


def _card_faults(expected: Expected, turn: TurnResult) -> list[str]:
    ui, faults = turn.record.ui, []
    for kind, displayed in (("project", ui.show_projects), ("experience", ui.show_experiences)):
        required = getattr(expected, f"must_include_{kind}_ids")
        unwanted = getattr(expected, f"must_not_include_{kind}_ids")
        least = getattr(expected, f"ui_hints_{kind}s_min_count")
        most = getattr(expected, f"ui_hints_{kind}s_max_count")
        faults += [f"missing {pk}" for pk in required if pk not in displayed]
        faults += [f"unwanted {pk}" for pk in unwanted if pk in displayed]
        if least is not None and len(displayed) < least:
            faults.append(f"{len(displayed)} cards, at least {least}")
        if most is not None and len(displayed) > most:
            faults.append(f"{len(displayed)} cards, at most {most}: {', '.join(displayed)}")
    if expected.cards_enabled not in {None, turn.plan.cards_enabled}:
        faults.append(f"cards {'on' if turn.plan.cards_enabled else 'off'}")
    return faults


def _text_faults(expected: Expected, message: str) -> list[str]:
    label = message.casefold()
    lacking = [text for text in expected.answer_contains if text.casefold() not in label]
    unwanted = [text for text in expected.answer_not_contains if text.casefold() in label]
    return [f"without {text!r}" for text in lacking] + [f"with {text!r}" for text in unwanted]


# Figures ----------------------------------------------------------------------------------------
def figures_of(judged: Sequence[Judged]) -> dict[str, Any]:
    """All figures; None where no case says anything of one."""
    expected = [(row, row.case.expected.verdict) for row in judged]
    unanswerable = [row for row, verdict in expected if verdict == "unknown"]
    answerable = [row for row, verdict in expected if verdict in {"yes", "no", "partial"}]
    recalls = [row.recall for row in judged if row.recall is not None]
    quotes = [(row, quote) for row in judged for quote in row.turn.record.evidence]
    planner = {axis: _share(row.axes[axis] for row in judged if axis in row.axes) for axis in AXES}
    return {
        "n": len(judged),
        "question_type": planner["question_type"],
        "enumeration_mode": planner["enumeration"],
        "scope": planner["scope"],
        "verdict": _share(row.is_verdict_right for row in judged),
        "recall_at_10": round(statistics.fmean(recalls), 4) if recalls else None,
        **_enumeration(judged),
        "abstention_recall": _share(row.has_abstained for row in unanswerable),
        "false_abstention": _share(row.has_abstained for row in answerable),
        "false_denial": _share(row.verdict == "no" for row, verdict in expected if verdict != "no"),
        "false_claim": _share(row.verdict == "yes" for row in unanswerable),
        "citation_validity": _share(not row.faults["citations"] for row in judged),
        "card_text_agreement": _share(not row.faults["agreement"] for row in judged),
        "fidelity": _share(not _quote_faults(row.turn, row.docs, quote) for row, quote in quotes),
        "lost": sum(bool(row.faults["lost"]) for row in judged),
        "calls_before_first_word": max((row.calls for row in judged), default=0),
        "ms_before_first_word": round(statistics.median([row.ms for row in judged] or [0]), 1),
        "everything_right": _share(row.is_right for row in judged),
    }


def below(figures: dict[str, Any], mode: str = "model") -> list[str]:
    """Names of the figures that do not reach their floor, of those that the mode is held to."""
    names = [
        name
        for name, floor in FLOORS.items()
        if mode == "model" or name in BASIC
        if (value := figures[name]) is not None and value < floor
    ]
    if (figures["false_abstention"] or 0) > MOST_FALSE_ABSTENTION:
        names.append("false_abstention")
    return names


def missed(judged: Sequence[Judged]) -> list[dict[str, Any]]:
    return [row.summary for row in judged if not row.is_right or row.missed_documents]


def _enumeration(judged: Sequence[Judged]) -> dict[str, Any]:
    """F1 of cards where everything relevant is wanted, over all such cases together."""
    cards = [row.cards for row in judged if row.case.is_enumeration]
    requested, displayed, right = (sum(row[place] for row in cards) for place in range(3))
    return {
        "enumeration": _ratio(2 * right, requested + displayed) if requested else None,
        "enumeration_recall": _ratio(right, requested),
    }


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _share(of: Iterable[bool]) -> float | None:
    values = list(of)
    return _ratio(sum(values), len(values))
