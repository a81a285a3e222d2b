"""What an audit works with: a finding before it is stored, its evidence, its fix."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any, Final, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel, Field

from futura.text import locate
from projects.dimensions import FIELDS
from projects.forecasting.inputs import Inputs
from projects.forecasting.results import Declined, Result
from projects.models import Project, Task
from projects.modes.rows import Snapshot

TEXTS: Final = ("name", "description", "context", "executive_summary", *FIELDS)
QUOTE_CHARS: Final = 240


class Severity(IntEnum):
    """How much it matters."""

    MINOR = 1
    SERIOUS = 2
    CRITICAL = 3


class Area(StrEnum):
    """The five areas of an audit (spec 2)."""

    COMPLETENESS = "completeness"
    CONSISTENCY = "consistency"
    RISKS = "risks"
    FEASIBILITY = "feasibility"
    MISSING = "missing"


AREAS: Final[dict[str, str | Promise]] = {
    Area.COMPLETENESS: _("Completeness"),
    Area.CONSISTENCY: _("Consistency"),
    Area.RISKS: _("Risks"),
    Area.FEASIBILITY: _("Feasibility"),
    Area.MISSING: _("Missing pieces"),
}
SEVERITIES: Final[dict[int, str | Promise]] = {
    Severity.MINOR: _("minor"),
    Severity.SERIOUS: _("serious"),
    Severity.CRITICAL: _("critical"),
}


class Evidence(BaseModel):
    """Words of the project itself: `text[start:end]` of a field, or of a to-do's title or details.

    `field` is a field of the project, or `task:<id>:<field>`.
    """

    field: str
    start: int
    end: int
    quote: str


class Fix(BaseModel):
    """A change that would mend it, as it would be proposed for review.

    `kind` says of what: a new to-do, other values of a to-do (`id`) or of the project.
    """

    kind: Literal["task", "task_update", "project_update"]
    values: dict[str, Any] = Field(default_factory=dict)
    id: uuid.UUID | None = None


class Draft(BaseModel):
    """A finding of one audit. `recommendation` reads after “I would …”.

    `continues` is the key of an earlier finding that this one is.
    """

    key: str
    area: Area
    severity: Severity
    observation: str
    question: str
    recommendation: str
    dimension: str = ""
    evidence: list[Evidence] = Field(default_factory=list)
    fix: Fix | None = None
    source: Literal["computed", "model"] = "computed"


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
    needs: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """One text of the project."""
        value: str = getattr(self.project, name)
        return value

    @property
    def open_tasks(self) -> list[Task]:
        """What is still to be done."""
        return [one for one in self.tasks if one.status in Task.ACTIVE]

    @property
    def texts(self) -> dict[str, str]:
        """Every text that can be quoted, by the field that evidence names."""
        texts = {name: self.text(name) for name in TEXTS}
        for task in self.tasks:
            texts[f"task:{task.pk}:title"] = task.title
            texts[f"task:{task.pk}:details"] = task.details
        return texts


def of_task(task: Task) -> Evidence:
    """A to-do's title as evidence."""
    return evidence_at(f"task:{task.pk}:title", task.title, 0, len(task.title))


def evidence_at(name: str, text: str, start: int, end: int) -> Evidence:
    """A stretch of a field, cut at a readable length."""
    end = min(end, start + QUOTE_CHARS)
    return Evidence(field=name, start=start, end=end, quote=text[start:end])


def located(words: str, source: str, subject: Subject) -> Evidence | None:
    """Where quoted words stand: in the block that was named, else anywhere; None nowhere."""
    task = subject.snapshot.refs.get(source)
    named = f"task:{task.pk}:" if task is not None else source
    texts = sorted(subject.texts.items(), key=lambda one: not one[0].startswith(named))
    for name, text in texts:
        if span := locate(words, text) if text else None:
            return evidence_at(name, text, *span)
    return None
