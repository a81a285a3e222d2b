"""What the model read in a message, checked by structure: quotes located, tasks known, dates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from pydantic import ValidationError

from chat.assistant.delimiter import Delimiter
from futura.llm.client import Llm
from futura.text import locate
from projects.forecasting.inputs import Inputs
from projects.forecasting.variants import REST, Variant
from projects.forecasting.wording import title_of
from projects.modes.forecast.prompts import SituationReading, WhatIf, reading_messages
from projects.modes.rows import Snapshot

STAGE: Final = "forecast_reading"


@dataclass
class Reading:
    """What a message says: what counts from now on, what is tried out, what no longer holds.

    `refused` counts what the checks left out, by reason.
    """

    assumptions: list[Variant] = field(default_factory=list)
    branch: list[Variant] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)


def reading_of(
    text: str,
    question: str,
    inputs: Inputs,
    snapshot: Snapshot,
    assumptions: Sequence[Variant],
    llm: Llm,
    delimiter: Delimiter,
) -> Reading:
    """What the message says for the computation. Raises ModelUnavailable."""
    refs = {ref: str(task.pk) for ref, task in snapshot.refs.items() if inputs.task(str(task.pk))}
    named = {f"a{number}": one for number, one in enumerate(assumptions, 1)}
    records = [
        ("tasks", "\n".join(f"{ref}: {snapshot.refs[ref].title}" for ref in refs)),
        ("assumptions", "\n".join(f"{a}: {title_of(one, inputs)}" for a, one in named.items())),
        ("question", question),
        ("message", text),
    ]
    answer = llm.structured(
        STAGE, reading_messages(records, inputs.today.isoformat(), delimiter), SituationReading,
        prompt_version=SituationReading.VERSION,
    )  # fmt: skip
    reading = _checked(answer, text, {**refs, REST: REST})
    reading.withdrawn = [named[name].subject for name in answer.withdrawn if name in named]
    used = len(reading.assumptions) + len(reading.branch) + len(reading.withdrawn)
    llm.checked(STAGE, used=used, refused=reading.refused)
    return reading


def _checked(answer: SituationReading, text: str, ids: Mapping[str, str]) -> Reading:
    """The answer as typed changes; what has no words in the message, or no task, is refused."""
    reading = Reading()
    take = partial(_take, reading, text, ids, reading.assumptions)
    if answer.hands is not None:
        take("team", answer.hands_quote, people=answer.hands)
    if answer.hours_a_week is not None:
        take("hours", answer.hours_quote, hours=answer.hours_a_week)
    if answer.spread is not None:
        reading.assumptions.append(Variant(kind="sureness", spread=answer.spread))
    for one in answer.estimates:
        kind = "remaining" if one.is_remaining else "takes"
        take(kind, one.quote, task=one.task, **_ends(one.low, one.high))
    for gone in answer.absences:
        take("away", gone.quote, first=gone.first, last=gone.last, people=gone.people)
    for due in answer.deadlines:
        take("deadline", due.quote, task=due.task, day=due.day)
    for tried in answer.what_ifs:
        _take(reading, text, ids, reading.branch, tried.kind, tried.quote, **_tried(tried))
    return reading


def _take(
    reading: Reading,
    text: str,
    ids: Mapping[str, str],
    into: list[Variant],
    kind: str,
    quote: str | None,
    **values: Any,
) -> None:
    """Adds a change to a list, or counts why it is refused."""
    given = {name: value for name, value in values.items() if value is not None}
    reason = "quote not found"
    if quote and locate(quote, text) is not None:
        try:
            if "task" in given:
                given["task"] = ids[given["task"]]
            into.append(Variant.model_validate({"kind": kind, "quote": quote, **given}))
            return
        except (KeyError, ValidationError):
            reason = "incomplete or out of bounds"
    reading.refused[reason] = reading.refused.get(reason, 0) + 1


def _ends(low: float | None, high: float | None) -> dict[str, float]:
    ends = [one for one in (low, high) if one is not None]
    return {"low": min(ends), "high": max(ends)} if ends else {}


def _tried(given: WhatIf) -> dict[str, Any]:
    """The fields that its kind has."""
    match given.kind:
        case "takes":
            return {"task": given.task, **_ends(given.low, given.high)}
        case "hands":
            return {"more": given.people}
        case "away":
            last = given.last or given.day
            return {"first": given.day, "last": last, "people": given.people}
        case "more":
            return {"title": (given.title or given.quote)[:60], "days": given.days}
        case "sureness":
            return {"spread": "unsure"}
        case "hours":
            return {"hours": given.hours}
        case _:
            return {"task": given.task, "days": given.days, "day": given.day}
