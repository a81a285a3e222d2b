"""Lines of basic mode that change rows, read exactly or not at all: which of the person's rows
their words name (one, several to choose from, a set), and the commands that come of them.

The home page, the conversations about projects and programs read lines here and nowhere else.
"""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from django.db.models import Q
from django.utils import formats
from django.utils.translation import gettext as _

from chat.assistant.undo import ANSWERS, Undo
from chat.commands.base import Command
from futura.language import quick_add, row_words
from futura.language.calendar_words import Language
from futura.language.commands import CHANGES, CommandLine, command_in
from futura.language.marks import priority_of
from futura.language.quick_add import find_day
from futura.text import content_stems
from projects.commands.projects import ChangeProject, DeleteProject
from projects.commands.todos import ChangeTodos, CompleteTodos, CreateTodo, DeleteTodos, TodoFields
from projects.models import Project, Task
from projects.todos.queries import RESTING, people_and_tags

TITLE_CHARS: Final = 200
LINE_CHARS: Final = 500
KNOWN: Final = 2_000
LATELY: Final = dt.timedelta(days=14)
_STATUSES: Final = {
    "done": "completed", "reopen": "available", "drop": "dropped", "block": "blocked",
}  # fmt: skip
_PROJECT_STATUSES: Final = {
    "done": "completed", "reopen": "active", "drop": "archived", "block": "paused",
}  # fmt: skip


@dataclass(frozen=True)
class NameableRows:
    """Everything a line may refer to: open to-dos, lately closed ones.

    What is not in here cannot be named; nothing of other people is ever in here.
    """

    tasks: Sequence[Task] = ()
    projects: Sequence[Project] = ()
    people: Sequence[str] = ()
    tags: Sequence[str] = ()


def nameable_rows(owner_ids: Sequence[uuid.UUID], now: dt.datetime) -> NameableRows:
    """What these owners may name at a moment."""
    lately = Q(updated_at__gte=now - LATELY)
    own = Task.objects.filter(Q(status__in=Task.ACTIVE) | lately, owner_id__in=owner_ids)
    named = own.only("title", "status", "priority", "due_date", "project_id")
    projects = Project.objects.filter(owner_id__in=owner_ids, deleted_at=None)
    living = projects.exclude(status=Project.Status.ARCHIVED).order_by("-updated_at")
    people, tags = people_and_tags(owner_ids)
    return NameableRows(
        people=people,
        tags=tags,
        tasks=list(named.filter(deleted_at=None).order_by("-updated_at")[:KNOWN]),
        projects=list(living.only("name", "status")[:KNOWN]),
    )


@dataclass(frozen=True)
class LineContext:
    """What a line can refer to: the person's rows, the to-dos `listed` last, the moment.

    `project` is the one that “the project” means, and to which new to-dos belong.
    """

    nameable: NameableRows
    now: dt.datetime
    listed: Sequence[uuid.UUID] = ()
    language: Language = "en"
    project: Project | None = None

    @property
    def today(self) -> dt.date:
        return self.now.date()


@dataclass(frozen=True)
class Rows:
    """What words name: `rows` that are surely meant, unless the person has to be asked.

    `asks`: which of these it is, or all of a `set` or others.
    """

    rows: Sequence[Task] = ()
    asks: Literal["", "which", "set"] = ""


def undo_of(line: CommandLine) -> Undo:
    """Which of a conversation's latest changes a line that names no rows takes back."""
    return Undo(last=min(line.count, ANSWERS)) if line.count else Undo()


def rows_named(words: str, context: LineContext) -> Rows:
    """The rows that words name: by title, by place in the last list, or by condition."""
    open_rows = [task for task in context.nameable.tasks if task.status in Task.ACTIVE]
    closed = [task for task in context.nameable.tasks if task.status not in Task.ACTIVE]
    if exact := titled(words, open_rows) or titled(words, closed):
        return _alone(exact)
    if places := row_words.places_in(words, len(context.listed)):
        ids = [context.listed[place] for place in places]
        return Rows(rows=[task for task in context.nameable.tasks if task.pk in ids])
    condition = row_words.set_named(words, context.language)
    if condition is not None:
        chosen = _fulfilling(condition, open_rows, context) if condition else open_rows
        return Rows(open_rows, "which") if chosen is None else Rows(chosen, "set")
    if fitting := _fitting(words, open_rows) or _fitting(words, closed):
        return _alone(fitting)
    stems = content_stems(words)
    shared = [(len(stems & content_stems(task.title)), task) for task in open_rows]
    near = sorted((pair for pair in shared if pair[0]), key=lambda pair: -pair[0])
    return Rows([task for _count, task in near[:20]], "which")


