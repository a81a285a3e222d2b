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
from projects.concierge import calls
from projects.concierge.briefing import TaskLine
from projects.concierge.results import FoundProjects, Listed, Opened
from projects.models import Project, Task

Outcome = Written | Listed | FoundProjects | Opened | Undone

STATUSES: Final[dict[str, str | Promise]] = {
    "inbox": gettext_lazy("in your inbox"),
    "available": gettext_lazy("ready to start"),
    "scheduled": gettext_lazy("scheduled"),
    "blocked": gettext_lazy("blocked"),
    "completed": gettext_lazy("done"),
    "dropped": gettext_lazy("dropped"),
}
PRIORITIES: Final[dict[str, str | Promise]] = {
    "critical": gettext_lazy("critical"),
    "high": gettext_lazy("high priority"),
    "normal": gettext_lazy("normal priority"),
    "low": gettext_lazy("low priority"),
}
PROJECTS: Final[dict[str, str | Promise]] = {
    "active": gettext_lazy("active"),
    "paused": gettext_lazy("on hold"),
    "completed": gettext_lazy("completed"),
    "archived": gettext_lazy("archived"),
}
TALKS: Final[dict[str, str | Promise]] = {
    "project_create": gettext_lazy("A conversation for a new project is open"),
    "project_update": gettext_lazy("The conversation about what is new in **%(name)s** is open"),
    "project_audit": gettext_lazy("The audit of **%(name)s** is open"),
    "project_forecast": gettext_lazy("The forecast of **%(name)s** is open"),
    "survey": gettext_lazy("Your survey **%(name)s** is open"),
    "portfolio_builder": gettext_lazy("The portfolio entry about **%(name)s** is open"),
}
NEAR_DAYS: Final = 7


def bold(text: str) -> str:
    """A title as Markdown that its own marks cannot change."""
    plain = "".join(f"\\{one}" if one in "\\*_`[]<>#|~" else one for one in shortened(text, 120))
    return f"**{plain}**"


def day(date: dt.date, today: dt.date) -> str:
    """A day as people say it: today, tomorrow, the weekday within a week."""
    away = (date - today).days
    near = {-1: _("yesterday"), 0: _("today"), 1: _("tomorrow")}.get(away)
    if near:
        return near
    return formats.date_format(date, "l j F" if date.year == today.year else "l j F Y")


def when(date: dt.date, time: dt.time | None, today: dt.date) -> str:
    """The day and, where there is one, the time."""
    if time is None:
        return day(date, today)
    return _("%(day)s at %(time)s") % {"day": day(date, today), "time": f"{time:%H:%M}"}


def sentences(outcomes: Sequence[Outcome], today: dt.date) -> str:
    """What came of several calls: one sentence, or a line for each."""
    told = [one for one in (sentence(outcome, today) for outcome in outcomes) if one]
    if len(told) < 2 or any("\n" in one for one in told):
        return "\n\n".join(told)
    return "\n".join(f"- {one}" for one in told)


def sentence(outcome: Outcome, today: dt.date) -> str:
    """What came of one call."""
    match outcome:
        case Written():
            return _unchanged(outcome) if outcome.is_unchanged else _written(outcome, today)
        case Listed():
            return _listed(outcome, today)
        case FoundProjects():
            return _projects(outcome, today)
        case Opened():
            return _opened(outcome)
        case Undone():
            return _undone(outcome)


def row_of(done: Written) -> Task | Project | None:
    """The row that a call was about, as it stands now."""
    call: Any = done.arguments
    if isinstance(call, calls.CreateTask):
        created = [one.entity_id for one in done.operations if one.entity == "task"]
        return Task.objects.select_related("project").filter(pk__in=created[:1]).first()
    if ref := getattr(call, "task", None):
        return Task.objects.select_related("project").filter(pk=ref).first()
    ref = getattr(call, "project", None)
    return Project.objects.filter(pk=ref).first() if ref else None


def _written(done: Written, today: dt.date) -> str:
    if done.error:
        return done.error
    row, call = row_of(done), done.arguments
    name = bold(str(row) if row else call.title if isinstance(call, calls.CreateTask) else "")
    tool = str(getattr(call, "tool", ""))
    if done.is_waiting:
        told = {
            "delete_task": _("Deleting %(name)s waits for your review below."),
            "delete_project": _(
                "Deleting %(name)s with all its tasks waits for your review below."
            ),
            "create_task": _("Creating %(name)s waits for your review below."),
        }.get(tool, _("The change of %(name)s waits for your review below."))
        return told % {"name": name}
    words: str = _DONE[tool](done, name, today, row)
    return words


