"""A small guide of kind "errands" that answers with tools, as features will, or by a rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from chat import guides, presenters
from chat.guides import Guide, GuideEvent, StageDone, StageStarted, Text, Turn
from chat.models import Session
from chat.presenters import Presenter
from futura.errors import ModelUnavailable
from futura.llm.client import ChatMessage
from futura.llm.tools import CallFinished, Tool

RULES = "I looked it up by rules: nothing yet."


class ErrandsState(BaseModel):
    """What was done, in order."""

    done: list[str] = []


class Errand(BaseModel):
    """The arguments of every tool here."""

    words: str


class ErrandsGuide(Guide[ErrandsState]):
    """Asks the model with three tools: one that finds, one that notes, one that is broken."""

    kind = "errands"
    state_model = ErrandsState

    def respond(self, turn: Turn[ErrandsState]) -> Iterator[GuideEvent]:
        """The model's words as they come, or the rules' one sentence."""
        yield StageStarted("errands", "Looking")
        said: list[str] = []
        detail: dict[str, Any] = {}
        tools = self._tools(turn)
        try:
            for event in turn.llm.run_tools("response", self._asked(turn), tools):
                if isinstance(event, str):
                    said.append(event)
                    yield Text(event)
                elif isinstance(event, CallFinished):
                    detail.setdefault("calls", []).append(event.status)
        except ModelUnavailable as error:
            detail["because"] = error.reason
            if said:
                raise
            yield Text(RULES)
            yield StageDone("errands", "rules", {**detail, "fallback": True})
        else:
            yield StageDone("errands", "model", detail)

    def _asked(self, turn: Turn[ErrandsState]) -> list[ChatMessage]:
        text = turn.message.text if turn.message else "Good day."
        return [
            {"role": "system", "content": "You run errands."},
            {"role": "user", "content": text},
        ]

    def _tools(self, turn: Turn[ErrandsState]) -> list[Tool[Errand]]:
        def find(given: Errand, call_id: str) -> str:
            turn.state.done.append(f"found {given.words}")
            return f"Found {given.words}."

        def note(given: Errand, call_id: str) -> str:
            turn.state.done.append(f"noted {given.words}")
            return "Noted."

        def broken(given: Errand, call_id: str) -> str:
            turn.state.done.append("tried")
            raise RuntimeError("secret of the machine room")

        return [
            Tool("find", "Finds things.", Errand, find),
            Tool("note", "Notes things.", Errand, note, writes=True),
            Tool("broken", "Never works.", Errand, broken),
        ]


class ErrandsPresenter(Presenter):
    """No page of its own."""

    kind = "errands"

    def page_url(self, session: Session) -> str:
        return f"/errands/{session.pk}/"


guides.register(ErrandsGuide())
presenters.register(ErrandsPresenter())
