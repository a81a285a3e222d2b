"""What has not come up yet, compared with the occupation, as a question that was never asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from chat.guides import Utterance
from futura.llm.checks import Reason
from futura.llm.client import Llm
from futura.text import jaccard
from onet.candidates import Candidate
from onet.queries import occupation, top_statements
from tasks.interview.prompts import GapAnalysis, GapInput, gap_messages
from tasks.interview.state import Asked, SurveyState

REFERENCE_STATEMENTS: Final = 15
"""Statements compared with what was said (spec 1: the top 15 by importance)."""

CARD_STATEMENTS: Final = 60
"""Statements that cards may be taken from."""

REPEATS: Final = 0.6
"""Overlap of words from which a question is a near-duplicate (DECISIONS 17)."""

QUESTION_CHARS: Final = 400
NAMED_TASKS: Final = 6


@dataclass(frozen=True)
class Question:
    """A question to put, its gap area, and the tasks that a yes would confirm."""

    text: str
    area: str = ""
    pending: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reference:
    """What people of the chosen occupation do, most important first."""

    title: str = ""
    for_cards: tuple[Candidate, ...] = ()

    @property
    def statements(self) -> tuple[Candidate, ...]:
        """Those that what was said is compared with."""
        return self.for_cards[:REFERENCE_STATEMENTS]


def reference_for(state: SurveyState) -> Reference:
    """The occupation's statements. No queries without an occupation."""
    if not state.occupation_code:
        return Reference()
    chosen = occupation(state.occupation_code)
    statements = top_statements(state.occupation_code, limit=CARD_STATEMENTS)
    return Reference(chosen.title if chosen else "", tuple(statements))


def gap_with_model(
    state: SurveyState, reference: Reference, *, history: Sequence[Utterance], llm: Llm
) -> Question | None:
    """The model's question about a missing area; None where it has none, or one asked before.

    Raises ModelUnavailable.
    """
    asked = GapInput(
        state=state,
        history=history,
        occupation_title=reference.title,
        reference=[statement.text for statement in reference.statements],
    )
    answer = llm.structured(
        "gap_analysis", gap_messages(asked), GapAnalysis, prompt_version=GapAnalysis.VERSION
    )
    question = usable(answer.suggested_question, answer.gap_area, state, answer.named_tasks)
    refused = int(question is None and bool(answer.suggested_question.strip()))
    llm.checked("gap_analysis", used=1 - refused, refused={Reason.NAMED_TWICE: refused})
    return question


def usable(text: str, area: str, state: SurveyState, named: Sequence[str] = ()) -> Question | None:
    """A model's question in its own words, unless it is empty, endless or was asked before."""
    text, area = text.strip(), area.strip()[:80]
    if not text or len(text) > QUESTION_CHARS or is_repeat(text, area, state.asked):
        return None
    tasks = tuple(task.strip() for task in named if task.strip())[:NAMED_TASKS]
    return Question(text, area, tasks)


def is_repeat(question: str, area: str, asked: Iterable[Asked]) -> bool:
    """Whether a question is a near-duplicate: the same gap area, or mostly the same words."""
    wanted = _words(question)
    return any(
        _words(earlier.question) == wanted
        or jaccard(wanted, _words(earlier.question)) >= REPEATS
        or bool(area and area.casefold() == earlier.area.casefold())
        for earlier in asked
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))