def _created(_done: Written, name: str, today: dt.date, row: Any) -> str:
    told = [_("Created %(name)s") % {"name": name}]
    task = row
    if isinstance(task, Task):
        told += _facts(task, today)
    return ", ".join(told) + "."


def _facts(task: Task, today: dt.date) -> list[str]:
    facts = []
    if task.due_date:
        facts.append(_("due %(day)s") % {"day": when(task.due_date, task.due_time, today)})
    if task.start_date:
        facts.append(_("from %(day)s") % {"day": day(task.start_date, today)})
    if task.priority != Task.Priority.NORMAL:
        facts.append(str(PRIORITIES[task.priority]))
    if task.project is not None:
        facts.append(_("in %(project)s") % {"project": bold(task.project.name)})
    return facts


def _completed(_done: Written, name: str, _today: dt.date, _row: Any) -> str:
    return _("%(name)s is done.") % {"name": name}


def _updated(done: Written, name: str, _today: dt.date, row: Any) -> str:
    call, told = done.arguments, []
    assert isinstance(call, calls.UpdateTask)  # noqa: S101 - the table says so
    if call.status:
        told.append(_("%(name)s is %(what)s now.") % {"name": name, "what": STATUSES[call.status]})
    if call.priority:
        words = PRIORITIES[call.priority]
        told.append(_("%(name)s is %(what)s now.") % {"name": name, "what": words})
    if call.title:
        told.append(_("It is called %(name)s now.") % {"name": name})
    if call.notes is not None:
        told.append(_("The notes of %(name)s are saved.") % {"name": name})
    if call.project and isinstance(row, Task) and row.project:
        project = bold(row.project.name)
        told.append(_("%(name)s belongs to %(project)s now.") % {"name": name, "project": project})
    return " ".join(told)


def _rescheduled(done: Written, name: str, today: dt.date, row: Any) -> str:
    call, task, told = done.arguments, row, []
    assert isinstance(call, calls.RescheduleTask)  # noqa: S101 - the table says so
    assert isinstance(task, Task)  # noqa: S101 - the table says so
    if task.due_date and (call.due or call.due_time):
        told.append(_("due %(day)s") % {"day": when(task.due_date, task.due_time, today)})
    if task.start_date and call.start:
        told.append(_("to begin %(day)s") % {"day": day(task.start_date, today)})
    if told:
        return _("%(name)s is %(when)s now.") % {"name": name, "when": ", ".join(told)}
    if "start" in (call.clear or ()):
        return _("%(name)s has no start date any more.") % {"name": name}
    return _("%(name)s has no due date any more.") % {"name": name}


def _deleted(_done: Written, name: str, _today: dt.date, _row: Any) -> str:
    return _("%(name)s is deleted.") % {"name": name}


def _project(done: Written, name: str, _today: dt.date, _row: Any) -> str:
    call, told = done.arguments, []
    assert isinstance(call, calls.UpdateProject)  # noqa: S101 - the table says so
    if call.name:
        told.append(_("The project is called %(name)s now.") % {"name": name})
    if call.status:
        words = PROJECTS[call.status]
        told.append(_("The project %(name)s is %(what)s now.") % {"name": name, "what": words})
    return " ".join(told)


def _noted(_done: Written, name: str, _today: dt.date, _row: Any) -> str:
    return _("Noted in %(name)s.") % {"name": name}


_DONE: Final[dict[str, Any]] = {
    "create_task": _created,
    "complete_task": _completed,
    "update_task": _updated,
    "reschedule_task": _rescheduled,
    "delete_task": _deleted,
    "add_note": _noted,
    "update_project": _project,
    "delete_project": _deleted,
}


def _unchanged(done: Written) -> str:
    name = bold(str(row_of(done) or ""))
    if isinstance(done.arguments, calls.CompleteTask):
        return _("%(name)s was done already.") % {"name": name}
    return _("%(name)s is like that already.") % {"name": name}


def _listed(found: Listed, today: dt.date) -> str:
    if not found.tasks:
        return _nothing(found.call)
    lines = [f"{number}. {line(one, today)}" for number, one in enumerate(found.tasks, start=1)]
    if found.total > len(found.tasks):
        lines.append(_("And %(n)d more.") % {"n": found.total - len(found.tasks)})
    return "\n".join([_heading(found), "", *lines])


