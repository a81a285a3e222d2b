"""What has not come up yet, compared with the occupation: where it is, how much, how to ask.

The measure is one everywhere (the share of a week on the list, the next area that basic mode asks
about, the cards, the reference tasks that a model is shown): each statement of the occupation
stands for hours of a week, by its importance, times the chance that this person does it.
"""

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
from onet.queries import top_statements
from tasks.interview.prompts import GapAnalysis, gap_messages
from tasks.interview.state import AskedQuestion, SurveyState

REFERENCE_STATEMENTS: Final = 15
"""Statements that a model compares with what was said (spec 1)."""

MOST_STATEMENTS: Final = 60
"""Statements of an occupation that are looked at at all."""

CHANCE: Final = {"Core": 0.8, "Supplemental": 0.4}
"""How likely somebody of the occupation does a statement of that kind.

O*NET calls a task core when at least 67 of 100 in the occupation said that it is part of their
job, else supplemental.
"""
UNRATED_CHANCE: Final = 0.6
UNRATED_IMPORTANCE: Final = 3.0
"""The middle of O*NET's scale of 1 to 5."""

ASKED_IN_VAIN: Final = 0.5
"""What is left of the chance once the activity was asked about and the statement did not come."""

FEWEST_TASKS: Final = 3
FEWEST_STATEMENTS: Final = 5
"""With fewer on either side nothing is said of the week."""

STEP: Final = 10
"""Percent to which the share is rounded: it is no better known."""

REPEATS: Final = 0.6
"""Overlap of words from which a question is a near-duplicate (DECISIONS 17)."""

QUESTION_CHARS: Final = 400
NAMED_TASKS: Final = 6
NAMED_CHARS: Final = 200


@dataclass(frozen=True)
class Question:
    """A question to put, its gap area and work activity, and the tasks that a yes would confirm."""

    text: str
    area: str = ""
    pending: tuple[str, ...] = ()
    element: str = ""


@dataclass(frozen=True)
class Gap:
    """What the model finds: a question, if it has a new one, and the statements that are told."""

    question: Question | None
    covered: tuple[str, ...]


Reference = tuple[Candidate, ...]
"""What people of the chosen occupation do, most important first; empty without an occupation."""


def reference_for(state: SurveyState) -> Reference:
    """The occupation's statements. No queries without an occupation."""
    if not state.occupation_code:
        return ()
    return tuple(top_statements(state.occupation_code, limit=MOST_STATEMENTS))


# The estimate -----------------------------------------------------------------------------------
def unseen(state: SurveyState, reference: Reference) -> list[tuple[Candidate, float]]:
    """The statements that have not come up, with the hours each probably stands for; most first.

    Hours are in a unit of their own: only their proportions mean something.
    """
    covered = _covered(state)
    requested = {item.element for item in state.asked if item.element}
    waiting = [
        (statement, _hours(statement) * _chance(statement, requested))
        for statement in reference
        if statement.task_id not in covered
    ]
    return sorted(waiting, key=lambda pair: -pair[1])


def week_percent(state: SurveyState, reference: Reference) -> int | None:
    """About how much of a week like this person's is on the list, in steps of ten, at most 90.

    Listed hours ÷ (listed hours + hours not yet accounted for). Listed are the statements that
    have come up, each once, with its importance, and what stands for none of them, with the mean
    importance of the occupation; not accounted for are the hours of `unseen`. None without an
    occupation, and where there is too little to go by.
    """
    if state.estimated_task_count < FEWEST_TASKS or len(reference) < FEWEST_STATEMENTS:
        return None
    covered = _covered(state)
    matched = sum(_hours(s) for s in reference if s.task_id in covered)
    mean = sum(map(_hours, reference)) / len(reference)
    listed = matched + mean * _others(state, {s.task_id for s in reference})
    missing = sum(hours for _statement, hours in unseen(state, reference))
    percent = round(100 * listed / (listed + missing) / STEP) * STEP
    return max(STEP, min(percent, 100 - STEP))


def _others(state: SurveyState, statement_ids: set[str]) -> int:
    """How many tasks stand for no statement of the occupation.

    Which of them stand for the statements that a model found told is not known: one for each.
    """
    ids = [mention.task_id for mention in state.mentioned_activities]
    ids += [card.task_id for card in state.selected_cards]
    by_model = set(state.covered_statements) & statement_ids - set(ids)
    return max(sum(task_id not in statement_ids for task_id in ids) - len(by_model), 0)


def _covered(state: SurveyState) -> set[str]:
    cards = {card.task_id for card in state.selected_cards}
    mentions = {mention.task_id for mention in state.mentioned_activities}
    return (cards | mentions | set(state.covered_statements)) - {""}


def _hours(statement: Candidate) -> float:
    return statement.importance or UNRATED_IMPORTANCE


def _chance(statement: Candidate, asked_ids: set[str]) -> float:
    chance = CHANCE.get(statement.kind, UNRATED_CHANCE)
    return chance * ASKED_IN_VAIN if asked_ids.intersection(statement.activity_ids[:1]) else chance


# Questions ----------------------------------------------------------------------------------------
def gap_with_model(
    state: SurveyState, reference: Reference, *, history: Sequence[Utterance], llm: Llm
) -> Gap:
    """The model's question about a missing area, and which of the reference tasks were told.

    Raises ModelUnavailable.
    """
    likely = [statement for statement, _hours in unseen(state, reference)][:REFERENCE_STATEMENTS]
    ids = {f"r{number}": statement for number, statement in enumerate(likely, 1)}
    texts = [(key, statement.text) for key, statement in ids.items()]
    occupation = likely[0].occupation_title if likely else ""
    messages = gap_messages(state, history, occupation=occupation, reference=texts)
    answer = llm.structured("gap_analysis", messages, GapAnalysis)
    question = usable(answer.suggested_question, answer.gap_area, state, answer.named_tasks)
    refused = int(question is None and bool(answer.suggested_question.strip()))
    told_ids = dict.fromkeys(answer.told_ids)
    llm.checked(
        "gap_analysis",
        used=1 - refused,
        refused={
            Reason.NAMED_TWICE: refused,
            Reason.UNKNOWN_ID: sum(k not in ids for k in told_ids),
        },
    )
    return Gap(question, tuple(ids[key].task_id for key in told_ids if key in ids))


def usable(text: str, area: str, state: SurveyState, named: Sequence[str] = ()) -> Question | None:
    """A model's question in its own words, unless it is empty, endless or was asked before."""
    text, area = text.strip(), area.strip()[:80]
    if not text or len(text) > QUESTION_CHARS or is_repeat(text, area, state.asked):
        return None
    tasks = tuple(text for task in named if 0 < len(text := task.strip()) <= NAMED_CHARS)
    return Question(text, area, tasks[:NAMED_TASKS])


def is_repeat(question: str, area: str, questions: Iterable[AskedQuestion]) -> bool:
    """Whether a question is a near-duplicate: the same gap area, or mostly the same words."""
    words = _words(question)
    return any(
        _words(earlier.question) == words
        or jaccard(words, _words(earlier.question)) >= REPEATS
        or bool(area and area.casefold() == earlier.area.casefold())
        for earlier in questions
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))
