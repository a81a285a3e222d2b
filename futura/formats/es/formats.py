"""Spanish dates: "18 de diciembre de 2026", "viernes, 18 de diciembre", "18 dic 2026"."""

from __future__ import annotations

from futura.formats import by_language


def _written(pattern: str) -> str:
    day = pattern.replace("l j", "l, j").replace("j M", "j b")
    return day.replace("j F", r"j \d\e F").replace("F Y", r"F \d\e Y")


globals().update(by_language(_written))
