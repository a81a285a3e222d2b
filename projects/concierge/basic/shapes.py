"""What the rules are given, what they remember between messages, and what they make of one."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from pydantic import BaseModel, Field

from projects.concierge.calls import Call

KEPT: Final = 20
PLACEHOLDER: Final = "?"
"""Stands in a call's slot until the question about it is answered."""

Kind = Literal[
    "calls", "question", "offer", "declined", "greet", "focus", "help", "thanks", "small_talk",
    "unknown",
]  # fmt: skip
Slot = Literal["task", "project", "due", "words"]


@dataclass(frozen=True)
class KnownTask:
    """One of the person's tasks, in words the rules can compare."""

    id: uuid.UUID
    title: str
    status: str = "inbox"
    priority: str = "normal"
    due: dt.date | None = None
    project: uuid.UUID | None = None
    notes: str = ""

    @property
    def is_open(self) -> bool:
        """Whether there is still something to do."""
        return self.status not in {"completed", "dropped"}


@dataclass(frozen=True)
class KnownProject:
    """One of the person's projects."""

    id: uuid.UUID
    name: str
    status: str = "active"


@dataclass(frozen=True)
class Known:
    """Everything a message may refer to: all open tasks, closed ones as far as they are recent.

    What is not in here cannot be named; nothing of other people is ever in here. `gone` are lately
    deleted tasks, to be brought back.
    """

    tasks: Sequence[KnownTask] = ()
    projects: Sequence[KnownProject] = ()
    gone: Sequence[KnownTask] = ()
    people: Sequence[str] = ()
    tags: Sequence[str] = ()


class Option(BaseModel):
    """One of the things a question names, in the order shown."""

    id: uuid.UUID
    label: str


class Pending(BaseModel):
    """A question that stands open, so that “the second one” or “yes” can be understood.

    `choose`: one of `options` goes into `slot` of every call; `offer`: a yes does the calls as
    they are; `fill`: what is said next goes into `slot`. Ids in calls are final otherwise.
    `tick`: the calls of those `options` are done that are ticked, and of no others. `question` is
    how it was asked; `key` names the list that was shown.
    """

    kind: Literal["choose", "offer", "fill", "tick"]
    calls: list[Call]
    slot: Slot = "task"
    options: list[Option] = Field(default_factory=list)
    question: str = ""
    is_ticked: bool = False
    key: str = ""


class Memory(BaseModel):
    """What a conversation remembers for the rules; lives in the session's state.

    `focus` are the tasks that “it” or “them” mean: those written, named or listed last. `listed`
    are the tasks of the last list as shown, `suggestions` what its numbered suggestions say when
    they are tapped.
    """

    focus: list[uuid.UUID] = Field(default_factory=list)
    listed: list[uuid.UUID] = Field(default_factory=list)
    suggestions: list[str] = Field(default_factory=list)
    project: uuid.UUID | None = None
    pending: Pending | None = None

    def after(
        self,
        understood: Understanding,
        *,
        touched: Sequence[uuid.UUID] = (),
        listed: Sequence[uuid.UUID] | None = None,
        suggestions: Sequence[str] | None = None,
        project: uuid.UUID | None = None,
    ) -> Memory:
        """The memory for the next message.

        `touched` are the tasks that this turn wrote or named, new ones too; `listed` and
        `suggestions` what it showed as a numbered list (None: no new list).
        """
        focus = list(touched) or (self.focus if listed is None else list(listed))
        return Memory(
            focus=focus[:KEPT],
            listed=self.listed if listed is None else list(listed),
            suggestions=self.suggestions if suggestions is None else list(suggestions),
            project=project or self.project,
            pending=understood.pending,
        )


@dataclass(frozen=True)
class Understanding:
    """What a message means.

    `calls` are to be done in their order; tasks and projects in them are ids (as text) of rows in
    `Known`. `question` is what has to be asked, `reply` a whole answer that needs no data; both
    are for the person, and both may stand beside calls. `did_you_mean` are messages to tap.
    `is_answer`: the message took up the question that stood open; `is_picked`: by picking rows of
    the list that was shown.
    """

    kind: Kind
    calls: tuple[Call, ...] = ()
    question: str = ""
    reply: str = ""
    did_you_mean: tuple[str, ...] = ()
    pending: Pending | None = None
    named: tuple[uuid.UUID, ...] = field(default=())
    is_answer: bool = False
    is_picked: bool = False


@dataclass(frozen=True)
class Ticked:
    """Boxes that were ticked in the list of that key."""

    key: str
    ids: Sequence[str]
