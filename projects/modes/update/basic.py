"""Updating a project without a model: a command line on its rows, all else is kept or left."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils import formats
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from chat.commands.base import Command, build
from futura.errors import FuturaError
from futura.language import quick_add
from futura.language.calendar_words import Language
from futura.language.commands import CommandLine, command_in
from projects.commands.notes import CreateNote
from projects.commands.projects import ChangeProject, DeleteProject
from projects.commands.todos import ChangeTodos, CreateTodo, DeleteTodos
from projects.dimensions import DIMENSIONS
from projects.models import Task
from projects.modes.rows import Snapshot
from projects.modes.rows import standing as standing_title
from projects.modes.state import OpenQuestion, Option

LONGEST: Final = 500
LISTED: Final = 20
TAPS: Final = 8
_QUOTED: Final = re.compile(r"[\"“„«'‘](?P<text>.+)[\"”“»'’]")
_STATUSES: Final = {
    "done": "completed", "reopen": "available", "drop": "dropped", "block": "blocked",
}  # fmt: skip
_OF_PROJECT: Final = {"done": "completed", "reopen": "active", "drop": "archived"}
_PRIORITIES: Final = {"urgent": "critical", "medium": "normal"}


@dataclass(frozen=True)
class Line:
    """What a message is: commands, an answer with buttons (label and message), or unread."""

    commands: Sequence[Command] = ()
    reply: str = ""
    taps: Sequence[tuple[str, str]] = ()
    is_unread: bool = False


def understood(text: str, snapshot: Snapshot, today: dt.date) -> Line:
    """Reads a message exactly or not at all; nothing that it does not say for sure is changed.

    Several lines are several commands, where each is one; then they are done together.
    """
    lines = [line for row in text.splitlines() if (line := row.strip().removeprefix("- "))]
    read = [_line(line, snapshot, today) for line in lines if len(line) <= LONGEST]
    if len(read) < len(lines) or not read:
        return Line(is_unread=True)
    if len(read) == 1:
        return read[0]
    if all(line.commands for line in read):
        return Line([command for line in read for command in line.commands])
    return Line(is_unread=True)


def _line(text: str, snapshot: Snapshot, today: dt.date) -> Line:
    language = quick_add.language_of(get_language() or "en")
    command = command_in(text, language)
    if command is None:
        return Line(reply=standing(snapshot)) if text.endswith("?") else Line(is_unread=True)
    reader = _Reader(command, text, snapshot, today, language)
    try:
        return reader.read()
    except FuturaError as error:
        return Line(reply=str(error))


def standing(snapshot: Snapshot) -> str:
    """How the project stands, which is all that can be answered, and what can be typed."""
    tasks = [task for task in snapshot.tasks if isinstance(task, Task)]
    lines = [f"- {_labelled(task)}" for task in tasks if task.status in Task.ACTIVE][:LISTED]
    end = snapshot.row.end_date
    ends = _("It ends on %(day)s.") % {"day": formats.date_format(end, "j F Y")} if end else ""
    heading = _("Open tasks:") if lines else _("No task is open.")
    return "\n\n".join(filter(None, [ends, "\n".join([heading, "", *lines]), help_text()]))


def help_text() -> str:
    """What can be typed."""
    return _(
        "Without a model I read short commands: “add call the printer by Friday”, “done: …”, "
        "“move … to Monday”, “rename … to …”, “make … high priority”, “drop …”, “delete …”, "
        "“note to project: …”, “pause project”, “show open”."
    )


def place_question() -> OpenQuestion:
    """Asks what to do with words that are no command."""
    text = _("That is no command, so nothing was changed. Shall I keep it?")
    options = [
        Option(label=_("Keep as note"), entity="note"),
        Option(label=_("Add to a dimension"), entity="choose"),
    ]
    return OpenQuestion(kind="place", text=text, options=options)


def dimension_question() -> OpenQuestion:
    """Asks under which dimension."""
    options = [
        Option(label=str(one.name), entity="dimension", values={"field": one.field})
        for one in DIMENSIONS
    ]
    return OpenQuestion(kind="place", text=_("Under which dimension?"), options=options)


@dataclass(frozen=True)
class _Reader:
    line: CommandLine
    text: str
    snapshot: Snapshot
    today: dt.date
    language: Language

    def read(self) -> Line:
        verbs: dict[str, Callable[[], Line]] = {
            "add": self._add,
            "note": self._note,
            "status": self._status,
            "show": self._show,
            "find": self._show,
            "help": lambda: Line(reply=help_text()),
            "undo": lambda: Line(reply=_("Every change can be undone under Changes.")),
        }
        if read := verbs.get(self.line.verb):
            return read()
        if not self.line.rows or self.line.verb in {"start", "publish", "restore", "into"}:
            return Line(reply=help_text())
        if self._is_project(self.line.rows):
            return self._change_project()
        return self._change_task()

    def _add(self) -> Line:
        todo = quick_add.read(self.line.value, today=self.today, language=self.language)
        values = {
            "start_date": todo.start_date, "due_date": todo.due_date, "due_time": todo.due_time,
            "priority": todo.priority, "estimate_low_days": todo.estimate_days,
            "estimate_high_days": todo.estimate_days,
        }  # fmt: skip
        if (row := standing_title(todo.title, self.snapshot.tasks)) is not None:
            return Line(reply=_("“%(title)s” is on the list already.") % {"title": row.title})
        given = {name: value for name, value in values.items() if value is not None}
        return Line([build(CreateTodo, given, title=todo.title, project=self._id)])

    def _note(self) -> Line:
        return Line([CreateNote(project=self._id, text=self.line.value)])

    def _status(self) -> Line:
        if not self._is_project(self.line.rows):
            return Line(reply=help_text())
        return self._project(status=self.line.kind)

    def _show(self) -> Line:
        words = set(re.findall(r"\w+", self.line.value.casefold())) - {"open", "all", "tasks"}
        tasks = [task for task in self._open() if words <= _words(task.title) or not words]
        if not tasks:
            return Line(reply=_("No open task is like that."))
        lines = [f"- {_labelled(task)}" for task in tasks[:LISTED]]
        if len(tasks) > LISTED:
            lines.append(_("- and %(n)d more") % {"n": len(tasks) - LISTED})
        return Line(reply="\n".join(lines))

    def _change_project(self) -> Line:
        verb = self.line.verb
        if verb == "delete":
            return Line([DeleteProject(id=self._id)])
        if verb == "rename":
            return self._project(name=unquoted(self.line.value))
        if verb == "move" and (day := self._day()):
            return self._project(end_date=day[0])
        if verb in _OF_PROJECT:
            return self._project(status=_OF_PROJECT[verb])
        return Line(reply=help_text())

    def _change_task(self) -> Line:
        named = self._named()
        if not named:
            none = _("No task is called “%(words)s”, so nothing was changed.")
            return Line(reply=none % {"words": unquoted(self.line.rows)})
        if len(named) > 1:
            question = _("Which one do you mean? Nothing was changed yet.")
            sent = [self.text.replace(self.line.rows, f"“{task.title}”", 1) for task in named]
            labels = [_labelled(task) for task in named]
            return Line(reply=question, taps=list(zip(labels, sent, strict=True))[:TAPS])
        task = named[0]
        if self.line.verb == "delete":
            return Line([DeleteTodos(ids=(task.pk,))])
        values = self._values()
        if values is None:
            unread = _("“%(words)s” is no day that I can read for sure, so nothing was changed.")
            return Line(reply=unread % {"words": self.line.value})
        return Line([build(ChangeTodos, values, ids=(task.pk,))])

    def _values(self) -> dict[str, Any] | None:
        verb, value = self.line.verb, self.line.value
        if verb in _STATUSES:
            return {"status": _STATUSES[verb]}
        if verb == "rename":
            return {"title": unquoted(value)}
        if verb == "undate":
            return {"clear": ("due_date",)}
        if verb == "append":
            return {"append_details": value}
        if verb == "priority":
            word = value.lower().split()[0]
            return {"priority": _PRIORITIES.get(word, word)}
        day = self._day()
        return {"due_date": day[0], "due_time": day[1]} if day else None

    @property
    def _id(self) -> uuid.UUID:
        return self.snapshot.row.pk

    def _project(self, **values: Any) -> Line:
        return Line([build(ChangeProject, values, id=self._id)])

    def _day(self) -> tuple[dt.date, dt.time | None] | None:
        return quick_add.find_day(self.line.value, today=self.today, language=self.language)

    def _is_project(self, words: str) -> bool:
        name = unquoted(words).casefold()
        return name in {"project", "the project", "this project", self.snapshot.row.name.casefold()}

    def _named(self) -> list[Task]:
        """The task of that title, else those that have all of the words; open ones first."""
        title = unquoted(self.line.rows).casefold()
        closed = [task for task in self._tasks() if task.status not in Task.ACTIVE]
        for tasks in (self._open(), closed):
            exact = [task for task in tasks if task.title.casefold() == title]
            words = _words(title) - {"the", "my", "a", "task"}
            fitting = [task for task in tasks if words and words <= _words(task.title)]
            if exact or fitting:
                return exact or fitting
        return []

    def _tasks(self) -> list[Task]:
        return [task for task in self.snapshot.tasks if isinstance(task, Task)]

    def _open(self) -> list[Task]:
        return [task for task in self._tasks() if task.status in Task.ACTIVE]


def unquoted(words: str) -> str:
    """Without quotation marks around the whole."""
    match = _QUOTED.fullmatch(words.strip())
    return match["text"] if match else words.strip()


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _labelled(task: Task) -> str:
    if task.due_date is None:
        return task.title
    day = formats.date_format(task.due_date, "j F Y")
    return _("%(title)s, due %(day)s") % {"title": task.title, "day": day}
