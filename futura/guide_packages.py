"""Guides of other packages: Django apps that the entry point group `futura.guides` names."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Final

GROUP: Final = "futura.guides"


def app_configs() -> list[str]:
    """The dotted names of their AppConfigs, for INSTALLED_APPS."""
    return [point.value.replace(":", ".") for point in _points()]


def urlconfs() -> Sequence[tuple[str, str]]:
    """The name of each, below which its addresses stand, and the module with these addresses."""
    return [(point.name, f"{point.module.rpartition('.')[0]}.urls") for point in _points()]


def _points() -> list[EntryPoint]:
    return sorted(entry_points(group=GROUP), key=lambda point: point.name)
