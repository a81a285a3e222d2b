"""Repetitions and reminders of to-dos: which rules are taken, what comes next, and their words."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import Any, Final

from dateutil.rrule import rrulestr
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.operations.changes import Create, Values
from futura.errors import BadInput
from projects.models import Task

REMIND_MOST_MINUTES: Final = 4 * 7 * 24 * 60
MORNING: Final = dt.time(9)  # when a to-do without a time of day is due, for its reminder
_FREQUENCIES: Final = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
_PARTS: Final = frozenset(
    "FREQ INTERVAL COUNT UNTIL BYDAY BYMONTHDAY BYMONTH BYSETPOS BYYEARDAY BYWEEKNO WKST".split()
)
_COUNT: Final = re.compile(r"COUNT=(\d+)")
_DAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_REPEATED: Final = (
    "title", "details", "priority", "estimate_low_days", "estimate_high_days", "due_time",
    "remind_minutes", "assignee", "tags",
)  # fmt: skip


# Values ---------------------------------------------------------------------------------------
def repeat_rule(value: object) -> str:
    """An RFC 5545 rule of whole days in its usual form, empty for none. Raises BadInput."""
    text = str(value or "").strip().upper().removeprefix("RRULE:")
    if not text:
        return ""
    parts = dict(part.partition("=")[::2] for part in text.split(";"))
    try:
        is_good = (
            len(text) <= 200
            and parts.get("FREQ") in _FREQUENCIES
            and parts.keys() <= _PARTS
            and int(parts.get("INTERVAL", "1")) > 0
            and _first_day(text, timezone.localdate()) is not None
        )
    except (ValueError, TypeError, OverflowError):
        is_good = False
    if not is_good:
        raise BadInput(_("Enter a repeat rule such as FREQ=WEEKLY;BYDAY=TU."), field="repeat")
    return text


def remind_moment(value: object) -> dt.datetime | None:
    """A moment; without a zone it is by the person's clock. Raises BadInput."""
    if value in (None, ""):
        return None
    try:
        moment = value if isinstance(value, dt.datetime) else parse_datetime(str(value))
    except ValueError:
        moment = None
    if moment is None:
        raise BadInput(_("Enter a date and time such as 2027-04-01T09:00."), field="remind_at")
    aware = timezone.make_aware(moment) if timezone.is_naive(moment) else moment
    return aware.replace(second=0, microsecond=0).astimezone(dt.UTC)


def remind_before(value: object) -> int | None:
    """Whole minutes, at most four weeks. Raises BadInput."""
    if value in (None, ""):
        return None
    text = str(value)
    if not (text.isascii() and text.isdigit() and int(text[:9]) <= REMIND_MOST_MINUTES):
        raise BadInput(
            _("A reminder can be at most four weeks before the due date."), field="remind_minutes"
        )
    return int(text)


def tidied(values: Values) -> dict[str, Any]:
    """The fields of this module as they are stored; others as they are. Raises BadInput."""
    tidy = {"repeat": repeat_rule, "remind_at": remind_moment, "remind_minutes": remind_before}
    return {name: tidy[name](value) if name in tidy else value for name, value in values.items()}


def fitted(values: Values, task: Task | None) -> dict[str, Any]:
    """What other fields these values entail, of values that are tidied already.

    A repetition needs a day and brings its first one along; both it and a reminder before it go
    with the due date. A to-do has one reminder. Raises BadInput.
    """
    more: dict[str, Any] = {}
    rule = values.get("repeat")
    due = values.get("due_date", task and task.due_date)
    if rule and due is None:
        more["due_date"] = due = _first_day(rule, timezone.localdate())
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


def _first_day(rule: str, day: dt.date) -> dt.date | None:
    first = next(iter(_rule(rule, day)), None)
    return first.date() if first else None


def _next_day(rule: str, due: dt.date, after: dt.date) -> dt.date | None:
    later = _rule(rule, due).after(dt.datetime.combine(after, dt.time()))
    return later.date() if later else None


def _counted_down(rule: str, due: dt.date, day: dt.date) -> str:
    """A rule that ends after a number of times, for the time after some of them."""
    match = _COUNT.search(rule)
    if match is None:
        return rule
    passed = sum(1 for one in _rule(rule, due) if one.date() < day)
    return _COUNT.sub(f"COUNT={max(int(match[1]) - passed, 1)}", rule)


def _rule(rule: str, first: dt.date) -> Any:
    # the end is taken as a day, whatever time it names
    plain = re.sub(r"(UNTIL=\d{8})T\d{6}Z?", r"\1", rule)
    return rrulestr(f"RRULE:{plain}", dtstart=dt.datetime.combine(first, dt.time()))


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
