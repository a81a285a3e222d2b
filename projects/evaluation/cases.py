"""The talks of `evaluate agent`: the file format, and the named worlds that they begin in."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, Field, field_validator

from futura.errors import BadInput
from futura.evaluation import read_cases

WORLDS: Final = "agent_worlds.json"  # beside the file with the cases
OWN_DRAFT: Final = "$draft"
Values = Mapping[str, Any]


class Message(BaseModel, extra="forbid"):
    """What the person sends: words, a file of somebody else, a stretch that was pasted.

    `calls` are the commands that are right for it, `{name: arguments}`; rows go by their key,
    `$1` is the first row that the talk has created, `$draft` the draft of the conversation. The
    call `assume` is what a forecast is told, in the fields of its reading.
    """

    say: str
    calls: list[dict[str, dict[str, Any]]] = Field(default_factory=list)
    file: dict[str, str] | None = None
    pasted: str = ""


class Rows(BaseModel, extra="forbid"):
    """What becomes of rows: `changed` by key and field, `created` with their fields, `deleted`.

    A value may be a list of which any will do (`"*"` is any text), or `{"has": [...], "not":
    [...]}` for what a text holds.
    """

    changed: dict[str, dict[str, Any]] = Field(default_factory=dict)
    created: list[dict[str, Any]] = Field(default_factory=list)
    deleted: list[str] = Field(default_factory=list)


class Allowed(Rows):
    """What may be there as well, because an earlier message meant it; `undone`: or nothing."""

    waits: Rows = Field(default_factory=Rows)
    undone: bool = False


class Case(Rows):
    """One talk. Everything that it does not name has to stay as it was.

    `on` is the surface, `of` the project or draft it is about; `preview`: the draft has just been
    shown. `waits` is what stands as a proposal in the end; `asks`: it has to be asked back. `kept`
    are words of the person that have to be found in the draft. `assumes` is what the last forecast
    has to count with: `estimates` (days from and to, by key), `hours_a_week`, `away` (first and
    last day), `tried` (the kinds of what-if beside it).
    """

    id: str
    kind: str
    world: str
    talk: list[Message]
    on: Literal["concierge", "create", "update", "audit", "forecast"] = "concierge"
    of: str = ""
    preview: bool = False
    lang: str = "en"
    today: dt.date = dt.date(2026, 11, 25)
    waits: Rows = Field(default_factory=Rows)
    allowed: Allowed = Field(default_factory=Allowed)
    asks: bool = False
    kept: list[str] = Field(default_factory=list)
    finalised: dict[str, dict[str, Any]] = Field(default_factory=dict)
    assumes: dict[str, Any] = Field(default_factory=dict)

    @field_validator("talk", mode="before")
    @classmethod
    def _messages(cls, talk: Sequence[Any]) -> list[Any]:
        """A message is a text, a list of a text and its calls, or an object."""
        return [_message(message) for message in talk]


class World(BaseModel, extra="forbid"):
    """The rows of a person, by key."""

    projects: dict[str, dict[str, Any]] = Field(default_factory=dict)
    drafts: dict[str, dict[str, Any]] = Field(default_factory=dict)
    todos: dict[str, dict[str, Any]] = Field(default_factory=dict)
    notes: dict[str, dict[str, Any]] = Field(default_factory=dict)


def read(path: Path) -> tuple[list[Case], dict[str, World]]:
    """The cases of a file and the worlds beside it. Raises BadInput."""
    try:
        named = json.loads((path.parent / WORLDS).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"{path.parent / WORLDS} cannot be read: {error}.") from error
    worlds = {name: World.model_validate(world) for name, world in named.items()}
    cases = read_cases(path, Case)
    unknown = next((case for case in cases if case.world not in worlds), None)
    if unknown is not None:
        raise BadInput(f"{path}: {unknown.id} begins in {unknown.world!r}, which is no world.")
    return cases, worlds


def _message(message: Any) -> Any:
    if isinstance(message, str):
        return {"say": message}
    if isinstance(message, list):
        return {"say": message[0], "calls": message[1:]}
    return message
