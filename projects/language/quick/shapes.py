"""What quick add makes of a line: the to-do, where each part of it was said, what is unclear."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass
from typing import Literal

Priority = Literal["critical", "high", "normal", "low"]
SpanKind = Literal["due", "start", "priority", "project"]


@dataclass(frozen=True)
class Span:
    """A stretch `text[start:end]` that was understood and is no part of the title."""

    start: int
    end: int
    kind: SpanKind


@dataclass(frozen=True)
class QuickTask:
    """A to-do as one line tells it.

    `title` has the words that mean nothing else, in their order. `priority` is None where none was
    said. `due_time` is a wall clock time on `due` in the person's zone. `project_words` is the tag
    as written without its sign, also where `project` is None because it names no project or
    several. `spans` are in order and do not overlap. `unclear` are sentences for the person.
    """

    title: str
    due: dt.date | None = None
    due_time: dt.time | None = None
    start: dt.date | None = None
    priority: Priority | None = None
    project: uuid.UUID | None = None
    project_words: str = ""
    spans: tuple[Span, ...] = ()
    unclear: tuple[str, ...] = ()
