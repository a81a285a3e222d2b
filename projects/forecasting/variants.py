"""What is assumed and what if: typed changes to a project's inputs, kept as JSON, compared.

An assumption is something that was said and counts from then on; a what-if is the same kind of
change, computed beside the plan. Each says by its `subject` which figure it names: a later one
with the same subject replaces it, and no other.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal, Self

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, model_validator

from projects.forecasting.inputs import (
    HANDS_MAX,
    HANDS_MIN,
    Absence,
    Inputs,
    Spread,
    TaskInput,
    first_day,
)
from projects.forecasting.results import Declined, Result, forecast
from projects.forecasting.simulation import range_of

HOURS_A_WEEK: Final = 40.0
REST: Final = "rest"  # in the place of a task: every open task that has no estimate
Kind = Literal[
    "takes", "remaining", "team", "hours", "away", "deadline", "slip", "wait", "hands", "drop",
    "more", "sureness",
]  # fmt: skip
# by kind: the figure that it names, the field that tells which one, and the fields that it needs
KINDS: Final[Mapping[Kind, tuple[str, str, tuple[str, ...]]]] = {
    "takes": ("length", "task", ("task", "low", "high")),
    "remaining": ("length", "task", ("task", "low", "high")),
    "team": ("team", "", ("people",)),
    "hours": ("hours", "", ("hours",)),
    "away": ("away", "first", ("first", "last")),
    "deadline": ("deadline", "task", ("day",)),
    "slip": ("slip", "task", ("task", "days")),
    "wait": ("start", "task", ("task", "day")),
    "hands": ("hands", "", ("more",)),
    "drop": ("drop", "task", ("task",)),
    "more": ("more", "title", ("title", "days")),
    "sureness": ("sureness", "", ("spread",)),
}
# the people before their hours, the rest after the tasks that were named
_ORDER: Final[Mapping[str, int]] = {"team": 0, "hours": 1, "takes": 3, "remaining": 3}


def _iso(value: object) -> object:
    return dt.date.fromisoformat(value) if isinstance(value, str) and value else value or None


Day = Annotated[dt.date | None, BeforeValidator(_iso)]


class Variant(BaseModel):
    """One change. `kind` says which of the fields it has:

    `takes` and `remaining`: a task takes, or so much of it is left, from `low` to `high` working
    days; `rest` in the place of a task is everything without an estimate. `team`: so many `people`
    work on it; `hands`: so many `more` (below zero fewer). `hours`: hours a week of each. `away`:
    so many `people` are away from `first` to `last`. `deadline`: the project, or a task, is due on
    `day`. `slip`: a task takes `days` longer. `wait`: a task cannot begin before `day`. `drop`: a
    task is left out. `more`: `days` of work of a `title` that nobody planned. `sureness`: how good
    the estimates are (`spread`).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Kind
    task: str = Field("", max_length=100, description="Id of a to-do, or rest.")
    title: str = Field("", max_length=200)
    low: float = Field(0, ge=0, le=3_650)
    high: float = Field(0, ge=0, le=3_650)
    days: float = Field(0, ge=-3_650, le=3_650)
    people: float = Field(1, gt=0, le=50)
    more: float = Field(0, ge=-50, le=50)
    hours: float = Field(HOURS_A_WEEK, gt=0, le=100)
    day: Day = None
    first: Day = None
    last: Day = None
    spread: Spread = "usual"
    quote: str = Field("", max_length=2_000, description="The words that say it.")

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        """Everything that its kind needs, with ends in their order."""
        present = self.model_fields_set
        needs = KINDS[self.kind][2]
        lacks = [name for name in needs if name not in present or getattr(self, name) in {None, ""}]
        is_rest = self.task == REST and self.kind != "takes"
        amount = {"slip": self.days, "more": max(self.days, 0), "hands": self.more}
        is_nothing = amount.get(self.kind, 1) == 0
        backwards = self.low > self.high or (self.first and self.last and self.first > self.last)
        if lacks or is_rest or is_nothing or backwards:
            raise ValueError(f"This is no whole change of the kind {self.kind}.")
        return self

    @property
    def subject(self) -> str:
        """The figure that it names: “length <task>”."""
        figure, which, _needs = KINDS[self.kind]
        return f"{figure} {getattr(self, which)}" if which else figure


