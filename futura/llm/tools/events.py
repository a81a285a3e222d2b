"""What a loop with tools yields: text as it comes, calls that begin and end, the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel

CallStatus = Literal[
    "done",  # the tool gave a result
    "refused",  # by the policy
    "waiting",  # for a person's review
    "rejected",  # by the tool: not like this
    "failed",  # the tool broke; it is not called again
    "timed_out",  # no answer in time; whether it had an effect is not known; not called again
    "latched",  # not called, since it failed before
    "bad_arguments",  # not called
    "unknown_tool",  # not called
    "over_limit",  # not called: enough calls were made
]


@dataclass(frozen=True)
class Call:
    """One call of a tool. `id` is unique among all calls of one gateway object (one run).

    `arguments` is None where they could not be read; `writes` says that it has an effect.
    """

    id: str
    name: str
    arguments: BaseModel | None = None
    writes: bool = False


@dataclass(frozen=True)
class TextDelta:
    """The next stretch of what the model says to the person."""

    text: str


@dataclass(frozen=True)
class CallDrafted:
    """A call that the model is still writing: its arguments so far, JSON that is not complete.

    `key` is the call's own among those of one loop; nothing is checked yet.
    """

    key: str
    name: str
    arguments: str


@dataclass(frozen=True)
class CallStarted:
    """A tool is being called now."""

    call: Call


@dataclass(frozen=True)
class CallFinished:
    """How a call ended, made or not; `result` is what the model is told."""

    call: Call
    status: CallStatus
    result: str
    took_ms: int = 0

    @property
    def is_error(self) -> bool:
        """Whether the tool did not do what was asked."""
        return self.status not in {"done", "waiting"}


@dataclass(frozen=True)
class Answered:
    """What became of one writing call of a round that was decided as a whole."""

    status: CallStatus
    result: str


@dataclass(frozen=True)
class Finished:
    """The complete end: everything that was said, and every call in order."""

    text: str
    calls: tuple[CallFinished, ...]
    rounds: int

    @property
    def waiting(self) -> tuple[Call, ...]:
        """The calls that wait for a person's review."""
        return tuple(one.call for one in self.calls if one.status == "waiting")


ToolEvent = TextDelta | CallDrafted | CallStarted | CallFinished | Finished
