"""A computed forecast in the model's words, and the figures that those may hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from chat.assistant.delimiter import Delimiter, cut
from futura.llm.client import Llm
from futura.percent import whole_percent
from projects.dimensions import DIMENSIONS
from projects.forecasting.inputs import Inputs
from projects.forecasting.results import Result
from projects.forecasting.telling import Told, chance_line, outcome, told_by_rules
from projects.modes.forecast.prompts import ForecastWords, words_messages
from projects.modes.rows import Snapshot

STAGE: Final = "forecast_words"
DIMENSION_CHARS: Final = 1_500
_NUMBER: Final = re.compile(r"\d+")


def numbers_in(text: str) -> set[int]:
    """Every number that is written in digits, of any script."""
    return {int(digits) for digits in _NUMBER.findall(text)}


def worded(
    inputs: Inputs,
    result: Result,
    snapshot: Snapshot,
    situation: str,
    llm: Llm,
    delimiter: Delimiter,
) -> tuple[Told, list[str]]:
    """The forecast in the model's words, and what of them was refused. Raises ModelUnavailable.

    Days and chances are the computation's. A text with a number that stands nowhere in the
    material is left out; where nothing is left, the computed words stand.
    """
    computed = told_by_rules(inputs, result)
    days = [f"{one.day.isoformat()}: {one.what}" for one in computed.decision_points]
    records = [
        ("figures", figures_text(inputs, result, computed)),
        ("days to look at", "\n".join(days)),
        ("project", project_text(snapshot)),
        ("situation", situation),
    ]
    words = llm.structured(
        STAGE,
        words_messages(records, delimiter),
        ForecastWords,
        prompt_version=ForecastWords.VERSION,
    )
    known, used, refused = numbers_in("\n".join(text for _name, text in records)), 0, list[str]()

    def allowed(texts: Sequence[str]) -> list[str]:
        nonlocal used
        given = [text.strip() for text in texts if text.strip()]
        held = [text for text in given if numbers_in(text) <= known]
        refused.extend(text for text in given if text not in held)
        used += len(held)
        return held

    told = _combined(computed, words, inputs, allowed)
    llm.checked(STAGE, used=used, refused={"number not given": len(refused)} if refused else {})
    return told, refused


def _combined(
    computed: Told,
    words: ForecastWords,
    inputs: Inputs,
    allowed: Callable[[Sequence[str]], list[str]],
) -> Told:
    """The model's words in the place of the computed ones, without those of other figures."""
    scenarios = []
    for one in computed.scenarios:
        said = getattr(words, one.name)
        update: dict[str, Any] = {
            "outcome": " ".join([outcome(inputs, one.day), *allowed([said.outcome])]),
            "key_factors": allowed(said.key_factors) or one.key_factors,
            "warning_signs": allowed(said.warning_signs) or one.warning_signs,
        }
        scenarios.append(one.model_copy(update=update))
    points = computed.decision_points
    decisions = ["".join(allowed([text])) for text in words.decisions]
    if len(decisions) == len(points):
        pairs = zip(points, decisions, strict=True)
        points = [one.model_copy(update={"what": text or one.what}) for one, text in pairs]
    update = {
        "scenarios": scenarios,
        "decision_points": points,
        "recommendations": allowed(words.recommendations) or computed.recommendations,
    }
    return computed.model_copy(update=update)


def figures_text(inputs: Inputs, result: Result, told: Told) -> str:
    """Every figure of a forecast, one a line: what a model may say."""
    lines = [
        f"{one.name}: {outcome(inputs, one.day)} ({one.day.isoformat()}, {one.percent} of 100 runs)"
        for one in told.scenarios
    ]
    lines.append(chance_line(inputs, result) or "There is no end date.")
    lines += [
        f"drives the finish: “{one.title}”; a day longer there moves it in "
        f"{whole_percent(one.critical)} of 100 runs; done by {one.likely.isoformat()} in 5 of 10, "
        f"by {one.late.isoformat()} in 8 of 10"
        for one in result.drivers
    ]
    lines += [f"nobody has estimated: “{one}”" for one in result.unestimated]
    lines += [f"overdue: “{one}”" for one in result.overdue]
    lines += [f"blocked: “{one}”" for one in result.blocked]
    return "\n".join([*lines, *(f"assumed: {one}" for one in told.assumptions)])


def project_text(snapshot: Snapshot) -> str:
    """The project's own words; what is cut is marked as cut."""
    row = snapshot.row
    parts = [row.name, cut(row.description, DIMENSION_CHARS, "read_project")]
    for one in DIMENSIONS:
        text = snapshot.dimension(one.field).strip()
        if text:
            parts.append(f"{one.name}: {cut(text, DIMENSION_CHARS, 'read_project')}")
    parts += [f"{ref}: {task.title}" for ref, task in list(snapshot.refs.items())[:60]]
    return "\n".join(filter(None, parts))
