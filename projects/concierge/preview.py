"""JSON for programs and pages: what a line of the command line would do, without doing it."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest
from django.utils import formats, timezone
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from ninja import Field, Router, Schema
from pydantic import ConfigDict

from chat.commands.base import NotInScope
from chat.commands.scope import OwnScope
from chat.identity import Identity, identity_of
from futura.errors import BadInput, TooLong
from futura.language.calendar_words import Language
from futura.language.commands import CHANGES, CommandLine, command_in
from futura.language.quick_add import language_of
from projects import words
from projects.concierge import context
from projects.concierge.basic.completion import completions
from projects.concierge.basic.lines import understand
from projects.concierge.basic.shapes import Memory, Understanding
from projects.concierge.calls import Call, CreateTask, json_of, task_ids, tool_of
from projects.concierge.context import Known
from projects.concierge.queries import concierge_session_for
from projects.concierge.state import ConciergeState
from projects.concierge.toolset import command_of
from projects.todos import quick_add
from projects.todos.quick_add import LINE_CHARS

ROWS: Final = 8
_READS: Final[dict[str, str | Promise]] = {
    "list_tasks": gettext_lazy("Shows to-dos; changes nothing."),
    "find_projects": gettext_lazy("Shows projects; changes nothing."),
    "start_conversation": gettext_lazy("Opens a conversation of its own."),
    "undo": gettext_lazy("Takes back changes of this conversation."),
    "focus": gettext_lazy("Shows what to do first; changes nothing."),
    "help": gettext_lazy("Shows the commands; changes nothing."),
    "greet": gettext_lazy("Shows five suggestions; changes nothing."),
}
_EXPLICIT: Final = frozenset({"reopen", "rename", "priority", "undate", "append", "into"})

router = Router(tags=["To-dos"])


class LineIn(Schema):
    """A line of quick add or of the command line; the person's own day and language by default."""

    model_config = ConfigDict(extra="forbid")

    text: str
    today: dt.date | None = None
    language: Language | None = None
    session: uuid.UUID | None = Field(
        None, description="The conversation it is written in, where “yes” and “2” are answers."
    )


class CommandOut(Schema):
    """One command that a line says: `create_todo`, or a tool of the concierge on one of `rows`.

    `repeat` is an RFC 5545 rule, `estimate_days` working days, `row` the id of what is changed.
    """

    name: str
    title: str | None = None
    due_date: dt.date | None = None
    due_time: str | None = Field(None, description="HH:MM by the person's clock.")
    start_date: dt.date | None = None
    priority: str | None = None
    project: uuid.UUID | None = None
    repeat: str | None = None
    assignee: str | None = None
    tags: list[str] = []
    estimate_days: float | None = None
    status: str | None = None
    row: uuid.UUID | None = None


class RowOut(Schema):
    """One of the person's to-dos that a command would change."""

    id: uuid.UUID
    title: str


class CompletionOut(Schema):
    """A way in which the line may go on: the whole line then, and the piece that is offered."""

    line: str
    label: str


class PreviewOut(Schema):
    """What a line would do. `spans` are [start, end, field] of what was read in `text`; `notes`
    say why something else stayed in the title, or what would be asked first. Nothing is done to
    `rows` before the person has ticked them where `asks` is true. `sentences` say in words what
    comes of the line when it is sent to the concierge in basic mode.
    """

    commands: list[CommandOut]
    spans: list[tuple[int, int, str]]
    rows: list[RowOut]
    notes: list[str]
    asks: bool = False
    sentences: list[str] = []
    completions: list[CompletionOut] = []


@router.post(
    "/commands/preview",
    response=PreviewOut,
    url_name="commands_preview",
    summary="What a line would do",
)
def post_preview(request: HttpRequest, line: LineIn) -> PreviewOut:
    """Reads a line and changes nothing. A line that is no command is one of quick add, as on the
    page of to-dos. 400 for an empty line, 413 for one that is too long, 404 for a conversation
    that is not the caller's.
    """
    if not line.text.strip():
        raise BadInput("Say what is to be done.", field="text")
    if len(line.text) > LINE_CHARS:
        raise TooLong(limit=LINE_CHARS, length=len(line.text), field="text")
    identity = identity_of(request)
    language = line.language or language_of(get_language() or "en")
    reading = _read(identity, line, language)
    command = command_in(line.text.strip(), language)
    if command is None or command.verb == "add":
        read = quick_add.read(identity, line.text, today=line.today, language=language)
        preview = _added(read)
    else:
        preview = _changed(reading, line.text)
    offered = completions(line.text, reading.known, language)
    if reading.result.calls or not offered:  # else the line is not at its end
        preview.sentences = _sentences(reading, OwnScope(identity))
    preview.completions = [CompletionOut(line=one.line, label=one.label) for one in offered]
    return preview


@dataclass(frozen=True)
class _Reading:
    """A line as the concierge reads it in basic mode, among the rows that it may name."""

    known: Known
    result: Understanding

    @property
    def titles(self) -> dict[uuid.UUID, str]:
        """The titles of the rows."""
        return {task.pk: task.title for task in self.known.tasks}

    @property
    def planned(self) -> Sequence[Call]:
        """The calls of the line, or those that its question is about."""
        pending = self.result.pending
        return self.result.calls or (pending.calls if pending else ())


