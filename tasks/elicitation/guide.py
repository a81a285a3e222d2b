"""The survey's guide: one turn from the person's message to the reply, in the order it travels.

With a model a turn makes at most two calls in sequence before the first visible word: reading the
message, choosing the tool and looking for gaps go out together (the last two see a provisional
reading by the rules), then the reply is streamed. Every step falls to its rule-based counterpart
on its own.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from chat.guides import (
    GuideEvent,
    Part,
    StateChanged,
)
from tasks.actions.pipeline import start_pipeline
from tasks.elicitation.answer import Answer
from tasks.elicitation.at_once import AtOnce
from tasks.elicitation.replies import (
    Plan,
    question_in,
)
from tasks.elicitation.selection import (
    Choice,
    Situation,
)
from tasks.elicitation.state import Asked, SurveyState, Tool
from tasks.elicitation.telling import SurveyTurn, spoken, turn_part


class SurveyGuide:
    """Interviews a person about their work and keeps count of what was told."""

    kind = "survey"
    state_model = SurveyState

    def respond(self, turn: SurveyTurn) -> Iterator[GuideEvent]:
        """Answers one turn: the opening without a message, else the message."""
        if turn.message is None:
            yield from _opened(turn)
        else:
            with AtOnce() as pool:
                yield from Answer(turn, turn.message, pool).events()

    def ended(self, session_id: uuid.UUID) -> None:
        """Starts turning the conversation into a task list."""
        start_pipeline(session_id)

    def merge_saved(
        self, *, before: Mapping[str, Any], saved: Mapping[str, Any], state: SurveyState
    ) -> SurveyState:
        """The state to save when cards were tapped while the answer was being made.

        `before` is what the run started from, `saved` what stands in the session now. A card
        tapped or released meanwhile stays so; it is acknowledged by the next reply.
        """
        started = list(before.get("selectedSuggestionIds", ()))
        current = list(saved.get("selectedSuggestionIds", ()))
        added = [i for i in state.selected_suggestion_ids if i not in started]
        state.selected_suggestion_ids = current + [i for i in added if i not in current]
        return state


def _opened(turn: SurveyTurn) -> Iterator[GuideEvent]:
    state = turn.state
    plan = Plan(
        Choice(Tool.OPEN, "the conversation begins", "engine"),
        Situation(state),
        question=None,
        seed=f"{turn.session_id}:0",
    )
    said = yield from spoken(turn, plan)
    state.actions_taken.append(Tool.OPEN)
    state.asked.append(Asked(question=question_in(said) or said, area="opening"))
    yield Part(turn_part(state, Tool.OPEN))
    yield StateChanged()
