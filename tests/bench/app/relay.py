"""A guide that hands the model's words on, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel

from chat.guides import Guide, GuideEvent, StageDone, StageStarted, Text, Turn
from chat.models import Session
from chat.presenters import Presenter
from futura.llm.client import ChatMessage

KIND = "relay"


class RelayState(BaseModel):
    """How often it was asked."""

    turns: int = 0


class RelayGuide(Guide[RelayState]):
    """One stage, one streamed call."""

    kind = KIND
    state_model = RelayState

    def respond(self, turn: Turn[RelayState]) -> Iterator[GuideEvent]:
        """Streams what the model says to the last message."""
        turn.state.turns += 1
        said = turn.message.text if turn.message else ""
        prompt: list[ChatMessage] = [{"role": "user", "content": said}]
        yield StageStarted("response", "Answering")
        for text in turn.llm.stream_text("response", prompt):
            yield Text(text)
        yield StageDone("response", "model")


class RelayPresenter(Presenter):
    """Shows nothing of its own."""

    kind = KIND

    def page_url(self, session: Session) -> str:
        return f"/relay/{session.pk}"
