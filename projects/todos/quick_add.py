"""Quick add for one person: a line is read with their day, language and projects, shown, stored.

Pages, their live previews and programs read lines here and nowhere else, so that what is shown is
what is stored.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.translation import get_language, gettext_lazy as _

from chat.commands.base import Scope, build
from chat.identity import Identity
from futura.errors import TooLong
from futura.language import quick_add
from futura.language.commands import command_in
from futura.language.quick_add import language_of
from futura.language.titles import Span
from futura.limits import storable
from projects import field_labels
from projects.commands.todo_changes import repeat_words
from projects.commands.todos import AT_ONCE, CreateTodos, addition
from projects.models import Project
from projects.project_page import day, due_words
from projects.todos import basic, queries
from projects.todos.rows import now

PREVIEWED: Final = 6  # lines of a text; one more than are shown
_MARK: Final = re.compile(r"\s*[-*•]\s+")  # of a line in a list
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

    todo: quick_add.QuickAdd
    project: Project | None = None

    @property
    def notes(self) -> list[str]:
        """Why something stayed in the title, in sentences."""
        return [str(_NOTES[note]) % {"words": about} for note, about in self.todo.notes]


def read(
    identity: Identity, text: str, *, today: dt.date | None = None, language: str = ""
) -> Line:
    """What a line says; `today` and `language` are the person's unless given. Raises TooLong."""
    line = _BLANK.sub(" ", storable(text))  # as long as the text: spans count in both
    if len(line) > basic.LINE_CHARS:
        raise TooLong(limit=basic.LINE_CHARS, length=len(line), field="text")
    own = queries.projects_to_choose(identity) if identity.is_known else []
    people, tags = queries.people_and_tags(identity.participant_ids)
    here = now()
    code = language_of(language or get_language() or "en")
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
    return Line(replace(todo, spans=spans), project)


def several(identity: Identity, text: str, *, at_most: int = AT_ONCE + 1) -> CreateTodos | None:
    """A to-do of each of the first lines of a text; None for a single line. Raises BadInput."""
    lines = [line for row in text.splitlines() if (line := _MARK.sub("", storable(row)).strip())]
    if len(lines) < 2:
        return None
    todos = [basic.values_of(read(identity, line).todo) for line in lines[:at_most]]
    return build(CreateTodos, {"todos": todos})


def additions(identity: Identity, command: CreateTodos) -> list[str]:
    """What these to-dos are, in words."""
    scope = Scope(identity)
    return [addition(todo, scope) for todo in command.todos]


def preview_context(line: Line) -> dict[str, Any]:
    today, todo = now().date(), line.todo
    return {
        "todo": todo,
        "due_words": due_words(todo.due_date, todo.due_time, today),
        "start_words": day(todo.start_date, today),
        "priority_word": field_labels.PRIORITY[todo.priority] if todo.priority else "",
        "estimate": todo.estimate_days,
        "repeat_words": repeat_words(todo.repeat),
        "project": line.project,
        "notes": line.notes,
        "is_more": bool(todo.spans),
    }
