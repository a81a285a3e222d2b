"""The survey's guide: one turn from the person's message to the reply, in the order it travels.

With a model a turn makes at most two calls in sequence before the first visible word: reading the
message, choosing the tool and looking for gaps go out together, each with the message and the
state before it; then the reply is streamed.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from chat.guides import Guide, GuideEvent, Part, StateChanged
from futura.llm.client import Parallel
from tasks.actions import start_pipeline
from tasks.interview.answer import Answer, SurveyTurn, spoken, turn_part
from tasks.interview.guards import Situation
from tasks.interview.reply import OPENING, Plan, question_in
from tasks.interview.state import AskedQuestion, SurveyState, Tool
from tasks.stretches import carry_over, keep_decisions


class SurveyGuide(Guide[SurveyState]):
    """Interviews a person about their work and keeps count of what was told."""

    kind = "survey"
    state_model = SurveyState

    def respond(self, turn: SurveyTurn) -> Iterator[GuideEvent]:
        """Answers one turn: the opening without a message, else the message."""
        if turn.message is None:
            yield from _opened(turn)
            return
        with Parallel() as pool:
            yield from Answer(turn, turn.message, pool).events()

    def ended(self, session_id: uuid.UUID) -> None:
        start_pipeline(session_id)

    def merge_saved(
        self, *, before: Mapping[str, Any], saved: Mapping[str, Any], state: SurveyState
    ) -> SurveyState:
        """The state to save when cards or marked words were tapped while the answer was made.

        `before` is what the run started from, `saved` what stands in the session now. A card
        tapped or released meanwhile stays so; it is acknowledged by the next reply. What the person
        took or gave back by words comes on top.
        """
        started = list(before.get("selectedSuggestionIds", ()))
        current = list(saved.get("selectedSuggestionIds", ()))
        added = [i for i in state.selected_suggestion_ids if i not in started]
        returned = set(started) - set(state.selected_suggestion_ids)
        remaining = [i for i in current if i not in returned]
        state.selected_suggestion_ids = remaining + [i for i in added if i not in remaining]
        carry_over(
            state,
            before=SurveyState.model_validate(before),
            saved=SurveyState.model_validate(saved),
        )
        return state

    def rewound(self, *, before: Mapping[str, Any], saved: Mapping[str, Any]) -> SurveyState:
        """The state before a turn that is done anew, with the cards tapped since.

        What the turn itself took from words of the message is acknowledged already and goes; what
        was tapped is not, and stays with its card, also when the turn had shown it.
        """
        state, now = SurveyState.model_validate(before), SurveyState.model_validate(saved)
        by_turn = set(now.acknowledged_ids) - set(state.selected_suggestion_ids)
        tapped = [i for i in now.selected_suggestion_ids if i not in by_turn]
        existing = {card.id for card in state.cards}
        displayed = [card for card in now.cards if card.id in tapped and card.id not in existing]
        state.selected_suggestion_ids = tapped
        state.cards += displayed
        if displayed:  # the number of a display names its cards
            state.suggestions_shown = now.suggestions_shown
        keep_decisions(state, saved=now)
        return state


def _opened(turn: SurveyTurn) -> Iterator[GuideEvent]:
    state = turn.state
    plan = Plan(OPENING, Situation(state), question=None, seed=f"{turn.session_id}:0")
    text, plan = yield from spoken(turn, plan, {}, is_basic=not turn.llm.is_configured)
    state.actions_taken.append(Tool.OPEN)
    state.asked.append(AskedQuestion(question=question_in(text) or text, area="opening"))
    yield Part(turn_part(state, Tool.OPEN))
    yield StateChanged()
