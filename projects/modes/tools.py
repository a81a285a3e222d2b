"""What every conversation about a project may read with a tool: standing, audit, forecast."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from chat.assistant.toolset import Reading
from projects.completeness import completeness
from projects.forecasting.results import Declined, forecast
from projects.forecasting.telling import declined, told_by_rules
from projects.modes.audit.auditing import computed, subject_of
from projects.modes.forecast.wording import figures_text
from projects.modes.rows import ProjectRows, plan_of


class Nothing(BaseModel):
    """No arguments."""


def reading_tools(rows: ProjectRows) -> list[Reading]:
    """The three, bound to a conversation; all that audit and forecast ever get."""
    return [
        _reading(
            "analyze_project_completeness",
            "Says which of the nine dimensions are covered and which need attention.",
            lambda: _standings(rows),
        ),
        _reading(
            "generate_project_audit",
            "Audits the project over all nine dimensions: findings with severity and evidence.",
            lambda: audit_project(rows),
        ),
        _reading(
            "forecast_project",
            "Forecasts by simulation when the project may be finished, and what drives that.",
            lambda: forecast_project(rows),
        ),
    ]


def _reading(name: str, description: str, read: Callable[[], object]) -> Reading:
    return Reading(name, description, Nothing, lambda _given, _working: read())


def _standings(rows: ProjectRows) -> dict[str, Any]:
    row = rows.snapshot().row
    return {one.dimension.field: one.word for one in completeness(row)}


def forecast_project(rows: ProjectRows) -> dict[str, Any]:
    """Figures of a forecast of the plan as it stands, as text. Raises ToolRejected."""
    plan = plan_of(rows)
    result = forecast(plan.inputs)
    if isinstance(result, Declined):
        return {"declined": declined(result, plan.project.name)}
    return {"figures": figures_text(plan.inputs, result, told_by_rules(plan.inputs, result))}


def audit_project(rows: ProjectRows) -> dict[str, Any]:
    """What can be computed, as plain values. Raises ToolRejected when the project is gone."""
    audit = computed(subject_of(plan_of(rows), rows.today, 7))
    return {
        "strengths": [text for text, _quote in audit.strengths],
        "findings": [
            {
                "area": one.area,
                "severity": one.get_severity_display(),
                "observation": one.observation,
                "evidence": [place["quote"] for place in one.evidence],
                "question": one.question,
                "recommendation": one.recommendation,
            }
            for one in audit.findings
        ],
    }
