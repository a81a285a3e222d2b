"""Tasks and matches of a list as tests want them: written through the ledger, like everything."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from chat.commands.base import Scope, build
from chat.commands.run import Outcome, run
from chat.operations.changes import Actor, Cause, Create, Delete, Kind, Update
from chat.operations.execute import execute, raise_if_failed
from chat.operations.models import OperationBatch
from chat.operations.registry import named
from tasks.commands.base import ListCommand
from tasks.models import SurveyResponse, TaskMatch, WorkTask
from tasks.staff.commands import ReviewScope


def make(response: SurveyResponse, match: dict[str, Any] | None = None, **values: Any) -> WorkTask:
    """A task with its match."""
    return make_all(response, match or {}, [values])[0]


def make_all(
    response: SurveyResponse, match: dict[str, Any], tasks: list[dict[str, Any]]
) -> list[WorkTask]:
    """Tasks with a match each, by one batch of the machinery."""
    changes: list[Create] = []
    for values in tasks:
        message = values.get("message")
        own = {**values, "message": message.pk} if message is not None else values
        task = Create("work_task", {"response": response.pk, **own})
        changes += [task, Create("task_match", {"task": task.id, **match})]
    _execute(response, *changes)
    rows = WorkTask.objects.select_related("match")
    return [rows.get(pk=task.id) for task in changes[::2]]


def change(row: WorkTask | TaskMatch, kind: str = Kind.SYSTEM, **values: Any) -> None:
    """Other values for a row, which is read anew."""
    _execute(_response_of(row), Update(named(type(row)), row.pk, values), kind=kind)
    row.refresh_from_db()


def take_off(*tasks: WorkTask) -> None:
    """Deletes tasks of one list."""
    _execute(tasks[0].response, *(Delete("work_task", task.pk) for task in tasks))


def scope_of(response: SurveyResponse) -> Scope:
    """The rows of the person whose list it is."""
    return Scope.of_actor(Actor(response.session.participant_id))


def act(kind: type[ListCommand], response: SurveyResponse, **values: Any) -> Outcome:
    """Runs a command on a list as its owner."""
    return run(build(kind, values, survey=response.pk), scope_of(response))


def correct(
    kind: type[ListCommand], response: SurveyResponse, user: User, **values: Any
) -> Outcome:
    """Runs a command on a list as a reviewer."""
    command = build(kind, values, survey=response.pk)
    return run(command, ReviewScope(response.session, user, values.get("reason", "")))


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
