"""A project's rows as the inputs of a forecast."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Final

from projects.forecasting.durations import usual_range
from projects.forecasting.inputs import Inputs, Spread, TaskInput
from projects.models import Project, Task

TASKS_MAX: Final = 300  # the first open ones; a list longer than that is no plan


def inputs_of(
    project: Project,
    tasks: Sequence[Task],
    *,
    today: dt.date,
    hands: float = 1.0,
    spread: Spread = "usual",
) -> Inputs:
    """The project as it stands. One query for the dependencies unless they were prefetched."""
    needs = _needs(tasks)
    read = [_task(task, needs.get(str(task.pk), ())) for task in tasks]
    kept = [one for one in read if one.is_open][:TASKS_MAX]
    done = [one for one in read if not one.is_open][:TASKS_MAX]
    return Inputs(
        today=today,
        tasks=(*kept, *done),
        start=project.start_date,
        end=project.end_date,
        hands=hands,
        spread=spread,
        usual=usual_range(read),
        seed=project.pk.int % 2**31,
    )


def _needs(tasks: Sequence[Task]) -> Mapping[str, tuple[str, ...]]:
    if all("depends_on" in getattr(task, "_prefetched_objects_cache", {}) for task in tasks):
        return {str(one.pk): tuple(str(o.pk) for o in one.depends_on.all()) for one in tasks}
    through = Task.depends_on.through.objects.filter(from_task__in=tasks)
    pairs = sorted((str(a), str(b)) for a, b in through.values_list("from_task", "to_task"))
    found: dict[str, tuple[str, ...]] = {}
    for task, other in pairs:
        found[task] = (*found.get(task, ()), other)
    return found


def _task(task: Task, needs: tuple[str, ...]) -> TaskInput:
    low, high = task.estimate_low_days, task.estimate_high_days
    return TaskInput(
        id=str(task.pk),
        title=task.title,
        status=task.status,
        priority=task.priority,
        start=task.start_date,
        due=task.due_date,
        low=None if low is None else float(low),
        high=None if high is None else float(high),
        depends_on=needs,
    )
