"""The dependencies among open tasks: an order in which to go through them, and who needs whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from projects.forecasting.inputs import Inputs


@dataclass(frozen=True)
class Order:
    """Ids so that every task comes after those it depends on.

    `needs[i]` are the places of the tasks that i depends on; `before[i, j]` says the same with
    everything in between. `circles` are dependencies (task, needed) that were left out, since they
    would close a circle.
    """

    keys: tuple[str, ...]
    needs: tuple[tuple[int, ...], ...]
    before: npt.NDArray[np.bool_]
    circles: tuple[tuple[str, str], ...] = ()


def ordered(inputs: Inputs) -> Order:
    """The open tasks in order; what they need that is done, dropped or unknown counts as there."""
    tasks = inputs.open_tasks
    needed, circles = _without_circles(
        {one.id: [key for key in one.depends_on if key != one.id] for one in tasks}
    )
    keys = _sorted(needed)
    places = {key: place for place, key in enumerate(keys)}
    needs = tuple(tuple(sorted(places[other] for other in needed[key])) for key in keys)
    before = np.zeros((len(keys), len(keys)), dtype=bool)
    for place, others in enumerate(needs):
        for other in others:
            before[place] |= before[other]
            before[place, other] = True
    return Order(tuple(keys), needs, before, tuple(circles))


def _without_circles(
    told: Mapping[str, list[str]],
) -> tuple[dict[str, list[str]], list[tuple[str, str]]]:
    """The dependencies one after the other, without those that would close a circle."""
    needed: dict[str, list[str]] = {key: [] for key in told}
    circles = []
    for key, others in told.items():
        for other in dict.fromkeys(others):
            if other not in needed:
                continue
            if _reaches(needed, other, key):
                circles.append((key, other))
            else:
                needed[key].append(other)
    return needed, circles


def _reaches(needed: Mapping[str, list[str]], start: str, goal: str) -> bool:
    """Whether one task needs another, directly or not."""
    seen, waiting = {start}, [start]
    while waiting:
        for other in needed[waiting.pop()]:
            if other == goal:
                return True
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return start == goal


def _sorted(needed: Mapping[str, list[str]]) -> list[str]:
    """Every task after what it needs; otherwise in the order given."""
    left = {key: len(others) for key, others in needed.items()}
    needing: dict[str, list[str]] = {key: [] for key in needed}
    for key, others in needed.items():
        for other in others:
            needing[other].append(key)
    ready = [key for key, count in left.items() if not count]
    for key in ready:  # grows while it is read
        for other in needing[key]:
            left[other] -= 1
            if not left[other]:
                ready.append(other)
    return ready
