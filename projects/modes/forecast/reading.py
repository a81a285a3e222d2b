"""What a message says for a forecast: read by the model, and checked by structure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from pydantic import BaseModel, Field, ValidationError

from chat.assistant.delimiter import Delimiter
from futura.llm.client import Llm
from futura.text import locate
from projects.forecasting.inputs import Inputs, Spread
from projects.forecasting.variants import REST, Kind, Variant
from projects.forecasting.wording import title_of
from projects.modes.rows import Snapshot

STAGE: Final = "forecast_reading"


class ReadChange(BaseModel):
    """One figure that the person gave, or one thing to try out. `kind` says which fields it has.

    `takes`, `remaining`: a task takes, or so much of it is left, `low` to `high` working days;
    both are the same where one number was said. `team`: so many `people` work on it (0.5 is half
    of one); `hands`: so many `more`, below zero fewer. `hours`: hours a week of each. `away`: so
    many `people` are away from `first` to `last`, both counted. `deadline`: the whole, or a task,
    is due on `day`. `slip`: a task takes `days` longer, below zero shorter. `wait`: a task cannot
    begin before `day`. `drop`: a task is left out. `more`: `days` of work with a `title` that no
    task has. `sureness`: how good the estimates are, as `spread`.
    """

    quote: str = Field(description="The person's words, copied exactly.")
    kind: Kind
    task: str | None = Field(None, description="Short name of the task, such as t2, or rest.")
    title: str | None = None
    low: float | None = None
    high: float | None = None
    days: float | None = None
    people: float | None = None
    more: float | None = None
    hours: float | None = None
    day: str | None = Field(None, description="YYYY-MM-DD, as are all days.")
    first: str | None = None
    last: str | None = None
    spread: Spread | None = None


class SituationReading(BaseModel):
    """What a message says for the computation; empty where it says nothing."""

    VERSION: ClassVar[str] = "forecast-reading-4"

    assumptions: list[ReadChange] = Field(description="What counts from now on.")
    what_ifs: list[ReadChange] = Field(description="What they only want to try out.")
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
    reading, ids = Reading(), {**refs, REST: REST}
    reading.assumptions = _checked(answer.assumptions, text, ids, reading.refused)
    reading.branch = _checked(answer.what_ifs, text, ids, reading.refused)
    reading.withdrawn = [named[name].subject for name in answer.withdrawn if name in named]
    used = len(reading.assumptions) + len(reading.branch) + len(reading.withdrawn)
    llm.checked(STAGE, used=used, refused=reading.refused)
    return reading


def _checked(
    changes: Sequence[ReadChange], text: str, ids: Mapping[str, str], refused: Counter[str]
) -> list[Variant]:
    """Typed changes; what has no words in the message, no such task or not all figures is
    `refused`.
    """
    variants = []
    for change in changes:
        if locate(change.quote, text) is None:
            refused["quote not found"] += 1
            continue
        values = change.model_dump(exclude_none=True)
        try:
            if change.task is not None:
                values["task"] = ids[change.task]
            variants.append(Variant.model_validate(values))
        except (KeyError, ValidationError):
            refused["incomplete or out of bounds"] += 1
    return variants
