"""Which of the 41 work activities a list of tasks touches, by group."""

from __future__ import annotations

from collections.abc import Iterable
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
class GroupCoverage:
    """One group: every activity of it by name, with the class of its stroke."""

    group: ActivityGroup
    strokes: tuple[tuple[str, str], ...]

    @property
    def names(self) -> list[str]:
        return [name for name, fill in self.strokes if fill == CHART_CLASS[self.group]]


@dataclass(frozen=True)
class Coverage:
    groups: tuple[GroupCoverage, ...]

    @property
    def touched(self) -> int:
        return sum(len(group.names) for group in self.groups)

    @property
    def total(self) -> int:
        return sum(len(group.strokes) for group in self.groups)


def coverage_of(tasks: Iterable[WorkTask]) -> Coverage:
    """What living tasks touch. One query, for the names of the activities."""
    on = {element for task in tasks if task.deleted_at is None for element in task.activity_ids}
    strokes: dict[str, list[tuple[str, str]]] = {group: [] for group in ActivityGroup}
    for activity in queries.activities():
        fill = CHART_CLASS[activity.group] if activity.element_id in on else "fill-empty"
        strokes[activity.group].append((activity.name, fill))
    return Coverage(tuple(GroupCoverage(group, tuple(strokes[group])) for group in ActivityGroup))
