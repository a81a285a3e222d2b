"""What a reviewer corrects in a list: through the ledger, with a reason, sent or not.

What the person said and wrote stays in the ledger and on the page; each correction can be undone.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import ClassVar, Final, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from chat.commands.base import Command, NotInScope, RowT, Scope
from chat.identity import Identity
from chat.models import Message, Session
from chat.operations.changes import Cause, Change, Kind
from chat.operations.models import OperationBatch
from futura.errors import BadInput
from futura.limits import required_text
from futura.roles import Somebody
from futura.rows import only
from onet.candidates import ActivityGroup
from tasks.commands.base import TaskCommand, TaskList
from tasks.commands.undo import undo_batch
from tasks.models import WorkTask

REASON_CHARS: Final = 500


class ReviewScope(Scope):
    """The list of one conversation and nothing else, for a reviewer who gave a reason."""

    def __init__(self, session: Session, user: Somebody, reason: str = "") -> None:
        owner = (session.participant_id,)
        super().__init__(Identity(user_id=user.pk, user_participant_ids=owner), Kind.STAFF)
        self._owner_id, self._session = session.participant_id, session
        self._cause = Cause(session=session, reason=reason)

    def rows(self, model: type[RowT], keys: Sequence[uuid.UUID]) -> list[RowT]:  # noqa: ARG002
        """A reviewer reaches the conversation's list only. Raises NotInScope."""
        raise NotInScope

    def conversation(self, key: uuid.UUID) -> Session:
        """The conversation that is reviewed. Raises NotInScope."""
        if self._session is None or key != self._session.pk:
            raise NotInScope
        return self._session

    def commit(
        self, command: Command, changes: Sequence[Change], cause: Cause | None = None
    ) -> OperationBatch:
        """Executes the changes with the reason, whole or not at all. Raises Conflict."""
        return super().commit(command, changes, cause or self._cause)


class CorrectTask(TaskCommand):
    """Other words, another group, or both; the match stays as it is."""

    name: ClassVar[str] = "correct_task"
    title: ClassVar[str | Promise] = gettext_lazy("Corrected a task")

    statement: str
    group: Literal[""] | ActivityGroup = ""

    def fill(self, tasks: TaskList) -> None:
        task = tasks.task(self.task, version=self.version)
        tasks.reword(task, self.statement)
        if self.group and self.group != task.group:
            task.group = str(self.group)
            task.groups = [task.group, *(group for group in task.groups if group != task.group)]
            tasks.update(task, "group", "groups")


class TakeOut(TaskCommand):
    """Makes a task of its own again of what was put into another one, looked up anew.

    `place` counts from 0 among what was put in. Time and tools stay where they are: what was the
    one's and what the other's is not known any more.
    """

    name: ClassVar[str] = "take_out"
    title: ClassVar[str | Promise] = gettext_lazy("Separated a merged task")

    place: int

    def fill(self, tasks: TaskList) -> None:
        task = tasks.task(self.task, version=self.version)
        entries = list(task.merged_from)
        if not 0 <= self.place < len(entries):
            raise BadInput(_("Select what to separate."), field="place")
        entry = entries.pop(self.place)
        task.merged_from = entries
        tasks.update(task, "merged_from")
        messages = Message.objects.filter(session=tasks.response.pk)
        own = WorkTask(
            response=tasks.response,
            position=(tasks.places_behind(task, 1) or tasks.last_places(1))[0],
            statement=str(entry.get("statement") or task.statement),
            raw=str(entry.get("quote") or entry.get("statement") or ""),
            quote=str(entry.get("quote") or ""),
            message=messages.filter(pk=entry.get("message_id")).first(),
            source=task.source,
        )
        tasks.create([own])


def reason_in(text: str, usual: str = "") -> str:
    """The reason that was given, or the usual one. Raises BadInput when there is neither."""
    reason = text.replace("\x00", "").strip() or usual
    if not reason:
        raise BadInput(_("Enter a reason. The participant can read it."), field="reason")
    return required_text(reason, limit=REASON_CHARS, field="reason")


def undo_correction(*, user: Somebody, session: Session, batch_id: uuid.UUID) -> OperationBatch:
    """Undoes a correction; undoing that does it again. Raises Conflict, NotFound."""
    corrections = OperationBatch.objects.filter(session=session, actor=Kind.STAFF)
    batch = only(corrections.filter(pk=batch_id))
    reason = _("The correction was undone.")
    return undo_batch(ReviewScope(session, user), session.pk, batch, reason=reason)
