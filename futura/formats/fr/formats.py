"""French dates: "18 décembre 2026", "18 déc 2026"."""

from __future__ import annotations

from futura.formats import by_language


def _written(pattern: str) -> str:
    return pattern.replace("j M", "j b")


globals().update(by_language(_written))
