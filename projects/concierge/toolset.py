"""The concierge's tools: calls as commands on the person's rows, lists to read, hand-over, undo."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction

from chat.assistant import undo
from chat.assistant.toolset import (
    RESULT_CHARS,
    Acting,
    AnyTool,
    Reading,
    Toolset,
    Writing,
    allow_all,
    first_paragraph,
    reading,
    writing,
)
from chat.assistant.working import AgentScope, Working, running
from chat.commands.base import Command, NotInScope, build
from chat.commands.scope import OwnScope
from chat.models import Participant, Run, Session
from futura.text import locate
from projects.commands.notes import ChangeNote, CreateNote, DeleteNote
from projects.commands.projects import ChangeProject, CreateProject, DeleteProject
from projects.commands.reads import SearchEverything
from projects.commands.todos import (
    ChangeTodos,
    CompleteTodos,
    CreateTodo,
    CreateTodos,
    DeleteTodos,
    ReopenTodos,
)
from projects.concierge import calls, lists
from projects.concierge.briefing import Briefing
from projects.concierge.commands import (
    PORTFOLIO,
    SURVEY,
    Opened,
    StartConversation,
    opened_talk,
)
from projects.forecasting.commands import ReadForecast
from projects.models import Project, Task
from projects.toolset import guard, read_draft, read_note, read_project


@dataclass(frozen=True)
class Person:
    """Whose things a turn is about. `owner_ids` are all of their participants."""

    participant: Participant
    briefing: Briefing

    @property
    def owner_ids(self) -> Sequence[uuid.UUID]:
        """The person's participants."""
        return self.briefing.owner_ids

    def scope(self) -> AgentScope:
        """Their rows, for one command."""
        return AgentScope.of_participant(self.participant, self.owner_ids)


def toolset(person: Person, *, has_model: bool = True) -> Toolset:
    """The tools of one turn; for the command line without those that only a model needs."""
    tools: list[AnyTool] = [_tool(kind, person) for kind in calls.KINDS]
    if has_model:
        tools += [
            writing(CreateTodos, name="create_tasks"),
            writing(ChangeTodos, name="change_tasks"),
            writing(ReopenTodos, name="reopen_tasks"),
            writing(DeleteTodos, name="delete_tasks"),
            writing(CreateProject),
            writing(ChangeProject, name="change_project"),
            read_project(),
            read_draft(),
            read_note(),
            reading(ReadForecast),
            Reading("search", first_paragraph(SearchEverything), SearchEverything, _search),
            writing(ChangeNote),
            writing(DeleteNote),
        ]
    return Toolset(tools, person.scope, guard if has_model else allow_all)


def _tool(kind: type[calls.Asked], person: Person) -> AnyTool:
    name: str = kind.model_fields["tool"].default
    about = first_paragraph(kind)
    if name in _READS:
        read = _READS[name]
        return Reading(name, about, kind, lambda given, working: read(given, person, working))
    if kind is calls.Undo:
        return Acting(name, about, kind, _undo)
    if kind is calls.StartConversation:
        return Acting(name, about, kind, _open)
    return Writing(name, about, kind, lambda given, _working: command_of(given))


def command_of(call: calls.Call) -> Command:
    """The command of a call that writes. Raises NotInScope, BadInput."""
    command: Command = _COMMANDS[type(call)](call)
    return command


def _create(call: calls.CreateTask) -> Command:
    return CreateTodo(
        title=call.title, details=call.notes or None, priority=call.priority,
        project=_key(call.project), start_date=call.start, due_date=call.due,
        due_time=call.due_time, repeat=call.repeat, assignee=call.assignee,
        tags=None if call.tags is None else tuple(call.tags),
        estimate_low_days=call.estimate_days, estimate_high_days=call.estimate_days,
    )  # fmt: skip


def _update(call: calls.UpdateTask) -> Command:
    is_emptied = call.append_notes is None and call.notes == ""
    return ChangeTodos(
        ids=(_id(call.task),), title=call.title, priority=call.priority, status=call.status,
        details=None if call.append_notes is not None or is_emptied else call.notes,
        append_details=call.append_notes, clear=("details",) if is_emptied else (),
        project=_key(call.project),
    )  # fmt: skip


def _reschedule(call: calls.RescheduleTask) -> Command:
    given: dict[str, Any] = {"due": call.due, "start": call.start}
    clear = [f"{name}_date" for name in call.clear or () if not given[name]]
    return ChangeTodos.model_validate(
        {"ids": (_id(call.task),), "due_date": call.due, "due_time": call.due_time,
         "start_date": call.start, "clear": clear}
    )  # fmt: skip