def _read(identity: Identity, line: LineIn, language: Language) -> _Reading:
    """What a line means. Raises NotFound for another's conversation."""
    now = timezone.localtime(context.current_time())
    if line.today:
        now = dt.datetime.combine(line.today, now.timetz())
    memory = Memory()
    if line.session is not None:
        session = concierge_session_for(identity, line.session)
        memory = ConciergeState.model_validate(session.state).memory
    known = context.known_to(identity.participant_ids, now) if identity.is_known else Known()
    result = understand(line.text, now=now, briefing=known, earlier=memory, language=language)
    return _Reading(known, result)


def _added(line: quick_add.Line) -> PreviewOut:
    todo = line.todo
    command = CommandOut(
        name="create_todo",
        title=todo.title,
        due_date=todo.due_date,
        due_time=f"{todo.due_time:%H:%M}" if todo.due_time else None,
        start_date=todo.start_date,
        priority=todo.priority,
        project=todo.project,
        repeat=todo.repeat or None,
        assignee=todo.assignee or None,
        tags=list(todo.tags),
        estimate_days=None if todo.estimate_days is None else float(todo.estimate_days),
    )
    spans = [(span.start, span.end, str(span.field)) for span in todo.spans]
    return PreviewOut(commands=[command], spans=spans, rows=[], notes=line.notes)


def _changed(reading: _Reading, text: str) -> PreviewOut:
    titles, planned, result = reading.titles, reading.planned, reading.result
    start = len(text) - len(text.lstrip())
    return PreviewOut(
        commands=[_command(call, titles) for call in planned],
        spans=[(start, len(text.rstrip()), "command")],
        rows=[RowOut(id=pk, title=titles[pk]) for pk in _rows_of(planned) if pk in titles],
        notes=[note for note in (result.question, result.reply) if note],
        asks=result.pending is not None,
    )


def _sentences(reading: _Reading, scope: OwnScope) -> list[str]:
    """What comes of a line in words: each change, what is asked first, or what is shown."""
    result = reading.result
    if result.pending is not None:
        rows = [option.label for option in result.pending.options]
        more = [_("and %(n)d more") % {"n": len(rows) - ROWS}] if len(rows) > ROWS else []
        asked = _("Asks first which of these you mean:") if rows else result.question
        return [asked, *rows[:ROWS], *more]
    told = [result.reply]
    told += [_in_words(call, scope) for call in result.calls]
    told.append(str(_READS.get(result.kind, "")))
    return [text for text in told if text]


def _in_words(call: Call, scope: OwnScope) -> str:
    if (tool := tool_of(call)) in _READS:
        return str(_READS[tool])
    try:
        return command_of(call).sentence(scope)
    except NotInScope:
        return _("It is not there any more, so nothing would be changed.")


def command_preview(identity: Identity, text: str) -> quick_add.CommandPreview | None:
    """What a line of the page of to-dos would change; None unless it surely names rows there.

    “Finish the report” is a command where a to-do is called so, and else something to do.
    """
    language = language_of(get_language() or "en")
    command = command_in(text, language)
    if command is None or command.verb not in {*CHANGES, "add"}:
        return None
    reading = _read(identity, LineIn(text=text, session=None), language)
    read, titles, planned = reading.result, reading.titles, reading.planned
    pending = read.pending
    if command.verb == "add" and len(planned) < 2:
        return None
    is_set = pending is not None and pending.kind == "tick"
    if pending is not None and is_set and not pending.is_ticked:
        return None
    rows = [titles[pk] for pk in _rows_of(planned) if pk in titles]
    is_named = all(title.casefold() in text.casefold() for title in rows)
    if not rows or not (is_set or is_named or _is_explicit(command, text)):
        return None
    new = [call.title for call in planned if isinstance(call, CreateTask)]
    facts = () if new else _facts(_command(planned[0], titles))
    return quick_add.CommandPreview([*new, *rows], read.question, facts)


def _is_explicit(command: CommandLine, text: str) -> bool:
    """Whether a line can hardly be the title of a to-do: “mark milk done”, “rename …”."""
    return command.verb in _EXPLICIT or text.casefold().startswith("mark ")


def _facts(command: CommandOut) -> list[str]:
    """What the rows would get, in short."""
    day = formats.date_format(command.due_date, "D j M Y") if command.due_date else ""
    status = str(words.TASK_STATUS[command.status]) if command.status else ""
    done = _("Done") if command.name.startswith("complete") else ""
    gone = _("Deleted") if command.name.startswith("delete") else ""
    priority = str(words.PRIORITY[command.priority]) if command.priority else ""
    return [fact for fact in (done, gone, status, day, command.due_time or "", priority) if fact]


def _rows_of(planned: Sequence[Call]) -> list[uuid.UUID]:
    """The rows of the calls, each once."""
    return list(dict.fromkeys(key for call in planned for key in task_ids(call)))


def _command(call: Call, titles: dict[uuid.UUID, str]) -> CommandOut:
    tool, told = tool_of(call), json_of(call)
    if tool in _READS:
        return CommandOut(name=tool, due_time=None)  # its `due` is a kind of day
    row = next(iter(task_ids(call)), None)
    due_time = str(told["due_time"])[:5] if told.get("due_time") else None
    return CommandOut.model_validate(
        {
            "name": tool,
            "title": told.get("title") or (titles.get(row) if row else None),
            "due_date": told.get("due_date") or told.get("due"),
            "due_time": due_time,
            "start_date": told.get("start_date") or told.get("start"),
            "priority": told.get("priority"),
            "status": told.get("status"),
            "project": told.get("project"),
            "row": row,
        }
    )
