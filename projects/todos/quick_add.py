"""Quick add for one person: a line is read with their day, language and projects, shown, stored.

Pages, their live previews and programs read lines here and nowhere else, so that what is shown is
what is stored.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from chat.identity import Identity
from futura.errors import TooLong
from futura.language import quick_add
from futura.language.commands import command_in
from futura.language.titles import Span
from futura.limits import storable
from projects import words
from projects.commands.todo_changes import repeat_words
from projects.models import Project
from projects.shown import day
from projects.todos import queries
from projects.todos.rows import now

LINE_CHARS: Final = 500
_BLANK: Final = re.compile(r"\s")


_NOTES: Final = {
    "past": _("“%(words)s” is in the past, so it stays in the title."),
    "no_day": _("“%(words)s” is not a date, so it stays in the title."),
    "two_readings": _("“%(words)s” may mean two dates, so it stays in the title."),
    "wrong_weekday": _("“%(words)s”: the weekday does not match, so it stays in the title."),
    "two_dates": _("“%(words)s” names more than one date, so it stays in the title."),
    "no_project": _("You have no project called “%(words)s”."),
    "two_projects": _("“#%(words)s” fits more than one project, so it stays in the title."),
}


@dataclass(frozen=True)
class Line:
    """A line as it is understood: the to-do that it says, and the project it names."""

    text: str
    todo: quick_add.QuickAdd
    project: Project | None = None

    @property
    def notes(self) -> list[str]:
        """Why something stayed in the title, in sentences."""
        return [str(_NOTES[note]) % {"words": about} for note, about in self.todo.notes]


def values_of(todo: quick_add.QuickAdd) -> dict[str, Any]:
    """The fields of the to-do that is made of a line, as the command takes them."""
    values = {
        name: getattr(todo, name)
        for name in ("title", "due_date", "due_time", "start_date", "priority", "project")
    }
    values |= {name: getattr(todo, name) or None for name in ("repeat", "assignee", "tags")}
    values |= {f"estimate_{end}_days": todo.estimate_days for end in ("low", "high")}
    return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True)
class CommandPreview:
    """What a line would change, a sentence or title for each row, and what is asked first."""

    changes: Sequence[str]
    question: str = ""


CommandReader = Callable[[Identity, str], CommandPreview | None]
_readers: list[CommandReader] = []


def register_commands(reader: CommandReader) -> None:
    """Names who reads lines that are commands on rows of the person; called once at the start."""
    _readers.append(reader)


def command_of(identity: Identity, text: str) -> CommandPreview | None:
    """What a line changes where it surely is a command; None for a new to-do."""
    line = _BLANK.sub(" ", storable(text)).strip()
    if not line or len(line) > LINE_CHARS or not identity.is_known:
        return None
    return next(filter(None, (reader(identity, line) for reader in _readers)), None)


def read(
    identity: Identity, text: str, *, today: dt.date | None = None, language: str = ""
) -> Line:
    """What a line says; `today` and `language` are the person's unless given. Raises TooLong."""
    line = _BLANK.sub(" ", storable(text))  # as long as the text: spans count in both
    if len(line) > LINE_CHARS:
        raise TooLong(limit=LINE_CHARS, length=len(line), field="text")
    own = queries.projects_to_choose(identity) if identity.is_known else []
    people, tags = queries.people_and_tags(identity.participant_ids)
    here = now()
    code = quick_add.language_of(language or get_language() or "en")
    command = command_in(line, code)
    start = command.start if command and command.verb == "add" else 0
    todo = quick_add.read(
        line[start:],
        today=today or here.date(),
        clock=here.time() if today in {None, here.date()} else None,
        language=code,
        projects=[(project.pk, project.name) for project in own],
        people=people,
        tags=tags,
    )
    spans = tuple(
        replace(span, start=span.start + start, end=span.end + start) for span in todo.spans
    )
    if start:
        spans = (Span(0, start, "verb"), *spans)
    project = next((item for item in own if item.pk == todo.project), None)
    return Line(line, replace(todo, spans=spans), project)


def shown(line: Line) -> dict[str, Any]:
    today, todo = now().date(), line.todo
    due = day(todo.due_date, today)
    return {
        "todo": todo,
        "due_words": f"{due}, {todo.due_time:%H:%M}" if due and todo.due_time else due,
        "start_words": day(todo.start_date, today),
        "priority_word": words.PRIORITY[todo.priority] if todo.priority else "",
        "estimate": todo.estimate_days,
        "repeat_words": repeat_words(todo.repeat),
        "project": line.project,
        "notes": line.notes,
        "is_more": bool(todo.spans),
    }
