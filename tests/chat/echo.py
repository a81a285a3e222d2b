"""A small guide of kind "echo" that does what a message tells it, for tests of the engine."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from chat import guides, presenters
from chat.events.kinds import Reference
from chat.guides import (
    Ended,
    Guide,
    GuideEvent,
    Part,
    StageDone,
    StageStarted,
    StateChanged,
    Text,
    Turn,
)
from chat.models import Message, Session
from chat.presenters import Mark, Notes, Presenter, Rendered
from futura.errors import ModelUnavailable
from futura.llm.client import Cancelled


class EchoState(BaseModel):
    """What the guide has heard."""

    heard: list[str] = []


class Gate:
    """Where a test holds a turn: the turn says it arrived and waits until it may pass."""

    def __init__(self) -> None:
        self.arrived = threading.Event()
        self.open = threading.Event()


class EchoGuide(Guide[EchoState]):
    """Answers "You said: …" word by word; messages that begin with a slash do more."""

    kind = "echo"
    state_model = EchoState

    def __init__(self) -> None:
        self.gates: dict[str, Gate] = {}
        self.ended_sessions: list[uuid.UUID] = []

    def gate(self, name: str) -> Gate:
        """The gate that `/gate name` waits at."""
        return self.gates.setdefault(name, Gate())

    def respond(self, turn: Turn[EchoState]) -> Iterator[GuideEvent]:
        """One stage, then the answer."""
        yield StageStarted("listening", "Listening")
        text = turn.message.text if turn.message else "hello"
        turn.state.heard.append(text)
        yield StageDone("listening", "rules", {"history": len(turn.history)})
        yield StateChanged("heard")
        match text.split():
            case ["/model-down"]:
                yield Text("Half an ")
                raise ModelUnavailable(reason="refused")
            case ["/broken"]:
                yield Text("Half an ")
                raise RuntimeError("a secret of the machine room")
            case ["/silent"]:
                return
            case ["/end"]:
                yield Text("Good bye.")
                yield Ended()
                return
            case ["/cards"]:
                yield Part({"type": "cards", "items": ["one", "two"]})
            case ["/note", word]:
                yield Part({"type": "noted", "spans": [[6, 6 + len(word)]]}, to="message")
            case ["/gate", name]:
                yield Text("Before the gate. ")
                self._wait(turn, self.gate(name))
                yield Text("After the gate. ")
            case ["/held", name]:
                yield from self._held(turn, self.gate(name))
            case ["/steps", name, count]:
                yield from self._steps(turn, self.gate(name), int(count))
            case ["/many", count]:
                for number in range(int(count)):
                    yield Text(f"{number} ")
        for word in f"You said: {text}".split(" "):
            yield Text(word + " ")

    def _steps(self, turn: Turn[EchoState], gate: Gate, count: int) -> Iterator[GuideEvent]:
        """Words of which each waits for the gate, and now and then another event."""
        for number in range(count):
            self._wait(turn, gate)
            gate.open.clear()
            yield Text(f"<{number}> ")
            if number % 7 == 3:
                yield StageStarted("looking", f"Looking {number}")
            elif number % 7 == 5:
                yield Part({"type": "cards", "items": [str(number)]})

    def _held(self, turn: Turn[EchoState], gate: Gate) -> Iterator[GuideEvent]:
        """Holds words back until it may say them all; says them when it is stopped."""
        try:
            yield Text("Before. ")
            self._wait(turn, gate)
        except Cancelled:
            yield Text("Held back.")
            raise

    def _wait(self, turn: Turn[EchoState], gate: Gate) -> None:
        gate.arrived.set()
        with turn.llm.cancel.calling(gate.open.set):
            gate.open.wait(60)
        turn.llm.cancel.raise_if_cancelled()

    def ended(self, session_id: uuid.UUID) -> None:
        """Remembers that it was told."""
        self.ended_sessions.append(session_id)


def _spans(message: Message) -> Iterator[Sequence[int]]:
    return (span for part in message.parts for span in part.get("spans", ()))


class EchoPresenter(Presenter):
    """Shows cards as a list and the count of what was heard."""

    kind = "echo"
    event_kinds = frozenset({"heard", "match"})

    def page_url(self, session: Session) -> str:
        return f"/echo/{session.pk}/"

    def part(
        self, part: Mapping[str, Any], *, message: Message, session: Session
    ) -> Rendered | None:
        if part["type"] == "cards":
            return Rendered("echo/_cards.html", {"items": part["items"]})
        return None

    def notes(self, messages: Sequence[Message], *, session: Session) -> Mapping[uuid.UUID, Notes]:
        return {
            message.pk: Notes([Mark(*span) for span in _spans(message)]) for message in messages
        }

    def fragments(self, event: Reference, *, session: Session, view: str) -> Sequence[Rendered]:
        return [Rendered("echo/_heard.html", {"heard": session.state["heard"], "view": view})]

    def snapshot(self, *, session: Session, view: str) -> Sequence[Rendered]:
        return [Rendered("echo/_heard.html", {"heard": session.state["heard"], "view": view})]


guide = EchoGuide()
guides.register(guide)
presenters.register(EchoPresenter())
