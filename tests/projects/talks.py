"""Auditing and forecasting conversations about a project, played through the engine."""

from __future__ import annotations

import datetime as dt
from typing import Any

from projects.models import Project, Task
from tests import todos

TODAY = dt.date(2026, 11, 23)  # a Monday
RISKY = (
    "The health office might refuse the spreadsheet. The tablet could fail in the cold. "
    "Paper stays as a fallback during the pilot."
)
TEXTS: dict[str, Any] = {
    "name": "Weekly sheet",
    "description": "Readings are typed once.",
    "core_integrity_ideals": "It is done when we launch the new sheet and finish the handbook.",
    "core_people_bonds": "Two technicians and one contact at the health office.",
    "core_goals_momentum": (
        "- Launch at all eight sampling points by March 2027\n"
        "- Complete the archive of every reading since 1990"
    ),
    "core_reality_understanding": (
        "Today readings are written on paper at the tap, typed into the database in the lab and "
        "copied by hand into the weekly sheet. The errors come from the copying."
    ),
    "core_trust_safeguards": RISKY,
    "core_power_resources": "No budget, half a day a week. We buy one rugged tablet.",
    "end_date": dt.date(2026, 12, 4),
}


def plan_into(actor: Any, project: Project) -> list[Task]:
    """Four to-dos: three estimated, the second waits for the first, one without an estimate."""

    planned = todos.add_all(
        actor=actor,
        project=project,
        all_values=[
            {"title": "Agree on the columns", "estimate_low_days": 2, "estimate_high_days": 6},
            {"title": "Build the sheet", "estimate_low_days": 4, "estimate_high_days": 9},
            {"title": "Print bottle labels", "estimate_low_days": 1, "estimate_high_days": 2},
            {"title": "Train the relief technicians"},
        ],
    )
    todos.wait_for(actor=actor, task=planned[1], needed=[planned[0].pk])
    return planned
