"""Copies of a list of to-dos: a table for spreadsheets, Markdown to read, JSON for programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Final

from django.core.serializers.json import DjangoJSONEncoder
from django.utils.translation import gettext as _

from projects import words
from projects.export import ticked
from projects.models import Task
from projects.shapes import todo_out
from tasks.export import safe_cell


def as_csv(tasks: Sequence[Task]) -> str:
    """A table with a byte order mark, one line a to-do; no cell can start a formula."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(
        [_("Title"), _("Status"), _("Priority"), _("Project"), _("Start date"), _("Due"),
         _("Due time"), _("Completed on"), _("Repeats"), _("Assignee"), _("Tags"), _("Waiting for"),
         _("Details"), _("Id")]
    )  # fmt: skip
    for task in tasks:
        writer.writerow([safe_cell(value) for value in _row(task)])
    return "\ufeff" + out.getvalue()


def _row(task: Task) -> list[object]:
    return [
        task.title,
        words.TASK_STATUS[task.status],
        words.PRIORITY[task.priority],
        task.project.name if task.project else "",
        task.start_date or "",
        task.due_date or "",
        f"{task.due_time:%H:%M}" if task.due_time else "",
        task.completed_at.isoformat() if task.completed_at else "",
        task.repeat,
        task.assignee,
        ", ".join(task.tags),
        "; ".join(one.title for one in task.depends_on.all()),
        task.details,
        task.pk,
    ]


def as_markdown(tasks: Sequence[Task]) -> str:
    """A list to tick off, by project."""
    parts = ["# " + _("To-dos")]
    for name, some in groupby(sorted(tasks, key=_project), key=_project):
        parts += [f"## {name}"] * bool(name) + ["\n".join(ticked(task) for task in some)]
    return "\n\n".join(parts) + "\n"


def _project(task: Task) -> str:
    return task.project.name if task.project else ""


def as_json(tasks: Sequence[Task]) -> str:
    """Every to-do with what people see of it."""
    rows = [
        {**todo_out(one), "project": one.project and {"id": one.project_id, "name": _project(one)}}
        for one in tasks
    ]
    return json.dumps({"tasks": rows}, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)


WAYS: Final[Mapping[str, Callable[[Sequence[Task]], str]]] = {
    "csv": as_csv,
    "md": as_markdown,
    "json": as_json,
}
