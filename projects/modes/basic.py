"""Basic mode of the conversations about projects: short replies, and lines that are to-dos or
commands.

A button sends its own part with its words. Without a model the words typed out do the same, as a
whole message (DECISIONS 48); with one they are the model's to understand. All else that is written
is stored word for word or left; nothing is guessed.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from django.utils import formats, timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from chat import replies
from chat.commands.base import Command, build
from chat.guides import Utterance
from futura.errors import FuturaError
from futura.language import quick_add as grammar
from futura.language.commands import CHANGES, CommandLine, command_in
from futura.language.row_words import is_this_project, list_named, unquoted
from futura.text import quoted, sentences, shortened
from projects.commands.notes import CreateNote
from projects.commands.projects import ChangeProject, DeleteProject
from projects.commands.todos import ChangeTodos, CreateTodo, DeleteTodos
from projects.commands.wording import TextPart
from projects.dimensions import DIMENSIONS
from projects.models import Project, Task
from projects.modes.create.reading import TITLE_CHARS, Extract, TaskExtract
from projects.modes.rows import ProjectRows, Snapshot, standing
from projects.modes.state import OpenQuestion, Option
from projects.todos import quick_add
from projects.todos.basic import Known, Scene, changed_values, fitting_words, rows_named

PART: Final = "tap"
NAME_CHARS: Final = 60
_LINE: Final = re.compile(r"\s*[-*•]\s+(?P<text>\S.*)")
_OWNER: Final = re.compile(r"(?<!\S)@(?P<name>\w[\w.-]*)")


class Tap(StrEnum):
    """What a button says."""

    YES = "yes"
    NO = "no"
    LATER = "later"
    FINISH = "finish"


_REPLIES: Final = {
    Tap.YES: replies.is_yes,
    Tap.NO: replies.is_no,
    Tap.FINISH: replies.is_finish,
    Tap.LATER: replies.is_later,
}


def taps_of(message: Utterance, *, has_model: bool) -> frozenset[Tap]:
    """The buttons that a message stands for; some words stand for two of them.

    A message that was reworded is no button any more.
    """
    tapped = {
        str(part.get("tap"))
        for part in message.parts
        if part.get("type") == PART and str(part.get("text", "")).strip() == message.text.strip()
    }
    if tapped or has_model:
        return frozenset(tap for tap in Tap if tap in tapped)
    return taps_in(message.text)


def taps_in(text: str) -> frozenset[Tap]:
    """The buttons whose words a text is as a whole."""
    return frozenset(tap for tap, is_meant in _REPLIES.items() if is_meant(text))


def read(
    text: str,
    files: Sequence[tuple[str, str]],
    asked_about: str,
    snapshot: Snapshot | None,
    today: dt.date,
) -> Extract:
    """The answer under what was asked; what nobody asked about is context, whole.

    Lines that begin with a dash are tasks: “- Paint the fence by Friday @Ana 2d”. The first words
    of all name the draft until it gets another name.
    """
    lines = [line for line in text.splitlines() if not _LINE.match(line)]
    texts = [
        (asked_about or "context", "\n".join(lines).strip() if asked_about else text),
        ("context", "\n\n".join(file for _name, file in files)),
    ]
    parts = [TextPart.model_validate({"field": name, "text": part}) for name, part in texts if part]
    extract = Extract(parts=tuple(parts), tasks=tasks_in(text, today))
    return extract if asked_about else named(extract, text, snapshot)


def named(extract: Extract, text: str, snapshot: Snapshot | None) -> Extract:
    """With the first words of a text as the draft's name, where it has none and gets none."""
    first = next(sentences(text), None)
    if extract.fields.get("name") or first is None or (snapshot is not None and snapshot.row.name):
        return extract
    name = shortened(first.text.lstrip("-*•# ").rstrip(".!"), NAME_CHARS)
    return extract.model_copy(update={"fields": {**extract.fields, "name": name}})


