"""What values of projects, drafts, to-dos and notes must be like, beyond what their fields say."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any, Final

from dateutil.rrule import rrulestr
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.operations.changes import Values
from futura.characters import closed
from futura.errors import BadInput, TooLong
from futura.limits import DIMENSION_CHARS, NOTE_CHARS, PROJECT_TEXT_CHARS, storable
from projects import dimensions
from projects.fields import LINES

TAGS: Final = 20
TAG_CHARS: Final = 40
DAYS: Final = Decimal(3650)
REMIND_MOST_MINUTES: Final = 4 * 7 * 24 * 60
_FREQUENCIES: Final = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
_RULE_PARTS: Final = frozenset(
    "FREQ INTERVAL COUNT UNTIL BYDAY BYMONTHDAY BYMONTH BYSETPOS BYYEARDAY BYWEEKNO WKST".split()
)
# whichever dateutil meets first
_UNREADABLE: Final = (ValueError, TypeError, OverflowError, IndexError, KeyError)
_END: Final = re.compile(r";(?:COUNT|UNTIL)=[^;]*|(?:COUNT|UNTIL)=[^;]*;")
_MONTH_DAY: Final = re.compile(r";BYMONTHDAY=[^;]*|BYMONTHDAY=[^;]*;")
_LATE_IN_MONTH: Final = {"29": "28,29", "30": "28,29,30", "31": "28,29,30,31"}
_CYCLE_END: Final = 40  # years left at least: 29 February may be a Monday only after them
_HUNDREDTH: Final = Decimal("0.01")
LONG_TEXTS: Final[Mapping[str, int]] = {
    "description": PROJECT_TEXT_CHARS,
    "context": DIMENSION_CHARS,
    "executive_summary": PROJECT_TEXT_CHARS,
    "details": PROJECT_TEXT_CHARS,
    "text": NOTE_CHARS,
    **dict.fromkeys(dimensions.FIELDS, DIMENSION_CHARS),
}
_ESTIMATES: Final = ("estimate_low_days", "estimate_high_days")


def checked(values: Values, *, row: object = None, required: str = "") -> dict[str, Any]:
    """The values, tidied; those that are not given are looked up on `row` to compare with.

    Raises BadInput or TooLong that names the field.
    """
    details = tidied(values)
    if required and not (details[required] if required in details else getattr(row, required, "")):
        raise BadInput(_("This cannot be empty."), field=required)
    _check_order(
        details, row, "start_date", "end_date", _("The end date is before the start date.")
    )
    _check_order(
        details, row, "start_date", "due_date", _("The due date is before the start date.")
    )
    _check_order(details, row, *_ESTIMATES, _("The longest estimate is below the shortest."))
    return details | _time_of_day(details, row)


def tidied(values: Values) -> dict[str, Any]:
    """Each value as it is kept, without comparing them. Raises BadInput, TooLong."""
    return {name: _tidy(name, value) for name, value in values.items()}


def _tidy(name: str, value: Any) -> Any:
    if name in _TIDY:
        return _TIDY[name](name, value)
    return _text(name, value) if isinstance(value, str) else value


def _text(name: str, value: str) -> str:
    cleaned = storable(value).replace("\r\n", "\n").strip()
    if name in LINES:
        cleaned = closed(cleaned)
    limit = LINES.get(name) or LONG_TEXTS.get(name)
    if limit is not None and len(cleaned) > limit:
        raise TooLong(limit=limit, length=len(cleaned), field=name)
    return " ".join(cleaned.split()) if name in LINES else cleaned


def _tags(_name: str, value: Iterable[str]) -> list[str]:
    named = [closed(" ".join(storable(item).split())) for item in value]
    existing: dict[str, str] = {}
    for tag in filter(None, named):
        existing.setdefault(tag.lower(), tag)
    tags = list(existing.values())
    if len(tags) > TAGS:
        raise BadInput(_("Use at most %(n)d tags.") % {"n": TAGS}, field="tags")
    longest = max(map(len, tags), default=0)
    if longest > TAG_CHARS:
        raise TooLong(limit=TAG_CHARS, length=longest, field="tags")
    return tags


def _clock(name: str, clock: dt.time | None) -> dt.time | None:
    """A time of day to the minute, by the person's clock. Raises BadInput for one of a zone."""
    if clock and clock.tzinfo is not None:
        raise BadInput(_("Enter the time by your own clock, without a time zone."), field=name)
    return clock and clock.replace(second=0, microsecond=0)


def _time_of_day(changes: Values, row: object) -> dict[str, None]:
    """No time of day without a day: it goes with the day. Raises BadInput when one is given."""
    if "due_date" not in changes and "due_time" not in changes:
        return {}
    day, clock = (
        changes[name] if name in changes else getattr(row, name, None)
        for name in ("due_date", "due_time")
    )
    if day is not None or clock is None:
        return {}
    if changes.get("due_time") is not None:
        raise BadInput(_("Enter a date with the time."), field="due_time")
    return {"due_time": None}


