"""“What should I focus on today?” and “what can you do?”, answered by rules from real data."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from projects.concierge import telling
from projects.concierge.briefing import Briefing, TaskLine

SHOWN: Final = 5
ABILITIES: Final[tuple[str | Promise, ...]] = (
    gettext_lazy("put things on your list: “add call the printer Friday 3pm !high”"),
    gettext_lazy("find and list them: “what is overdue?”, “show my inbox”"),
    gettext_lazy("mark them done, move, rename, block or drop them: “move the report to Monday”"),
    gettext_lazy("keep a note with a project: “note in Launch: Anna is away in May”"),
    gettext_lazy("begin a project, an update, an audit, a forecast or a survey of your work"),
    gettext_lazy("take back what was changed: “Undo”, “undo the last 3 changes”"),
)


def told(briefing: Briefing) -> str:
    """What to do first today and why; at most five things."""
    if not briefing.active_count:
        return _("Nothing is on your list, so the day is yours. Tell me what you want to get done.")
    first = briefing.focus[:SHOWN] or _next_best(briefing)
    if not first:
        return _("Everything that is open is blocked. I would ask what each of it waits for.")
    lines = [
        f"{number}. {telling.bold(one.title)}: {_why(one, briefing)}"
        for number, one in enumerate(first, start=1)
    ]
    return "\n".join([_heading(briefing), "", *lines, *_also(briefing, len(first))])


def _heading(briefing: Briefing) -> str:
    if briefing.focus:
        return _("I would take these today, in this order:")
    return _("Nothing is late or urgent. I would take one of these:")


def _next_best(briefing: Briefing) -> list[TaskLine]:
    free = [one for one in briefing.tasks if one.status != "blocked"]
    return free[:3]


def _why(task: TaskLine, briefing: Briefing) -> str:
    reasons = []
    if task.priority == "critical":
        reasons.append(_("critical"))
    if task.due and task.due < briefing.today:
        day = telling.when(task.due, task.due_time, briefing.today)
        reasons.append(_("it was due %(day)s") % {"day": day})
    elif task.due:
        day = telling.when(task.due, task.due_time, briefing.today)
        reasons.append(_("due %(day)s") % {"day": day})
    if task.priority == "high":
        reasons.append(_("high priority"))
    if task.project_name:
        reasons.append(_("for %(project)s") % {"project": task.project_name})
    return ", ".join(reasons) or str(telling.STATUSES[task.status])


def _also(briefing: Briefing, shown: int) -> list[str]:
    told = []
    more = len(briefing.focus) - shown
    if more > 0:
        words = ngettext("%(n)d more is late or high.", "%(n)d more are late or high.", more)
        told.append(words % {"n": more})
    n = briefing.review_count
    if n:
        words = ngettext("%(n)d change waits for review.", "%(n)d changes wait for review.", n)
        told.append(words % {"n": n})
    stuck = briefing.counts.get("blocked", 0)
    if stuck:
        told.append(ngettext("%(n)d task is blocked.", "%(n)d tasks are blocked.", stuck)
                    % {"n": stuck})  # fmt: skip
    return ["", " ".join(told)] if told else []


def abilities() -> str:
    """What the concierge can do, and what it cannot do in basic mode."""
    lines = [f"- {one}" for one in ABILITIES]
    return "\n".join(
        [
            _("I can:"),
            "",
            *lines,
            "",
            _("Without a language model I read plain requests like these; I do not chat, write "
              "texts or give advice beyond your own tasks."),
        ]
    )  # fmt: skip
