"""The guide of conversations with the concierge: greets, answers, in both modes from one desk."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

from django.utils.translation import gettext as _

from chat.guides import GuideEvent, StageDone, StageStarted, StateChanged, Text, Turn
from futura.errors import ModelUnavailable
from projects.agent.fencing import fence_of
from projects.agent.others import careful
from projects.concierge import greeting, modelled, noting, telling
from projects.concierge.basic import turn as basic
from projects.concierge.basic.shapes import Understanding
from projects.concierge.desk import Desk
from projects.concierge.state import KIND, ConciergeState


class ConciergeGuide:
    """With a model nothing is routed by rules but a button's answer to what was asked; without
    one, or when it fails, rules answer.
    """

    kind = KIND
    state_model = ConciergeState

    def respond(self, turn: Turn[ConciergeState]) -> Iterator[GuideEvent]:
        """The greeting, or the answer to a message."""
        if turn.message is None:
            yield from _greeting(turn, Desk.of(turn))
            return
        turn.state.turns += 1
        turn = careful(turn)
        yield from _answer(turn, Desk.of(turn))
        state = turn.state
        state.is_pending_of_others = state.has_untrusted_text and state.memory.pending is not None
        yield StateChanged(KIND)

    def ended(self, session_id: uuid.UUID) -> None:
        """These conversations stay open."""


def _answer(turn: Turn[ConciergeState], desk: Desk) -> Iterator[GuideEvent]:
    message = turn.message
    assert message is not None  # noqa: S101 - the caller has seen it
    if not turn.llm.is_configured or basic.is_short_answer(message, turn.state.memory):
        yield from basic.answer(turn, message, desk)
        return
    has_said = False
    try:
        for event in modelled.answer(turn, message, desk):
            has_said = has_said or isinstance(event, Text)
            yield event
        kept = basic.remembered(desk)
        after = Understanding(kind="calls", pending=desk.asked)
        turn.state.memory = turn.state.memory.after(after, **kept)
        if desk.asked is not None and (part := noting.asked(desk.asked)):
            yield part
    except ModelUnavailable as error:
        desk.has_model = False
        # what was done stands and is told; the rules do not do it again
        told = telling.sentences(desk.outcomes, desk.today)
        if has_said:  # what came of the answer is kept, and the run says that it broke off
            if told:
                yield Text(f"\n\n{told}")
            raise
        yield StageDone(modelled.STAGE, "rules", {"fallback": True, "because": error.reason})
        if told:
            yield Text(told)
        else:
            yield from basic.answer(turn, message, desk)


def _greeting(turn: Turn[ConciergeState], desk: Desk) -> Iterator[GuideEvent]:
    yield StageStarted(greeting.STAGE, _("Looking at your day"))
    detail: dict[str, object] = {}
    told, by_model = greeting.greet(desk.briefing), False
    if turn.llm.is_configured:
        try:
            told = greeting.suggest_with_model(desk.briefing, turn.llm, fence_of(turn))
            by_model = True
        except ModelUnavailable as error:
            detail = {"fallback": True, "because": error.reason}
    yield StageDone(greeting.STAGE, "model" if by_model else "rules", detail)
    yield Text(told.intro)
    yield noting.suggested(told.suggestions, "greeting")
    turn.state.greeted_on = desk.today
    said = [one.say or one.text for one in told.suggestions]
    turn.state.memory = turn.state.memory.model_copy(update={"suggestions": said})
    yield StateChanged(KIND)
