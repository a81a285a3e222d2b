"""One turn's desk: whose rows it may touch, what it has done, and the doors from ids to rows."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import Q

from chat.commands.base import Command, RowT
from chat.commands.run import run
from chat.guides import Turn
from chat.models import Session
from chat.operations.changes import Actor, Cause, Change, Kind
from chat.operations.models import OperationBatch
from futura.llm.tools import ToolRejected
from projects.agent.apply import Applied, Ledger, apply
from projects.concierge import context
from projects.concierge.basic.shapes import Pending
from projects.concierge.briefing import Briefing, TaskLine
from projects.concierge.outcomes import AskedBack, Opened, Outcome
from projects.models import Project, Task

_ALIVE = Q(deleted_at__isnull=True)
NO_TASK = (
    "There is no task with this id among the person's tasks; nothing was done. Use an id from the "
    "briefing or from list_tasks, never one that somebody names."
)
NO_PROJECT = (
    "There is no project with this id among the person's projects; nothing was done. Use an id "
    "from the briefing or from find_projects."
)

APART: Final = "This task and this project cannot be brought together."


class Gone(ToolRejected):
    """A row that is not there for this person: deleted, unknown, or somebody else's."""


@dataclass
class Desk:
    """The rows of one person, for one turn. Rows of others do not exist here.

    `outcomes` are what was done so far, `seen` the tasks that were shown or named, by id.
    `is_confirmed`: the person has just ticked exactly these changes, which is the review.
    `whole` are notes that were read to their ends in this turn, by task; a model (`has_model`)
    replaces no others.
    """

    turn: Turn[Any]
    session: Session
    briefing: Briefing
    ledger: Ledger = field(default_factory=Ledger)
    outcomes: list[Outcome] = field(default_factory=list)
    seen: dict[uuid.UUID, TaskLine] = field(default_factory=dict)
    is_confirmed: bool = False
    has_model: bool = False
    whole: dict[uuid.UUID, str] = field(default_factory=dict)
    _owner_id: uuid.UUID | None = field(default=None, init=False)

    @classmethod
    def of(cls, turn: Turn[Any]) -> Desk:
        """The desk of a turn. Session.DoesNotExist when the conversation was deleted meanwhile."""
        session = Session.objects.select_related("participant").get(pk=turn.session_id)
        briefing = context.build(session.participant)
        return cls(turn, session, briefing, seen=briefing.known())

    @property
    def owner_ids(self) -> Sequence[uuid.UUID]:
        """The person's participants."""
        return self.briefing.owner_ids

    @property
    def today(self) -> dt.date:
        """The person's day."""
        return self.briefing.today

    @property
    def asked(self) -> Pending | None:
        """What a yes of the person would do, where something waits for it."""
        asked = [one.pending for one in self.outcomes if isinstance(one, AskedBack)]
        return asked[-1] if asked else None

    @property
    def opened(self) -> list[Opened]:
        """Conversations that this turn opened."""
        return [one for one in self.outcomes if isinstance(one, Opened)]

    def tasks(self) -> Any:
        """The person's living tasks, as a queryset."""
        return Task.objects.filter(_ALIVE, owner_id__in=self.owner_ids)

    def projects(self) -> Any:
        """The person's living projects, as a queryset."""
        return Project.objects.filter(_ALIVE, owner_id__in=self.owner_ids)

    def task(self, ref: str) -> Task:
        """The person's own task of an id. Raises Gone."""
        key = _uuid(ref)
        own = self.tasks().select_related("project")
        found: Task | None = own.filter(pk=key).first() if key else None
        if found is None:
            raise Gone(NO_TASK)
        return found

    def project(self, ref: str) -> Project:
        """The person's own project of an id. Raises Gone."""
        key = _uuid(ref)
        found: Project | None = self.projects().filter(pk=key).first() if key else None
        if found is None:
            raise Gone(NO_PROJECT)
        return found

    @property
    def actor(self) -> Actor:
        """The agent, for the owner of the rows named last, else for the person of the session."""
        owner_id = self._owner_id or self.session.participant_id
        return Actor(owner_id, Kind.AGENT, self.session.participant.user_id)

    def get(self, model: type[RowT], key: uuid.UUID) -> RowT:
        """The person's own living row. Raises Gone."""
        return self.rows(model, [key])[0]

    def rows(self, model: type[RowT], keys: Sequence[uuid.UUID]) -> list[RowT]:
        """The person's own living rows, in this order. Raises Gone, ToolRejected."""
        own = model._default_manager.filter(_ALIVE, pk__in=keys, owner_id__in=self.owner_ids)
        found = {row.pk: row for row in own}
        if found.keys() != set(keys):
            raise Gone(NO_PROJECT if model is Project else NO_TASK)
        owners = {row.owner_id for row in found.values()}
        if len(owners | {self._owner_id or next(iter(owners), None)}) > 1:
            raise ToolRejected(APART)
        self._owner_id = self._owner_id or next(iter(owners), None)
        return [found[key] for key in dict.fromkeys(keys)]

    def run(self, command: Command, call_id: str) -> Applied:
        """Does a command, or lets it wait; what was recorded is remembered."""
        self._owner_id = None
        run(command, self, cause=Cause(tool_call_id=call_id))
        return self.ledger.applied[-1]

    def commit(
        self, command: Command, changes: Sequence[Change], cause: Cause | None = None
    ) -> OperationBatch:
        """Through the policy to the ledger."""
        call_id = cause.tool_call_id if cause else ""
        applied = self.apply(
            changes, owner_id=self.actor.owner_id, title=command.ledger_title, call_id=call_id,
            waiting_title=command.sentence(self),
        )  # fmt: skip
        return applied.batches[-1]

    def apply(
        self,
        changes: Sequence[Change],
        *,
        owner_id: uuid.UUID,
        title: str,
        call_id: str,
        waiting_title: str = "",
    ) -> Applied:
        """Through the policy to the ledger; what was recorded is remembered."""
        applied = apply(
            self.turn, changes, title=title, tool_call_id=call_id, owner_id=owner_id,
            is_confirmed=self.is_confirmed, waiting_title=waiting_title,
        )  # fmt: skip
        self.ledger.applied.append(applied)
        return applied


def _uuid(ref: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(ref.strip())
    except ValueError:
        return None
