"""Scores of statements that others computed, such as exposure to AI: read from CSV, looked up."""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.db import transaction

from futura.errors import BadInput
from onet.models import StatementScore, TaskStatement

NAME_CHARS: Final = 80
_HEADS: Final = {"statement id", "task id", "statement_id", "task_id", "id"}


@dataclass(frozen=True)
class Loaded:
    """What a file brought: rows and names of scores; how many statements the catalogue knows."""

    rows: int
    names: tuple[str, ...]
    in_catalogue: int
    missing: int


def load_scores(path: Path) -> Loaded:
    """Replaces the scores that a file names: statement id, score name, value (one line each).

    All or nothing. Raises BadInput with the first faulty line; scores of other names stay.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            result = _read(file)
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path.name} cannot be read as UTF-8 text: {error}") from error
    names = sorted({name for name, _ in result})
    with transaction.atomic():
        StatementScore.objects.filter(name__in=names).delete()
        StatementScore.objects.bulk_create(
            (
                StatementScore(name=name, task_id=task_id, value=value)
                for (name, task_id), value in result.items()
            ),
            batch_size=2_000,
        )
    ids = {task_id for _, task_id in result}
    in_catalogue = TaskStatement.objects.filter(release__is_active=True, task_id__in=ids).count()
    return Loaded(len(result), tuple(names), in_catalogue, len(ids) - in_catalogue)


def _read(lines: Iterable[str]) -> dict[tuple[str, str], float]:
    matches: dict[tuple[str, str], float] = {}
    for number, row in _rows(lines):
        try:
            task_id, name, text = (cell.strip() for cell in row)
            value = float(text)
        except ValueError as error:
            raise BadInput(
                f"line {number}: three cells are expected: statement id, name, number"
            ) from error
        if not task_id or not name or len(name) > NAME_CHARS or not math.isfinite(value):
            raise BadInput(
                f"line {number}: an id, a name of at most {NAME_CHARS} characters "
                "and a finite number are expected"
            )
        if (name, task_id) in matches:
            raise BadInput(f"line {number}: {name} of {task_id} is there twice")
        matches[name, task_id] = value
    if not matches:
        raise BadInput("The file holds no scores.")
    return matches


def _rows(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    for number, row in enumerate(csv.reader(lines), start=1):
        is_head = number == 1 and row and row[0].strip().lower() in _HEADS
        if not is_head and any(cell.strip() for cell in row):
            yield number, row


def scores_of(task_ids: Iterable[str]) -> Mapping[str, Mapping[str, float]]:
    """Score name → statement id → value, of these statements: one query."""
    groups: dict[str, dict[str, float]] = defaultdict(dict)
    rows = StatementScore.objects.filter(task_id__in=set(task_ids))
    for name, task_id, value in rows.values_list("name", "task_id", "value"):
        groups[name][task_id] = value
    return groups
