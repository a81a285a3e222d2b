"""What an audit looks at, and how a computed finding is written down."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from futura.text import locate
from projects.dimensions import FIELDS
from projects.forecasting.inputs import Inputs
from projects.forecasting.results import Declined, Result
from projects.models import Project, Task
from projects.modes.audit.models import Finding
from projects.modes.rows import Snapshot

TEXTS: Final = ("name", "description", "context", "executive_summary", *FIELDS)
QUOTE_CHARS: Final = 240
Area, Severity = Finding.Area, Finding.Severity
Evidence = dict[str, str]


@dataclass(frozen=True)
class Subject:
    """What is audited: the project as it stands, and what a forecast says."""

    project: Project
    tasks: tuple[Task, ...]
    snapshot: Snapshot
    inputs: Inputs
    result: Result | Declined
    today: dt.date
    harshness: int = 7

    def text(self, name: str) -> str:
        """One text of the project."""
        value: str = getattr(self.project, name)
        return value

    @property
    def open_tasks(self) -> list[Task]:
        """What is still to be done."""
        return [one for one in self.tasks if one.status in Task.ACTIVE]

    def needs(self, task: Task) -> Sequence[str]:
        """The ids of what a to-do waits for."""
        read = self.inputs.task(str(task.pk))
        return read.depends_on if read else ()

    @property
    def texts(self) -> dict[str, str]:
        """Every text that can be quoted, by the field that evidence names."""
        texts = {name: self.text(name) for name in TEXTS}
        for task in self.tasks:
            texts[f"task:{task.pk}:title"] = task.title
            texts[f"task:{task.pk}:details"] = task.details
        return texts


def computed(
    key: str,
    area: Finding.Area,
    severity: Finding.Severity,
    observation: str,
    question: str,
    recommendation: str,
    *,
    dimension: str = "core_goals_momentum",
    tasks: Sequence[Task] = (),
    fix: dict[str, Any] | None = None,
) -> Finding:
    """A finding that is not stored yet; the titles of `tasks` are its evidence."""
    evidence = [{"field": f"task:{one.pk}:title", "quote": one.title} for one in tasks[:4]]
    return Finding(
        key=key, area=area, severity=severity, observation=observation, question=question,
        recommendation=recommendation, dimension=dimension, evidence=evidence, fix=fix,
        source=Finding.Source.COMPUTED,
    )  # fmt: skip


def new_task(title: str, details: str = "") -> dict[str, Any]:
    """The fix that makes a to-do."""
    return {"kind": "task", "values": {"title": title, "details": details}, "id": None}


def task_change(task: Task, **values: Any) -> dict[str, Any]:
    """The fix that changes a to-do."""
    return {"kind": "task_update", "values": values, "id": str(task.pk)}


def project_change(**values: Any) -> dict[str, Any]:
    """The fix that changes the project."""
    return {"kind": "project_update", "values": values, "id": None}


def located(words: str, source: str, subject: Subject) -> Evidence | None:
    """Where quoted words stand: in the block that was named, else anywhere; None nowhere."""
    task = subject.snapshot.refs.get(source)
    named = f"task:{task.pk}:" if task is not None else source
    texts = sorted(subject.texts.items(), key=lambda one: not one[0].startswith(named))
    for name, text in texts:
        if span := locate(words, text) if text else None:
            start, end = span
            return {"field": name, "quote": text[start : min(end, start + QUOTE_CHARS)]}
    return None
