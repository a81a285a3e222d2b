"""JSON for programs and pages: what a line of the command line would do, without doing it."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext as _, gettext_lazy
from ninja import Field, Router, Schema
from pydantic import BaseModel, ConfigDict

from chat.commands.base import NotInScope, Scope
from chat.identity import identity_of
from futura.errors import BadInput, TooLong
from futura.language.calendar_words import Language
from futura.language.commands import command_in, openings
from futura.language.marks import PRIORITY_MARKS
from futura.language.quick_add import language_of
from futura.language.row_words import WORDS
from futura.text import quoted
from projects.concierge import snapshot
from projects.concierge.actions import concierge_session_for
from projects.concierge.basic.lines import Understanding, understand
from projects.concierge.state import ConciergeState, Memory
from projects.concierge.toolset import WRITING, task_ids, tool_of
from projects.models import Task
from projects.todos import quick_add
from projects.todos.basic import LINE_CHARS, NameableRows, nameable_rows, values_of

OFFERED: Final = 6
_MARKED: Final = re.compile(r"(?:^|(?<=\s))(?P<mark>[#@!])\"?(?P<begun>[^\s#@!\"]*)$")
_QUOTES: Final = '“”"„«» \u00a0\u202f'


@dataclass(frozen=True)
class Completion:
    """A whole line to take instead of what was typed, and the piece of it that is new."""

    line: str
    label: str


def completions(line: str, nameable: NameableRows, language: Language) -> list[Completion]:
    """How a line may go on, at most six; none where nothing of the person's fits."""
    if not line.strip() or "\n" in line:
        return []
    mark, typed = _MARKED.search(line), line.strip().casefold()
    offered = (
        _marked(line, mark, nameable, language)
        if mark
        else _command(line.lstrip(), nameable, language)
    )
    unlike = (item for item in offered if item.line.strip().casefold() != typed)
    return list(islice(dict.fromkeys(unlike), OFFERED))


def _marked(
    line: str, mark: re.Match[str], nameable: NameableRows, language: Language
) -> Iterator[Completion]:
    """`#project`, `#tag`, `@person`, `!priority`."""
    names: dict[str, Iterable[str]] = {
        "#": (*(project.name for project in nameable.projects), *nameable.tags),
        "@": nameable.people,
        "!": PRIORITY_MARKS[language],
    }
    for name in _begun(mark["begun"], names[mark["mark"]]):
        word = f'"{name}"' if " " in name and mark["mark"] == "#" else name
        yield Completion(f"{line[: mark.start()]}{mark['mark']}{word} ", f"{mark['mark']}{name}")


def _command(line: str, nameable: NameableRows, language: Language) -> Iterator[Completion]:
    """The words that open a command, and after them what it is about."""
    typed = line.casefold()
    projects = [project.name for project in nameable.projects]
    names = {
        "todo": [task.title for task in nameable.tasks if task.status in Task.ACTIVE],
        "project": projects,
        "list": [*WORDS[language].names, *projects],
    }
    for opening in (*openings(language), *(openings("en") if language != "en" else ())):
        words, is_todo = opening.words, opening.slot == "todo"
        if words.startswith(typed):
            yield Completion(f"{words} " if opening.slot else words, words)
        elif typed.startswith(f"{words} "):
            begun = line[len(words) + 1 :]
            end = f" {opening.then} " if opening.then else ""
            named = names.get(opening.slot, ())
            for name in _begun(begun.strip(_QUOTES) if is_todo else begun, named):
                row = quoted(name) if is_todo and " " in name else name
                yield Completion(f"{words} {row}{end}", name)


def _begun(begun: str, names: Iterable[str]) -> Iterator[str]:
    start = begun.casefold().strip()
    later = []
    for name in names:
        text = name.casefold()
        if text.startswith(start):
            yield name
        elif any(word.startswith(start) for word in text.split()):
            later.append(name)
    yield from later


ROWS: Final = 8
_READS: Final[dict[str, str | Promise]] = {
    "list_tasks": gettext_lazy("Shows to-dos; changes nothing."),
    "find_projects": gettext_lazy("Shows projects; changes nothing."),
    "start_conversation": gettext_lazy("Opens a conversation of its own."),
    "undo": gettext_lazy("Undoes changes of this conversation."),
    "focus": gettext_lazy("Shows what to do first; changes nothing."),
    "help": gettext_lazy("Shows the commands; changes nothing."),
    "greet": gettext_lazy("Shows five suggestions; changes nothing."),
}

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


