"""What came of calls in words, for the command line: only what rows and the ledger show."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any, Final

from django.urls import reverse
from django.utils import formats
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from chat.assistant.undo import Undone
from chat.assistant.working import Written
from futura.text import shortened
from projects.commands.notes import CreateNote
from projects.commands.projects import ChangeProject, DeleteProject
from projects.commands.todos import ChangeTodos, DeleteTodos
from projects.concierge import calls
from projects.concierge.briefing import Briefing
from projects.concierge.commands import Opened
from projects.concierge.lists import Listed, ProjectsListed
from projects.models import Project, Task

Result = Written | Listed | ProjectsListed | Opened | Undone

STATUSES: Final[dict[str, str | Promise]] = {
    "inbox": gettext_lazy("in your inbox"),
    "available": gettext_lazy("ready to start"),
    "scheduled": gettext_lazy("scheduled"),
    "blocked": gettext_lazy("blocked"),
    "completed": gettext_lazy("done"),
    "dropped": gettext_lazy("dropped"),
    "active": gettext_lazy("active"),
    "paused": gettext_lazy("on hold"),
    "archived": gettext_lazy("archived"),
}
PRIORITIES: Final[dict[str, str | Promise]] = {
    "critical": gettext_lazy("critical"),
    "high": gettext_lazy("high priority"),
    "normal": gettext_lazy("normal priority"),
    "low": gettext_lazy("low priority"),
}
_DUES: Final[dict[str, str | Promise]] = {
    "overdue": gettext_lazy("that are overdue"),
    "today": gettext_lazy("due today"),
    "tomorrow": gettext_lazy("due tomorrow"),
    "week": gettext_lazy("due in the next seven days"),
    "later": gettext_lazy("due later"),
    "none": gettext_lazy("without a due date"),
}
_TALKS: Final[dict[str, str | Promise]] = {
    "project_create": gettext_lazy("A conversation for a new project is open"),
    "project_update": gettext_lazy("The conversation about what is new in %(name)s is open"),
    "project_audit": gettext_lazy("The audit of %(name)s is open"),
    "project_forecast": gettext_lazy("The forecast of %(name)s is open"),
    "survey": gettext_lazy("Your survey %(name)s is open"),
    "portfolio_builder": gettext_lazy("The portfolio entry about %(name)s is open"),
}
_NOT_BEGUN: Final[dict[str, str | Promise]] = {
    "survey": gettext_lazy("A survey begins with the title of your job"),
    "portfolio_builder": gettext_lazy("A portfolio entry begins with what you made"),
}
_ABILITIES: Final[Sequence[str | Promise]] = (
    gettext_lazy("put things on your list: “add call the printer Friday 3pm !high”"),
    gettext_lazy("find and list them: “what is overdue?”, “show my inbox”"),
    gettext_lazy("mark them done, move, rename, block or drop them: “move the report to Monday”"),
    gettext_lazy("keep a note with a project: “note in Launch: Anna is away in May”"),
    gettext_lazy("begin a project, an update, an audit, a forecast or a survey of your work"),
    gettext_lazy("take back what was changed: “Undo”, “undo the last 3 changes”"),
)
FIRST: Final = 5  # to-dos to begin a day with


def bold(text: str) -> str:
    """A title as Markdown that its own marks cannot change."""
    return f"**{_escaped(text)}**"


def _escaped(text: str) -> str:
    return "".join(f"\\{one}" if one in "\\*_`[]<>#|~" else one for one in shortened(text, 120))


def day(date: dt.date, today: dt.date) -> str:
    """A day as people say it: today, tomorrow, the weekday and the date."""
    near = {-1: _("yesterday"), 0: _("today"), 1: _("tomorrow")}.get((date - today).days)
    return near or formats.date_format(date, "l j F" if date.year == today.year else "l j F Y")


def when(task: Task, today: dt.date) -> str:
    """The day on which a to-do is due and, where there is one, the time."""
    if task.due_date is None or task.due_time is None:
        return day(task.due_date or today, today)
    told = {"day": day(task.due_date, today), "time": f"{task.due_time:%H:%M}"}
    return _("%(day)s at %(time)s") % told


def sentences(results: Sequence[Result], today: dt.date) -> str:
    """What came of several calls: one sentence, or a line for each."""
    texts = [text for text in (sentence(result, today) for result in results) if text]
    if len(texts) < 2 or any("\n" in text for text in texts):
        return "\n\n".join(texts)
    return bullets(texts)


def sentence(result: Result, today: dt.date) -> str:
    """What came of one call."""
    match result:
        case Written():
            return _written(result, today)
        case Listed():
            return _listed(result, today)
        case ProjectsListed():
            return _projects(result, today)
        case Opened():
            return _opened(result)
        case Undone():
            return _undone(result)


def bullets(lines: Sequence[str]) -> str:
    """A line for each."""
    return "\n".join(f"- {one}" for one in lines)


# Changes --------------------------------------------------------------------------------------
def row_of(written: Written) -> Task | Project | None:
    """The row that a call was about, as it stands now."""
    call: Any = written.arguments
    created = [one.entity_id for one in written.operations if one.entity == "task"]
    key = created[0] if isinstance(call, calls.CreateTask) and created else None
    if key := key or next(iter(calls.task_ids(call)), None):
        return Task.objects.select_related("project").filter(pk=key).first()
    is_of_project = isinstance(call, ChangeProject | DeleteProject)
    key = call.id if is_of_project else getattr(call, "project", None)
    return Project.objects.filter(pk=key).first() if key else None


def _written(written: Written, today: dt.date) -> str:
    if written.error:
        return written.error
    call, row = written.arguments, row_of(written)
    name = {"name": bold(str(row) if row else getattr(call, "title", ""))}
    match call:
        case DeleteTodos() | DeleteProject() if written.is_waiting:
            return _("Deleting %(name)s waits for your review below.") % name
        case calls.CreateTask() if written.is_waiting:
            return _("Creating %(name)s waits for your review below.") % name
        case _ if written.is_waiting:
            return _("The change of %(name)s waits for your review below.") % name
        case calls.CompleteTask() if written.is_unchanged:
            return _("%(name)s was done already.") % name
        case _ if written.is_unchanged:
            return _("%(name)s is like that already.") % name
        case calls.CreateTask() if isinstance(row, Task):
            return ", ".join([_("Created %(name)s") % name, *_facts(row, today)]) + "."
        case calls.CompleteTask():
            return _("%(name)s is done.") % name
        case DeleteTodos() | DeleteProject():
            return _("%(name)s is deleted.") % name
        case CreateNote():
            return _("Noted in %(name)s.") % name
    facts = ", ".join(_changes(call, row, today))
    return _("%(name)s is %(facts)s now.") % {**name, "facts": facts}


def _facts(task: Task, today: dt.date) -> list[str]:
    facts = [_("due %(day)s") % {"day": when(task, today)}] if task.due_date else []
    if task.start_date:
        facts.append(_("from %(day)s") % {"day": day(task.start_date, today)})
    if task.priority != Task.Priority.NORMAL:
        facts.append(str(PRIORITIES[task.priority]))
    if task.project is not None:
        facts.append(_("in %(project)s") % {"project": bold(task.project.name)})
    return facts


def _changes(call: Any, row: Task | Project | None, today: dt.date) -> list[str]:
    """What a call gave a row, as it stands now."""
    facts = []
    if getattr(call, "title", None) or getattr(call, "project_name", None):
        facts.append(_("its name"))
    if getattr(call, "status", None):
        facts.append(str(STATUSES[call.status]))
    if getattr(call, "priority", None):
        facts.append(str(PRIORITIES[call.priority]))
    if isinstance(row, Task) and isinstance(call, ChangeTodos):
        if call.due_date or "due_date" in call.clear:
            dated = _("due %(day)s") % {"day": when(row, today)}
            facts.append(dated if row.due_date else _("without a due date"))
        if call.project and row.project:
            facts.append(_("in %(project)s") % {"project": bold(row.project.name)})
        if call.append_details:
            facts.append(_("with your words in its notes"))
    return facts


# Lists ----------------------------------------------------------------------------------------
def _listed(listed: Listed, today: dt.date) -> str:
    call, n = listed.call, listed.total
    about = " ".join(_narrowing(call)) or (_("in all") if call.status == "all" else _("to do"))
    if not listed.tasks:
        return _("There are no tasks %(kind)s.") % {"kind": about}
    heading = ngettext("%(n)d task %(kind)s:", "%(n)d tasks %(kind)s:", n)
    lines = [f"{number}. {line(one, today)}" for number, one in enumerate(listed.tasks, start=1)]
    if n > len(lines):
        lines.append(_("And %(n)d more.") % {"n": n - len(lines)})
    return "\n".join([heading % {"n": n, "kind": about}, "", *lines])


def _narrowing(call: calls.ListTasks) -> list[str]:
    facts = []
    if call.status and call.status != "all":
        facts.append(str(STATUSES[call.status]))
    if call.priority:
        facts.append(_("with %(priority)s") % {"priority": PRIORITIES[call.priority]})
    if call.due:
        facts.append(str(_DUES[call.due]))
    if call.query:
        facts.append(_("about “%(words)s”") % {"words": shortened(call.query, 60)})
    return facts


def line(task: Task, today: dt.date) -> str:
    """A to-do in a list: its title and what matters of it."""
    facts = []
    is_open = task.status in Task.ACTIVE
    if task.priority in {"critical", "high"} and is_open:
        facts.append(str(PRIORITIES[task.priority]))
    if task.due_date and is_open:
        is_late = task.due_date < today
        words = _("overdue since %(day)s") if is_late else _("due %(day)s")
        facts.append(words % {"day": when(task, today)})
    if task.status != "available":
        facts.append(str(STATUSES[task.status]))
    if task.project:
        facts.append(shortened(task.project.name, 60))
    return ", ".join([bold(task.title), *facts])


def _projects(listed: ProjectsListed, today: dt.date) -> str:
    lines = []
    for project in listed.projects:
        ends = _("ends %(day)s") % {"day": day(project.end_date, today)} if project.end_date else ""
        link = _link(project.name, reverse("projects:project", args=[project.pk]))
        lines.append(", ".join(filter(None, (link, ends))))
    heading = ngettext("%(n)d project:", "%(n)d projects:", len(lines)) % {"n": len(lines)}
    return f"{heading}\n\n{bullets(lines)}" if lines else _("You have no projects like that.")


def first_today(briefing: Briefing) -> str:
    """What to do first today; at most five things."""
    free = [task for task in briefing.tasks if task.status != Task.Status.BLOCKED]
    first = briefing.focus[:FIRST] or free[:3]
    if not first:
        return _("There is nothing on your list that could be done today.")
    heading = _("I would take these today, in this order:")
    if not briefing.focus:
        heading = _("Nothing is late or urgent. I would take one of these:")
    lines = [f"{n}. {line(task, briefing.today)}" for n, task in enumerate(first, start=1)]
    return "\n".join([heading, "", *lines])


def abilities() -> str:
    """What the concierge can do in basic mode."""
    beyond = _(
        "Without a language model I read plain requests like these; I do not chat, write texts or "
        "give advice beyond your own tasks."
    )
    return f"{_('I can:')}\n\n{bullets([str(one) for one in _ABILITIES])}\n\n{beyond}"


# Conversations, undo --------------------------------------------------------------------------
def _link(words: str, url: str) -> str:
    return f"[{_escaped(words)}]({url})"


def _opened(opened: Opened) -> str:
    is_begun = opened.title or opened.kind not in _NOT_BEGUN
    text = str(_TALKS[opened.kind] if is_begun else _NOT_BEGUN[opened.kind])
    if "%(name)s" in text:
        text %= {"name": bold(opened.title)}
    return f"{text}: {_link(_('go there'), opened.url)}."


def _undone(undone: Undone) -> str:
    pairs = [row.rpartition(" (") for row in undone.rows]
    rows = bullets([f"{bold(title)} ({deed}" for title, _blank, deed in pairs])
    if undone.conflict is not None:
        url = reverse("operations:undo_all", args=[undone.conflict])
        text = _("Some of it was changed since, so nothing was taken back yet.")
        return f"{text} {_link(_('Decide what shall stand'), url)}."
    if undone.question is not None:
        text = _("Nothing was taken back yet. It would undo what was created, too:")
        return f"{text}\n\n{rows}\n\n{_('Shall I take it back?')}"
    if not undone.batches:
        return _("There is nothing in this conversation that I could take back.")
    return f"{_('Taken back:')}\n\n{rows}"