def tasks_in(text: str, today: dt.date) -> tuple[TaskExtract, ...]:
    """What stands in lines that begin with a dash, as quick add reads it."""
    matches = (_LINE.match(line) for line in text.splitlines())
    return tuple(_task(match["text"], today) for match in matches if match)


def _task(line: str, today: dt.date) -> TaskExtract:
    owners = " ".join(match[0] for match in _OWNER.finditer(line))
    language = grammar.language_of(get_language() or "en")
    todo = grammar.read(" ".join(_OWNER.sub(" ", line).split()), today=today, language=language)
    values: dict[str, Any] = {
        "start_date": todo.start_date,
        "due_date": todo.due_date,
        "due_time": todo.due_time,
        "priority": todo.priority,
        "estimate_low_days": todo.estimate_days,
        "estimate_high_days": todo.estimate_days,
        "details": owners or None,
    }
    return TaskExtract(title=(todo.title or line)[:TITLE_CHARS], **values)


# The command line of an updating conversation -----------------------------------------------------
LISTED: Final = 20
TAPS: Final = 8
_OF_PROJECT: Final = {"done": "completed", "reopen": "active", "drop": "archived"}


@dataclass(frozen=True)
class Line:
    """What a message is: commands, an answer with buttons (label and message), or unread."""

    commands: Sequence[Command] = ()
    reply: str = ""
    taps: Mapping[str, str] = field(default_factory=dict)
    is_unread: bool = False


def understood(text: str, rows: ProjectRows) -> Line:
    """Reads a message exactly or not at all; nothing that it does not say for sure is changed.

    Several lines are several commands, where each is one; then they are done together.
    """
    reader = _Reader(rows)
    lines = [line for row in text.splitlines() if (line := row.strip().removeprefix("- "))]
    read = [reader.line(line) for line in lines]
    if len(read) == 1:
        return read[0]
    if read and all(line.commands for line in read):
        return Line([command for line in read for command in line.commands])
    return Line(is_unread=True)


def help_text() -> str:
    return _(
        "Basic mode reads short commands: “add call the printer by Friday”, “done: …”, “move "
        "… to Monday”, “rename … to …”, “make … high priority”, “drop …”, “delete …”, “note "
        "to project: …”, “pause project”, “show open”."
    )


def place_question() -> OpenQuestion:
    text = _("That is not a command, so nothing was changed. Save the text?")
    options = [
        Option(label=_("Add as note"), entity="note"),
        Option(label=_("Add to a dimension"), entity="choose"),
    ]
    return OpenQuestion(kind="place", text=text, options=options)


def dimension_question() -> OpenQuestion:
    options = [
        Option(label=str(dimension.name), entity="dimension", values={"field": dimension.field})
        for dimension in DIMENSIONS
    ]
    return OpenQuestion(kind="place", text=_("Which dimension?"), options=options)


