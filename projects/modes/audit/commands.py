"""Findings of audits as programs and other agents read them."""

from __future__ import annotations

import uuid
from typing import ClassVar, Literal

from pydantic import BaseModel, Field

from chat.commands.base import Query, Scope
from projects.models import Project
from projects.modes.audit.checks import Severity
from projects.modes.audit.findings import findings_of


class FindingLine(BaseModel):
    """One thing that audits point out, and what has become of it."""

    id: uuid.UUID
    area: str
    dimension: str
    severity: Literal["minor", "serious", "critical"]
    source: str = Field(description="`computed`, or `model`: from the texts.")
    observation: str
    quotes: list[str]
    question: str
    recommendation: str
    status: str = Field(description="`open`, `answered`, `mended` or `recurring`.")
    answer: str = Field(description="Empty where an answered one was dismissed.")


class FindingsOut(BaseModel):
    """The gravest first."""

    findings: list[FindingLine]


class ListFindings(Query):
    """Lists what audits of a project have found, the gravest first, with what became of each."""

    name: ClassVar[str] = "list_findings"
    area: ClassVar[str] = "projects"

    project: uuid.UUID

    def read(self, scope: Scope) -> FindingsOut:
        """Raises NotInScope."""
        rows = findings_of(scope.get(Project, self.project))
        names = FindingLine.model_fields.keys() - {"severity"}
        return FindingsOut(
            findings=[
                FindingLine(
                    severity=Severity(row.severity).name.lower(),
                    **{name: getattr(row, name) for name in names},
                )
                for row in rows
            ]
        )
