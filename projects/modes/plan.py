"""The plan that audit and forecast read: rows for words, inputs for figures."""

from __future__ import annotations

from dataclasses import dataclass

from futura.llm.tools import ToolRejected
from projects.forecasting.inputs import Inputs
from projects.forecasting.queries import inputs_now
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
    return Plan(project, tasks, snapshot, inputs_now(project, tasks, today=rows.today))
