"""What an audit finds: one finding, its evidence, and the change that would mend it."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any, Final, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel, Field

from projects.agent.toolbox import Picture
from projects.completeness import Level, Standing
from projects.dimensions import BY_FIELD, FIELDS
from projects.forecasting.inputs import Inputs
from projects.forecasting.results import Declined, Result
from projects.models import Project, Task

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


AREAS: Final[dict[Area, str | Promise]] = {
    Area.COMPLETENESS: _("Completeness"),
    Area.CONSISTENCY: _("Consistency"),
    Area.RISKS: _("Risks"),
    Area.FEASIBILITY: _("Feasibility"),
    Area.MISSING: _("Missing pieces"),
}
SEVERITIES: Final[dict[Severity, str | Promise]] = {
    Severity.MINOR: _("minor"),
    Severity.SERIOUS: _("serious"),
    Severity.CRITICAL: _("critical"),
}


class Evidence(BaseModel):
    """Words of the project itself: `text[start:end]` of a field, or of a task's title or details.

    `field` is a field of the project, or `task:<id>:<field>`.
    """

    field: str
    start: int
    end: int
    quote: str


class Fix(BaseModel):
    """A change that would mend it, as it would be proposed for review.

    `kind` says of what: a new task, other values of a task (`id`) or of the project, or a text at
    the end of a dimension (`field`).
    """

    kind: Literal["task", "task_update", "project_update", "dimension"]
    values: dict[str, Any] = Field(default_factory=dict)
    id: uuid.UUID | None = None
    field: str = ""


class Finding(BaseModel):
    """One thing that an audit points out. `recommendation` reads after “I would …”."""

    id: str
    area: Area
    severity: Severity
    observation: str
    question: str
    recommendation: str
    dimension: str = ""
    evidence: list[Evidence] = Field(default_factory=list)
    fix: Fix | None = None
    by: Literal["model", "rules"] = "rules"

    @property
    def area_name(self) -> str:
        """The area as people read it."""
        return str(AREAS[self.area])

    @property
    def severity_name(self) -> str:
        """The severity as people read it."""
        return str(SEVERITIES[self.severity])

    @property
    def dimension_name(self) -> str:
        """The dimension it belongs to; empty where it is about the whole."""
        return str(BY_FIELD[self.dimension].name) if self.dimension else ""


@dataclass(frozen=True)
class Subject:
    """What is audited: the project as it stands, how complete it is, and what a forecast says."""

    project: Project
    tasks: tuple[Task, ...]
    picture: Picture
    inputs: Inputs
    standings: tuple[Standing, ...]
    result: Result | Declined
    today: dt.date
    harshness: int = 7
    needs: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """One text of the project."""
        value: str = getattr(self.project, name)
        return value

    def standing(self, name: str) -> Standing:
        """How complete a dimension is."""
        return next(one for one in self.standings if one.dimension.field == name)

    def is_thin(self, name: str) -> bool:
        """Whether there is hardly anything on a dimension."""
        return self.standing(name).level <= Level.START

    @property
    def open_tasks(self) -> list[Task]:
        """What is still to be done."""
        return [one for one in self.tasks if one.status in Task.ACTIVE]


def quoted(name: str, text: str, start: int, end: int) -> Evidence:
    """A stretch of a field, cut at a readable length."""
    end = min(end, start + QUOTE_CHARS)
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Evidence(field=name, start=start, end=end, quote=text[start:end])


def of_task(task: Task, name: str = "title") -> Evidence:
    """A task's title, or its details, as evidence."""
    text: str = getattr(task, name)
    return quoted(f"task:{task.pk}:{name}", text, 0, len(text))


def text_of(evidence_field: str, subject: Subject) -> str | None:
    """The text that evidence points into; None when it is not there any more."""
    if evidence_field in TEXTS:
        return subject.text(evidence_field)
    kind, _sep, rest = evidence_field.partition(":")
    key, _sep, name = rest.partition(":")
    if kind != "task" or name not in {"title", "details"}:
        return None
    found = next((one for one in subject.tasks if str(one.pk) == key), None)
    return getattr(found, name) if found is not None else None


def is_grounded(one: Evidence, subject: Subject) -> bool:
    """Whether the quote stands where the evidence says."""
    text = text_of(one.field, subject)
    return text is not None and bool(one.quote) and text[one.start : one.end] == one.quote
