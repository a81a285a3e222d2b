"""What a tool may touch: the rows of its conversation, named by the conversation alone."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils import timezone

from chat.commands.base import Command, NotInScope, RowT
from chat.guides import Turn
from chat.models import Session
from chat.operations.changes import Actor, Cause, Change, Kind
from chat.operations.models import OperationBatch
from futura.llm.tools import ToolRejected
from projects.agent.apply import Again, Applied, Ledger, apply
from projects.agent.closing import told
from projects.agent.state import AgentState
from projects.dimensions import FIELDS
from projects.models import DraftTask, Note, Project, ProjectDraft, Task

NOBODY: Final = uuid.UUID(int=0)  # no row has it


@dataclass(frozen=True)
class Picture:
    """A project (or draft) as it stands, with its tasks and notes in order.

    `refs` are the short names under which a prompt shows tasks (`t1`, `t2`, …).
    """

    row: Project | ProjectDraft
    tasks: Sequence[Task | DraftTask] = ()
    notes: Sequence[Note] = ()

    @property
    def refs(self) -> Mapping[str, Task | DraftTask]:
        """The tasks by their short names."""
        return {f"t{number}": task for number, task in enumerate(self.tasks, start=1)}

    def dimension(self, name: str) -> str:
        """The text of one dimension."""
        text: str = getattr(self.row, name)
        return text

    @property
    def texts(self) -> Mapping[tuple[uuid.UUID, str], str]:
        """The long texts that prompts show, by row and field."""
        names = ("description", *self.covered)
        return {(self.row.pk, name): getattr(self.row, name) for name in names}

    @property
    def covered(self) -> list[str]:
        """Dimensions that hold anything."""
        return [name for name in FIELDS if self.dimension(name).strip()]


@dataclass
class ToolBox:
    """One turn's hands: reads its own project or draft, applies changes, remembers what it did.

    The ids come from the session's state; rows of other owners do not exist for it. `whole` are
    the long texts that the model has seen to their ends in this turn, by row and field.
    """

    turn: Turn[Any]
    owner_id: uuid.UUID
    today: dt.date
    ledger: Ledger = field(default_factory=Ledger)
    whole: dict[tuple[uuid.UUID, str], str] = field(default_factory=dict)

    @classmethod
    def of(cls, turn: Turn[Any]) -> ToolBox:
        """The box of a turn. Session.DoesNotExist when the conversation was deleted meanwhile."""
        owner = Session.objects.values_list("participant_id", flat=True).get(pk=turn.session_id)
        return cls(turn, owner, timezone.localdate())

    @property
    def state(self) -> AgentState:
        """The conversation's memory."""
        state: AgentState = self.turn.state
        return state

    def has_seen(self, row_id: uuid.UUID, field: str, text: str) -> None:
        """Notes that the model was shown all of a text as it stands."""
        self.whole[row_id, field] = text

    def refuse_unseen(self, row_id: uuid.UUID, field: str, text: str, way: str) -> None:
        """Raises ToolRejected for replacing a text of which the model has not seen the whole.

        `way` says how it goes without.
        """
        if text.strip() and self.whole.get((row_id, field)) != text:
            raise ToolRejected(
                f"Not replaced: you have not seen all {len(text)} characters of {field} as it "
                f"stands. {way}, or read it whole with read_whole first and then replace it."
            )

    @property
    def actor(self) -> Actor:
        """The agent, for the owner of the conversation."""
        return Actor(self.owner_id, Kind.AGENT)

    def get(self, model: type[RowT], key: uuid.UUID) -> RowT:
        """The owner's living row. Raises NotInScope."""
        return self.rows(model, [key])[0]

    def rows(self, model: type[RowT], keys: Sequence[uuid.UUID]) -> list[RowT]:
        """The owner's living rows, in this order. Raises NotInScope."""
        own = model._default_manager.filter(pk__in=keys, owner_id=self.owner_id, deleted_at=None)
        found = {row.pk: row for row in own}
        if found.keys() != set(keys):
            raise NotInScope
        return [found[key] for key in dict.fromkeys(keys)]

    def commit(
        self, command: Command, changes: Sequence[Change], cause: Cause | None = None
    ) -> OperationBatch:
        """Through the policy to the ledger."""
        call_id = cause.tool_call_id if cause else ""
        return self.apply(changes, title=command.ledger_title, tool_call_id=call_id).batches[-1]

    @property
    def owner_ids(self) -> Sequence[uuid.UUID]:
        """The owner of the conversation."""
        return (self.owner_id,)

    def project(self) -> Project | None:
        """The conversation's project, as it stands now; None when it is not there."""
        mine = Project.objects.filter(owner_id=self.owner_id, deleted_at=None)
        return mine.filter(pk=self.state.project_id or NOBODY).first()

    def draft(self) -> ProjectDraft | None:
        """The conversation's draft, as it stands now."""
        mine = ProjectDraft.objects.filter(owner_id=self.owner_id, deleted_at=None)
        return mine.filter(pk=self.state.draft_id or NOBODY).first()

    def picture(self) -> Picture:
        """The project with everything in it. Raises ToolRejected when it is gone."""
        project = self.project()
        if project is None:
            raise ToolRejected("The project of this conversation is not there any more.")
        own = {"project": project, "deleted_at": None}
        tasks = list(Task.objects.filter(**own).order_by("position", "created_at"))
        return Picture(project, tasks, list(Note.objects.filter(**own)))

    def draft_picture(self) -> Picture:
        """The draft with its tasks. Raises ToolRejected when it is gone."""
        draft = self.draft()
        if draft is None:
            raise ToolRejected("There is no draft in this conversation.")
        tasks = DraftTask.objects.filter(draft=draft, deleted_at=None)
        return Picture(draft, list(tasks.order_by("position", "created_at")))

    def apply(
        self,
        changes: Sequence[Change],
        *,
        title: str,
        tool_call_id: str,
        again: Again | None = None,
        is_atomic: bool = False,
        is_confirmed: bool = False,
    ) -> Applied:
        """`projects.agent.apply.apply` for this turn; what was recorded is remembered."""
        applied = apply(
            self.turn, changes, title=title, tool_call_id=tool_call_id, again=again,
            is_atomic=is_atomic, is_confirmed=is_confirmed,
        )  # fmt: skip
        self.ledger.applied.append(applied)
        return applied

    def words(self, applied: Applied) -> str:
        """What a model is told of it: only what the ledger shows."""
        said = told(applied.batches) or "Nothing had to change."
        if applied.is_waiting:
            return f"NOT DONE. It waits for the person's review; say so.\n{said}"
        return said
