"""The plan that audit and forecast read: rows for words, inputs for figures."""

from __future__ import annotations

from dataclasses import dataclass, replace

from futura.llm.tools import ToolRejected
from projects.forecasting.inputs import Inputs
from projects.forecasting.queries import widening_for
from projects.forecasting.snapshot import inputs_of
from projects.models import Project, Task
from projects.modes.rows import ProjectRows, Snapshot


@dataclass(frozen=True)
class Plan:
    """A conversation's project as it stands: rows for words, inputs for figures."""

    project: Project
    tasks: tuple[Task, ...]
    snapshot: Snapshot
    inputs: Inputs


def plan_of(rows: ProjectRows) -> Plan:
    """Reads the project. Raises ToolRejected when it is gone."""
    snapshot = rows.snapshot()
    project = snapshot.row
    if not isinstance(project, Project):
        raise ToolRejected("There is no project in this conversation.")
    tasks = tuple(one for one in snapshot.tasks if isinstance(one, Task))
    inputs = inputs_of(project, tasks, today=rows.today)
    widening, _projects = widening_for(project.owner_id)
    return Plan(project, tasks, snapshot, replace(inputs, widening=widening))
