"""Copies to keep: a project as Markdown or JSON, a list of to-dos as a table or JSON.

Projects are read by `queries.whole`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final

from django.core.serializers.json import DjangoJSONEncoder
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from chat.operations import serialization
from chat.operations.registry import OperableModel, operable
from projects import field_labels
from projects.commands.todo_changes import before_words
from projects.dimensions import completeness
from projects.models import Project, Task
from projects.project_page import todo_of
from projects.shapes import todo_out
from tasks.export import table

FINDING_FIELDS = (
    "key", "area", "dimension", "severity", "source", "observation", "question",
    "recommendation", "status", "answer",
)  # fmt: skip


def as_markdown(project: Project) -> str:
    """The whole project as one text: head, dimensions that say something, to-dos, notes."""
    tasks, notes = project.tasks.all(), project.notes.all()
    parts = [f"# {project.name}", *_head(project)]
    for standing in completeness(project):
        if standing.text:
            parts += [f"## {standing.dimension.name}", standing.text]
    if tasks:
        parts += ["## " + _("To-dos"), "\n".join(ticked(task) for task in tasks)]
    if notes:
        parts.append("## " + _("Notes"))
    for note in notes:
        parts += [f"### {note.title}"] * bool(note.title) + [note.text]
    return "\n\n".join(parts) + "\n"


def _head(project: Project) -> Iterator[str]:
    facts = {
        _("Status"): field_labels.PROJECT_STATUS[project.status],
        _("Start date"): project.start_date,
        _("End date"): project.end_date,
        _("Tags"): ", ".join(project.tags),
    }
    yield "\n".join(f"- {name}: {value}" for name, value in facts.items() if value)
    yield from (text for text in (project.description, project.executive_summary) if text)
    if project.context:
        yield "## " + _("Context")
        yield project.context


def ticked(task: Task) -> str:
    """A to-do as a line of Markdown to tick off, with what people see of it."""
    facts = [task.title]
    if task.status not in {Task.Status.COMPLETED, Task.Status.AVAILABLE}:
        facts.append(f"({field_labels.TASK_STATUS[task.status]})")
    if task.priority != Task.Priority.NORMAL:
        facts.append(f"!{task.priority}")
    if task.due_date:
        clock = f" {task.due_time:%H:%M}" if task.due_time else ""
        facts.append(_("due %(day)s") % {"day": f"{task.due_date}{clock}"})
    line = " · ".join([" ".join(facts), *todo_of(task).facts])
    tick = "x" if task.status == Task.Status.COMPLETED else " "
    details = "".join(f"\n  {line}" for line in task.details.splitlines())
    return f"- [{tick}] {line}{details}"


def as_json(project: Project) -> str:
    """The project with every field the ledger knows, its to-dos, notes and audit findings."""
    return _text(_values(project))


def _text(values: Mapping[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, indent=2)


def _values(project: Project) -> dict[str, Any]:
    return {
        **_row("project", project),
        "tasks": [_row("task", task) for task in project.tasks.all()],
        "notes": [_row("note", note) for note in project.notes.all()],
        "findings": [
            {name: getattr(finding, name) for name in FINDING_FIELDS}
            | {"last_audit_at": finding.last_audit_at.isoformat()}
            for finding in project.findings.all()
        ],
    }


def _row(entity: str, row: OperableModel) -> dict[str, Any]:
    entity_type = operable(entity)
    return {
        "id": str(row.pk),
        **serialization.read(entity_type, row),
        "version": row.version,
        "created_at": row.created_at.isoformat(),
        "updated_at": row.updated_at.isoformat(),
    }


def _reminder(task: Task) -> str:
    if task.remind_at:
        return task.remind_at.isoformat()
    return "" if task.remind_minutes is None else before_words(task.remind_minutes)


Cell = Callable[[Task], object]


def _column(name: str, cell: Cell | None = None) -> tuple[str | Promise, Cell]:
    """A field under the name that pages give it; as it is stored, unless a cell says otherwise."""
    return field_labels.FIELDS[name], cell or attrgetter(name)


_COLUMNS: Final = (
    _column("title"),
    _column("status", lambda task: field_labels.TASK_STATUS[task.status]),
    _column("priority", lambda task: field_labels.PRIORITY[task.priority]),
    (gettext_lazy("Project"), lambda task: task.project and task.project.name),
    _column("start_date"),
    _column("due_date"),
    _column("due_time", lambda task: task.due_time and f"{task.due_time:%H:%M}"),
    _column("estimate_low_days"),
    _column("estimate_high_days"),
    _column("remind_minutes", _reminder),
    (
        gettext_lazy("Completed on"),
        lambda task: task.completed_at and task.completed_at.isoformat(),
    ),
    _column("repeat"),
    _column("assignee"),
    _column("tags", lambda task: ", ".join(task.tags)),
    _column("depends_on", lambda task: "; ".join(item.title for item in task.depends_on.all())),
    _column("details"),
    (gettext_lazy("Id"), attrgetter("pk")),
)


def todos_csv(tasks: Sequence[Task]) -> str:
    """A table with a byte order mark, one line a to-do; no cell can start a formula."""
    rows = ([cell(task) for _name, cell in _COLUMNS] for task in tasks)
    return table([str(name) for name, _cell in _COLUMNS], rows)


def todos_json(tasks: Sequence[Task]) -> str:
    """Every to-do with what people see of it."""
    rows = [
        {
            **todo_out(task).model_dump(),
            "project": task.project and {"id": task.project_id, "name": task.project.name},
        }
        for task in tasks
    ]
    return json.dumps({"tasks": rows}, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)


WAYS: Final[Mapping[str, tuple[Callable[[Sequence[Task]], str], str]]] = {
    "csv": (todos_csv, "text/csv; charset=utf-8"),
    "json": (todos_json, "application/json; charset=utf-8"),
}
"""How a list is written, and the type of the file."""
