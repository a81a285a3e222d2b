"""How long tasks take: a range in words of a person becomes a distribution to draw from.

A range is read as what holds in 8 of 10 cases: its low end is the tenth percentile, its high end
the ninetieth. Between them the logarithm is normal (a lognormal): no duration is negative, errors
multiply, and a delay has more room than an early finish. A PERT curve was not taken, since it
ends at the high end, and people's high ends are exceeded. Beyond the range the tails have one
shape for every task (`TAIL` in logarithms per standard deviation), so that in each single run a
longer range gives a longer duration; with a lognormal's own tails a higher high end would make
the shortest runs shorter, and more work could come out earlier.

The numbers drawn belong to the seed and the task's id alone. So a variant ("what if it slips?")
is compared run by run with the same luck, and the difference is the variant's and not chance's.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

import numpy as np

from projects.forecasting.calendar import Floats, begins, ends
from projects.forecasting.inputs import BLOCKED, USUAL, Inputs, Spread, TaskInput

EDGE: Final = 1.2815515655446004  # standard deviations to the tenth percentile
TAIL: Final = 0.5
SHORTEST: Final = 0.05  # working days; a range that begins at nothing begins here
ONE_NUMBER: Final = 1.6  # the high end where only one number was said, as a multiple of it
WAIT: Final = (1.0, 10.0)  # days until something outside lets a blocked task go on
SLIP: Final = 0.2  # of the time until a date: how far a day that is set today may be missed
# errors that all estimates of a project share, in logarithms
SHARED: Final[dict[Spread, float]] = {"sure": 0.05, "usual": 0.15, "unsure": 0.35}

Range = tuple[float, float]


@dataclass(frozen=True)
class Reading:
    """A task as read: earliest start as a distance, ranges in working days.

    `length` is how long it takes; `is_work` tells whether that occupies a pair of hands, which a
    span between two dates does not. `wait` is counted from now and occupies nobody.
    """

    task: TaskInput
    release: float
    length: Range
    is_work: bool
    wait: Range | None = None


def readings(inputs: Inputs, origin: np.datetime64) -> list[Reading]:
    """Every open task, read.

    An estimate counts whole, since nothing tells how much of it is done; its task may begin now or
    on its start date, and a due date is then a wish that the simulation checks. Without an
    estimate the dates are the only thing known: a span is taken to last about as long as planned,
    and a single due date to be worked towards. Overdue tasks without an estimate begin now and
    take what the project's other tasks take.
    """
    project_start = begins(origin, inputs.start, inputs.off) if inputs.start else 0.0
    return [_reading(task, inputs, project_start, origin) for task in inputs.open_tasks]


def _reading(
    task: TaskInput, inputs: Inputs, project_start: float, origin: np.datetime64
) -> Reading:
    usual, off = inputs.usual, inputs.off
    release = max(project_start, begins(origin, task.start, off) if task.start else 0.0)
    wait = WAIT if task.status == BLOCKED else None
    if task.is_estimated or task.due is None:
        length = range_of(task) if task.is_estimated else usual
        return Reading(task, release, length, is_work=True, wait=wait)
    due = ends(origin, task.due, off)
    if due <= release:
        return Reading(task, release, usual, is_work=True, wait=wait)
    if task.start is not None:
        planned = due - release
        return Reading(task, release, (0.8 * planned, 1.3 * planned), is_work=False, wait=wait)
    shortest = min(usual[0], due)
    release = max(release, due - shortest)
    return Reading(task, release, (shortest, shortest + SLIP * due), is_work=False, wait=wait)


def range_of(task: TaskInput) -> Range:
    """The estimate as a range; ends that are missing or the wrong way round are mended."""
    low = task.low if task.low is not None else (task.high or 0) / ONE_NUMBER
    high = task.high if task.high is not None else low * ONE_NUMBER
    low = max(low, SHORTEST)
    return low, max(high, low)


def usual_range(tasks: Sequence[TaskInput]) -> Range:
    """What a task takes of which nobody said it: the middle of those that were estimated."""
    said = [range_of(task) for task in tasks if task.is_estimated]
    if not said:
        return USUAL
    return median(low for low, _ in said), median(high for _, high in said)


def drawn(length: Range, normal: Floats) -> Floats:
    """Durations for standard normal numbers; rises in each of them and in both ends."""
    low, high = np.log(length[0]), np.log(length[1])
    inside = np.clip((normal + EDGE) / (2 * EDGE), 0, 1)
    beyond = normal - np.clip(normal, -EDGE, EDGE)
    found: Floats = np.exp(low + (high - low) * inside + TAIL * beyond)
    return found


def luck(seed: int, key: str, runs: int) -> Floats:
    """`(runs,)` standard normal numbers that belong to a name."""
    number = uuid.uuid5(uuid.NAMESPACE_OID, key).int
    words = [seed, *(number >> shift & 0xFFFFFFFF for shift in (0, 32, 64, 96))]
    return np.random.default_rng(words).standard_normal(runs)


def shared_error(inputs: Inputs, runs: int) -> Floats:
    """`(runs,)` factors by which all work of a run is longer or shorter than estimated."""
    return np.exp(SHARED[inputs.spread] * luck(inputs.seed, "all estimates", runs))
