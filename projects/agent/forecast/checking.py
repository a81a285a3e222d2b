"""Whether words about a forecast keep to its figures: days, chances, lengths, on time or not."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from projects.agent.forecast.reading import lengths_in
from projects.forecasting.calendar import working_days
from projects.forecasting.inputs import Inputs
from projects.forecasting.results import Result
from projects.forecasting.telling import Told
from projects.forecasting.wording import percent
from projects.language.dates import find_dates

_PERCENT: Final = re.compile(
    r"(?<![\d.])(?P<n>\d{1,3})(?:\.\d+)?\s*"
    r"(?:%|per\s?cent\b|(?:of|in|out of)\s+(?:100|a hundred)\b)"
    r"|(?P<some>\d{1,2})\s+(?:of|in|out of)\s+10\b", re.IGNORECASE,
)  # fmt: skip
_ON_TIME: Final = re.compile(
    r"\b(?:on time|ahead of (?:schedule|the (?:end date|deadline))|meets? the (?:end date|deadline)"
    r"|before the (?:end date|deadline)|within the (?:deadline|plan))\b", re.IGNORECASE,
)  # fmt: skip
_LATE: Final = re.compile(
    r"\b(?:late|too late|overdue|miss(?:es|ed|ing)? the (?:end date|deadline)|after the (?:end date"
    r"|deadline)|past the (?:end date|deadline)|behind schedule)\b", re.IGNORECASE,
)  # fmt: skip
_NOT: Final = re.compile(r"\b(?:not|never|no longer|hardly|n['’]t|unless|if|or)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Figures:
    """What may be said: days, percentages, lengths in working days; and today."""

    today: dt.date
    days: frozenset[dt.date]
    percents: frozenset[int]
    lengths: frozenset[float]
    end: dt.date | None = None
    texts: tuple[str, ...] = field(default=(), compare=False)


def figures_of(inputs: Inputs, result: Result, told: Told, *, more: Iterable[str] = ()) -> Figures:
    """Everything that stands in a forecast; `more` are texts (what the person said) to quote."""
    days = {*result.curve.values(), result.first, result.last, inputs.today}
    days |= {one.day for one in told.decision_points}
    lengths = {result.work_days, result.work_days / 2}
    for driver in result.drivers:
        days |= {driver.likely, driver.late}
        lengths |= {driver.spread, driver.moves}
    for task in inputs.tasks:
        days |= {one for one in (task.start, task.due) if one}
        lengths |= {one for one in (task.low, task.high) if one is not None}
    days |= {one for one in (inputs.start, inputs.end) if one}
    if inputs.end:
        lengths |= {_apart(one.day, inputs.end) for one in told.scenarios}
    shares = [*result.chances.values(), *(one.critical for one in result.drivers)]
    shares += [] if result.on_time is None else [result.on_time, 1 - result.on_time]
    percents = {percent(one) for one in shares} | {0, 10, 20, 50, 80, 90, 100}
    return Figures(
        inputs.today,
        frozenset(days),
        frozenset(percents),
        frozenset(lengths),
        inputs.end,
        tuple(more),
    )


def _apart(one: dt.date, other: dt.date) -> float:
    first, last = sorted((one, other))
    return float(working_days(first + dt.timedelta(days=1), last))


def contradictions(
    text: str, figures: Figures, *, day: dt.date | None = None, others: Iterable[dt.date] = ()
) -> list[str]:
    """What a text says that the figures do not; empty when it keeps to them.

    `day` is the finish that the text is about, `others` are the finishes of other scenarios, which
    it must not give for its own.
    """
    found = [
        *_wrong_days(text, figures, {one for one in others if one not in {day, figures.end}}),
        *_wrong_percents(text, figures),
    ]
    found += _wrong_lengths(text, figures)
    if day is not None and figures.end is not None:
        found += _wrong_side(text, is_late=day > figures.end)
    return found


def keeps(text: str, figures: Figures, **about: object) -> bool:
    """Whether nothing in a text contradicts the figures."""
    return not contradictions(text, figures, **about)  # type: ignore[arg-type]


def _wrong_days(text: str, figures: Figures, others: set[dt.date]) -> list[str]:
    wrong = []
    for found in find_dates(text, figures.today):
        if found.date is None:
            continue
        first = found.first or found.date
        inside = {one for one in figures.days if first <= one <= found.date}
        if not inside or (found.kind == "day" and inside <= others):
            wrong.append(found.text)
    return wrong


def _wrong_percents(text: str, figures: Figures) -> list[str]:
    wrong = []
    for found in _PERCENT.finditer(text):
        value = int(found["n"]) if found["n"] else int(found["some"]) * 10
        if not any(abs(value - one) <= 1 for one in figures.percents):
            wrong.append(found[0])
    return wrong


def _wrong_lengths(text: str, figures: Figures) -> list[str]:
    """Lengths of time must be some length of the plan, within a quarter, or the person's own."""
    said = {one for text in figures.texts for one in lengths_in(text)}
    return [
        f"{one:g} days"
        for one in lengths_in(_PERCENT.sub(" ", text))
        if one > 1 and one not in said and not _is_near(one, figures.lengths)
    ]


def _is_near(length: float, known: Iterable[float]) -> bool:
    """Whether it is some length of the plan, counted in working days or in calendar days."""
    ways = (length, length * 7 / 5, length * 5 / 7)
    return any(abs(way - one) <= max(1, one / 4) for way in ways for one in known)


def _wrong_side(text: str, *, is_late: bool) -> list[str]:
    wrong = _ON_TIME if is_late else _LATE
    for sentence in re.split(r"(?<=[.!?])\s+", text):
        found = wrong.search(sentence)
        if found and not _NOT.search(sentence):
            return [found[0]]
    return []
