"""What came of a line's calls in words: only what rows and the ledger show."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any, Final

from django.urls import reverse
from django.utils import formats
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy
from pydantic import BaseModel

from chat.assistant.undo import Undone
from chat.assistant.working import Written
from chat.commands.base import NotInScope, Scope
from futura.text import shortened
from projects import words
from projects.commands.notes import CreateNote
from projects.commands.todos import CompleteTodos, CreateTodo
from projects.concierge.commands import NOT_BEGUN, Opened
from projects.concierge.snapshot import Snapshot
from projects.models import Project, Task
from projects.shapes import ProjectLine, ProjectsOut
from projects.todos.queries import Page

Result = Written | Page | ProjectsOut | Opened | Undone

FIRST: Final = 5  # to-dos to begin a day with
_STATUSES: Final[dict[str, str | Promise]] = {
    "scheduled": gettext_lazy("scheduled"),
    "blocked": gettext_lazy("blocked"),
    "completed": pgettext_lazy("to-do", "done"),
    "dropped": gettext_lazy("dropped"),
    "paused": gettext_lazy("on hold"),
    "archived": gettext_lazy("archived"),
}
_ABILITIES: Final = gettext_lazy(
    "I can:\n\n"
    "- put things on your list: “add call the printer Friday 3pm !high”\n"
    "- find and list them: “what is overdue?”, “show my inbox”\n"
    "- mark them done, move, rename, block or drop them: “move the report to Monday”\n"
    "- keep a note with a project: “note in Launch: Anna is away in May”\n"
    "- begin a project, an update, an audit, a forecast or a survey of your work\n"
    "- undo changes: “Undo”, “undo the last 3 changes”\n\n"
    "Without a language model I read plain requests like these; I do not chat, write texts or "
    "give advice beyond your own tasks."
)


def bold(text: str) -> str:
    """A title as Markdown that its own marks cannot change."""
    return f"**{_escaped(text)}**"


def _escaped(text: str) -> str:
    return "".join(f"\\{sign}" if sign in "\\*_`[]<>#|~" else sign for sign in shortened(text, 120))


def _link(label: str, url: str) -> str:
    return f"[{_escaped(label)}]({url})"


def day(date: dt.date | None, today: dt.date) -> str:
    """A day as people say it: today, tomorrow, the weekday and the date; empty for none."""
    if date is None:
        return ""
    near = {-1: _("yesterday"), 0: _("today"), 1: _("tomorrow")}.get((date - today).days)
    return near or formats.date_format(date, "l j F" if date.year == today.year else "l j F Y")


def line(task: Task, today: dt.date) -> str:
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


def sentences(results: Sequence[Result], scope: Scope, today: dt.date) -> str:
    """What came of several calls: one sentence, or a line for each."""
    texts = [sentence(result, scope, today) for result in results]
    if len(texts) < 2 or any("\n" in text for text in texts):
        return "\n\n".join(texts)
    return "\n".join(f"- {text}" for text in texts)


def sentence(result: Result, scope: Scope, today: dt.date) -> str:
    """What came of one call."""
    match result:
        case Written():
            return _written(result, scope, today)
        case Page():
            return _listed(result, today)
        case ProjectsOut():
            return _projects(result, today)
        case Opened():
            return _opened(result)
        case Undone():
            return _undone(result)


def _written(written: Written, scope: Scope, today: dt.date) -> str:
    command = written.command
    assert command is not None  # noqa: S101 - what was refused is told by its error
    if written.is_waiting:
        wish = {"wish": command.sentence(scope)}
        return _("%(wish)s: review this change below.") % wish
    if written.is_unchanged:
        return _("%(wish)s: already done, nothing to change.") % {"wish": command.sentence(scope)}
    row = row_of(written)
    match command:
        case CreateTodo() if isinstance(row, Task):
            return _("Created %(row)s.") % {"row": line(row, today)}
        case CompleteTodos():
            return _("%(name)s is done.") % {"name": bold(str(row))}
        case CreateNote():
            return _("Added note to %(name)s.") % {"name": bold(str(row))}
    if isinstance(row, Project):
        status = _STATUSES.get(row.status)
        changed = f"{bold(row.name)}, {status}" if status else bold(row.name)
    else:
        changed = line(row, today) if row else ""
    return _("Changed: %(row)s.") % {"row": changed}


def row_of(written: Written) -> Task | Project | None:
    """The row that a change was about, as it stands now; of a note its project."""
    command: Any = written.command
    if isinstance(command, CreateNote):
        return Project.objects.filter(pk=command.project).first()
    first = next((change for change in written.operations if not change.because_of_id), None)
    if first is None:
        return None
    if first.entity == "project":
        return Project.objects.filter(pk=first.entity_id).first()
    return Task.objects.select_related("project").filter(pk=first.entity_id).first()


# Lists ----------------------------------------------------------------------------------------
def _listed(page: Page, today: dt.date) -> str:
    if not page.tasks:
        return _("No to-dos match.")
    lines = [f"{number}. {line(task, today)}" for number, task in enumerate(page.tasks, start=1)]
    if page.total > len(lines):
        lines.append(_("And %(n)d more.") % {"n": page.total - len(lines)})
    heading = ngettext("%(n)d to-do:", "%(n)d to-dos:", page.total) % {"n": page.total}
    return "\n".join([heading, "", *lines])


def _projects(found: ProjectsOut, today: dt.date) -> str:
    if not found.projects:
        return _("No projects match.")
    lines = "\n".join(f"- {_project(project, today)}" for project in found.projects)
    return ngettext("%(n)d project:", "%(n)d projects:", found.total) % {
        "n": found.total
    } + f"\n\n{lines}"  # fmt: skip


def _project(project: ProjectLine, today: dt.date) -> str:
    facts = [_link(project.name, reverse("projects:project", args=[project.id]))]
    facts += [str(_STATUSES[project.status])] if project.status in _STATUSES else []
    if project.end_date:
        facts.append(_("ends %(day)s") % {"day": day(project.end_date, today)})
    return ", ".join(facts)


def first_today(snapshot: Snapshot) -> str:
    """What to do first today; at most five things."""
    free = [task for task in snapshot.tasks if task.status != Task.Status.BLOCKED]
    first = snapshot.focus[:FIRST] or free[:3]
    if not first:
        return _("No to-do is available today.")
    heading = _("I suggest these for today, in this order:")
    if not snapshot.focus:
        heading = _("Nothing is overdue or urgent. I suggest one of these:")
    lines = [f"{n}. {line(task, snapshot.today)}" for n, task in enumerate(first, start=1)]
    return "\n".join([heading, "", *lines])


def abilities() -> str:
    """What the concierge can do in basic mode."""
    return str(_ABILITIES)


# Conversations, undo --------------------------------------------------------------------------
def _opened(opened: Opened) -> str:
    text = str(words.CONVERSATION[opened.kind])
    if opened.title:
        text = f"{text}, {bold(opened.title)}"
    elif opened.kind in NOT_BEGUN:
        text = str(NOT_BEGUN[opened.kind])
    link = _link(_("open"), opened.url)
    return f"{text}: {link}."


def _undone(undone: Undone) -> str:
    pairs = [row.rpartition(" (") for row in undone.rows]
    rows = "\n".join(f"- {bold(title)} ({deed}" for title, _blank, deed in pairs)
    if undone.conflict is not None:
        url = reverse("operations:undo_all", args=[undone.conflict])
        text = _("Some of it has changed since, so nothing was undone yet.")
        decide = _link(_("Decide what to keep"), url)
        return f"{text} {decide}."
    if undone.question is not None:
        text = _("Nothing was undone yet. Undoing would also delete what was created:")
        question = _("Undo it?")
        return f"{text}\n\n{rows}\n\n{question}"
    if not undone.batches:
        return _("There is nothing to undo in this conversation.")
    head = _("Undone:")
    return f"{head}\n\n{rows}"


def wish(command: BaseModel, scope: Scope) -> str:
    """What a change would do, in the command's own words."""
    try:
        return command.sentence(scope)  # type: ignore[attr-defined, no-any-return]
    except NotInScope:
        return _("It no longer exists, so nothing would be changed.")
