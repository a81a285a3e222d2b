"""What the rules know of an entry and its conversation, and what they make of a message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from projects.portfolio.builder.calls import Call
from projects.portfolio.builder.state import Pending, Said

Kind = Literal[
    "answer", "wish", "skip", "stop", "more", "help", "status", "yes", "no", "greeting", "thanks",
    "unclear", "question",
]  # fmt: skip


@dataclass(frozen=True)
class Picture:
    """A picture as words may refer to it; `number` is its place on the page, from 1."""

    number: int
    alt: str = ""
    caption: str = ""
    is_hero: bool = False


@dataclass(frozen=True)
class Scene:
    """The entry as it stands (`fields` by name), its pictures, and where the talk is."""

    fields: Mapping[str, Any]
    blocks: Sequence[Mapping[str, Any]] = ()
    pictures: Sequence[Picture] = ()
    open: str = ""
    pending: Pending | None = None
    proposal: str = ""
    last: Said = field(default_factory=Said)
    told: Mapping[str, str] = field(default_factory=dict)
    is_published: bool = False
    is_first: bool = False


@dataclass(frozen=True)
class Understanding:
    """The meaning of a message. `says` answers a question, `asks` is one back to the person.

    `topic` is what the message was an answer to, `told` what it said of each topic in the person's
    words; `is_thin` says that it says too little to work with.
    """

    kind: Kind
    calls: tuple[Call, ...] = ()
    says: str = ""
    asks: str = ""
    pending: Pending | None = None
    topic: str = ""
    told: Mapping[str, str] = field(default_factory=dict)
    is_thin: bool = False
    alternatives: tuple[str, ...] = ()