def _changed_values(line: CommandLine, context: LineContext) -> dict[str, Any] | None:
    """What a line that changes to-dos gives them, as fields of the command; nothing for a deletion.

    None where it names no day, or no single project, that can be read for sure.
    """
    match line.verb:
        case "move":
            if day := find_day(line.value, today=context.today, language=context.language):
                return {"due_date": day[0], "due_time": day[1]}
            projects = projects_named(line.value, context)
            return {"project": projects[0].pk} if len(projects) == 1 else None
        case "rename":
            return {"title": capital(row_words.unquoted(line.value))[:TITLE_CHARS]}
        case "priority":
            return {"priority": priority_of(line.value.split()[0])}
        case "undate":
            return {"clear": ("due_date",)}
    return {"status": _STATUSES[line.verb]} if line.verb in _STATUSES else {}


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def titled(words: str, tasks: Iterable[Task]) -> list[Task]:
    """The to-dos with exactly that title, articles and quotation marks aside."""
    forms = {
        words.strip().casefold(),
        row_words.unquoted(words).casefold(),
        row_words.bare(words).casefold(),
    }
    return [task for task in tasks if task.title.casefold() in forms]


def projects_named(words: str, context: LineContext) -> list[Project]:
    """The projects that words name: by the whole name, else by all of the words."""
    if context.project is not None and row_words.is_this_project(words):
        return [context.project]
    named = row_words.without_project(words)
    text = row_words.unquoted(words if named is None else named).casefold()
    exact = [project for project in context.nameable.projects if project.name.casefold() == text]
    stems = content_stems(text)
    return exact or [
        project
        for project in context.nameable.projects
        if stems and stems <= content_stems(project.name)
    ]


def _is_project(words: str, context: LineContext) -> bool:
    """Whether words name a project and say so, or are its name and no to-do's."""
    is_this = context.project is not None and row_words.is_this_project(words)
    if is_this or row_words.without_project(words) is not None:
        return True
    name = row_words.unquoted(words).casefold()
    if all(project.name.casefold() != name for project in context.nameable.projects):
        return False
    named = rows_named(words, context)
    return named.asks == "which" or not named.rows


def fitting_words(words: str, text: str) -> bool:
    """Whether all words but articles are words of a text."""
    normalized = row_words.bare(words)
    tokens = {item.casefold() for item in re.findall(r"\w+", normalized)}
    own = {item.casefold() for item in re.findall(r"\w+", text)}
    stems = content_stems(normalized)
    has_stems = bool(stems) and len(stems) == len(tokens) and stems <= content_stems(text)
    return bool(tokens) and (tokens <= own or has_stems)


def _alone(tasks: Sequence[Task]) -> Rows:
    return Rows(tasks, "" if len(tasks) == 1 else "which")


def _fitting(words: str, tasks: Iterable[Task]) -> list[Task]:
    return [task for task in tasks if fitting_words(words, task.title)]


def of_list(name: str | None, tasks: Sequence[Task], today: dt.date) -> list[Task] | None:
    """The open to-dos that stand in the list of that name; None where it is no list of those."""
    due = [(task.due_date, task) for task in tasks if task.due_date]
    tomorrow, week = today + dt.timedelta(days=1), today + dt.timedelta(days=6)
    spans = {"today": (today, today), "tomorrow": (tomorrow, tomorrow), "week": (today, week)}
    match name:
        case "":
            return [*tasks]
        case "critical" | "high" | "normal" | "low":
            return [task for task in tasks if task.priority == name]
        case "blocked" | "inbox":
            return [task for task in tasks if task.status == name]
        case "overdue":
            return [task for day, task in due if day < today]
        case "none":
            return [task for task in tasks if task.due_date is None]
        case "today" | "tomorrow" | "week":
            first, last = spans[name]
            return [task for day, task in due if first <= day <= last]
    return None


def _fulfilling(condition: str, tasks: Sequence[Task], context: LineContext) -> list[Task] | None:
    """The rows of a condition that is read exactly; None for any other."""
    named = row_words.list_named(condition, context.language)
    if named in {"critical", "high", "low", "overdue", "blocked", "inbox"}:
        return of_list(named, tasks, context.today)
    day = row_words.day_in(condition.strip(), context.language)
    if due := find_day(day, today=context.today, language=context.language):
        return [task for task in tasks if task.due_date == due[0]]
    inside = row_words.project_in(condition, context.language)
    projects = projects_named(inside, context) if inside else []
    if len(projects) == 1:
        return [task for task in tasks if task.project_id == projects[0].pk]
    return None


# What lines come to ---------------------------------------------------------------------------
@dataclass(frozen=True)
class LineReading:
    """What a line that changes rows comes to; all empty for what a project does not have.

    `commands` are to be done in their order. With a `question` there is one for each row of
    `named`, and only those are done that the person chooses. `reply` says why nothing is done.
    """

    commands: Sequence[Command] = ()
    reply: str = ""
    question: str = ""
    named: Rows = Rows()


def read_line(text: str, context: LineContext) -> tuple[CommandLine | None, LineReading | None]:
    """The command that a line is, with what it comes to where it changes rows. Neither for other
    words, nor for the very title of a to-do.
    """
    line = command_in(text, context.language) if len(text) <= LINE_CHARS else None
    is_title = bool(titled(text, context.nameable.tasks))
    if line is None or "\n" in text or (is_title and line.verb != "help"):
        return None, None
    return line, _several(text, context) or _changing(line, context)


