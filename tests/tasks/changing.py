"""Tasks and matches of a list as tests want them: written through the ledger, like everything."""

from __future__ import annotations

from typing import Any

from chat.operations.changes import Actor, Cause, Create, Delete, Kind, Update
from chat.operations.execute import execute, raise_if_failed
from chat.operations.models import OperationBatch
from chat.operations.registry import named
from tasks.models import SurveyResponse, TaskMatch, WorkTask


def make(response: SurveyResponse, match: dict[str, Any] | None = None, **values: Any) -> WorkTask:
    """A task with its match, by one batch of the machinery."""
    values = {"response": response.pk, **values}
    if values.get("message") is not None:
        values["message"] = values["message"].pk
    task = Create("work_task", values)
    _execute(response, task, Create("task_match", {"task": task.id, **(match or {})}))
    return WorkTask.objects.select_related("match").get(pk=task.id)


def change(row: WorkTask | TaskMatch, kind: str = Kind.SYSTEM, **values: Any) -> None:
    """Other values for a row, which is read anew."""
    _execute(_response_of(row), Update(named(type(row)), row.pk, values), kind=kind)
    row.refresh_from_db()


def take_off(*tasks: WorkTask) -> None:
    """Deletes tasks of one list."""
    _execute(tasks[0].response, *(Delete("work_task", task.pk) for task in tasks))


def _response_of(row: WorkTask | TaskMatch) -> SurveyResponse:
    return row.response if isinstance(row, WorkTask) else row.task.response


def _execute(response: SurveyResponse, *changes: Any, kind: str = Kind.SYSTEM) -> OperationBatch:
    session = response.session
    batch = execute(
        actor=Actor(session.participant_id, kind=kind),
        changes=changes,
        cause=Cause(session=session),
        is_atomic=True,
    )
    return raise_if_failed(batch)
