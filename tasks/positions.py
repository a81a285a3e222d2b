"""Places of tasks in a list: numbers with gaps, so that moving one task changes no other."""

from __future__ import annotations

from typing import Final

GAP: Final = 1024


def after(last: int, count: int) -> list[int]:
    """Places for so many tasks behind the last one."""
    return [last + GAP * number for number in range(1, count + 1)]


def between(left: int, right: int | None, count: int = 1) -> list[int] | None:
    """So many places between two (behind `left` when there is no `right`); None without room."""
    if right is None:
        return after(left, count)
    step = (right - left) // (count + 1)
    return [left + step * number for number in range(1, count + 1)] if step else None