def _heading(found: Listed) -> str:
    if found.is_near:
        return _("No task has these words. The nearest ones:")
    call, n = found.call, found.total
    kind = _kind_of(call)
    return ngettext("%(n)d task %(kind)s:", "%(n)d tasks %(kind)s:", n) % {"n": n, "kind": kind}


def _kind_of(call: calls.ListTasks) -> str:
    told = []
    if call.status and call.status != "all":
        told.append(str(STATUSES[call.status]))
    if call.priority:
        told.append(_("with %(priority)s") % {"priority": PRIORITIES[call.priority]}
                    if call.priority != "critical" else _("that are critical"))  # fmt: skip
    if call.due:
        told.append(str(_DUES[call.due]))
    if call.query:
        told.append(_("about “%(words)s”") % {"words": shortened(call.query, 60)})
    return " ".join(told) or (_("in all") if call.status == "all" else _("to do"))


_DUES: Final[dict[str, str | Promise]] = {
    "overdue": gettext_lazy("that are overdue"),
    "today": gettext_lazy("due today"),
    "tomorrow": gettext_lazy("due tomorrow"),
    "week": gettext_lazy("due in the next seven days"),
    "later": gettext_lazy("due later"),
    "none": gettext_lazy("without a due date"),
}


def _nothing(call: calls.ListTasks) -> str:
    if call.query:
        words = shortened(call.query, 60)
        return _("No task of yours is about “%(words)s”.") % {"words": words}
    return _("There are no tasks %(kind)s.") % {"kind": _kind_of(call)}


def line(task: TaskLine, today: dt.date) -> str:
    """A task in a list: its title and what matters of it."""
    facts = []
    if task.due and task.is_active:
        late = task.due < today
        words = _("overdue since %(day)s") if late else _("due %(day)s")
        facts.append(words % {"day": when(task.due, task.due_time, today)})
    if task.priority in {"critical", "high"} and task.is_active:
        facts.append(str(PRIORITIES[task.priority]))
    if task.status != "available":
        facts.append(str(STATUSES[task.status]))
    if task.project_name:
        facts.append(shortened(task.project_name, 60))
    return ", ".join([bold(task.title), *facts])


def _projects(found: FoundProjects, today: dt.date) -> str:
    if not found.projects:
        return (
            _("You have no project of that name.")
            if getattr(found.call, "query", None)
            else _("You have no projects yet.")
        )
    lines = []
    for one in found.projects:
        ends = f", {_('ends %(day)s') % {'day': day(one.end, today)}}" if one.end else ""
        lines.append(f"- {_link(one.name, reverse('projects:project', args=[one.id]))}{ends}")
    heading = ngettext("%(n)d project:", "%(n)d projects:", len(lines)) % {"n": len(lines)}
    return "\n".join([heading, "", *lines])


def _link(words: str, url: str) -> str:
    plain = "".join(f"\\{one}" if one in "\\*_`[]<>#|~" else one for one in shortened(words, 120))
    return f"[{plain}]({url})"


def _opened(opened: Opened) -> str:
    told = str(TALKS[opened.kind])
    if opened.kind == "survey" and opened.session_id is None:
        told = _("A survey begins with the title of your job")
    elif opened.kind == "portfolio_builder" and not opened.title:
        told = _("A portfolio entry begins with what you made")
    if "%(name)s" in told:
        told = told.replace("**%(name)s**", bold(opened.title))
    return f"{told}: {_link(_('go there'), opened.url)}."


def _undone(undone: Undone) -> str:
    if undone.conflict is not None:
        url = reverse("operations:undo_all", args=[undone.conflict])
        told = _("Some of it was changed since, so nothing was taken back yet.")
        return f"{told} {_link(_('Decide what shall stand'), url)}."
    if undone.question is not None:
        told = _("Nothing was taken back yet. It would undo what was created, too:")
        return f"{told}\n\n{bullets(_named(undone.rows))}\n\n{_('Shall I take it back?')}"
    if not undone.batches:
        return _("There is nothing in this conversation that I could take back.")
    return f"{_('Taken back:')}\n\n{bullets(_named(undone.rows))}"


def _named(rows: Sequence[str]) -> list[str]:
    """Rows of an undo with their titles in bold: “**Call Ana** (changed)”."""
    pairs = [row.rpartition(" (") for row in rows]
    return [f"{bold(title)} ({deed}" for title, _blank, deed in pairs]


def bullets(lines: Sequence[str]) -> str:
    """A line for each."""
    return "\n".join(f"- {one}" for one in lines)
