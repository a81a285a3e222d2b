"""What an assistant may do in a turn: commands, things to read, other acts; what it remembers."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field

from chat.commands.base import Command, Query, Scope

if TYPE_CHECKING:
    from chat.assistant.working import Working

RESULT_CHARS = 16_000


class UndoQuestion(BaseModel):
    """Batches that would be taken back, whose rows the person was shown by the run `asked_by`."""

    batches: list[uuid.UUID]
    asked_by: uuid.UUID


class AssistantState(BaseModel):
    """Saved in the session as JSON. Ids are put here by the server alone, never by a model.

    `has_untrusted_text` is of the last turn, `others` names the runs that read other people's
    words, `is_opened_with_others`: the first message has some (see `chat.assistant.provenance`).
    """

    turns: int = 0
    operations_executed: int = 0
    has_untrusted_text: bool = False
    others: list[uuid.UUID] = Field(default_factory=list)
    is_opened_with_others: bool = False
    undo_question: UndoQuestion | None = None


@dataclass(frozen=True)
class Writing:
    """A tool that builds a command; the round that it is called in is judged as a whole.

    `command` gets the arguments and the turn's `Working`; it raises ToolRejected, BadInput,
    NotInScope. None of it is done there. `sketch` reads the arguments while they are written, JSON
    without its end: what it finds grows before the person's eyes.
    """

    name: str
    description: str
    arguments: type[BaseModel]
    command: Callable[[Any, Working], Command]
    sketch: Callable[[str], Sketch | None] | None = None


@dataclass(frozen=True)
class Sketch:
    """What a call that is still being written drafts: the text so far, and `about`, what it is to
    take the place of, for the part that shows it.
    """

    text: str
    about: Mapping[str, Any]


@dataclass(frozen=True)
class Reading:
    """A tool that reads. `read` runs in a thread of its own and gives text or what JSON can hold.

    What comes from rows is material: put it between the marks of `Working.delimiter`.
    """

    name: str
    description: str
    arguments: type[BaseModel]
    read: Callable[[Any, Working], object]


@dataclass(frozen=True)
class Acting:
    """A tool whose effect is no change of rows: a conversation that opens, an undo.

    `act` is called before the round's changes, in a thread of its own, once for each call.
    """

    name: str
    description: str
    arguments: type[BaseModel]
    act: Callable[[Any, Working, str], object]


AnyTool = Writing | Reading | Acting


def allow_all(_command: Command, _working: Working) -> str:
    """The guard table of a toolset that refuses nothing."""
    return ""


@dataclass(frozen=True)
class Toolset:
    """The tools of one turn. `allows` is the guide's guard table: why a command is refused now,
    or nothing. `scope` gives the rows that exist for the person; a new one for each call.
    """

    tools: Sequence[AnyTool]
    scope: Callable[[], Scope]
    allows: Callable[[Command, Working], str] = field(default=allow_all)


def writing(kind: type[Command], *, name: str = "", description: str = "") -> Writing:
    about = description or first_paragraph(kind)
    return Writing(name or kind.name, about, kind, lambda arguments, _working: arguments)


def reading(kind: type[Query], *, seen: Callable[[Any, Working], None] | None = None) -> Reading:
    """A query as a tool. `seen` gets its result, to note which long texts were read whole."""

    def read(arguments: Query, working: Working) -> object:
        result = arguments.read(working.scope())
        text = working.delimiter.around(kind.name, result.model_dump_json(exclude_none=True))
        if seen is not None and len(text) <= RESULT_CHARS:  # else it is cut on its way
            seen(result, working)
        return text

    return Reading(kind.name, first_paragraph(kind), kind, read)


def first_paragraph(kind: type) -> str:
    """What a tool is described by: the first paragraph of its docstring, in one line."""
    return " ".join((kind.__doc__ or "").strip().split("\n\n")[0].split())
