"""The forecast as a reading tool for every conversation about a project."""

from __future__ import annotations

from typing import Any

from projects.forecasting.results import Declined, forecast
from projects.forecasting.telling import declined, told_by_rules
from projects.modes.forecast.wording import figures_text
from projects.modes.plan import plan_of
from projects.modes.rows import ProjectRows


def forecast_project(rows: ProjectRows) -> dict[str, Any]:
    """Figures of a forecast of the plan as it stands, as text. Raises ToolRejected."""
    plan = plan_of(rows)
    result = forecast(plan.inputs)
    if isinstance(result, Declined):
        return {"declined": declined(result, plan.project.name)}
    return {"figures": figures_text(plan.inputs, result, told_by_rules(plan.inputs, result))}
