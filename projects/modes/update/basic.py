"""Updating a project without a model: a command line on its rows, all else is kept or left."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils import formats, timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from chat.commands.base import Command, build
from futura.errors import FuturaError
from futura.language.commands import CHANGES, CommandLine, command_in
from futura.language.quick_add import find_day, language_of
from futura.language.row_words import is_this_project, list_named, unquoted
from futura.text import quoted
from projects.commands.notes import CreateNote
from projects.commands.projects import ChangeProject, DeleteProject
from projects.commands.todos import ChangeTodos, CreateTodo, DeleteTodos
from projects.dimensions import DIMENSIONS
from projects.models import Project, Task
from projects.modes.rows import ProjectRows, standing
from projects.modes.state import OpenQuestion, Option
from projects.todos import quick_add
from projects.todos.basic import (
    Known,
    Scene,
    changed_values,
    fitting_words,
    rows_named,
)

LISTED: Final = 20
TAPS: Final = 8
_OF_PROJECT: Final = {"done": "completed", "reopen": "active", "drop": "archived"}


@dataclass(frozen=True)
class Line:
    """What a message is: commands, an answer with buttons (label and message), or unread."""

    commands: Sequence[Command] = ()
    reply: str = ""
    taps: Sequence[tuple[str, str]] = ()
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
    """What can be typed."""
    return _(
        "Basic mode reads short commands: “add call the printer by Friday”, “done: …”, “move "
        "… to Monday”, “rename … to …”, “make … high priority”, “drop …”, “delete …”, “note "
        "to project: …”, “pause project”, “show open”."
    )


def place_question() -> OpenQuestion:
    """Asks what to do with words that are no command."""
    text = _("That is not a command, so nothing was changed. Save the text?")
    options = [
        Option(label=_("Add as note"), entity="note"),
        Option(label=_("Add to a dimension"), entity="choose"),
    ]
    return OpenQuestion(kind="place", text=text, options=options)


def dimension_question() -> OpenQuestion:
    """Asks under which dimension."""
    options = [
        Option(label=str(one.name), entity="dimension", values={"field": one.field})
        for one in DIMENSIONS
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
        self.language = language_of(get_language() or "en")
        now = dt.datetime.combine(rows.today, timezone.localtime().timetz())
        self.scene = Scene(Known(self.tasks, projects), now, language=self.language)

    def line(self, text: str) -> Line:
        """One line: a command, a question, or unread."""
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
        if line.verb == "move" and (day := self._day(line.value)):
            return self._project(end_date=day[0])
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
            taps = [
                (_labelled(task), text.replace(line.rows, quoted(task.title), 1))
                for task in named[:TAPS]
            ]
            return Line(reply=question, taps=taps)
        ids = (named[0].pk,)
        if line.verb == "delete":
            return Line([DeleteTodos(ids=ids)])
        values = changed_values(line, self.scene)
        if values is None:
            unread = _("“%(words)s” is not a clear date, so nothing was changed.")
            return Line(reply=unread % {"words": line.value})
        return Line([build(ChangeTodos, values, ids=ids)])

    def _day(self, words: str) -> tuple[dt.date, dt.time | None] | None:
        return find_day(words, today=self.today, language=self.language)

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
