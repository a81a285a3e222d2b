"""Tries what the model server in use can do: a text, a structured answer, a tool, a stream.

The calls go the way of all others, so that the ledger has them and the budget pays for them.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from django.core.cache import cache
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy
from pydantic import BaseModel

from futura.errors import ModelUnavailable
from futura.llm import calls, quirks, server, stages
from futura.llm.calls import Plan
from futura.llm.cancel import CancelToken, FirstWord
from futura.llm.client import ChatMessage, Llm
from futura.llm.models import ModelCall
from futura.llm.protocols import PROTOCOLS
from futura.llm.server import Server
from futura.llm.tools import CallFinished, Tool

STAGE: Final = "model_test"
KEPT_S: Final = 3_600
_LATEST: Final = "futura:model-test"


class Skill(models.TextChoices):
    TEXT = "text", gettext_lazy("Text")
    STRUCTURED = "structured", gettext_lazy("Structured answer")
    TOOL = "tool", gettext_lazy("Tool call")
    STREAM = "stream", gettext_lazy("Stream")


class Result(models.TextChoices):
    PASSED = "passed", gettext_lazy("works")
    PARTLY = "partly", gettext_lazy("limited")
    FAILED = "failed", gettext_lazy("failed")
    SKIPPED = "skipped", gettext_lazy("not tried")


@dataclass(frozen=True)
class Step:
    """One thing tried; `note` is for a person and holds no word of the server's."""

    skill: Skill
    result: Result
    took_ms: int = 0
    note: str = ""


@dataclass(frozen=True)
class Report:
    """One test of a server by one protocol; its calls are those of the run `run_id`."""

    base_url: str
    model: str
    wire: str
    run_id: uuid.UUID = field(default_factory=uuid.uuid4)
    at: datetime = field(default_factory=timezone.now)
    steps: Sequence[Step] = ()

    @property
    def works(self) -> int:
        return sum(step.result in {Result.PASSED, Result.PARTLY} for step in self.steps)

    def is_of(self, used: Server) -> bool:
        """Whether this is what was found of a server as it is set now."""
        return (self.base_url, self.wire) == (used.base_url, used.wire) and (
            self.model == stages.stage(STAGE).model
        )


class _Unmet(Exception):
    """An answer came in good order, and was not what was asked for."""


def examine() -> Report:
    """Tries the server in use and keeps what was found for an hour.

    For a saved server the protocol is found, too: the other one is tried where the first one
    lacks something, and the better one is noted. Not inside a transaction.
    """
    used = server.current()
    best = _tried(used)
    if not server.is_from_environment() and best.works < len(Skill):
        (other,) = set(PROTOCOLS) - {used.wire}
        best = max(best, _tried(replace(used, wire=other)), key=lambda report: report.works)
    if best.wire != used.wire:
        server.use_wire(best.wire)
    cache.set(_LATEST, best, KEPT_S)
    return best


def latest() -> Report | None:
    """The latest test, where it was one of the server as it is set now."""
    report: Report | None = cache.get(_LATEST)
    return report if report is not None and report.is_of(server.current()) else None


def _tried(used: Server) -> Report:
    """All steps, one after the other; without a first answer the others are not tried."""
    with server.trying(used):
        report = Report(used.base_url, stages.stage(STAGE).model, used.wire)
        steps: list[Step] = []
        for skill in Skill:
            can_answer = not steps or steps[0].result is not Result.FAILED
            steps.append(_step(skill, report.run_id) if can_answer else Step(skill, Result.SKIPPED))
    return replace(report, steps=tuple(steps))


def _step(skill: Skill, run_id: uuid.UUID) -> Step:
    began_at = time.monotonic()
    result = Result.FAILED
    try:
        note = _ATTEMPTS[skill](Llm(run_id=run_id))
        result = Result.PARTLY if note else Result.PASSED
    except _Unmet as unmet:
        note = str(unmet)
    except ModelUnavailable as failure:
        note = _why(failure, run_id)
    return Step(skill, result, round((time.monotonic() - began_at) * 1000), note)


def _why(failure: ModelUnavailable, run_id: uuid.UUID) -> str:
    """A sentence about the end of the latest attempt: codes, never an answer."""
    call = ModelCall.objects.filter(run_id=run_id).order_by("-id").first()
    if call is None:
        return str(failure)
    return f"{call.get_outcome_display()}{f' ({call.error})' if call.error else ''}"


# The steps: each gives a note where the server is limited ---------------------------------------
class _Fruit(BaseModel):
    name: str
    is_sweet: bool


class _Numbers(BaseModel):
    first: int
    second: int


def _asking(text: str) -> list[ChatMessage]:
    return [
        {"role": "system", "content": "You are being tested. Do exactly what is asked, briefly."},
        {"role": "user", "content": text},
    ]


def _text(llm: Llm) -> str:
    plan = Plan(stages.stage(STAGE), CancelToken(), FirstWord(), run_id=llm.run_id)
    prompt = plan.prompt(_asking("Say hello in three words."), is_stream=False)
    if not calls.whole(plan, prompt).answer.text.strip():
        raise _Unmet(_("The answer was empty. The model may have used all its tokens to reason."))
    return ""


def _structured(llm: Llm) -> str:
    quirks.forget()  # a server may have learned something since
    llm.structured(STAGE, _asking("Name a fruit, and whether it is sweet."), _Fruit)
    if "json_schema" not in quirks.refused_by(stages.stage(STAGE).model):
        return ""
    return _(
        "The server takes no schema. The form is asked for in words, and every answer checked."
    )


def _tool(llm: Llm) -> str:
    add = Tool(
        "add", "Adds two numbers.", _Numbers, lambda numbers, _id: numbers.first + numbers.second
    )
    events = list(llm.run_tools(STAGE, _asking("Use the tool to add 2 and 3, say the sum."), [add]))
    ends = [event for event in events if isinstance(event, CallFinished)]
    if not ends:
        raise _Unmet(_("The model answered without calling the tool."))
    if all(end.is_error for end in ends):
        raise _Unmet(_("The model called the tool in a way that cannot be used."))
    return ""


def _stream(llm: Llm) -> str:
    if not any(llm.stream_text(STAGE, _asking("Count from one to ten, in words."))):
        raise _Unmet(_("The stream ended without a word."))
    return ""


_ATTEMPTS: Final[dict[Skill, Callable[[Llm], str]]] = {
    Skill.TEXT: _text,
    Skill.STRUCTURED: _structured,
    Skill.TOOL: _tool,
    Skill.STREAM: _stream,
}
