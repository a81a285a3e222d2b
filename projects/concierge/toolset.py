"""The tools of one turn, bound to the person: changes, lists, whole rows, hand-over, undo."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from chat.assistant import undo
from chat.assistant.toolset import (
    Acting,
    AnyTool,
    Reading,
    Toolset,
    allow_all,
    first_paragraph,
    reading,
    writing,
)
from chat.assistant.working import AgentScope, Working, running
from chat.commands.scope import OwnScope
from chat.models import Participant, Run, Session
from futura.text import locate
from projects.commands.reads import SearchEverything
from projects.concierge.commands import (
    PORTFOLIO,
    SURVEY,
    Opened,
    StartConversation,
    opened_talk,
)
from projects.concierge.snapshot import Snapshot, line_of
from projects.concierge.tools import WRITING, FindProjects, ListTasks
from projects.forecasting.commands import ReadForecast
from projects.models import Project
from projects.toolset import guard, read_draft, read_note, read_project, read_todo


@dataclass(frozen=True)
class Person:
    """Whose things a turn is about."""

    participant: Participant
    snapshot: Snapshot

    @property
    def owner_ids(self) -> Sequence[uuid.UUID]:
        """All participants of the person."""
        return self.snapshot.owner_ids

    def scope(self) -> AgentScope:
        """Their rows, for one command."""
        return AgentScope.of_participant(self.participant, self.owner_ids)


def toolset(person: Person, *, has_model: bool = True) -> Toolset:
    """The tools of one turn; what the command line replaces the person has written themselves."""

    def listed(given: ListTasks, working: Working) -> str:
        today = person.snapshot.today
        page = given.page(person.owner_ids, today)
        lines = [line_of(task, today) for task in page.tasks]
        if page.total > len(lines):
            lines.append(f"- and {page.total - len(lines)} more")
        return working.delimiter.around("tasks", "\n".join(lines)) or "No task fits."

    tools: list[AnyTool] = [
        *(writing(kind, name=name) for name, kind in WRITING.items()),
        Reading(ListTasks.name, first_paragraph(ListTasks), ListTasks, listed),
        reading(FindProjects),
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


def _search(query: SearchEverything, working: Working) -> object:
    """What was said in a conversation may be what somebody else has written: changes then wait."""
    result = query.read(working.scope())
    if any(match.kind == "message" for match in result.matches):
        working.taint()
    return working.delimiter.around("search", result.model_dump_json(exclude_none=True))


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