_COMMANDS: Final[dict[type, Any]] = {
    calls.CreateTask: _create,
    calls.UpdateTask: _update,
    calls.CompleteTask: lambda call: CompleteTodos(ids=(_id(call.task),)),
    calls.RescheduleTask: _reschedule,
    calls.DeleteTask: lambda call: DeleteTodos(ids=(_id(call.task),)),
    calls.AddNote: lambda call: CreateNote(project=_id(call.project), text=call.text),
    calls.UpdateProject: lambda call: build(
        ChangeProject, _given(name=call.name, status=call.status), id=_id(call.project)
    ),
    calls.DeleteProject: lambda call: DeleteProject(id=_id(call.project)),
}


# Reading --------------------------------------------------------------------------------------
def _list_tasks(call: calls.ListTasks, person: Person, working: Working) -> object:
    today = person.briefing.today
    return lists.tasks_text(lists.tasks(call, person.owner_ids, today), working.delimiter, today)


def _find_projects(call: calls.FindProjects, person: Person, working: Working) -> object:
    return lists.projects_text(lists.projects(call, person.owner_ids), working.delimiter)


def _read_task(call: calls.ReadTask, _person: Person, working: Working) -> object:
    task = working.scope().get(Task, _id(call.task))
    text = lists.task_text(task, working.delimiter)
    if len(text) <= RESULT_CHARS:  # else it is cut on its way
        working.has_seen(task.pk, "details", task.details)
    return text


def _search(query: SearchEverything, working: Working) -> object:
    """What was said in a conversation may be what somebody else has written: changes then wait."""
    found = query.read(working.scope())
    if any(match.kind == "message" for match in found.matches):
        working.taint()
    return working.delimiter.around("search", found.model_dump_json(exclude_none=True))


_READS: Final[dict[str, Any]] = {
    "list_tasks": _list_tasks,
    "find_projects": _find_projects,
    "read_task": _read_task,
}


# Acting ---------------------------------------------------------------------------------------
def requested_undo(call: calls.Undo) -> undo.Undo:
    """The same as the assistant takes it."""
    given = call.model_dump(include={"batch", "steps_back", "last", "confirmed"})
    return undo.Undo(**given, row=call.task)


def _undo(call: calls.Undo, working: Working, call_id: str) -> str:
    return undo.told(undo.take_back(requested_undo(call), working, call_id))


def opened_once(call: calls.StartConversation, working: Working) -> Opened:
    """Opens a conversation, once in an answer for each kind and project.

    What it begins with are the person's own words: a text that is not found in what they said is
    replaced by their message. Raises NotInScope, BadInput; LeaseLost.
    """
    project = _key(call.project)
    is_about_project = project is not None and call.kind == PORTFOLIO
    says = "" if is_about_project else _own_words(call.says or "", working)
    command = StartConversation(kind=call.kind, project=project, says=says or None)
    with transaction.atomic():
        run = running(working.turn)
        scope = working.scope()
        opened = _opened_before(command, run, scope) or command.opened(
            scope, has_others_words=working.is_tainted, key=uuid.uuid5(run.pk, call.kind)
        )
    working.acts.append(opened)
    return opened


def _opened_before(command: StartConversation, run: Run, scope: OwnScope) -> Opened | None:
    """The conversation that this answer has opened already. Raises NotInScope."""
    if command.kind in {PORTFOLIO, SURVEY}:  # these are found again by their own doors
        return None
    project = scope.get(Project, command.project) if command.project else None
    same = Session.objects.filter(
        participant_id__in=scope.owner_ids, kind=command.kind, created_at__gte=run.created_at,
        deleted_at=None,
    )  # fmt: skip
    if project is not None:
        same = same.filter(state__project_id=str(project.pk))
    session = same.order_by("created_at").first()
    return opened_talk(command.kind, session.pk, project) if session else None


def _own_words(says: str, working: Working) -> str:
    says = says.strip()
    turn = working.turn
    own = [one.text for one in turn.history if one.role == "user"]
    own += [turn.message.text] if turn.message else []
    if not says or any(locate(says, text) is not None for text in reversed(own)):
        return says
    return turn.message.text if turn.message else ""


def _open(call: calls.StartConversation, working: Working, _call_id: str) -> str:
    opened = opened_once(call, working)
    return f"Opened; the person sees a link to it: {opened.title or 'new'} ({opened.url})."


def _given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _id(ref: str) -> uuid.UUID:
    try:
        return uuid.UUID(ref.strip())
    except ValueError:
        raise NotInScope from None


def _key(ref: str | None) -> uuid.UUID | None:
    return _id(ref) if ref else None