class PreviewOut(Schema):
    """What a line would do. `spans` are [start, end, field] of what was read in `text`; `notes`
    say why something else stayed in the title, or what would be asked first. Nothing is done to
    `rows` before the person has ticked them where `asks` is true. `sentences` say in words what
    comes of the line when it is sent to the concierge in basic mode. `completions` are whole lines
    to take instead, and the piece of each that is offered.
    """

    commands: list[CommandOut]
    spans: list[tuple[int, int, str]]
    rows: list[RowOut]
    notes: list[str]
    asks: bool = False
    sentences: list[str] = []
    completions: list[Completion] = []


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
        raise BadInput(_("Say what is to be done."), field="text")
    if len(line.text) > LINE_CHARS:
        raise TooLong(limit=LINE_CHARS, length=len(line.text), field="text")
    identity = identity_of(request)
    language = line.language or language_of(get_language() or "en")
    now = timezone.localtime(snapshot.current_time())
    if line.today:
        now = dt.datetime.combine(line.today, now.timetz())
    memory = Memory()
    if line.session is not None:
        session = concierge_session_for(identity, line.session)
        memory = ConciergeState.model_validate(session.state).memory
    nameable = nameable_rows(identity.participant_ids, now) if identity.is_known else NameableRows()
    result = understand(line.text, now=now, briefing=nameable, earlier=memory, language=language)
    command = command_in(line.text.strip(), language)
    if command is None or command.verb == "add":
        added = quick_add.read(identity, line.text, today=line.today, language=language)
        preview = PreviewOut(
            commands=[_command_out("create_todo", values_of(added.todo))],
            spans=[(span.start, span.end, str(span.field)) for span in added.todo.spans],
            rows=[],
            notes=added.notes,
        )
    else:
        preview = _changed(result, nameable, line.text)
    preview.completions = completions(line.text, nameable, language)
    if result.calls or not preview.completions:  # else the line is not at its end
        preview.sentences = _sentences(result, Scope(identity))
    return preview


def _sentences(result: Understanding, scope: Scope) -> list[str]:
    """What comes of a line in words: each change, what is asked first, or what is shown."""
    if result.pending is not None:
        rows = [option.label for option in result.pending.options]
        more = [_("and %(n)d more") % {"n": len(rows) - ROWS}] if len(rows) > ROWS else []
        label = _("Asks first which of these you mean:") if rows else result.pending.question
        return [label, *rows[:ROWS], *more]
    displayed = [str(_READS.get(tool_of(call)) or _wish(call, scope)) for call in result.calls]
    return [text for text in (result.reply, *displayed, str(_READS.get(result.kind, ""))) if text]


def _changed(result: Understanding, nameable: NameableRows, text: str) -> PreviewOut:
    """The calls of a line, or those that its question is about, with the rows that they name."""
    pending = result.pending
    planned = result.calls or (pending.calls if pending else ())
    question = pending.question if pending else ""
    titles = {task.pk: task.title for task in nameable.tasks}
    keys = dict.fromkeys(key for call in planned for key in task_ids(call))
    rows = {key: titles[key] for key in keys if key in titles}
    start = len(text) - len(text.lstrip())
    commands = []
    for call in planned:
        name = tool_of(call)
        values = call.model_dump(exclude_defaults=True) if name in WRITING else {}
        row = next(iter(task_ids(call)), None)
        title = {"title": values.get("title") or rows[row]} if row and row in rows else {}
        commands.append(_command_out(name, {**values, **title, "row": row}))
    return PreviewOut(
        commands=commands,
        spans=[(start, len(text.rstrip()), "command")],
        rows=[RowOut(id=key, title=title) for key, title in rows.items()],
        notes=[note for note in (question, result.reply) if note],
        asks=result.pending is not None,
    )


def _command_out(name: str, values: Mapping[str, Any]) -> CommandOut:
    fields = {field: values[field] for field in CommandOut.model_fields if field in values}
    fields |= {"name": name, "estimate_days": values.get("estimate_low_days")}
    if clock := values.get("due_time"):
        fields["due_time"] = f"{clock:%H:%M}"
    return CommandOut.model_validate(fields)


def _wish(command: BaseModel, scope: Scope) -> str:
    """What a change would do, in the command's own words."""
    try:
        return command.sentence(scope)  # type: ignore[attr-defined, no-any-return]
    except NotInScope:
        return _("It no longer exists, so nothing would be changed.")
