"""What a message says for a forecast: read by the model, and checked by structure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Literal

from pydantic import BaseModel, Field, ValidationError

from chat.assistant.delimiter import Delimiter
from futura.llm.client import Llm
from futura.text import locate
from projects.forecasting.inputs import Inputs
from projects.forecasting.variants import REST, Variant
from projects.forecasting.wording import title_of
from projects.modes.rows import Snapshot

STAGE: Final = "forecast_reading"
Days = Field(ge=0, le=3650)


class WhatIf(BaseModel):
    """One thing to try out, and the words that ask for it."""

    quote: str = Field(description="The person's words, copied exactly.")
    kind: Literal[
        "slip", "wait", "hands", "drop", "more", "sureness", "takes", "hours", "away", "deadline"
    ]
    task: str | None = Field(None, description="Short name of the task, such as t2, or rest.")
    days: float | None = Field(
        None, description="For slip and more: working days; below zero when it gets shorter."
    )
    low: float | None = Field(None, description="For takes: working days at least.")
    high: float | None = Field(None, description="For takes: working days at most.")
    day: str | None = Field(None, description="YYYY-MM-DD: for wait and deadline, first day away.")
    last: str | None = Field(None, description="YYYY-MM-DD: last day away.")
    people: float | None = Field(
        None, description="For hands: people more, or below zero fewer; for away: how many."
    )
    hours: float | None = Field(None, description="Hours a week of each.")
    title: str | None = None


class TaskEstimate(BaseModel):
    """A range that the person gave, in working days."""

    quote: str
    task: str = Field(description="Short name; `rest` for everything without an estimate.")
    low: float = Days
    high: float = Days
    is_remaining: bool = Field(False, description="Said of what is left, not of the whole.")


class AbsenceSaid(BaseModel):
    """Days on which people do not work on it."""

    quote: str
    first: str = Field(description="YYYY-MM-DD")
    last: str = Field(description="YYYY-MM-DD, counted too")
    people: float | None = None


class DeadlineSaid(BaseModel):
    """A day by which something has to be done."""

    quote: str
    task: str | None = Field(None, description="Short name; null for the whole project.")
    day: str = Field(description="YYYY-MM-DD")


class SituationReading(BaseModel):
    """What a message says for the computation; null and empty where it says nothing."""

    VERSION: ClassVar[str] = "forecast-reading-3"

    hands: float | None = Field(description="How many people work on it; 0.5 is half of one.")
    hands_quote: str | None
    hours_a_week: float | None = Field(None, description="Hours a week that each has for it.")
    hours_quote: str | None = None
    spread: Literal["sure", "usual", "unsure"] | None = Field(
        description="How sure the estimates are."
    )
    estimates: list[TaskEstimate]
    absences: list[AbsenceSaid] = Field(default_factory=list)
    deadlines: list[DeadlineSaid] = Field(default_factory=list)
    what_ifs: list[WhatIf]
    withdrawn: list[str] = Field(
        default_factory=list, description="Short names of assumptions that no longer hold."
    )


INSTRUCTIONS: Final = (
    "Somebody talks about when a project will be done, in any language. Find what in their "
    "message bears on the computation: how many people work on it and for how many hours a "
    "week, who is away when, deadlines, how sure they are of the estimates, how long tasks "
    "take or how much of them is left, and what they only want to try out (what if). Both can "
    "stand in one message. A week is five working days, a month 21. Tasks go by their short "
    "names; `rest` means everything that has no estimate. A correction gives the new figure; "
    "what it does not name stays. Copy the words you rely on into the quotes, exactly; what "
    "has no words in the message is left out.\nToday is {today}."
)


@dataclass
class Reading:
    """What a message says: what counts from now on, what is tried out, what no longer holds.

    `refused` counts what the checks left out, by reason.
    """

    assumptions: list[Variant] = field(default_factory=list)
    branch: list[Variant] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)


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
    named = {f"a{number}": entry for number, entry in enumerate(assumptions, 1)}
    records = [
        ("tasks", "\n".join(f"{ref}: {snapshot.refs[ref].title}" for ref in refs)),
        ("assumptions", "\n".join(f"{a}: {title_of(entry, inputs)}" for a, entry in named.items())),
        ("question", question),
        ("message", text),
    ]
    messages = delimiter.prompt(INSTRUCTIONS.format(today=inputs.today), records)
    answer = llm.structured(STAGE, messages, SituationReading)
    reading = _checked(answer, text, {**refs, REST: REST})
    reading.withdrawn = [named[name].subject for name in answer.withdrawn if name in named]
    used = len(reading.assumptions) + len(reading.branch) + len(reading.withdrawn)
    llm.checked(STAGE, used=used, refused=reading.refused)
    return reading


def _checked(answer: SituationReading, text: str, ids: Mapping[str, str]) -> Reading:
    """The answer as typed changes; what has no words in the message, or no task, is refused."""
    reading = Reading()
    if answer.spread is not None:
        reading.assumptions.append(Variant(kind="sureness", spread=answer.spread))
    stated = ((reading.assumptions, kind, quote, values) for kind, quote, values in _stated(answer))
    tried = ((reading.branch, item.kind, item.quote, _tried(item)) for item in answer.what_ifs)
    for into, kind, quote, values in (*stated, *tried):
        fields = {name: value for name, value in values.items() if value is not None}
        if not quote or locate(quote, text) is None:
            reading.refused["quote not found"] += 1
            continue
        try:
            if "task" in fields:
                fields["task"] = ids[fields["task"]]
            into.append(Variant.model_validate({"kind": kind, "quote": quote, **fields}))
        except (KeyError, ValidationError):
            reading.refused["incomplete or out of bounds"] += 1
    return reading


def _stated(answer: SituationReading) -> Iterator[tuple[str, str | None, dict[str, Any]]]:
    if answer.hands is not None:
        yield "team", answer.hands_quote, {"people": answer.hands}
    if answer.hours_a_week is not None:
        yield "hours", answer.hours_quote, {"hours": answer.hours_a_week}
    for estimate in answer.estimates:
        kind = "remaining" if estimate.is_remaining else "takes"
        yield kind, estimate.quote, {"task": estimate.task, **_ends(estimate.low, estimate.high)}
    for gone in answer.absences:
        yield "away", gone.quote, gone.model_dump(exclude={"quote"})
    for due in answer.deadlines:
        yield "deadline", due.quote, due.model_dump(exclude={"quote"})


def _ends(low: float | None, high: float | None) -> dict[str, float]:
    ends = [end for end in (low, high) if end is not None]
    return {"low": min(ends), "high": max(ends)} if ends else {}


def _tried(what_if: WhatIf) -> dict[str, Any]:
    match what_if.kind:
        case "takes":
            return {"task": what_if.task, **_ends(what_if.low, what_if.high)}
        case "hands":
            return {"more": what_if.people}
        case "away":
            last = what_if.last or what_if.day
            return {"first": what_if.day, "last": last, "people": what_if.people}
        case "more":
            return {"title": (what_if.title or what_if.quote)[:60], "days": what_if.days}
        case "sureness":
            return {"spread": "unsure"}
        case "hours":
            return {"hours": what_if.hours}
        case _:
            return {"task": what_if.task, "days": what_if.days, "day": what_if.day}
