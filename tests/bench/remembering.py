"""A guide that sends a model all that the engine gives it of the past, as real features do."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel

from chat import guides, presenters
from chat.guides import Guide, GuideEvent, StageDone, StageStarted, Text, Turn
from chat.memory.prompts import assemble
from chat.models import Session
from chat.presenters import Presenter

KIND = "remembering"
INSTRUCTIONS = "You talk with a person about their work. Answer in two sentences. " * 20


class Remembered(BaseModel):
    """Nothing but a count."""

    turns: int = 0


class RememberingGuide(Guide[Remembered]):
    """One stage; by rules without a model."""

    kind = KIND
    state_model = Remembered

    def respond(self, turn: Turn[Remembered]) -> Iterator[GuideEvent]:
        """Streams the model's words, or says how often it was asked."""
        turn.state.turns += 1
        yield StageStarted("response", "Answering")
        if turn.llm.is_configured:
            prompt = assemble(turn.context, instructions=INSTRUCTIONS, state="No records.")
            for text in turn.llm.stream_text("response", prompt):
                yield Text(text)
        else:
            yield Text(f"That was number {turn.state.turns}. What else belongs to your work? " * 2)
        yield StageDone("response", "model" if turn.llm.is_configured else "rules")


class RememberingPresenter(Presenter):
    """Shows nothing of its own."""

    kind = KIND

    def page_url(self, session: Session) -> str:
        return f"/remembering/{session.pk}"


guides.register(RememberingGuide())
presenters.register(RememberingPresenter())
