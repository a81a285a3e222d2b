"""What a turn did, in words for staff: its stages, and what it changed of the guide's state."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from chat.models import Run

SHOWN_CHARS: Final = 160
Plain = Mapping[str, Any]


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


@dataclass(frozen=True)
class Difference:
    """One value that a turn changed; empty sides were not there. `path` is what it stands in."""

    name: str
    before: str
    after: str
    path: str = ""


def after_each(runs: Sequence[Run], now: Plain) -> dict[uuid.UUID, dict[str, Any]]:
    """The state after each run (given in the order they were made): what the next one began with.

    The last one left what stands `now`.
    """
    after = [*(run.state_before for run in runs[1:]), dict(now)]
    return {run.pk: state for run, state in zip(runs, after, strict=False)}


def told(before: Plain, after: Plain) -> list[Difference]:
    """What differs, in the order of the names; lists tell what came and what went."""
    return list(_differences("", before, after))


def _differences(path: str, before: Plain, after: Plain) -> Iterator[Difference]:
    for name in dict.fromkeys([*before, *after]):
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        words = spaced(name)
        if isinstance(old, Mapping | None) and isinstance(new, Mapping | None) and (old or new):
            inner = f"{path} › {words}" if path else words
            yield from _differences(inner, old or {}, new or {})
        elif isinstance(old, list | None) and isinstance(new, list | None):
            yield _of_lists(words, path, old or [], new or [])
        else:
            yield Difference(words, _short(said(old)), _short(said(new)), path)


def _of_lists(words: str, path: str, old: list[Any], new: list[Any]) -> Difference:
    """What came and what went; in another order only, both as they are."""
    went = [one for one in old if one not in new]
    came = [one for one in new if one not in old]
    if not went and not came:
        went, came = old, new
    return Difference(words, _short(said(went)), _short(said(came)), path)


def _short(words: str) -> str:
    return words if len(words) <= SHOWN_CHARS else f"{words[: SHOWN_CHARS - 1]}…"
