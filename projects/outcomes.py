"""What became of commands, in words for the person: only what rows and the ledger show."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Final

from django.urls import reverse
from django.utils import formats
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from chat.assistant.undo import Undone
from chat.assistant.working import Written
from chat.commands.base import Scope
from futura.text import shortened
from projects.commands.notes import CreateNote
from projects.commands.todos import CompleteTodos, CreateTodo
from projects.models import Project, Task

_STATUSES: Final[dict[str, str | Promise]] = {
    "scheduled": gettext_lazy("scheduled"),
    "blocked": gettext_lazy("blocked"),
    "completed": pgettext_lazy("to-do", "done"),
    "dropped": gettext_lazy("dropped"),
    "paused": gettext_lazy("paused"),
    "archived": gettext_lazy("archived"),
}


def outcome(written: Written, scope: Scope, today: dt.date) -> str:
    """What became of a change, as its row stands now."""
    command = written.command
    assert command is not None  # noqa: S101 - what was refused is told by its error
    if written.is_waiting:
        return _("%(wish)s: review this change below.") % {"wish": command.sentence(scope)}
    if written.is_unchanged:
        wish = {"wish": command.sentence(scope)}
        return _("%(wish)s: already done, nothing to change.") % wish
    if len(getattr(command, "ids", ())) > 1:
        return f"{command.ledger_title}."
    row = row_of(written)
    match command:
        case CreateTodo() if isinstance(row, Task):
            return _("Created %(row)s.") % {"row": todo_facts(row, today)}
        case CompleteTodos():
            return _("%(name)s is done.") % {"name": bold(str(row))}
        case CreateNote():
            return _("Added note to %(name)s.") % {"name": bold(str(row))}
    changed = ""
    if isinstance(row, Project):
        end = formats.date_format(row.end_date, "j F Y") if row.end_date else ""
        changed = ", ".join([bold(row.name), *project_facts(row.status, end)])
    elif row is not None:
        changed = todo_facts(row, today)
    return _("Changed: %(row)s.") % {"row": changed}


def list_of(results: Sequence[str]) -> str:
    """One result as it is, several short ones as a list."""
    if len(results) > 1 and not any("\n" in text for text in results):
        return "\n".join(f"- {text}" for text in results)
    return "\n\n".join(results)


def row_of(written: Written) -> Task | Project | None:
    """The row that a change was about, as it stands now; of a note its project."""
    if isinstance(written.command, CreateNote):
        return Project.objects.filter(pk=written.command.project).first()
    first = next((change for change in written.operations if not change.because_of_id), None)
    if first is None:
        return None
    if first.entity == "project":
        return Project.objects.filter(pk=first.entity_id).first()
    return Task.objects.select_related("project").filter(pk=first.entity_id).first()


def undone_words(undone: Undone) -> str:
    """What an undo came to."""
    pairs = [row.rpartition(" (") for row in undone.rows]
    rows = "\n".join(f"- {bold(title)} ({deed}" for title, _blank, deed in pairs)
    if undone.conflict is not None:
        url = reverse("operations:undo_all", args=[undone.conflict])
        text = _("Some of it has changed since, so nothing was undone yet.")
        decide = link(_("Decide what to keep"), url)
        return f"{text} {decide}."
    if undone.question is not None:
        text = _("Nothing was undone yet. Undoing would also delete what was created:")
        question = _("Undo it?")
        return f"{text}\n\n{rows}\n\n{question}"
    if not undone.batches:
        return _("There is nothing to undo in this conversation.")
    head = _("Undone:")
    return f"{head}\n\n{rows}"


# Rows as Markdown -------------------------------------------------------------------------------
def todo_facts(task: Task, today: dt.date) -> str:
    """A to-do: its title and what matters of it."""
    facts = []
    is_open = task.status in Task.ACTIVE
    if task.priority in {"critical", "high"} and is_open:
        facts.append(_("critical") if task.priority == "critical" else _("high priority"))
    if task.due_date and is_open:
        due = _("overdue since %(day)s") if task.due_date < today else _("due %(day)s")
        when = day(task.due_date, today)
        if task.due_time:
            named = {"day": when, "time": f"{task.due_time:%H:%M}"}
            when = _("%(day)s at %(time)s") % named
        facts.append(due % {"day": when})
    facts += [str(_STATUSES[task.status])] if task.status in _STATUSES else []
    facts += [shortened(task.project.name, 60)] if task.project else []
    return ", ".join([bold(task.title), *facts])


def project_facts(status: str, end: str) -> list[str]:
    """What matters of a project besides its name; `end` in words."""
    facts = [str(_STATUSES[status])] if status in _STATUSES else []
    return [*facts, _("ends %(day)s") % {"day": end}] if end else facts


def day(date: dt.date | None, today: dt.date) -> str:
    """A day as people say it: today, tomorrow, the weekday and the date; empty for none."""
    if date is None:
        return ""
    near = {-1: _("yesterday"), 0: _("today"), 1: _("tomorrow")}.get((date - today).days)
    return near or formats.date_format(date, "l j F" if date.year == today.year else "l j F Y")


def bold(text: str) -> str:
    """A title that its own marks cannot change."""
    return f"**{_escaped(text)}**"


def link(label: str, url: str) -> str:
    return f"[{_escaped(label)}]({url})"


def _escaped(text: str) -> str:
    return "".join(f"\\{sign}" if sign in "\\*_`[]<>#|~" else sign for sign in shortened(text, 120))


def still_open(n: int) -> str:
    """How many to-dos of a project that ends are open, in words."""
    return ngettext("One to-do is still open.", "%(n)d to-dos are still open.", n) % {"n": n}
