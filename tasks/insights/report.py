"""The shape of what a campaign's answers add up to; small groups are kept out of sight."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Self

from pydantic import BaseModel, Field, model_validator

from onet.provenance import CatalogueKind, catalogue_of
from tasks.models import WorkTask


@dataclass(frozen=True)
class Shown:
    """The lines that may be seen, and how many lines with how many tasks stand behind the rest."""

    lines: tuple[Line, ...]
    hidden: int = 0
    hidden_tasks: int = 0


def is_too_small(report: Report, least: int) -> bool:
    """Whether nothing of a selection may be shown.

    Nor may it when so few are left outside of it that comparing with everybody would tell of them.
    """
    return report.people < least or 0 < report.others < least


def shown(lines: Sequence[Line], least: int) -> Shown:
    """Lines with at least so many people.

    A line that alone were hidden could be found by subtracting the others from the whole: the
    smallest of the others goes with it.
    """
    seen = [one for one in lines if one.people >= least]
    hidden = [one for one in lines if one.people < least]
    if len(hidden) == 1 and seen:
        smallest = min(seen, key=lambda one: one.people)
        seen.remove(smallest)
        hidden.append(smallest)
    return Shown(tuple(seen), len(hidden), sum(one.tasks for one in hidden))


LEVELS: Final = (*WorkTask.AiLevel.values, "")
"""How AI is used in a task; the last is: not said."""


class Spread(BaseModel):
    """How a figure spreads over people: quartiles, in the figure's own unit."""

    people: int
    low: float
    middle: float
    high: float


class Step(BaseModel):
    """A step of the way through a survey, and how many got there."""

    name: str
    people: int


class Turn(BaseModel):
    """How many still talked at a turn, and how many stopped after it without sending a list."""

    number: int
    still: int
    left: int


class Line(BaseModel):
    """What people do that falls under one thing: a group, an activity, a statement, a job.

    Shares are percent of the working time of all people who said how they divide it; `by_ai` is
    the same by how AI is used (`LEVELS`), its sum is `share`. `tasks_by_ai` counts tasks.
    """

    key: str
    name: str
    about: str = ""
    catalogue: CatalogueKind | None = Field(None, description="Of a statement; else null.")
    people: int = 0
    tasks: int = 0
    share: float = 0.0
    by_ai: dict[str, float] = Field(default_factory=dict)
    tasks_by_ai: dict[str, int] = Field(default_factory=dict)
    scores: dict[str, float] = Field(default_factory=dict)


class Exposure(BaseModel):
    """An imported score over the tasks: its mean weighed by time, all in all and by use of AI."""

    name: str
    tasks: int
    share: float = Field(description="Percent of working time whose tasks have the score.")
    mean: float
    by_ai: dict[str, float]


class Report(BaseModel):
    """Everything a page of insights shows, for one selection of people.

    `people` agreed to take part; `rated` said how they divide their time; `others` are the people
    of the campaign outside the selection.
    """

    people: int = 0
    rated: int = 0
    others: int = 0
    tasks: int = 0
    funnel: list[Step] = Field(default_factory=list)
    turns: list[Turn] = Field(default_factory=list)
    minutes: Spread | None = None
    tasks_each: Spread | None = None
    activities_each: Spread | None = None
    groups: list[Line] = Field(default_factory=list)
    activities: list[Line] = Field(default_factory=list)
    statements: list[Line] = Field(default_factory=list)
    occupations: list[Line] = Field(default_factory=list)
    exposures: list[Exposure] = Field(default_factory=list)

    @model_validator(mode="after")
    def name_catalogues(self) -> Self:
        """Says of each statement whose it is: also of sums that were stored before this was."""
        for line in self.statements:
            line.catalogue = catalogue_of(line.key) if line.key else None
        return self


def spread(values: Iterable[float]) -> Spread | None:
    """Quartiles by linear interpolation; None for nothing."""
    found = sorted(values)
    if not found:
        return None

    def at(part: float) -> float:
        place = part * (len(found) - 1)
        low = int(place)
        high = min(low + 1, len(found) - 1)
        return found[low] + (found[high] - found[low]) * (place - low)

    return Spread(people=len(found), low=at(0.25), middle=at(0.5), high=at(0.75))
