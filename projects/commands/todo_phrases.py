"""To-dos and their fields in words: what previews, cards and the ledger's titles are made of."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.commands.base import Scope
from projects import words
from projects.commands import todo_times
from projects.models import Project, Task


def status_title(status: str, n: int) -> str:
    """“Completed 3 to-dos”."""
    titles = {
        Task.Status.COMPLETED: ngettext("Completed a to-do", "Completed %(n)d to-dos", n),
        Task.Status.DROPPED: ngettext("Dropped a to-do", "Dropped %(n)d to-dos", n),
    }
    other = ngettext("Changed the status of a to-do", "Changed the status of %(n)d to-dos", n)
    return titles.get(Task.Status(status), other) % {"n": n}


def which_todos(scope: Scope, ids: Sequence[uuid.UUID]) -> str:
    """One by its title, several by their number. Raises NotInScope."""
    if len(ids) != 1:
        return _("%(n)d to-dos") % {"n": len(ids)}
    return _("“%(title)s”") % {"title": scope.get(Task, ids[0]).title}


def label(name: str) -> str:
    """A field within a sentence: “due”."""
    return str(words.FIELDS.get(name, _("project") if name == "project" else name)).lower()


def emptied(name: str) -> str:
    """A field that gets no value any more: “no due date”."""
    names = {"start_date": _("start date"), "due_date": _("due date"), "due_time": _("due time")}
    return _("no %(field)s") % {"field": names.get(name) or label(name)}


def phrases_of(values: Mapping[str, Any], project: uuid.UUID | None, scope: Scope) -> list[str]:
    """The fields that get a value: “due 20 December 2026”, “in Garden”. Raises NotInScope."""
    given = [
        f"{label(name)} {_value(name, value)}".strip()
        for name, value in values.items()
        if value not in (None, "", [])
    ]
    if project is not None:
        given.append(_("in %(project)s") % {"project": scope.get(Project, project).name})
    return given


def _value(name: str, value: Any) -> str | Promise:
    if isinstance(value, dt.datetime):
        return date_format(timezone.localtime(value), "j F Y, H:i")
    if isinstance(value, dt.date):
        return date_format(value, "j F Y")
    if isinstance(value, dt.time):
        return f"{value:%H:%M}"
    if name == "status":
        return words.TASK_STATUS[value]
    if name == "priority":
        return words.PRIORITY[value]
    if name == "depends_on":
        return str(len(value))
    if name == "repeat":
        return todo_times.repeat_words(value)
    if name == "remind_minutes":
        return todo_times.before_words(value)
    if name == "tags":
        return ", ".join(value)
    return "" if name == "details" else f"“{value}”"
