"""The picture of the 41 work activities: which of them a list of tasks touches, drawn as ticks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from onet import queries
from onet.groups import ActivityGroup
from tasks.models import WorkTask

CHART_CLASS: Final = {
    ActivityGroup.INFORMATION_INPUT: "fill-information",
    ActivityGroup.MENTAL_PROCESSES: "fill-mental",
    ActivityGroup.WORK_OUTPUT: "fill-output",
    ActivityGroup.INTERACTING: "fill-interacting",
}


@dataclass(frozen=True)
class Tick:
    """One activity, and whether a task touches it."""

    element_id: str
    name: str
    on: bool
    fill: str


@dataclass(frozen=True)
class GroupCoverage:
    """One group's row of ticks."""

    group: ActivityGroup
    ticks: tuple[Tick, ...]

    @property
    def label(self) -> str:
        """The group's name."""
        return str(self.group.label)

    @property
    def touched(self) -> int:
        """How many of the group's activities occur."""
        return sum(tick.on for tick in self.ticks)

    @property
    def names(self) -> list[str]:
        """Names of the activities that occur."""
        return [tick.name for tick in self.ticks if tick.on]


@dataclass(frozen=True)
class Geometry:
    """Where things stand in one of the two drawings, in its own units."""

    width: int
    height: int
    row: int
    label_y: int
    tick_y: int
    tick_x: int
    step: int
    tick_width: int
    tick_height: int
    radius: float


WIDE: Final = Geometry(640, 176, 44, 25, 6, 176, 24, 7, 27, 2.5)
NARROW: Final = Geometry(272, 212, 54, 13, 22, 0, 16, 5, 18, 2)


@dataclass(frozen=True)
class DrawnTick:
    """A rectangle of the drawing."""

    x: int
    y: int
    tick: Tick


@dataclass(frozen=True)
class DrawnRow:
    """A group's line of the drawing."""

    label_y: int
    coverage: GroupCoverage
    ticks: tuple[DrawnTick, ...]


@dataclass(frozen=True)
class Drawing:
    """A picture as the template `tasks/_coverage.html` writes it: numbers only, no markup."""

    geometry: Geometry
    rows: tuple[DrawnRow, ...]


@dataclass(frozen=True)
class Coverage:
    """The four groups, and both drawings of them."""

    groups: tuple[GroupCoverage, ...]

    @property
    def touched(self) -> int:
        """How many of all activities occur."""
        return sum(group.touched for group in self.groups)

    @property
    def total(self) -> int:
        """How many activities there are."""
        return sum(len(group.ticks) for group in self.groups)

    @property
    def wide(self) -> Drawing:
        """For a desk: labels at the left, ticks at the right."""
        return _draw(self.groups, WIDE)

    @property
    def narrow(self) -> Drawing:
        """For a phone or a margin: ticks below the labels."""
        return _draw(self.groups, NARROW)


def coverage_of(tasks: Iterable[WorkTask]) -> Coverage:
    """What living tasks touch. One query, for the names of the activities."""
    activities = queries.activities()
    on = {element for task in tasks if task.deleted_at is None for element in task.activity_ids}
    return Coverage(
        tuple(
            GroupCoverage(
                group,
                tuple(
                    Tick(
                        activity.element_id,
                        activity.name,
                        activity.element_id in on,
                        CHART_CLASS[group] if activity.element_id in on else "fill-empty",
                    )
                    for activity in activities
                    if activity.group == group
                ),
            )
            for group in ActivityGroup
        )
    )


def _draw(groups: Sequence[GroupCoverage], geometry: Geometry) -> Drawing:
    rows = []
    for number, group in enumerate(groups):
        top = number * geometry.row
        ticks = tuple(
            DrawnTick(geometry.tick_x + place * geometry.step, top + geometry.tick_y, tick)
            for place, tick in enumerate(group.ticks)
        )
        rows.append(DrawnRow(top + geometry.label_y, group, ticks))
    return Drawing(geometry, tuple(rows))
