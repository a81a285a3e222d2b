"""What came of a call: facts, for the model's next round and for answers in words."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from chat.operations.models import OperationBatch
from projects.agent.apply import Applied
from projects.concierge.basic.shapes import Pending
from projects.concierge.briefing import ProjectLine, TaskLine
from projects.concierge.calls import Call, ListTasks, Talk
from projects.models import Project, Task


@dataclass(frozen=True)
class Written:
    """A change that was asked for: done, waiting for review, or failed."""

    call: Call
    applied: Applied
    row: Task | Project | None = None

    @property
    def batches(self) -> Sequence[OperationBatch]:
        """What the ledger has of it."""
        return self.applied.batches


@dataclass(frozen=True)
class Unchanged:
    """It is like that already."""

    call: Call
    row: Task | Project


@dataclass(frozen=True)
class Listed:
    """Tasks that were asked for, nearest first; `total` counts those that are not here, too.

    `is_near` says that no task had the words and these are only like them.
    """

    call: ListTasks
    tasks: Sequence[TaskLine]
    total: int
    is_near: bool = False


@dataclass(frozen=True)
class ReadNotes:
    """The notes of a task, whole."""

    call: Call
    row: Task


@dataclass(frozen=True)
class FoundProjects:
    """Projects that were asked for."""

    call: Call
    projects: Sequence[ProjectLine]


@dataclass(frozen=True)
class Opened:
    """Another conversation that begins or goes on, and where it is."""

    call: Call
    kind: Talk
    url: str
    title: str = ""
    session_id: uuid.UUID | None = None


@dataclass(frozen=True)
class TakenBack:
    """What was undone; empty when nothing of the conversation stood any more.

    `titles` are those of the batches that were taken back, `rows` says of each row what was done.
    `is_changed_since` says that somebody
    changed the same meanwhile, so nothing was undone and a page has to decide.
    """

    call: Call
    applied: Sequence[Applied] = ()
    titles: Sequence[str] = ()
    rows: Sequence[str] = ()
    is_changed_since: bool = False
    batch_id: uuid.UUID | None = None

    @property
    def batches(self) -> Sequence[OperationBatch]:
        """The undoing batches."""
        return [batch for one in self.applied for batch in one.batches]


@dataclass(frozen=True)
class AskedBack:
    """An undo that would take back something created: nothing was done, the person is asked.

    `rows` says of each row what was done to it; `pending` is what a yes does.
    """

    call: Call
    rows: Sequence[str]
    pending: Pending


Outcome = AskedBack | ReadNotes | Written | Unchanged | Listed | FoundProjects | Opened | TakenBack
