"""The dependencies among open tasks: an order in which to go through them, and who needs whom."""

from __future__ import annotations

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
    needed: dict[str, set[str]] = {one.id: set() for one in tasks}
    ahead: dict[str, set[str]] = {one.id: set() for one in tasks}  # with everything in between
    circles = []
    for one in tasks:
        for other in dict.fromkeys(one.depends_on):
            if other not in needed or other == one.id:
                continue
            if one.id in ahead[other]:
                circles.append((one.id, other))
                continue
            needed[one.id].add(other)
            for key, those in ahead.items():
                if key == one.id or one.id in those:
                    those.update({other}, ahead[other])
    # what a task needs has less ahead of it than the task itself
    keys = tuple(sorted(ahead, key=lambda key: len(ahead[key])))
    places = {key: place for place, key in enumerate(keys)}
    needs = tuple(tuple(sorted(places[other] for other in needed[key])) for key in keys)
    before = np.array([[other in ahead[key] for other in keys] for key in keys], dtype=bool)
    return Order(keys, needs, before.reshape(len(keys), len(keys)), tuple(circles))
