"""The stages a turn went through, put into words for the staff's trace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from chat.models import Run


@dataclass(frozen=True)
class Step:
    """One stage of a turn; `notes` are "name: value" pairs, empty values left out."""

    label: str
    by: str
    took_ms: int | None
    notes: tuple[tuple[str, str], ...]


def steps_of(run: Run) -> list[Step]:
    """The stages of a run in their order."""
    return [
        Step(
            label=str(stage.get("label") or stage.get("name") or ""),
            by=str(stage.get("by") or ""),
            took_ms=stage.get("took_ms"),
            notes=tuple(_notes(stage.get("detail") or {})),
        )
        for stage in run.trace
    ]


def _notes(detail: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    for name, value in detail.items():
        words = said(value)
        if words:
            yield spaced(name), words


def said(value: Any) -> str:
    """A value as a reader would write it: lists with commas, mappings as "name value"."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{spaced(key)} {said(one)}" for key, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(said(one) for one in value)
    return str(value)


def spaced(name: str) -> str:
    """`estimatedTaskCount` as "estimated task count"."""
    return "".join(f" {sign.lower()}" if sign.isupper() else sign for sign in name).replace(
        "_", " "
    )
