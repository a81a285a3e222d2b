"""The forecast as a reading tool for every conversation about a project."""

from __future__ import annotations

from typing import Any

from projects.agent.forecast.reading import read_by_rules, with_assumptions
from projects.agent.forecast.telling import figures_text
from projects.agent.forecast.words import declined, variant_text
from projects.agent.readers import plan_of
from projects.agent.toolbox import ToolBox
from projects.agent.tools import Situation
from projects.forecasting.results import Declined, forecast
from projects.forecasting.telling import told_by_rules
from projects.forecasting.variants import compared


def forecast_project(given: Situation, box: ToolBox) -> dict[str, Any]:
    """Figures of a forecast as text, and of the variants that the situation names.

    Raises ToolRejected when the project is gone.
    """
    plan = plan_of(box)
    said = read_by_rules(given.situation or "", plan.inputs)
    inputs = with_assumptions(plan.inputs, said.hands, said.spread, said.estimates)
    result = forecast(inputs)
    if isinstance(result, Declined):
        return {"declined": declined(result, plan.project.name)}
    found = [compared(inputs, one, result) for one in said.variants]
    return {
        "figures": figures_text(inputs, result, told_by_rules(inputs, result)),
        "what_if": [
            variant_text(one, result, inputs) for one in found if not isinstance(one, Declined)
        ],
    }
