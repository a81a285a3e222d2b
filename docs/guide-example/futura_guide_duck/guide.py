"""The duck's side of the conversation, and how it looks."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import reverse
from pydantic import BaseModel

from chat.guides import Guide, GuideEvent, StageDone, StageStarted, Text, Turn
from chat.models import Session
from chat.presenters import Presenter
from futura.errors import ModelUnavailable
from futura.llm.client import ChatMessage

KIND = "duck"
STAGE = "duck_question"
INSTRUCTIONS = "Ask one short question that helps the person find the cause. Give no advice."
QUESTIONS = (
    "What did you expect to happen?",
    "What happened instead, and how do you know?",
    "What have you ruled out, and by which test?",
    "What is the smallest case in which it still happens?",
)


class DuckState(BaseModel):
    """How many questions were asked."""

    asked: int = 0


class DuckGuide(Guide[DuckState]):
    """Asks one question after the other: the model's, or the next of a list."""

    kind = KIND
    state_model = DuckState

    def respond(self, turn: Turn[DuckState]) -> Iterator[GuideEvent]:
        """The next question."""
        yield StageStarted(STAGE, "Thinking")
        is_asked = False
        if turn.message is not None and turn.llm.is_configured:
            try:
                for text in turn.llm.stream_text(STAGE, prompt(turn), prompt_version="duck-1"):
                    is_asked = True
                    yield Text(text)
            except ModelUnavailable:
                if is_asked:  # the run says that it broke off
                    raise
        if not is_asked:
            yield Text(QUESTIONS[turn.state.asked % len(QUESTIONS)])
        turn.state.asked += 1
        yield StageDone(STAGE, "model" if is_asked else "rules")


def prompt(turn: Turn[DuckState]) -> list[ChatMessage]:
    """Instructions, what was said before, and the message."""
    said = (*turn.history, *filter(None, [turn.message]))
    talk: list[ChatMessage] = [{"role": one.role, "content": one.text} for one in said]
    return [{"role": "system", "content": INSTRUCTIONS}, *talk]


class DuckPresenter(Presenter):
    """A plain conversation with a page of its own."""

    kind = KIND
    name = "Rubber duck"
    changes_things = False
    composer_label = "Your problem"
    composer_placeholder = "Say it in your own words"

    def page_url(self, session: Session) -> str:
        """The conversation's page."""
        return reverse("duck:talk", args=[session.pk])
