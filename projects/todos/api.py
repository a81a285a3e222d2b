"""JSON for programs: what a line would do, without doing it."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Literal

from django.http import HttpRequest
from ninja import Field, Router, Schema
from pydantic import ConfigDict

from chat.identity import identity_of
from futura.errors import BadInput
from futura.language.calendar_words import Language
from projects.todos import quick_add

router = Router(tags=["To-dos"])


class LineIn(Schema):
    """A line of quick add or of the command line; the person's own day and language by default."""

    model_config = ConfigDict(extra="forbid")

    text: str
    today: dt.date | None = None
    language: Language | None = None


class CommandOut(Schema):
    """One command that a line says. `repeat` is an RFC 5545 rule, `estimate_days` working days."""

    name: Literal["create_todo"]
    title: str
    due_date: dt.date | None = None
    due_time: str | None = Field(None, description="HH:MM by the person's clock.")
    start_date: dt.date | None = None
    priority: Literal["critical", "high", "normal", "low"] | None = None
    project: uuid.UUID | None = None
    repeat: str | None = None
    estimate_days: float | None = None


class RowOut(Schema):
    """One of the person's to-dos that a command would change."""

    id: uuid.UUID
    title: str


class PreviewOut(Schema):
    """What a line would do. `spans` are [start, end, field] of what was read in `text`; `notes`
    say why something else stayed in the title.
    """

    commands: list[CommandOut]
    spans: list[tuple[int, int, str]]
    rows: list[RowOut]
    notes: list[str]


@router.post(
    "/commands/preview",
    response=PreviewOut,
    url_name="commands_preview",
    summary="What a line would do",
)
def post_preview(request: HttpRequest, line: LineIn) -> PreviewOut:
    """Reads a line as the to-do page does and changes nothing. 400 for an empty line, 413 for one
    that is too long.
    """
    if not line.text.strip():
        raise BadInput("Say what is to be done.", field="text")
    read = quick_add.read(
        identity_of(request), line.text, today=line.today, language=line.language or ""
    )
    todo = read.todo
    command = CommandOut(
        name="create_todo",
        title=todo.title,
        due_date=todo.due_date,
        due_time=f"{todo.due_time:%H:%M}" if todo.due_time else None,
        start_date=todo.start_date,
        priority=todo.priority,
        project=todo.project,
        repeat=todo.repeat or None,
        estimate_days=None if todo.estimate_days is None else float(todo.estimate_days),
    )
    spans = [(span.start, span.end, str(span.field)) for span in todo.spans]
    return PreviewOut(commands=[command], spans=spans, rows=[], notes=read.notes)
