"""Reads O*NET's tab-separated tables: tolerant of order, line ends and extra columns."""

from __future__ import annotations

import codecs
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from onet.loading.catalogue import CannotLoad
from onet.loading.source import SourceFile

NO_VALUE: Final = "n/a"

Warnings = Counter[str]
"""What was odd about the source → how often."""


@dataclass(frozen=True, slots=True)
class Table:
    """A file of the release with the columns used here; values come in this order."""

    file: str
    columns: tuple[str, ...]
    optional: tuple[str, ...] = ()
    needed: bool = False


def header(file: SourceFile) -> list[str]:
    """The column names of a table; empty for an empty file."""
    for line in file.lines():
        return _cells(_text(_without_mark(line, file.name)))
    return []


def missing_columns(file: SourceFile, table: Table) -> list[str]:
    """Columns of `table` that the file does not have, upper and lower case alike."""
    present = {name.casefold() for name in header(file)}
    return [name for name in table.columns if name.casefold() not in present]


def rows(file: SourceFile, table: Table, warnings: Warnings) -> Iterator[tuple[str, ...]]:
    """One tuple a row, the columns first, then the optional ones; "" stands for no value.

    There is no quoting: a `"` is a character like any other. Rows that lack a value of the first
    column are left out and counted.
    """
    lines = file.lines()
    names = _cells(_text(_without_mark(next(lines, b""), file.name)))
    places = _places(names, table)
    for line in lines:
        cells = _cells(_text(line))
        if len(cells) == 1 and not cells[0]:
            continue
        if len(cells) > len(names):
            warnings[f"rows of “{file.name}” with more cells than columns"] += 1
        values = tuple(_value(cells, place) for place in places)
        if not values[0]:
            warnings[f"rows of “{file.name}” without “{table.columns[0]}”, left out"] += 1
            continue
        yield values


def _places(names: list[str], table: Table) -> list[int | None]:
    found = {name.casefold(): place for place, name in reversed(list(enumerate(names)))}
    return [found.get(name.casefold()) for name in (*table.columns, *table.optional)]


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("\t")]


def _value(cells: list[str], place: int | None) -> str:
    if place is None or place >= len(cells):
        return ""
    value = cells[place]
    return "" if value.lower() == NO_VALUE else value


def _without_mark(line: bytes, name: str) -> bytes:
    if line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise CannotLoad(f"“{name}” is in UTF-16. Save it as UTF-8 text.")
    return line.removeprefix(codecs.BOM_UTF8)


def _text(line: bytes) -> str:
    """UTF-8, or Windows-1252 for a line that is not (older releases); NUL characters go."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        text = line.decode("cp1252", errors="replace")
    return text.rstrip("\r").replace("\x00", "")
