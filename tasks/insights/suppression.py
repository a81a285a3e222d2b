"""Keeps small groups out of sight: what fewer people do than a campaign allows is not shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tasks.insights.report import Line, Report


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
