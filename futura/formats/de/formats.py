"""German dates: "18. Dezember 2026", "Freitag, 18. Dezember"."""

from __future__ import annotations

from futura.formats import by_language


def _written(pattern: str) -> str:
    day = pattern.replace("l j", "l, j").replace("D j", "D, j")
    return day.replace("j ", "j. ")


globals().update(by_language(_written))
