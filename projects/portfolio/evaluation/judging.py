"""One case against one turn: which of its expectations were met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from projects.portfolio.documents import Doc
from projects.portfolio.evaluation.cases import Case, Expected
from projects.portfolio.evaluation.checks import agreement_faults, citation_faults, true_claims
from projects.portfolio.evaluation.faithful import said_of
from projects.portfolio.visitors.contract import TurnResult

AXES: Final = ("question_type", "enumeration", "scope")
AT: Final = 10
"""Of each source the first ten documents count for recall."""
QUOTE_BEGINS: Final = 200
ABSTAINED: Final = frozenset({"unknown", "n/a"})


@dataclass(frozen=True)
class Found:
    """Of a set of cards: how many should be there, are there, are there rightly."""

    wanted: int = 0
    shown: int = 0
    right: int = 0


@dataclass(frozen=True)
class FirstWord:
    """What stood before the first word of an answer: stages by a model, milliseconds."""

    calls: int = 0
    ms: float = 0


@dataclass(frozen=True)
class Judged:
    """What came of a case. `axes` are those that the case says something of; `recall` is None
    where it names no documents; `enumerated` None where not everything is wanted. `claims` are
    linked stretches of the answer, `true_claims` those whose every sentence stands where it is said
    to; `lost` what a right model said and the visitor did not get.
    """

    id: str
    portfolio: str
    kind: str
    question: str
    expected_verdict: str
    verdict: str
    axes: dict[str, bool]
    language: str = "en"
    answer: str = ""
    claims: int = 0
    true_claims: int = 0
    lost: list[str] = field(default_factory=list)
    calls_before_word: int = 0
    ms_before_word: float = 0
    recall: float | None = None
    enumerated: Found | None = None
    citations: list[str] = field(default_factory=list)
    agreement: list[str] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    missed_documents: list[str] = field(default_factory=list)
    planned: dict[str, str] = field(default_factory=dict)

    @property
    def is_verdict_right(self) -> bool:
        """Whether the verdict is that of the case."""
        return self.verdict == self.expected_verdict

    @property
    def is_right(self) -> bool:
        """Whether every expectation is met."""
        return (
            self.is_verdict_right
            and all(self.axes.values())
            and not (self.citations or self.agreement or self.cards or self.text or self.lost)
        )


def judge(
    case: Case,
    turn: TurnResult,
    docs: Mapping[tuple[str, str], Doc],
    before: FirstWord = FirstWord(),
    *,
    is_faithful: bool = False,
) -> Judged:
    """Holds a turn against its case; `docs` are those of the portfolio that was asked."""
    of, question = case.expected, case.input.user_message
    said = " ".join([question, *(one.content for one in case.input.conversation_history)])
    planned = {name: str(getattr(turn.plan, name)) for name in AXES}
    missed = _missed(of.relevant_documents, turn.retrieved)
    return Judged(
        id=case.id,
        portfolio=case.portfolio,
        kind=case.kind,
        question=question,
        expected_verdict=of.verdict,
        verdict=turn.evidence.verdict,
        axes={
            name: planned[name] == wanted
            for name in AXES
            if (wanted := getattr(of, name)) is not None
        },
        language=case.language,
        answer=turn.message,
        claims=len(turn.record.claims),
        true_claims=true_claims(turn, docs),
        lost=_lost(case, turn) if is_faithful else [],
        calls_before_word=before.calls,
        ms_before_word=round(before.ms, 1),
        recall=1 - len(missed) / len(of.relevant_documents) if of.relevant_documents else None,
        enumerated=_enumerated(of, turn) if case.is_enumeration else None,
        citations=citation_faults(turn, docs, f"{said} {said_of(case)[0]}"),
        agreement=agreement_faults(turn, docs, said),
        cards=_card_faults(of, turn),
        text=_text_faults(of, turn.message),
        missed_documents=missed,
        planned=planned,
    )


def _lost(case: Case, turn: TurnResult) -> list[str]:
    """Words and sentences of the case's right answer that did not arrive."""
    text, named = said_of(case)
    lost = [f"not whole: {text!r}"] if text and turn.message.strip() != text.strip() else []
    quotes = [shown.quote for shown in turn.record.evidence]
    return lost + [
        f"without its sentence: {sentence!r}"
        for sentence in named
        if not any(quote.startswith(sentence[:QUOTE_BEGINS]) for quote in quotes)
    ]


def _missed(wanted: Sequence[str], retrieved: Sequence[str]) -> list[str]:
    """Documents (`source:id`) that are not among the first ten of their source."""
    places: Counter[str] = Counter()
    found = set()
    for one in retrieved:
        source, _, doc_id = one.partition("/")
        places[source] += 1
        if places[source] <= AT:
            found.add(f"{source}:{doc_id}")
    return [one for one in wanted if one not in found]


def _shown(turn: TurnResult) -> tuple[list[str], list[str]]:
    return turn.record.ui.show_projects, turn.record.ui.show_experiences


def _enumerated(of: Expected, turn: TurnResult) -> Found:
    projects, experiences = _shown(turn)
    wanted = {("p", one) for one in of.must_include_project_ids}
    wanted |= {("e", one) for one in of.must_include_experience_ids}
    neutral = {("p", one) for one in of.may_include_project_ids}
    neutral |= {("e", one) for one in of.may_include_experience_ids}
    shown = {("p", one) for one in projects} | {("e", one) for one in experiences}
    shown -= neutral - wanted
    return Found(len(wanted), len(shown), len(wanted & shown))


def _card_faults(of: Expected, turn: TurnResult) -> list[str]:
    projects, experiences = _shown(turn)
    faults = [f"missing {one}" for one in of.must_include_project_ids if one not in projects]
    faults += [f"missing {one}" for one in of.must_include_experience_ids if one not in experiences]
    faults += [f"unwanted {one}" for one in of.must_not_include_project_ids if one in projects]
    faults += [
        f"unwanted {one}" for one in of.must_not_include_experience_ids if one in experiences
    ]
    if of.cards_enabled is not None and of.cards_enabled != turn.plan.cards_enabled:
        faults.append(f"cards {'on' if turn.plan.cards_enabled else 'off'}")
    bounds = (
        (projects, of.ui_hints_projects_min_count, of.ui_hints_projects_max_count),
        (experiences, of.ui_hints_experiences_min_count, of.ui_hints_experiences_max_count),
    )
    for shown, least, most in bounds:
        if least is not None and len(shown) < least:
            faults.append(f"{len(shown)} cards, at least {least}")
        if most is not None and len(shown) > most:
            faults.append(f"{len(shown)} cards, at most {most}: {', '.join(shown)}")
    return faults


def _text_faults(of: Expected, message: str) -> list[str]:
    plain = message.casefold()
    faults = [f"without {one!r}" for one in of.answer_contains if one.casefold() not in plain]
    return faults + [f"with {one!r}" for one in of.answer_not_contains if one.casefold() in plain]
