"""The agent's figures as a table for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from projects.staff.queries import Metrics

COLUMNS: Final = (
    "started", "people", "returning", "completed", "completion", "questions", "messages",
    "operations", "undone", "undo", "failed", "success", "tasks", "projects", "runs", "broken",
    "errors", "good", "bad", "dimensions", "to_completion", "to_operation", "lasted",
)  # fmt: skip


def table(lines: Sequence[Metrics]) -> str:
    """CSV: a row per mode, then all; shares from 0 to 1, times in seconds, empty for none."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["mode", *(_name(one) for one in COLUMNS)])
    for line in lines:
        mode = line.kind.removeprefix("project_") or "all"
        writer.writerow([mode, *(_cell(getattr(line, one)) for one in COLUMNS)])
    return text.getvalue()


def _name(column: str) -> str:
    return f"{column}_s" if column in {"to_completion", "to_operation", "lasted"} else column


def _cell(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, timedelta):
        return round(value.total_seconds())
    return round(value, 4) if isinstance(value, float) else value