class _Reader:
    """Reads lines as the composer reads them, among the rows of one project."""

    def __init__(self, rows: ProjectRows) -> None:
        snapshot = rows.snapshot()
        self.identity, self.today = rows.scope().identity, rows.today
        self.project: Any = snapshot.row
        self.tasks = [task for task in snapshot.tasks if isinstance(task, Task)]
        projects = [row for row in (snapshot.row,) if isinstance(row, Project)]
        self.language = grammar.language_of(get_language() or "en")
        now = dt.datetime.combine(rows.today, timezone.localtime().timetz())
        self.scene = Scene(Known(self.tasks, projects), now, language=self.language)

    def line(self, text: str) -> Line:
        command = command_in(text, self.language) if len(text) <= quick_add.LINE_CHARS else None
        if command is None:
            return Line(reply=self._standing()) if text.endswith("?") else Line(is_unread=True)
        try:
            return self._read(command, text)
        except FuturaError as error:
            return Line(reply=str(error))

    def _read(self, line: CommandLine, text: str) -> Line:
        is_project = self._is_project(line.rows)
        match line.verb:
            case "add":
                return self._add(line.value)
            case "note":
                return Line([CreateNote(project=self.project.pk, text=line.value)])
            case "show" | "find":
                return self._show(line.value)
            case "status" if is_project:
                return self._project(status=line.kind)
            case "undo":
                return Line(reply=_("Every change can be undone under Changes."))
            case verb if verb in CHANGES and line.rows:
                return self._change_project(line) if is_project else self._change(line, text)
        return Line(reply=help_text())

    def _standing(self) -> str:
        """How the project stands, which is all that can be answered, and what can be typed."""
        lines = [f"- {_labelled(task)}" for task in self._open()][:LISTED]
        end = self.project.end_date
        ends = _("It ends on %(day)s.") % {"day": formats.date_format(end, "j F Y")} if end else ""
        heading = _("Open to-dos:") if lines else _("No to-dos are open.")
        return "\n\n".join(filter(None, [ends, "\n".join([heading, "", *lines]), help_text()]))

    def _add(self, text: str) -> Line:
        read = quick_add.read(self.identity, text, today=self.today, language=self.language)
        if (row := standing(read.todo.title, self.tasks)) is not None:
            return Line(reply=_("“%(title)s” is on the list already.") % {"title": row.title})
        values = {"project": self.project.pk, **quick_add.values_of(read.todo)}
        return Line([build(CreateTodo, values)])

    def _show(self, words: str) -> Line:
        is_all = list_named(words, self.language) == ""
        tasks = [task for task in self._open() if is_all or fitting_words(words, task.title)]
        if not tasks:
            return Line(reply=_("No open to-do matches."))
        lines = [f"- {_labelled(task)}" for task in tasks[:LISTED]]
        if len(tasks) > LISTED:
            lines.append(_("- and %(n)d more") % {"n": len(tasks) - LISTED})
        return Line(reply="\n".join(lines))

    def _change_project(self, line: CommandLine) -> Line:
        if line.verb == "delete":
            return Line([DeleteProject(id=self.project.pk)])
        if line.verb == "rename":
            return self._project(name=unquoted(line.value))
        if line.verb == "move":
            day = grammar.find_day(line.value, today=self.today, language=self.language)
            return self._project(end_date=day[0]) if day else Line(reply=help_text())
        if line.verb in _OF_PROJECT:
            return self._project(status=_OF_PROJECT[line.verb])
        return Line(reply=help_text())

    def _change(self, line: CommandLine, text: str) -> Line:
        rows = rows_named(line.rows, self.scene)
        named = [*rows.rows, *rows.candidates]
        if not named:
            none = _("No to-do is called “%(words)s”, so nothing was changed.")
            return Line(reply=none % {"words": unquoted(line.rows)})
        if rows.is_set or len(named) > 1 or not rows.rows or rows.wrong_day:
            question = _("Several to-dos match, so nothing was changed. Which one do you mean?")
            taps = {
                _labelled(task): text.replace(line.rows, quoted(task.title), 1)
                for task in named[:TAPS]
            }
            return Line(reply=question, taps=taps)
        ids = (named[0].pk,)
        if line.verb == "delete":
            return Line([DeleteTodos(ids=ids)])
        values = changed_values(line, self.scene)
        if values is None:
            unread = _("“%(words)s” is not a clear date, so nothing was changed.")
            return Line(reply=unread % {"words": line.value})
        return Line([build(ChangeTodos, values, ids=ids)])

    def _project(self, **values: Any) -> Line:
        return Line([build(ChangeProject, values, id=self.project.pk)])

    def _is_project(self, words: str) -> bool:
        name = unquoted(words).casefold()
        return is_this_project(words) or name == self.project.name.casefold()

    def _open(self) -> list[Task]:
        return [task for task in self.tasks if task.status in Task.ACTIVE]


def _labelled(task: Task) -> str:
    if task.due_date is None:
        return task.title
    day = formats.date_format(task.due_date, "j F Y")
    return _("%(title)s, due %(day)s") % {"title": task.title, "day": day}
