"""One turn held against its case, and against what must hold of every answer.

Quotes stand where they are said to stand, figures are in what is cited, cards and text say the
same: written apart from the stages that see to it, so that none judges itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils import timezone

from projects.portfolio.documents import Doc
from projects.portfolio.evaluation.cases import Case, Expected
from projects.portfolio.visitors.contract import ShownEvidence, TurnResult
from projects.portfolio.visitors.facts import facts_of

AXES: Final = ("question_type", "enumeration", "scope")
AT: Final = 10
"""Of each source the first ten documents count for recall."""
QUOTE_BEGINS: Final = 200
CORPUS_OF: Final = {
    "project": "projects", "resume": "resume", "profile": "profile", "fact": "fact",
}  # fmt: skip
_FIGURE: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_QUOTES: Final = str.maketrans("’‘“”–—\u00a0", "''\"\"-- ")
_NAME_CHARS: Final = 4

Docs = Mapping[tuple[str, str], Doc]


@dataclass(frozen=True)
class Judged:
    """What came of a case. `faults` by kind; `lost` among them is what a right model said and the
    visitor did not get. `calls` and `ms` stood before the first word.
    """

    case: Case
    turn: TurnResult
    faults: Mapping[str, Sequence[str]] = field(default_factory=dict)
    missed_documents: Sequence[str] = ()
    true_claims: int = 0
    calls: int = 0
    ms: float = 0

    @property
    def verdict(self) -> str:
        """The verdict of the turn."""
        return self.turn.evidence.verdict

    @property
    def is_verdict_right(self) -> bool:
        """Whether the verdict is that of the case."""
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
        """Whether every expectation is met."""
        return self.is_verdict_right and all(self.axes.values()) and not any(self.faults.values())

    @property
    def recall(self) -> float | None:
        """Documents that were read, of those that the case names; None where it names none."""
        relevant = self.case.expected.relevant_documents
        return 1 - len(self.missed_documents) / len(relevant) if relevant else None

    @property
    def cards(self) -> tuple[int, int, int]:
        """How many cards should be there, are there, are there rightly."""
        expected, ui = self.case.expected, self.turn.record.ui
        wanted = {("p", pk) for pk in expected.must_include_project_ids}
        wanted |= {("e", pk) for pk in expected.must_include_experience_ids}
        neutral = {("p", pk) for pk in expected.may_include_project_ids}
        neutral |= {("e", pk) for pk in expected.may_include_experience_ids}
        shown = {("p", pk) for pk in ui.show_projects} | {("e", pk) for pk in ui.show_experiences}
        shown -= neutral - wanted
        return len(wanted), len(shown), len(wanted & shown)

    @property
    def summary(self) -> dict[str, Any]:
        """What went wrong, in few words, and the answer."""
        summary: dict[str, Any] = {
            "id": self.case.id, "question": self.case.input.user_message,
        }  # fmt: skip
        if not self.is_verdict_right:
            summary["verdict"] = f"{self.verdict} for {self.case.expected.verdict}"
        if wrong := [axis for axis, is_right in self.axes.items() if not is_right]:
            summary["planned"] = {axis: getattr(self.turn.plan, axis) for axis in wrong}
        summary |= {kind: faults for kind, faults in self.faults.items() if faults}
        if self.missed_documents:
            summary["missed_documents"] = self.missed_documents
        return {**summary, "answer": self.turn.message}


def judge(
    case: Case,
    turn: TurnResult,
    docs: Docs,
    *,
    is_faithful: bool = False,
    calls: int = 0,
    ms: float = 0,
) -> Judged:
    """Holds a turn against its case; `docs` are those of the portfolio that was asked."""
    earlier = (message.content for message in case.input.conversation_history)
    asked = " ".join([case.input.user_message, *earlier])
    allowed = f"{asked} {case.answer}"
    return Judged(
        case,
        turn,
        faults={
            "citations": citation_faults(turn, docs, allowed),
            "agreement": agreement_faults(turn, docs, asked),
            "cards": _card_faults(case.expected, turn),
            "text": _text_faults(case.expected, turn.message),
            "lost": _lost(case, turn) if is_faithful else [],
        },
        missed_documents=_missed(case.expected.relevant_documents, turn.retrieved),
        true_claims=_true_claims(turn, docs),
        calls=calls,
        ms=ms,
    )


def citation_faults(turn: TurnResult, docs: Docs, question: str) -> list[str]:
    """Evidence that is not retrieved, quotes that do not stand in it, figures from nowhere."""
    faults: list[str] = []
    for shown in turn.record.evidence:
        faults += _quote_faults(turn, docs, shown)
    numbers = {shown.number for shown in turn.record.evidence}
    for claim in turn.record.claims:
        if turn.message[claim.start : claim.end] != claim.text:
            faults.append(f"claim not at its place: {claim.text!r}")
        if not claim.evidence or not set(claim.evidence) <= numbers:
            faults.append(f"claim without evidence: {claim.text!r}")
    most = len(turn.record.evidence) + len(_cards(turn))
    allowed = _figures([question, *_proof(turn, docs), *map(str, range(most + 1))])
    strange = _figures([turn.message]) - allowed
    return faults + [f"figure from nowhere: {figure}" for figure in sorted(strange)]


def agreement_faults(turn: TurnResult, docs: Docs, question: str) -> list[str]:
    """Where cards, verdict and text contradict each other, in any language."""
    faults: list[str] = []
    cards, cited, retrieved = _cards(turn), _cited(turn), set(turn.retrieved)
    hints = turn.evidence.ui_hints
    hinted = {("projects", pk) for pk in hints.projects}
    hinted |= {("resume", pk) for pk in hints.experiences}
    if strange := sorted(key for key in cards if "/".join(key) not in retrieved):
        faults.append(f"cards not retrieved: {strange}")
    if foreign := sorted(cards - hinted - cited):
        faults.append(f"cards not of the evidence: {foreign}")
    if cards and not turn.plan.cards_enabled:
        faults.append("cards although they are off")
    if turn.evidence.verdict in {"unknown", "n/a"} and (cards or cited):
        faults.append(f"verdict {turn.evidence.verdict} with cards or evidence")
    if not turn.message.strip():
        faults.append("no text")
    proof = " ".join([question, *_proof(turn, docs)])
    instead = retrieved if turn.evidence.verdict == "unknown" else set()
    for key, doc in docs.items():
        is_shown = key in cards | cited | hinted or "/".join(key) in instead
        if not is_shown and _is_named(doc, turn.message, proof):
            faults.append(f"named without evidence: {doc.title}")
    return faults


def _cards(turn: TurnResult) -> set[tuple[str, str]]:
    ui = turn.record.ui
    projects = {("projects", pk) for pk in ui.show_projects}
    return projects | {("resume", pk) for pk in ui.show_experiences}


def _cited(turn: TurnResult) -> set[tuple[str, str]]:
    return {(CORPUS_OF[item.source], item.id) for item in turn.evidence.selected_evidence}


def _proof(turn: TurnResult, docs: Docs) -> Iterable[str]:
    """What an answer may speak of: documents that are cited or shown, their dates, and facts."""
    for key in _cards(turn) | _cited(turn):
        if doc := docs.get(key):
            yield f"{doc.title} {doc.text} {doc.started} {doc.ended}"
    for shown in turn.record.evidence:
        yield f"{shown.dates} {shown.quote if shown.source == 'fact' else ''}"


def _quote_faults(turn: TurnResult, docs: Docs, shown: ShownEvidence) -> list[str]:
    key, quote = (CORPUS_OF[shown.source], shown.id), shown.quote
    if shown.source == "fact":
        is_true = quote in {fact.text for fact in facts_of([*docs.values()], timezone.localdate())}
        return [] if is_true else [f"no fact: {quote!r}"]
    doc = docs.get(key)
    if doc is None:
        return [f"no such document: {key}"]
    faults = [] if "/".join(key) in turn.retrieved else [f"not retrieved: {key}"]
    plain = _plain(quote)
    if not plain or (plain not in _plain(doc.text) and plain not in _plain(doc.title)):
        faults.append(f"quote not in {key}: {quote!r}")
    return faults


def _plain(text: str) -> str:
    return " ".join(text.translate(_QUOTES).split()).strip(" .…").casefold()


def _figures(texts: Iterable[str]) -> set[str]:
    """Numbers without leading zeros; of 2024-06 both parts."""
    figures = {figure for text in texts for figure in _FIGURE.findall(text)}
    return {figure.lstrip("0") or "0" for figure in figures}


def _is_named(doc: Doc, message: str, proof: str) -> bool:
    """Whether a text names a project or a company of which nothing proved speaks."""
    name = doc.title if doc.facet == "project" else ""
    if doc.facet == "experience":
        name = doc.title.rsplit(" — ", 1)[-1]
    if len(name) < _NAME_CHARS:
        return False
    pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    return bool(pattern.search(message)) and not pattern.search(proof)


def _true_claims(turn: TurnResult, docs: Docs) -> int:
    """Claims whose every sentence stands in its document, or is a fact about the portfolio."""
    true = {e.number for e in turn.record.evidence if not _quote_faults(turn, docs, e)}
    return sum(bool(claim.evidence) and set(claim.evidence) <= true for claim in turn.record.claims)


def _lost(case: Case, turn: TurnResult) -> list[str]:
    """Words and sentences of the case's right answer that did not arrive."""
    text = case.answer
    lost = [f"not whole: {text!r}"] if text and turn.message.strip() != text.strip() else []
    quotes = [shown.quote for shown in turn.record.evidence]
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
    projects, experiences = turn.record.ui.show_projects, turn.record.ui.show_experiences
    bounds = expected.ui_hints_projects_min_count, expected.ui_hints_projects_max_count
    faults = _kind_faults(
        projects, expected.must_include_project_ids, expected.must_not_include_project_ids, bounds
    )
    bounds = expected.ui_hints_experiences_min_count, expected.ui_hints_experiences_max_count
    faults += _kind_faults(
        experiences,
        expected.must_include_experience_ids,
        expected.must_not_include_experience_ids,
        bounds,
    )
    if expected.cards_enabled is not None and expected.cards_enabled != turn.plan.cards_enabled:
        faults.append(f"cards {'on' if turn.plan.cards_enabled else 'off'}")
    return faults


def _kind_faults(
    shown: Sequence[str],
    required: Iterable[str],
    unwanted: Iterable[str],
    bounds: tuple[int | None, int | None],
) -> list[str]:
    faults = [f"missing {pk}" for pk in required if pk not in shown]
    faults += [f"unwanted {pk}" for pk in unwanted if pk in shown]
    least, most = bounds
    if least is not None and len(shown) < least:
        faults.append(f"{len(shown)} cards, at least {least}")
    if most is not None and len(shown) > most:
        faults.append(f"{len(shown)} cards, at most {most}: {', '.join(shown)}")
    return faults


def _text_faults(expected: Expected, message: str) -> list[str]:
    plain = message.casefold()
    lacking = [text for text in expected.answer_contains if text.casefold() not in plain]
    unwanted = [text for text in expected.answer_not_contains if text.casefold() in plain]
    return [f"without {text!r}" for text in lacking] + [f"with {text!r}" for text in unwanted]