def _days(name: str, days: Decimal | None) -> Decimal | None:
    if days is not None and not 0 <= days <= DAYS:
        raise BadInput(_("Enter an estimate from 0 to 3650 days."), field=name)
    return None if days is None else days.quantize(_HUNDREDTH)


def _repeat(_name: str, value: object) -> str:
    """An RFC 5545 rule of whole days in its usual form, empty for none."""
    text = str(value or "").strip().upper().removeprefix("RRULE:")
    if text and (len(text) > 200 or first_day(text, timezone.localdate()) is None):
        raise _no_rule()
    return text


def _no_rule() -> BadInput:
    return BadInput(_("Enter a repeat rule such as FREQ=WEEKLY;BYDAY=TU."), field="repeat")


def _moment(name: str, moment: dt.datetime | None) -> dt.datetime | None:
    """Without a zone it is by the person's clock."""
    if moment is None:
        return None
    if not dt.MINYEAR < moment.year < dt.MAXYEAR:  # it is a moment in every zone
        raise BadInput(_("Enter a date and time such as 2027-04-01T09:00."), field=name)
    aware = timezone.make_aware(moment) if timezone.is_naive(moment) else moment
    return aware.replace(second=0, microsecond=0).astimezone(dt.UTC)


def rule_parts(rule: str) -> dict[str, str]:
    """The parts of a rule by name. Raises BadInput for one that cannot be read."""
    parts = dict(part.partition("=")[::2] for part in rule.split(";"))
    if not (
        parts.get("FREQ") in _FREQUENCIES
        and parts.keys() <= _RULE_PARTS
        and re.fullmatch("0*[1-9][0-9]*", parts.get("INTERVAL", "1"))
    ):
        raise _no_rule()
    return parts


def rule_dates(rule: str, first: dt.date) -> Any:
    """The days of a repetition from its first one on, as dateutil gives them. Raises BadInput.

    What is due on the 31st of each month is due on the last day of a shorter one: a rent is paid in
    February, too. So is what is due on 29 February of each year in a year without one.
    """
    days_of = rule_parts(rule)
    late = _LATE_IN_MONTH.get(days_of.get("BYMONTHDAY") or str(first.day))
    others = {name for name in days_of if name.startswith("BY")} - {"BYMONTHDAY"}
    if late and days_of["FREQ"] == "MONTHLY" and not others:
        rule = f"{_MONTH_DAY.sub('', rule)};BYMONTHDAY={late};BYSETPOS=-1"
    if days_of["FREQ"] == "YEARLY" and "BY" not in rule and (first.month, first.day) == (2, 29):
        rule += ";BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1"
    # the end is taken as a day, whatever time it names
    normalized = re.sub(r"(UNTIL=\d{8})T\d{6}Z?", r"\1", rule)
    try:
        return rrulestr(f"RRULE:{normalized}", dtstart=dt.datetime.combine(first, dt.time()))
    except _UNREADABLE:
        raise _no_rule() from None


def first_day(rule: str, day: dt.date, after: dt.date | None = None) -> dt.date | None:
    """The first day of a repetition that begins on a day; of those after a later day, if given.

    Sought in the last cycle of the calendar, which repeats after 400 years: dateutil goes through
    all the years there are for a day that never comes, such as 30 February. Raises BadInput for a
    rule that cannot be read.
    """
    cycles = max(dt.MAXYEAR - _CYCLE_END - (after or day).year, 0) // 400 * 400
    endless = rule_dates(_END.sub("", rule), day.replace(year=day.year + cycles))
    least = after or day - dt.timedelta(days=1)
    moment = dt.datetime.combine(least.replace(year=least.year + cycles), dt.time())
    try:
        first = endless.after(moment)
    except _UNREADABLE:  # a ninth Monday of a month
        raise _no_rule() from None
    if first is None:
        return None
    moment = first.replace(year=first.year - cycles)
    return moment.date() if moment in rule_dates(rule, day) else None


def _check_order(changes: Values, row: object, first: str, last: str, words: str) -> None:
    if first not in changes and last not in changes:
        return
    low, high = (
        changes[item] if item in changes else getattr(row, item, None) for item in (first, last)
    )
    if low is not None and high is not None and high < low:
        raise BadInput(words, field=last if last in changes else first)


_TIDY: Final[Mapping[str, Callable[[str, Any], Any]]] = {
    "tags": _tags,
    "due_time": _clock,
    **dict.fromkeys(_ESTIMATES, _days),
    "repeat": _repeat,
    "remind_at": _moment,
}