def _several(text: str, context: LineContext) -> LineReading | None:
    """“add A and mark B done”: each part a command by itself, which after the first names its rows
    by whole titles, or adds; None where the line is one command.
    """
    parts = row_words.parts_of(text, context.language)
    if len(parts) < 2 or any(mark in text for mark in '"“„«'):
        return None
    readings = []
    for part in parts:
        line = command_in(part, context.language)
        is_sure = line is not None and (
            line.verb == "add"
            or (line.verb in CHANGES and bool(titled(line.rows, context.nameable.tasks)))
        )
        reading = _changing(line, context) if line is not None and is_sure else None
        if reading is None or reading.question or not reading.commands:
            return None
        readings.append(reading)
    return LineReading([command for reading in readings for command in reading.commands])


def _changing(line: CommandLine, context: LineContext) -> LineReading | None:
    """What a command comes to; None for one that changes no rows."""
    match line.verb:
        case "add":
            return LineReading([_added(line.value, context)])
        case verb if verb not in CHANGES:
            return None
    return (
        _project_changed(line, context)
        if _is_project(line.rows, context)
        else _changed(line, context)
    )


def _added(text: str, context: LineContext) -> CreateTodo:
    inside = row_words.into_project(text, context.language)
    projects = projects_named(inside["name"], context) if inside else []
    if inside and len(projects) == 1:
        return new_todo(inside["title"], context).model_copy(update={"project": projects[0].pk})
    return new_todo(text, context)


def new_todo(text: str, context: LineContext) -> CreateTodo:
    """The to-do that a text says, as quick add reads it; what is quoted is only a title."""
    values: dict[str, Any] = {"title": capital(row_words.unquoted(text))}
    if row_words.unquoted(text) == text:
        todo = quick_add.read(
            text,
            today=context.today,
            clock=context.now.time(),
            language=context.language,
            projects=[
                (project.pk, project.name)
                for project in context.nameable.projects
                if project.status not in RESTING
            ],
            people=context.nameable.people,
            tags=context.nameable.tags,
        )
        values = values_of(todo)
    own = {"project": context.project.pk} if context.project else {}
    return CreateTodo.model_validate({**own, **values, "title": values["title"][:TITLE_CHARS]})


def values_of(todo: quick_add.QuickAdd) -> dict[str, Any]:
    """The fields of the to-do that is made of a line, as the command takes them."""
    values = {name: getattr(todo, name) for name in TodoFields.model_fields if hasattr(todo, name)}
    values |= {f"estimate_{end}_days": todo.estimate_days for end in ("low", "high")}
    given = {name: value for name, value in values.items() if value not in (None, "", ())}
    return {"title": todo.title, **given}


def _changed(line: CommandLine, context: LineContext) -> LineReading:
    values = _changed_values(line, context)
    if values is None:
        unread = _("“%(words)s” is not a clear date, so nothing was changed.")
        return LineReading(reply=unread % {"words": row_words.unquoted(line.value)})
    named = rows_named(line.rows, context)
    commands = [_command(line.verb, task, values) for task in named.rows]
    question, words = "", {"words": row_words.unquoted(line.rows)}
    match named.asks:
        case "set" if not commands:
            return LineReading(reply=_("No open to-do matches, so nothing was changed."))
        case _ if not commands:
            none = _("You have no to-do called “%(words)s”, so nothing was changed.")
            return LineReading(reply=none % words)
        case "which" | "set":
            question = _("Nothing was changed yet. Which of these do you mean?")
    return LineReading(commands, question=question, named=named)


def labelled(task: Task) -> str:
    """A to-do in a list of those that may be meant."""
    if task.due_date is None:
        return task.title
    due = formats.date_format(task.due_date, "l j F Y")
    return _("%(title)s, due %(day)s") % {"title": task.title, "day": due}


def _command(verb: str, task: Task, values: dict[str, Any]) -> Command:
    if verb == "done":
        return CompleteTodos(ids=(task.pk,))
    if verb == "delete":
        return DeleteTodos(ids=(task.pk,))
    return ChangeTodos(ids=(task.pk,), **values)


def project_named(words: str, context: LineContext) -> Project | LineReading:
    """The one project that words name; else the answer that asks which."""
    projects = projects_named(words, context)
    if len(projects) == 1:
        return projects[0]
    which = _("Which project? None, or more than one, is called “%(words)s”.")
    return LineReading(reply=which % {"words": row_words.unquoted(words)})


def _project_changed(line: CommandLine, context: LineContext) -> LineReading:
    project = project_named(line.rows, context)
    if isinstance(project, LineReading):
        return project
    values: dict[str, Any] = {}
    match line.verb:
        case "delete":
            return LineReading([DeleteProject(id=project.pk)])
        case "rename":
            values = {"name": capital(row_words.unquoted(line.value))}
        case "move":
            day = find_day(line.value, today=context.today, language=context.language)
            values = {"end_date": day[0]} if day else {}
        case verb if status := _PROJECT_STATUSES.get(verb, ""):
            values = {"status": status}
    if not values:
        return LineReading()
    return LineReading([ChangeProject.model_validate({"id": project.pk, **values})])
