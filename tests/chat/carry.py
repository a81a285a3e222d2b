"""A guide of kind "carry" whose reply can break off, and that keeps what came from outside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from chat import guides, presenters
from chat.guides import Guide, GuideEvent, Part, StageDone, StageStarted, StateChanged, Text, Turn
from chat.models import Message, Run, Session
from futura.llm.client import Cancelled
from tests.chat.echo import EchoPresenter


class CarryState(BaseModel):
    """What was heard in turns, and what was tapped beside them."""

    heard: list[str] = []
    tapped: list[str] = []


class CarryGuide(Guide[CarryState]):
    """Says the alphabet; a message `/stop 3` breaks off after three letters, the first time."""

    kind = "carry"
    state_model = CarryState

    def respond(self, turn: Turn[CarryState]) -> Iterator[GuideEvent]:
        """One letter at a time."""
        yield StageStarted("spelling", "Spelling")
        text = turn.message.text if turn.message else ""
        turn.state.heard.append(text)
        yield Part({"type": "noted", "spans": [], "count": 0}, to="message")
        yield StateChanged("heard")
        yield StageDone("spelling", "rules")
        said = ""
        has_stopped = Run.objects.filter(message__session=turn.session_id, status="stopped")
        for letter in "abcdefgh":
            if text == f"/stop {len(said)}" and not has_stopped.exists():
                raise Cancelled
            said += letter
            yield Text(letter)
        yield Part({"type": "letters", "count": len(said)})

    def rewound(self, *, before: Mapping[str, Any], saved: Mapping[str, Any]) -> CarryState:
        """What was tapped stays."""
        return CarryState.model_validate({**before, "tapped": saved["tapped"]})


class CarryPresenter(EchoPresenter):
    """Lists what was heard; its conversations close with the word."""

    kind = "carry"
    event_kinds = frozenset({"heard"})
    state_event = "heard"

    def refusal(self, session: Session) -> str:
        return "This is closed." if session.title == "closed" else ""

    def rewind_refusal(self, session: Session, message: Message | None) -> str:
        return "This was taken over." if session.title == "taken over" else ""

    def written(self, run: Run, *, session: Session) -> Sequence[str]:
        return [f"heard {text}" for text in session.state["heard"]]


guides.register(CarryGuide())
presenters.register(CarryPresenter())
