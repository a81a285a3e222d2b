"""The thresholds of a creating conversation: when to listen, what to ask about, when to stop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from futura.text import sentences
from projects.dimensions import DIMENSIONS, FIELDS
from projects.modes.state import CreateState

LISTENED_CHARS: Final = 200
RELEVANT_FROM: Final = 6  # of 10
SIMPLE_AT_MOST: Final = 4  # relevant dimensions
QUESTIONS_SIMPLE: Final = 5
QUESTIONS_COMPLEX: Final = 10
FINISH_HINT_FROM: Final = 5  # questions
FIRST_TASKS: Final = 5
FORCED: Final = ("core_integrity_ideals", "core_reality_understanding", "core_goals_momentum")


def is_only_a_start(text: str) -> bool:
    """Less than two sentences and 200 characters (DECISIONS 26)."""
    return len(text) < LISTENED_CHARS and len(list(sentences(text))) < 2


def relevant(scores: Mapping[str, int]) -> list[str]:
    """Dimensions from the threshold on, after the three forced ones, in the order of asking."""
    others = [one.field for one in DIMENSIONS if one.field not in FORCED]
    others = [field for field in others if scores.get(field, 0) >= RELEVANT_FROM]
    return [*FORCED, *sorted(others, key=lambda field: -scores.get(field, 0))]


EVERYTHING: Final = relevant(dict.fromkeys(FIELDS, RELEVANT_FROM))
"""What is asked about where nothing tells how much a dimension matters."""


def question_limit(state: CreateState) -> int:
    """How many questions may be put without being asked for."""
    is_simple = len(state.dimensions_detected) <= SIMPLE_AT_MOST
    return QUESTIONS_SIMPLE if is_simple else QUESTIONS_COMPLEX


def open_fields(state: CreateState, covered: Sequence[str]) -> list[str]:
    """Dimensions to ask about now, the next one first; none when enough was asked or told.

    What the person asked for comes first and is not limited.
    """
    if state.requested:
        return state.requested[:1]
    if state.questions_asked >= question_limit(state):
        return []
    done = {*covered, *state.later, *(question.field for question in state.asked)}
    return [field for field in state.dimensions_detected if field not in done]


def may_probe(state: CreateState) -> bool:
    """Whether a vague answer is asked about once more."""
    has_room = state.questions_asked < question_limit(state)
    return bool(state.current) and state.current not in state.probed and has_room


def is_hint_due(state: CreateState) -> bool:
    """Whether the person is told that this may be enough: once, with the fifth question."""
    return state.questions_asked == FINISH_HINT_FROM