JSON: Final[TypeAdapter[list[Variant]]] = TypeAdapter(list[Variant])


def variants_as_json(variants: Sequence[Variant]) -> list[dict[str, Any]]:
    """As JSON, without what a kind does not have; `JSON` reads it back."""
    return [variant.model_dump(mode="json", exclude_unset=True) for variant in variants]


@dataclass(frozen=True)
class Compared:
    """A branch beside the plan as it is: working days by which the middle finish moves."""

    result: Result
    moved_days: int


def merged(existing: Iterable[Variant], added: Iterable[Variant]) -> list[Variant]:
    """Both; what is added replaces what names the same figure. Several absences that are added
    together may begin on the same day.
    """
    new = {(item.subject, item.last): item for item in added}
    subjects = {subject for subject, _last in new}
    return [*(item for item in existing if item.subject not in subjects), *new.values()]


def assumed(inputs: Inputs, variants: Iterable[Variant]) -> Inputs:
    """The inputs with all of these. What names a task that is not there any more is left out."""
    for variant in sorted(
        variants, key=lambda variant: (_ORDER.get(variant.kind, 2), variant.task == REST)
    ):
        inputs = varied(inputs, variant)
    return inputs


def is_unknown(variant: Variant, inputs: Inputs) -> bool:
    """Whether it names a task that is not there."""
    return variant.task not in {"", REST} and inputs.task(variant.task) is None


def varied(inputs: Inputs, variant: Variant) -> Inputs:
    """The inputs with one thing changed; nothing where it names a task that is not there."""
    match variant.kind:
        case "team":
            return replace(inputs, hands=_hands(variant.people))
        case "hours":
            return replace(inputs, hands=_hands(inputs.hands * variant.hours / HOURS_A_WEEK))
        case "hands":
            return replace(inputs, hands=_hands(inputs.hands + variant.more))
        case "away" if variant.first and variant.last:
            absence = Absence(variant.first, variant.last, variant.people)
            return replace(inputs, absences=(*inputs.absences, absence))
        case "sureness":
            return replace(inputs, spread=variant.spread)
        case "more":
            low, high = 0.5 * variant.days, 1.5 * variant.days
            return inputs.with_task(
                TaskInput(f"more {variant.title}", variant.title, low=low, high=high)
            )
        case "deadline" if not variant.task:
            return replace(inputs, end=variant.day)
    named = inputs.task(variant.task)
    for task in inputs.unestimated if variant.task == REST else filter(None, [named]):
        inputs = inputs.with_task(_changed(task, variant, inputs))
    return inputs


def _changed(task: TaskInput, variant: Variant, inputs: Inputs) -> TaskInput:
    match variant.kind:
        case "deadline":
            return replace(task, due=variant.day)
        case "slip":
            return _longer(task, variant.days, inputs)
        case "wait":
            return replace(task, start=max(filter(None, (variant.day, task.start))))
        case "drop":
            return replace(task, status="dropped")
        case _:
            return replace(task, low=variant.low, high=variant.high)


def _hands(number: float) -> float:
    return min(max(number, HANDS_MIN), HANDS_MAX)


def _longer(task: TaskInput, days: float, inputs: Inputs) -> TaskInput:
    """More days of work on both ends of the range, or a later due date where that is all known."""
    if not task.is_estimated and task.due is not None and task.due > inputs.today:
        moved = np.busday_offset(np.datetime64(task.due, "D"), round(days), roll="forward")
        due: dt.date = moved.astype("datetime64[D]").item()
        return replace(task, due=max(due, task.start or due))
    low, high = range_of(task) if task.is_estimated else inputs.usual
    return replace(task, low=max(low + days, 0), high=max(high + days, 0))


def compared(inputs: Inputs, variants: Sequence[Variant], base: Result) -> Compared | Declined:
    """Computes a branch with the same luck as the plan, so that all that differs is the branch."""
    branch = forecast(assumed(inputs, variants))
    if isinstance(branch, Declined):
        return branch
    days = np.array([base.realistic, branch.realistic], "datetime64[D]")
    before, after = np.busday_count(first_day(inputs.today), days)
    return Compared(branch, int(after - before))
