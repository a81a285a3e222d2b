"""What a message says for a forecast, with the model; only what its own words carry counts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from futura.llm.client import Llm
from projects.agent.fencing import Fence
from projects.agent.forecast.prompts import (
    ReadingInput,
    SituationReading,
    TaskEstimate,
    WhatIf,
    reading_messages,
)
from projects.agent.forecast.reading import Said
from projects.agent.toolbox import Picture
from projects.forecasting.inputs import Inputs
from projects.forecasting.variants import Drop, Hands, More, Slip, Sureness, Variant, Wait

STAGE = "forecast_reading"
DAYS_MAX = 2_000
PEOPLE_MAX = 50


def read_with_model(
    text: str, question: str, inputs: Inputs, picture: Picture, llm: Llm, fence: Fence
) -> tuple[Said, bool]:
    """What the message says, and whether it only asks. Raises ModelUnavailable."""
    ids = {ref: str(task.pk) for ref, task in picture.refs.items() if inputs.task(str(task.pk))}
    tasks = "\n".join(f"{ref}: {picture.refs[ref].title}" for ref in ids)
    given = ReadingInput(text, question, tasks, inputs.today.isoformat())
    read = llm.structured(
        STAGE, reading_messages(given, fence), SituationReading,
        prompt_version=SituationReading.VERSION,
    )  # fmt: skip
    return grounded(read, text, ids), read.is_question


def grounded(read: SituationReading, text: str, ids: Mapping[str, str]) -> Said:
    """The reading without what stands on no words of the message, or on no task."""
    source = _flat(text)
    hands = read.hands if read.hands_quote and _flat(read.hands_quote) in source else None
    if hands is not None and not 0 < hands <= PEOPLE_MAX:
        hands = None
    said = [one for one in read.what_ifs if _is_quoted(one, source)]
    variants = [found for one in said if (found := _variant(one, ids)) is not None]
    unclear = [one.quote for one in said if _variant(one, ids) is None]
    return Said(
        hands=hands,
        spread=read.spread if read.spread != "usual" else None,
        estimates={
            ids[one.task]: (one.low, max(one.low, one.high))
            for one in read.estimates
            if one.task in ids and _is_quoted(one, source)
        },
        variants=tuple(dict.fromkeys(variants)),
        unclear=tuple(unclear),
    )


def _is_quoted(one: WhatIf | TaskEstimate, source: str) -> bool:
    quote = _flat(one.quote)
    return len(quote) > 2 and quote in source


def _flat(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").split()).strip(" .,;!?\"“”'")


def _variant(one: WhatIf, ids: Mapping[str, str]) -> Variant | None:
    """The variant, where everything that it needs is there and in its bounds."""
    task = ids.get(one.task or "")
    days = one.days if one.days is not None and abs(one.days) <= DAYS_MAX else None
    day = _day(one.day)
    people = one.people if one.people and abs(one.people) <= PEOPLE_MAX else None
    made: dict[str, Variant | None] = {
        "slip": Slip(task, days) if task and days else None,
        "wait": Wait(task, day) if task and day else None,
        "hands": Hands(people) if people else None,
        "drop": Drop(task) if task else None,
        "more": More((one.title or "more work")[:60], days) if days and days > 0 else None,
        "sureness": Sureness("unsure"),
    }
    return made[one.kind]


def _day(text: str | None) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text) if text else None
    except ValueError:
        return None
