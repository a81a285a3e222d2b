"""What a feature gives: tools with typed arguments, and a policy that decides on each call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pydantic import BaseModel

from futura.llm.cancel import CancelToken
from futura.llm.schema import format_of
from futura.llm.tools.events import Answered, Call
from futura.llm.wires.shapes import Offer

ArgumentsT = TypeVar("ArgumentsT", bound=BaseModel)


class ToolRejected(Exception):
    """A tool's word to the model: it cannot be done like this; another try may do better."""


@dataclass(frozen=True)
class Job:
    """What a tool knows of its call. `cancel` is thrown on Stop and when its time is over."""

    call_id: str
    cancel: CancelToken = field(default_factory=CancelToken, compare=False)


@dataclass(frozen=True)
class Tool(Generic[ArgumentsT]):
    """Something that the model may ask for.

    `function` gets validated arguments and gives text, or what JSON can hold (Pydantic models
    too); what it gives goes to the model, cut at `result_chars`. It runs in a thread of its own,
    with database connections of its own, outside any transaction. It raises ToolRejected (or a
    FuturaError with a status under 500) when the model may try differently; any other exception,
    and no answer within `timeout_s`, means that this tool is not called again. A tool that
    `writes` has an effect that a second call would double. Calls of tools that are `is_of_round`
    are given to the `Writer` of the loop, all those of one answer together. Those of tools that are
    `is_drafted` are told while the model writes them (CallDrafted).
    """

    name: str
    description: str
    arguments: type[ArgumentsT]
    function: Callable[[ArgumentsT, Job], object]
    timeout_s: float = 10.0
    writes: bool = False
    result_chars: int = 8_000
    is_of_round: bool = False
    is_drafted: bool = False

    @property
    def offer(self) -> Offer:
        """The tool as the model is told of it."""
        return Offer(self.name, self.description, format_of(self.arguments).schema)


@dataclass(frozen=True)
class Run:
    """The call may be made."""


@dataclass(frozen=True)
class Refuse:
    """The call is not made; the model is told why."""

    word: str


@dataclass(frozen=True)
class AwaitReview:
    """The call is not made now; a person decides on it later. The model is told so."""

    word: str = (
        "This waits for the person's review. It has not been done; say so if you mention it."
    )


Decision = Run | Refuse | AwaitReview
Policy = Callable[[Call], Decision]
"""Decides on each call, in the thread of the loop; may write what a review needs."""


Writer = Callable[[Sequence[Call]], Mapping[str, Answered]]
"""Decides on the writing calls of one answer as a whole and carries them out; gives what became of
each by its id. Runs in the thread of the loop; its word is final for the round."""


def run_all(_call: Call) -> Decision:
    """The policy for tools that may always be called: those that only read."""
    return Run()
