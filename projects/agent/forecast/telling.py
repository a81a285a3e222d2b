"""A computed forecast in words: the model's where they keep to the figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from futura.llm.client import Llm
from projects.agent.fencing import Fence
from projects.agent.forecast.checking import Figures, figures_of, keeps
from projects.agent.forecast.prompts import (
    ForecastWords,
    ScenarioWords,
    WordsInput,
    words_messages,
)
from projects.agent.toolbox import Picture
from projects.dimensions import DIMENSIONS
from projects.forecasting.inputs import Inputs
from projects.forecasting.results import Result
from projects.forecasting.telling import (
    DecisionPoint,
    Scenario,
    Told,
    chance_line,
    outcome,
    told_by_rules,
)
from projects.forecasting.wording import percent

STAGE = "forecast_words"
DIMENSION_CHARS = 1_500


def told_with_model(
    inputs: Inputs, result: Result, picture: Picture, situation: str, llm: Llm, fence: Fence
) -> tuple[Told, list[str]]:
    """The forecast in the model's words, and what of them was refused. Raises ModelUnavailable.

    Days and chances are the computation's. What contradicts them is left out; where nothing is
    left, the words of the rules stand.
    """
    plain = told_by_rules(inputs, result)
    given = WordsInput(
        figures=figures_text(inputs, result, plain),
        project=project_text(picture),
        situation=situation,
        days=[f"{one.day.isoformat()}: {one.what}" for one in plain.decision_points],
    )
    words = llm.structured(
        STAGE, words_messages(given, fence), ForecastWords, prompt_version=ForecastWords.VERSION
    )
    return merged(plain, words, figures_of(inputs, result, plain, more=[situation]), inputs)


def merged(
    plain: Told, words: ForecastWords, figures: Figures, inputs: Inputs
) -> tuple[Told, list[str]]:
    """The model's words laid over the rules', without what contradicts the figures."""
    refused: list[str] = []

    def kept(texts: Iterable[str], allowed: Callable[[str], bool]) -> list[str]:
        given = [one.strip() for one in texts if one.strip()]
        refused.extend(one for one in given if not allowed(one))
        return [one for one in given if allowed(one)]

    days = {one.day for one in plain.scenarios}
    scenarios = []
    for one in plain.scenarios:
        about: ScenarioWords = getattr(words, one.name)

        def allowed(text: str, scenario: Scenario = one) -> bool:
            return keeps(text, figures, day=scenario.day, others=days)

        told = kept([about.outcome], allowed)
        update = {
            "outcome": " ".join([outcome(inputs, one.day), *told]),
            "key_factors": kept(about.key_factors, allowed) or one.key_factors,
            "warning_signs": kept(about.warning_signs, allowed) or one.warning_signs,
        }
        scenarios.append(one.model_copy(update=update))
    points = _points(plain.decision_points, words.decisions, lambda text: keeps(text, figures))
    better = kept(words.recommendations, lambda text: keeps(text, figures))
    update_all = {
        "scenarios": scenarios,
        "decision_points": points,
        "recommendations": better or plain.recommendations,
    }
    return plain.model_copy(update=update_all), refused


def _points(
    plain: Sequence[DecisionPoint], said: Sequence[str], allowed: Callable[[str], bool]
) -> list[DecisionPoint]:
    """The computed days with the model's words, where there are as many and they keep to them."""
    if len(said) != len(plain):
        return list(plain)
    return [
        one.model_copy(update={"what": words.strip()}) if words.strip() and allowed(words) else one
        for one, words in zip(plain, said, strict=True)
    ]


def figures_text(inputs: Inputs, result: Result, told: Told) -> str:
    """Every figure of a forecast, one a line: what a model may say."""
    lines = [
        f"{one.name}: {outcome(inputs, one.day)} ({one.day.isoformat()}, {one.percent} of 100 runs)"
        for one in told.scenarios
    ]
    lines.append(chance_line(inputs, result) or "There is no end date.")
    lines += [
        f"drives the finish: “{one.title}”; a day longer there moves it in "
        f"{percent(one.critical)} of 100 runs; done by {one.likely.isoformat()} in 5 of 10, by "
        f"{one.late.isoformat()} in 8 of 10"
        for one in result.drivers
    ]
    lines += [f"nobody has estimated: “{one}”" for one in result.unestimated]
    lines += [f"overdue: “{one}”" for one in result.overdue]
    lines += [f"blocked: “{one}”" for one in result.blocked]
    return "\n".join([*lines, *(f"assumed: {one}" for one in told.assumptions)])


def project_text(picture: Picture) -> str:
    """The project's own words, shortened."""
    row = picture.row
    parts = [row.name, row.description[:DIMENSION_CHARS]]
    for one in DIMENSIONS:
        text = picture.dimension(one.field).strip()
        if text:
            parts.append(f"{one.name}: {text[:DIMENSION_CHARS]}")
    parts += [f"{ref}: {task.title}" for ref, task in list(picture.refs.items())[:60]]
    return "\n".join(filter(None, parts))
