"""Carries calls out, the model's and the rules' alike: every write goes through the ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from chat.commands.base import build
from chat.operations.changes import Update
from futura.llm.tools import ToolRejected
from projects.agent.doubles import AlreadyThere
from projects.agent.state import shortened
from projects.commands.notes import CreateNote
from projects.commands.projects import ChangeProject, DeleteProject
from projects.commands.todos import ChangeTodos, CreateTodo, DeleteTodos
from projects.concierge import calls, handing, looking, undoing
from projects.concierge.calls import Call
from projects.concierge.desk import Desk
from projects.concierge.outcomes import Outcome, ReadNotes, Unchanged, Written
from projects.models import Task


def perform(call: Call, desk: Desk, call_id: str) -> Outcome:
    """Does one call for the person of the desk and notes what came of it.

    `call_id` makes it happen once: the same call of the same run finds what it did. Raises
    ToolRejected (Gone for rows that are not there), BadInput, TooLong, NotFound; LeaseLost.
    """
    outcome: Outcome = _DOERS[type(call)](call, desk, call_id)
    desk.outcomes.append(outcome)
    return outcome


def _create(call: calls.CreateTask, desk: Desk, call_id: str) -> Outcome:
    project = desk.project(call.project) if call.project else None
    command = CreateTodo(
        title=call.title, details=call.notes, priority=call.priority,
        project=project.pk if project else None, start_date=call.start, due_date=call.due,
        due_time=call.due_time, repeat=call.repeat, assignee=call.assignee,
        tags=tuple(call.tags) if call.tags else None, estimate_low_days=call.estimate_days,
        estimate_high_days=call.estimate_days,
    )  # fmt: skip
    try:
        applied = desk.run(command, call_id)
    except AlreadyThere as error:
        standing = Task.objects.filter(pk=error.row_id).first() if error.row_id else None
        if standing is None:  # it was asked for and waits
            raise ToolRejected(str(error)) from None
        return Unchanged(call, standing)
    made = applied.batch.operations.get(sequence=1).entity_id
    return Written(call, applied, Task.objects.filter(pk=made).first())


def _update(call: calls.UpdateTask, desk: Desk, call_id: str) -> Outcome:
    task = desk.task(call.task)
    _refuse_unread(call, task, desk)
    values: dict[str, Any] = {
        "title": call.title, "priority": call.priority, "status": call.status,
        "details": call.notes, "append_details": call.append_notes,
    }  # fmt: skip
    if call.append_notes is not None:
        values["details"] = None
    elif call.notes == "":
        values["clear"] = ["details"]
    if call.project:
        values["project"] = desk.project(call.project).pk
    return _changed(call, task, values, desk, call_id)


def _refuse_unread(call: calls.UpdateTask, task: Task, desk: Desk) -> None:
    """ToolRejected for replacing notes that nobody has read."""
    if call.append_notes is not None or call.notes is None:
        return
    if desk.has_model and task.details.strip() and desk.whole.get(task.pk) != task.details:
        raise ToolRejected(
            f"Not replaced: this task has notes of {len(task.details)} characters that you have "
            "not seen. Add with append_notes, or read them with read_task first."
        )


def _read(call: calls.ReadTask, desk: Desk, _call_id: str) -> Outcome:
    task = desk.task(call.task)
    desk.whole[task.pk] = task.details
    return ReadNotes(call, task)


def _complete(call: calls.CompleteTask, desk: Desk, call_id: str) -> Outcome:
    return _changed(call, desk.task(call.task), {"status": "completed"}, desk, call_id)


def _reschedule(call: calls.RescheduleTask, desk: Desk, call_id: str) -> Outcome:
    values = {"due_date": call.due, "due_time": call.due_time, "start_date": call.start}
    clear = [f"{name}_date" for name in call.clear or () if not values[f"{name}_date"]]
    return _changed(call, desk.task(call.task), {**values, "clear": clear}, desk, call_id)


def _delete(call: calls.DeleteTask, desk: Desk, call_id: str) -> Outcome:
    task = desk.task(call.task)
    return Written(call, desk.run(DeleteTodos(ids=(task.pk,)), call_id), task)


def _note(call: calls.AddNote, desk: Desk, call_id: str) -> Outcome:
    project = desk.project(call.project)
    applied = desk.run(CreateNote(project=project.pk, text=call.text), call_id)
    return Written(call, applied, project)


def _update_project(call: calls.UpdateProject, desk: Desk, call_id: str) -> Outcome:
    project = desk.project(call.project)
    values = call.model_dump(mode="json", exclude_none=True, include={"name", "status"})
    if not values:
        raise ToolRejected("Say what shall change on the project.")
    if all(getattr(project, name) == value for name, value in values.items()):
        return Unchanged(call, project)
    applied = desk.run(build(ChangeProject, values, id=project.pk), call_id)
    project.refresh_from_db()
    return Written(call, applied, project)


def _delete_project(call: calls.DeleteProject, desk: Desk, call_id: str) -> Outcome:
    project = desk.project(call.project)
    return Written(call, desk.run(DeleteProject(id=project.pk), call_id), project)


def _changed(
    call: Call, task: Task, values: Mapping[str, Any], desk: Desk, call_id: str
) -> Outcome:
    given = {name: value for name, value in values.items() if value}
    if not given:
        raise ToolRejected("Say what shall change on the task.")
    command = ChangeTodos(ids=(task.pk,), **given)
    (update,) = command.plan(desk)
    if isinstance(update, Update) and all(
        _is_so(task, name, value) for name, value in update.values.items()
    ):
        return Unchanged(call, task)
    applied = desk.run(command, call_id)
    return Written(call, applied, Task.objects.select_related("project").get(pk=task.pk))


def _is_so(task: Task, name: str, value: object) -> bool:
    if name == "project":
        return str(task.project_id) == str(value)
    return bool(getattr(task, name) == value)


_DOERS: Final[dict[type, Callable[[Any, Desk, str], Outcome]]] = {
    calls.CreateTask: _create,
    calls.UpdateTask: _update,
    calls.ReadTask: _read,
    calls.CompleteTask: _complete,
    calls.RescheduleTask: _reschedule,
    calls.DeleteTask: _delete,
    calls.AddNote: _note,
    calls.UpdateProject: _update_project,
    calls.DeleteProject: _delete_project,
    calls.ListTasks: looking.tasks,
    calls.FindProjects: looking.projects,
    calls.StartConversation: handing.over,
    calls.Undo: undoing.undo_last,
    calls.TakeBack: undoing.take_back,
}


def named(outcome: Outcome) -> str:
    """The title of what a call was about, in one line; empty when it was about no row."""
    row = getattr(outcome, "row", None)
    return shortened(str(row), 120) if row is not None else ""
