"""The simulation: thousands of courses that a project may take, computed at once with numpy.

Tasks run in the order of their dependencies. A task begins when its own day has come, what it
waits for has happened, the tasks it depends on are done, and the hands can have done the work that
comes before it. The last is the capacity rule: the work of a set of tasks, none of which can begin
before day r, ends no earlier than r plus that work divided by the hands. It is applied to what
comes before each task and to the whole, for every day r on which something begins. For one person
this is exactly what working through the list takes, in whatever order; for several it is what a
well coordinated team needs (over 600 random plans, assigning the longest chain first took 1.9 %
longer with two people, 0.9 % with three). A rule that assigns each task to somebody was not taken:
with such rules less work can take longer (Graham's anomalies), and a forecast must not say that.

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
from graphlib import CycleError, TopologicalSorter
from statistics import median
from typing import Final

import numpy as np
import numpy.typing as npt

from projects.forecasting.inputs import (
    BLOCKED,
    TINY,
    USUAL,
    Days,
    Floats,
    Inputs,
    Spread,
    TaskInput,
    begins,
    ends,
    first_day,
)

EDGE: Final = 1.2815515655446004  # standard deviations to the tenth percentile
TAIL: Final = 0.5
SHORTEST: Final = 0.05  # working days; a range that begins at nothing begins here
ONE_NUMBER: Final = 1.6  # the high end where only one number was said, as a multiple of it
WAIT: Final = (1.0, 10.0)  # days until something outside lets a blocked task go on
SLIP: Final = 0.2  # of the time until a date: how far a day that is set today may be missed
SPAN: Final = 0.3  # of the time between two dates
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


def read_task(task: TaskInput, inputs: Inputs, origin: np.datetime64) -> Reading:
    """An open task, read.

    An estimate counts whole, since nothing tells how much of it is done; its task may begin now or
    on its start date, and a due date is then a wish that the simulation checks. Without an
    estimate the dates are the only thing known: a span is taken to last about as long as planned,
    and a single due date to be worked towards. Overdue tasks without an estimate begin now and
    take what the project's other tasks take. How far a date may be missed is measured by all
    days until then, so that nobody's absence makes a finish earlier.
    """
    usual, off = inputs.usual, inputs.off
    today = first_day(inputs.today)
    starts = (inputs.start, task.start)
    release = max((begins(origin, start, off) for start in starts if start), default=0.0)
    wait = WAIT if task.status == BLOCKED else None
    if task.is_estimated or task.due is None:
        length = range_of(task) if task.is_estimated else usual
        return Reading(task, release, length, is_work=True, wait=wait)
    due = ends(origin, task.due, off)
    if due <= release:
        return Reading(task, release, usual, is_work=True, wait=wait)
    if task.start is not None:
        planned, missed = due - release, SPAN * (ends(today, task.due) - begins(today, task.start))
        length = 0.8 * planned, planned + missed
        return Reading(task, release, length, is_work=False, wait=wait)
    shortest, missed = min(usual[0], due), SLIP * ends(today, task.due)
    release = max(release, due - shortest)
    return Reading(task, release, (shortest, shortest + missed), is_work=False, wait=wait)


def range_of(task: TaskInput) -> Range:
    """The estimate as a range; ends that are missing or the wrong way round are mended."""
    low = task.low if task.low is not None else (task.high or 0) / ONE_NUMBER
    high = task.high if task.high is not None else low * ONE_NUMBER
    low = max(low, SHORTEST)
    return low, max(high, low)


def usual_range(tasks: Sequence[TaskInput]) -> Range:
    """What a task takes of which nobody said it: the middle of those that were estimated."""
    ranges = [range_of(task) for task in tasks if task.is_estimated]
    if not ranges:
        return USUAL
    return median(low for low, _ in ranges), median(high for _, high in ranges)


def drawn(length: Range, normal: Floats) -> Floats:
    """Durations for standard normal numbers; rises in each of them and in both ends."""
    low, high = np.log(length[0]), np.log(length[1])
    inside = np.clip((normal + EDGE) / (2 * EDGE), 0, 1)
    beyond = normal - np.clip(normal, -EDGE, EDGE)
    result: Floats = np.exp(low + (high - low) * inside + TAIL * beyond)
    return result


def luck(seed: int, key: str, runs: int) -> Floats:
    """`(runs,)` standard normal numbers that belong to a name."""
    number = uuid.uuid5(uuid.NAMESPACE_OID, key).int
    words = [seed, *(number >> shift & 0xFFFFFFFF for shift in (0, 32, 64, 96))]
    return np.random.default_rng(words).standard_normal(runs)


RUNS: Final = 5_000  # the rank of a percentile is then good to half a percentage point


Needs = list[list[int]]
Before = npt.NDArray[np.bool_]


def ordered(inputs: Inputs) -> tuple[list[TaskInput], Needs, Before]:
    """The open tasks, each after those it depends on; what is done, dropped or unknown counts as
    there. Dependencies that close a circle, which no door lets in, count as none.

    Then by place what each depends on, and `before[i, j]`, the same with everything in between.
    """
    by_id = {task.id: task for task in inputs.open_tasks}
    needed = {key: [other for other in task.depends_on if other in by_id]
              for key, task in by_id.items()}  # fmt: skip
    try:
        order = list(TopologicalSorter(needed).static_order())
    except CycleError:
        order, needed = list(by_id), {key: [] for key in by_id}
    places = {key: place for place, key in enumerate(order)}
    needs = [sorted({places[other] for other in needed[key]}) for key in order]
    before = np.zeros((len(order), len(order)), bool)
    for place, others in enumerate(needs):
        before[place, others] = True
        before[place] |= before[others].any(axis=0)
    return [by_id[key] for key in order], needs, before


@dataclass(frozen=True)
class Network:
    """The open tasks in the order of their dependencies, with everything drawn.

    `needs` and `before` are those of `ordered`; lengths and waits are `(runs, tasks)` working days.
    """

    origin: np.datetime64
    readings: list[Reading]
    needs: Needs
    before: Before
    lengths: Floats
    waits: Floats
    hands: float
    off: Days

    @property
    def work(self) -> Floats:
        """`(runs, tasks)` days of one pair of hands."""
        is_work = np.array([reading.is_work for reading in self.readings], dtype=bool)
        result: Floats = self.lengths * min(self.hands, 1.0) * is_work
        return result


def network(inputs: Inputs, *, runs: int = RUNS) -> Network:
    """Reads and draws everything; the same inputs give the same numbers."""
    origin = first_day(inputs.today, inputs.off)
    tasks, needs, before = ordered(inputs)
    read = [read_task(task, inputs, origin) for task in tasks]
    hands = inputs.hands
    # by which all work of a run is longer or shorter than estimated
    shared = np.exp(SHARED[inputs.spread] * luck(inputs.seed, "all estimates", runs))
    lengths = np.empty((runs, len(read)))
    waits = np.zeros((runs, len(read)))
    for number, entry in enumerate(read):
        length = drawn(entry.length, luck(inputs.seed, entry.task.id, runs)) * shared
        lengths[:, number] = length / min(hands, 1.0) if entry.is_work else length
        if entry.wait:
            waits[:, number] = drawn(entry.wait, luck(inputs.seed, f"wait {entry.task.id}", runs))
    return Network(origin, read, needs, before, lengths, waits, hands, inputs.off)


def finishes(net: Network) -> Floats:
    """`(runs,)` working days until everything is done."""
    starts, ends = course(net)
    whole = _capacity_at_the_end(starts, net.work, net.hands)
    finish: Floats = np.maximum(ends.max(axis=1, initial=0.0), whole)
    return finish


def widened(done: Floats, widening: float) -> Floats:
    """The same courses, farther apart from the middle one (above 1) or nearer to it (below 1)."""
    middle = float(np.median(done))
    if widening == 1 or middle <= 0:
        return done
    farther: Floats = middle * (np.maximum(done, TINY) / middle) ** widening
    return farther


def course(net: Network) -> tuple[Floats, Floats]:
    """`(runs, tasks)` starts and ends, each as early as possible."""
    releases = _releases(net)
    starts = np.maximum(_floors(net, net.work, releases), net.waits)
    ends = np.empty_like(starts)
    for place, needed in enumerate(net.needs):
        start = np.maximum(starts[:, place], releases[place])
        for other in needed:
            start = np.maximum(start, ends[:, other])
        starts[:, place] = start
        ends[:, place] = start + net.lengths[:, place]
    return starts, ends


def _releases(net: Network) -> Floats:
    """`(tasks,)` the day before which a task cannot begin, by its own date and those before it."""
    result = np.array([reading.release for reading in net.readings])
    for place, needed in enumerate(net.needs):
        result[place] = max([result[place], *result[needed]])
    return result


def _floors(net: Network, work: Floats, releases: Floats) -> Floats:
    """`(runs, tasks)` when the hands can have done what comes before each task."""
    floors = np.zeros_like(work)
    before = net.before.astype(np.float64)
    for day in np.unique(releases):
        later = releases >= day
        has_any = before[:, later].any(axis=1)
        done = day + work[:, later] @ before[:, later].T / net.hands
        floors = np.maximum(floors, np.where(has_any, done, 0.0))
    return floors


def _capacity_at_the_end(starts: Floats, work: Floats, hands: float) -> Floats:
    """`(runs,)` when the hands can have done everything: r + work that begins at r or later."""
    by_start = np.argsort(-starts, axis=1)
    first = np.take_along_axis(starts, by_start, axis=1)
    left = np.cumsum(np.take_along_axis(work, by_start, axis=1), axis=1) / hands
    capacity: Floats = (first + left).max(axis=1, initial=0.0)
    return capacity
