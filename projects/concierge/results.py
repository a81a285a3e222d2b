"""What came of reading calls and hand-overs, and what the model is told of them."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from chat.assistant.delimiter import Delimiter
from futura.text import shortened
from projects.concierge.briefing import ProjectLine, TaskLine, line_of
from projects.concierge.calls import ListTasks, Talk
from projects.models import Task


@dataclass(frozen=True)
class Listed:
    """Tasks that were asked for, nearest first; `total` counts those that are not here, too.

    `is_near` says that no task had the words and these are only like them.
    """

    call: ListTasks
    tasks: Sequence[TaskLine]
    total: int
    is_near: bool = False


@dataclass(frozen=True)
class FoundProjects:
    """Projects that were asked for."""

    call: Any
    projects: Sequence[ProjectLine]


@dataclass(frozen=True)
class Opened:
    """Another conversation that begins or goes on, and where it is."""

    call: Any
    kind: Talk
    url: str
    title: str = ""
    session_id: uuid.UUID | None = None


def listed_text(listed: Listed, delimiter: Delimiter, today: dt.date) -> str:
    """Tasks with their ids."""
    if not listed.tasks:
        return "No task fits."
    lines = [line_of(one, today) for one in listed.tasks]
    if listed.total > len(lines):
        lines.append(f"- and {listed.total - len(lines)} more")
    about = "No task has these words; the nearest ones:\n" if listed.is_near else ""
    return about + delimiter.around("tasks", "\n".join(lines))


def projects_text(found: FoundProjects, delimiter: Delimiter) -> str:
    """Projects with their ids."""
    lines = [f"- {shortened(one.name)} id={one.id}" for one in found.projects]
    return delimiter.around("projects", "\n".join(lines)) or "No project fits."


def task_text(task: Task, delimiter: Delimiter) -> str:
    """A task whole."""
    facts = [
        f"title: {task.title}", f"status: {task.status}", f"priority: {task.priority}",
        f"due: {task.due_date or 'none'} {task.due_time or ''}".strip(),
        f"start: {task.start_date or 'none'}", f"version: {task.version}",
        f"notes ({len(task.details)} characters): {task.details or 'none'}",
    ]  # fmt: skip
    return delimiter.around("task", "\n".join(facts))
