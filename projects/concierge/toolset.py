"""The concierge's tools: calls as commands on the person's rows, lists to read, hand-over, undo."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from pydantic import BaseModel

from chat.assistant import undo
from chat.assistant.toolset import (
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
from chat.commands.base import Command, NotInScope
from chat.commands.scope import OwnScope
from chat.models import Participant, Run, Session
from futura.text import locate
from projects.commands.reads import SearchEverything
from projects.commands.todos import ChangeTodos, CompleteTodos, CreateTodo
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
from projects.models import Project
from projects.toolset import guard, read_draft, read_note, read_project, read_todo


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
    """The tools of one turn; what the command line replaces the person has written themselves."""
    tools: list[AnyTool] = [
        *(
            Writing(kind.name, first_paragraph(kind), kind, _command)
            for kind in (calls.CreateTask, calls.UpdateTask, calls.CompleteTask)
        ),
        *(writing(kind, name=name) for name, kind in calls.COMMANDS.items()),
        _list(calls.ListTasks, _list_tasks, person),
        _list(calls.FindProjects, _find_projects, person),
        read_todo(),
        read_project(),
        read_draft(),
        read_note(),
        reading(ReadForecast),
        Reading("search", first_paragraph(SearchEverything), SearchEverything, _search),
        Acting(
            StartConversation.name, first_paragraph(StartConversation), StartConversation, _open
        ),
        undo.tool(),
    ]
    return Toolset(tools, person.scope, guard if has_model else allow_all)


def _list(
    kind: type[calls.Asked], read: Callable[[Any, Person, Working], str], person: Person
) -> Reading:
    return Reading(
        kind.name, first_paragraph(kind), kind, lambda given, working: read(given, person, working)
    )


# Writing --------------------------------------------------------------------------------------
def command_of(call: BaseModel) -> Command:
    """The command of a call that writes. Raises NotInScope, BadInput."""
    match call:
        case Command():
            return call
        case calls.CreateTask():
            return _create(call)
        case calls.UpdateTask():
            return _update(call)
        case calls.CompleteTask():
            return CompleteTodos(ids=(_id(call.task),))
    raise TypeError(f"no command: {call!r}")


def _command(call: BaseModel, _working: Working) -> Command:
    return command_of(call)


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


# Reading --------------------------------------------------------------------------------------
def _list_tasks(call: calls.ListTasks, person: Person, working: Working) -> str:
    today = person.briefing.today
    return lists.tasks_text(lists.tasks(call, person.owner_ids, today), working.delimiter, today)


def _find_projects(call: calls.FindProjects, person: Person, working: Working) -> str:
    return lists.projects_text(lists.projects(call, person.owner_ids), working.delimiter)


def _search(query: SearchEverything, working: Working) -> object:
    """What was said in a conversation may be what somebody else has written: changes then wait."""
    found = query.read(working.scope())
    if any(match.kind == "message" for match in found.matches):
        working.taint()
    return working.delimiter.around("search", found.model_dump_json(exclude_none=True))


# Acting ---------------------------------------------------------------------------------------
def opened_once(call: StartConversation, working: Working) -> Opened:
    """Opens a conversation, once in an answer for each kind and project.

    What it begins with are the person's own words: a text that is not found in what they said is
    replaced by their message. Raises NotInScope, BadInput; LeaseLost.
    """
    is_about_project = call.project is not None and call.kind == PORTFOLIO
    says = "" if is_about_project else _own_words(call.says or "", working)
    command = call.model_copy(update={"says": says or None})
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


def _open(call: StartConversation, working: Working, _call_id: str) -> str:
    opened = opened_once(call, working)
    return f"Opened; the person sees a link to it: {opened.title or 'new'} ({opened.url})."


def _id(ref: str) -> uuid.UUID:
    try:
        return uuid.UUID(ref.strip())
    except ValueError:
        raise NotInScope from None


def _key(ref: str | None) -> uuid.UUID | None:
    return _id(ref) if ref else None
