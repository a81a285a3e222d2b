"""The model's tools: what a feature gives of each, and what a loop with them yields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel

from futura.llm.schema import format_of

ArgumentsT = TypeVar("ArgumentsT", bound=BaseModel)
CallStatus = Literal[
    "done",  # the tool gave a result
    "refused",  # by the writer
    "waiting",  # for a person's review
    "rejected",  # by the tool: not like this
    "failed",  # the tool broke; it is not called again
    "timed_out",  # no answer in time; whether it had an effect is not known; not called again
    "latched",  # not called, since it failed before
    "bad_arguments",  # not called
    "unknown_tool",  # not called
    "over_limit",  # not called: enough calls were made
]


class ToolRejected(Exception):
    """A tool's word to the model: it cannot be done like this; another try may do better."""


@dataclass(frozen=True)
class Tool(Generic[ArgumentsT]):
    """Something that the model may ask for.

    `function` gets validated arguments and the call's id; it gives text, or what JSON can hold
    (Pydantic models too), which goes to the model, cut at `result_chars`. It runs in a thread of
    its own, with database connections of its own, outside any transaction. It raises ToolRejected
    (or a FuturaError with a status under 500) when the model may try differently; any other
    exception, and no answer within `timeout_s`, means that this tool is not called again. A tool
    that `writes` has an effect that a second call would double. Calls of tools that are
    `is_of_round` are given to the `Writer` of the loop, all those of one answer together. Those of
    tools that are `is_drafted` are told while the model writes them (CallDrafted).
    """

    name: str
    description: str
    arguments: type[ArgumentsT]
    function: Callable[[ArgumentsT, str], object]
    timeout_s: float = 10.0
    writes: bool = False
    result_chars: int = 8_000
    is_of_round: bool = False
    is_drafted: bool = False

    @property
    def offer(self) -> dict[str, Any]:
        """What the model is told of it."""
        schema = format_of(self.arguments).schema
        about = {"name": self.name, "description": self.description}
        return {**about, "parameters": schema, "strict": True}


@dataclass(frozen=True)
class Call:
    """One call of a tool. `id` is unique among all calls of one gateway object (one run).

    `arguments` is None where they could not be read.
    """

    id: str
    name: str
    arguments: BaseModel | None = None


@dataclass(frozen=True)
class Answered:
    """What became of one writing call of a round that was decided as a whole."""

    status: CallStatus
    result: str


Writer = Callable[[Sequence[Call]], Mapping[str, Answered]]
"""Decides on the writing calls of one answer as a whole and carries them out; gives what became of
each by its id. Runs in the thread of the loop; its word is final for the round."""


@dataclass(frozen=True)
class CallDrafted:
    """A call that the model is still writing: its arguments so far, JSON that is not complete.

    `key` is the call's own among those of one loop; nothing is checked yet.
    """

    key: str
    name: str
    arguments: str


@dataclass(frozen=True)
class CallFinished:
    """How a call ended, made or not; `result` is what the model is told."""

    call: Call
    status: CallStatus
    result: str

    @property
    def is_error(self) -> bool:
        """Whether the tool did not do what was asked."""
        return self.status not in {"done", "waiting"}


ToolEvent = str | CallDrafted | CallFinished
"""A `str` is the next stretch of what the model says to the person."""
