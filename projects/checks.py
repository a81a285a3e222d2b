"""What values of projects, drafts, to-dos and notes must be like, beyond what their fields say."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from django.utils.dateparse import parse_date, parse_time
from django.utils.translation import gettext as _

from chat.operations.changes import Values
from futura.errors import BadInput, TooLong
from futura.limits import DIMENSION_CHARS, NOTE_CHARS, PROJECT_TEXT_CHARS, storable
from projects import dimensions

NAME_CHARS: Final = 200
ASSIGNEE_CHARS: Final = 80
TAGS: Final = 20
TAG_CHARS: Final = 40
DAYS: Final = Decimal(3650)
_HUNDREDTH: Final = Decimal("0.01")
LONG_TEXTS: Final[Mapping[str, int]] = {
    "name": NAME_CHARS,
    "title": NAME_CHARS,
    "description": PROJECT_TEXT_CHARS,
    "context": DIMENSION_CHARS,
    "executive_summary": PROJECT_TEXT_CHARS,
    "details": PROJECT_TEXT_CHARS,
    "text": NOTE_CHARS,
    "assignee": ASSIGNEE_CHARS,
    **dict.fromkeys(dimensions.FIELDS, DIMENSION_CHARS),
}
_ESTIMATES: Final = ("estimate_low_days", "estimate_high_days")


def checked(values: Values, *, row: object = None, required: str = "") -> dict[str, Any]:
    """The values, tidied; those that are not given are looked up on `row` to compare with.

    Raises BadInput or TooLong that names the field.
    """
    told = tidied(values)
    if required and not (told[required] if required in told else getattr(row, required, "")):
        raise BadInput(_("This cannot be empty."), field=required)
    _check_order(told, row, "start_date", "end_date", _("The end date is before the start date."))
    _check_order(told, row, "start_date", "due_date", _("The due date is before the start date."))
    _check_order(told, row, *_ESTIMATES, _("The longest estimate is below the shortest."))
    return told | _time_of_day(told, row)


def tidied(values: Values) -> dict[str, Any]:
    """Each value as it is kept, without comparing them. Raises BadInput, TooLong."""
    return {name: _tidy(name, value) for name, value in values.items()}


def _tidy(name: str, value: Any) -> Any:
    if name == "tags":
        return tags_of(value)
    if name in {"start_date", "end_date", "due_date"}:
        return _date(name, value)
    if name == "due_time":
        return _clock(name, value)
    if name in _ESTIMATES:
        return _days(name, value)
    if name == "priority":  # "medium" is called normal here (DECISIONS 31)
        return "normal" if value == "medium" else value
    if name == "status":
        return value
    if isinstance(value, str):
        return _text(name, value)
    return value


def _text(name: str, value: str) -> str:
    cleaned = storable(value).replace("\r\n", "\n").strip()
    limit = LONG_TEXTS.get(name)
    if limit is not None and len(cleaned) > limit:
        raise TooLong(limit=limit, length=len(cleaned), field=name)
    return " ".join(cleaned.split()) if name in {"name", "title", "assignee"} else cleaned


def tags_of(value: object) -> list[str]:
    """Words between commas, or a list, each once. Raises BadInput, TooLong."""
    given = value.split(",") if isinstance(value, str) else value
    if not isinstance(given, list | tuple) or not all(isinstance(one, str) for one in given):
        raise BadInput(_("Each tag must be text."), field="tags")
    named = [" ".join(storable(one).split()) for one in given]
    known: dict[str, str] = {}
    for tag in filter(None, named):
        known.setdefault(tag.lower(), tag)
    tags = list(known.values())
    if len(tags) > TAGS:
        raise BadInput(_("Use at most %(n)d tags.") % {"n": TAGS}, field="tags")
    longest = max(map(len, tags), default=0)
    if longest > TAG_CHARS:
        raise TooLong(limit=TAG_CHARS, length=longest, field="tags")
    return tags


def _date(name: str, value: object) -> dt.date | None:
    if isinstance(value, dt.datetime):
        return value.date()
    if value is None or isinstance(value, dt.date):
        return value
    try:
        parsed = parse_date(value.strip()) if isinstance(value, str) else None
    except ValueError:
        parsed = None
    if parsed is None and value != "":
        raise BadInput(_("Enter a date such as 2027-04-01."), field=name)
    return parsed


def _clock(name: str, value: object) -> dt.time | None:
    """A time of day to the minute, without a zone: it is by the person's clock."""
    if value is None or isinstance(value, dt.time):
        return value.replace(second=0, microsecond=0, tzinfo=None) if value else value
    try:
        parsed = parse_time(value.strip()) if isinstance(value, str) else None
    except ValueError:
        parsed = None
    if parsed is None and value != "":
        raise BadInput(_("Enter a time such as 15:00."), field=name)
    return parsed.replace(second=0, microsecond=0, tzinfo=None) if parsed else None


def _time_of_day(told: Values, row: object) -> dict[str, None]:
    """No time of day without a day: it goes with the day. Raises BadInput when one is given."""
    if "due_date" not in told and "due_time" not in told:
        return {}
    day, clock = (
        told[name] if name in told else getattr(row, name, None)
        for name in ("due_date", "due_time")
    )
    if day is not None or clock is None:
        return {}
    if told.get("due_time") is not None:
        raise BadInput(_("Enter a date with the time."), field="due_time")
    return {"due_time": None}


def _days(name: str, value: object) -> Decimal | None:
    """Working days with two decimals, as the column keeps them."""
    if value is None or value == "":
        return None
    try:
        days = Decimal(str(value)) if not isinstance(value, bool) else None
    except InvalidOperation:
        days = None
    if days is None or not days.is_finite() or not 0 <= days <= DAYS:
        raise BadInput(_("Enter an estimate from 0 to 3650 days."), field=name)
    return days.quantize(_HUNDREDTH)


def _check_order(told: Values, row: object, first: str, last: str, words: str) -> None:
    if first not in told and last not in told:
        return
    low, high = (told[one] if one in told else getattr(row, one, None) for one in (first, last))
    if low is not None and high is not None and high < low:
        raise BadInput(words, field=last if last in told else first)
