"""Repetitions and reminders of to-dos: which rules are taken, what comes next, and their words."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import Any, Final

from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.operations.changes import Create, Values
from futura.errors import BadInput
from projects.checks import first_day, rule_dates
from projects.models import Task

MORNING: Final = dt.time(9)  # when a to-do without a time of day is due, for its reminder
_COUNT: Final = re.compile(r"COUNT=(\d+)")
_DAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_REPEATED: Final = (
    "title", "details", "priority", "estimate_low_days", "estimate_high_days", "due_time",
    "remind_minutes", "assignee", "tags",
)  # fmt: skip


def fitted(values: Values, task: Task | None) -> dict[str, Any]:
    """What other fields these values entail, of values that are tidied already.

    A repetition needs a day and brings its first one along; both it and a reminder before it go
    with the due date. A to-do has one reminder. Raises BadInput.
    """
    more: dict[str, Any] = {}
    rule = values.get("repeat")
    due = values.get("due_date", task and task.due_date)
    if rule and due is None:
        more["due_date"] = due = first_day(rule, timezone.localdate())
    elif due is None and "due_date" in values and task and task.repeat:
        more["repeat"] = ""
    minutes, moment = values.get("remind_minutes"), values.get("remind_at")
    if minutes is not None and moment is not None:
        raise BadInput(
            _("Choose one reminder: at a fixed time, or before the due date."), field="remind_at"
        )
    if minutes is not None and due is None:
        raise BadInput(_("Enter a date with the time."), field="remind_minutes")
    if minutes is not None:
        more["remind_at"] = None
    elif moment is not None or (due is None and "due_date" in values):
        more["remind_minutes"] = None
    return more


# What comes next ------------------------------------------------------------------------------
def following(task: Task, values: Values) -> Create | None:
    """The next to-do of one that repeats and is completed with these values; None at its end.

    Its day is the rule's next one after the due date, and never one that is past.
    """
    now = {name: values.get(name, getattr(task, name)) for name in (*_REPEATED, "repeat")}
    due = values.get("due_date", task.due_date)
    if not now["repeat"] or due is None:
        return None
    today = timezone.localdate()
    day = _next_day(now["repeat"], due, max(due, today))
    if day is None:
        return None
    start, moment = values.get("start_date", task.start_date), task.remind_at
    later = day - due
    status = task.status if task.status in {*Task.ACTIVE} - {Task.Status.BLOCKED} else "available"
    project = values.get("project", task.project_id)
    fields = {**now, "repeat": _counted_down(now["repeat"], due, day), "due_date": day}
    fields |= {"status": status, "position": task.position}
    fields |= {"start_date": start + later} if start else {}
    fields |= {"remind_at": _moved(moment, later)} if moment else {}
    fields |= {"project": str(project)} if project else {}
    return Create("task", {name: value for name, value in fields.items() if value is not None})


def _next_day(rule: str, due: dt.date, after: dt.date) -> dt.date | None:
    later = rule_dates(rule, due).after(dt.datetime.combine(after, dt.time()))
    return later.date() if later else None


def _counted_down(rule: str, due: dt.date, day: dt.date) -> str:
    """A rule that ends after a number of times, for the time after some of them."""
    match = _COUNT.search(rule)
    if match is None:
        return rule
    passed = sum(1 for one in rule_dates(rule, due) if one.date() < day)
    return _COUNT.sub(f"COUNT={max(int(match[1]) - passed, 1)}", rule)


def _moved(moment: dt.datetime, by: dt.timedelta) -> dt.datetime:
    """As many days later by the same clock."""
    local = timezone.localtime(moment)
    return timezone.make_aware(local.replace(tzinfo=None) + by).astimezone(dt.UTC)


# Words ----------------------------------------------------------------------------------------
def repeat_words(rule: str) -> str:
    """“every 2 weeks on Tuesday”; the rule itself where words would be long."""
    if not rule:
        return ""
    parts: Mapping[str, str] = dict(part.partition("=")[::2] for part in rule.split(";"))
    rest = parts.keys() - {"FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "UNTIL", "COUNT", "WKST"}
    days = [day for day in parts.get("BYDAY", "").split(",") if day]
    if rest or any(day not in _DAYS for day in days) or "," in parts.get("BYMONTHDAY", ""):
        return rule
    n = int(parts.get("INTERVAL", "1"))
    words = {
        "DAILY": ngettext("every day", "every %(n)d days", n),
        "WEEKLY": ngettext("every week", "every %(n)d weeks", n),
        "MONTHLY": ngettext("every month", "every %(n)d months", n),
        "YEARLY": ngettext("every year", "every %(n)d years", n),
    }[parts["FREQ"]] % {"n": n}
    if days == list(_DAYS[:5]) and n == 1:
        words = _("every weekday")
    elif days:
        named = ", ".join(str(WEEKDAYS[_DAYS.index(day)]) for day in days)
        words = _("%(every)s on %(days)s") % {"every": words, "days": named}
    if day := parts.get("BYMONTHDAY"):
        words = _("%(every)s on day %(day)s") % {"every": words, "day": day}
    if until := parts.get("UNTIL"):
        last = dt.datetime.strptime(until[:8], "%Y%m%d").date()  # noqa: DTZ007 - a day
        words = _("%(every)s until %(day)s") % {"every": words, "day": date_format(last, "j F Y")}
    if times := parts.get("COUNT"):
        more = ngettext("once more", "%(n)d times", int(times)) % {"n": int(times)}
        words = f"{words}, {more}"
    return words


def before_words(minutes: int) -> str:
    """“2 hours before”, “when it is due”."""
    if minutes == 0:
        return _("when it is due")
    if minutes % 1440 == 0:
        n = minutes // 1440
        return ngettext("a day before", "%(n)d days before", n) % {"n": n}
    if minutes % 60 == 0:
        n = minutes // 60
        return ngettext("an hour before", "%(n)d hours before", n) % {"n": n}
    return ngettext("a minute before", "%(n)d minutes before", minutes) % {"n": minutes}
