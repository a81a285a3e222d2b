"""What programs see of the agent: conversations, operations and drafts in the specification's
shapes, and one run as server-sent events.

Text comes from the log as it is written; operations, drafts and phases are read from PostgreSQL
whenever the log says that something changed. A stream ends in exactly one `done` or `error`.
"""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any, Final

import orjson
from channels.db import database_sync_to_async
from django.utils.translation import gettext as _

from chat.assistant.cards import counted
from chat.events.follow import Batch, follow
from chat.events.kinds import Token
from chat.events.log import text_after
from chat.models import Message, Run, Session
from chat.operations.models import Operation
from projects.dimensions import FIELDS
from projects.fields import names_of
from projects.models import ProjectDraft, ProjectFields
from projects.modes.starting import draft_of

TABLES: Final = {
    "project": "projects", "draft": "project_drafts", "draft_task": "draft_tasks",
    "task": "tasks", "note": "notes",
}  # fmt: skip
TYPES: Final = {"restore": "create"}  # what an undo brings back is there anew
STATUSES: Final = {"rejected": "rolled_back"}  # the specification has no word for it
WAIT_S: Final = 5.0
Event = dict[str, Any]


def session_json(session: Session) -> dict[str, Any]:
    """A `chat_session`; what the guide remembers is its `agent_metadata`."""
    state = session.state
    metadata = ("dimensions_detected", "questions_asked", "user_responses", "operations_executed")
    return {
        "id": str(session.pk),
        "user_id": str(session.participant_id),
        "chat_type": session.kind,
        "context_type": session.kind,
        "entity_id": state.get("project_id"),
        "draft_project_id": state.get("draft_id"),
        "title": session.title,
        "status": session.status,
        "policy": session.policy,
        "archived": session.archived_at is not None,
        "agent_metadata": {
            **{name: state.get(name) for name in metadata},
            "session_phase": state.get("phase"),
        },
        "created_at": session.created_at.isoformat(),
        "updated_at": session.updated_at.isoformat(),
    }


def message_json(message: Message, operation_ids: Iterable[str] = ()) -> dict[str, Any]:
    """A message with the operations that it caused."""
    is_person = message.role == Message.Role.PERSON
    return {
        "id": str(message.pk),
        "session_id": str(message.session_id),
        "role": message.role,
        "message_type": "user_message" if is_person else "assistant_message",
        "content": message.text,
        "status": message.status,
        "operation_ids": list(operation_ids),
        "created_at": message.created_at.isoformat(),
    }


def operation_json(operation: Operation) -> dict[str, Any]:
    """A `chat_operation`; needs batch and payload."""
    return {
        "id": str(operation.pk),
        "chat_session_id": str(operation.batch.session_id) if operation.batch.session_id else None,
        "user_id": str(operation.batch.owner_id),
        "operation_type": TYPES.get(operation.type, operation.type),
        "table_name": TABLES.get(operation.entity, operation.entity),
        "entity_id": str(operation.entity_id),
        "operation_data": operation.payload.requested,
        "before_data": operation.payload.before,
        "after_data": operation.payload.after,
        "status": STATUSES.get(operation.status, operation.status),
        "error_message": operation.error or None,
        "executed_at": operation.executed_at.isoformat() if operation.executed_at else None,
        "duration_ms": operation.duration_ms,
        "created_at": operation.created_at.isoformat(),
        "batch_id": str(operation.batch_id),
        "sequence_number": operation.sequence,
        "review_reasons": operation.batch.review_reasons,
    }


def draft_json(draft: ProjectDraft) -> dict[str, Any]:
    """A `project_draft`."""
    fields = {name: getattr(draft, name) for name in names_of(ProjectFields)}
    dates = ("start_date", "end_date")
    return {
        "id": str(draft.pk),
        "user_id": str(draft.owner_id),
        "chat_session_id": str(draft.session_id) if draft.session_id else None,
        **{name: str(value) if value else None if name in dates else value
           for name, value in fields.items()},
        "status": draft.status,
        "dimensions_covered": draft.dimensions_covered,
        "question_count": draft.question_count,
        "created_at": draft.created_at.isoformat(),
        "updated_at": draft.updated_at.isoformat(),
        "completed_at": draft.completed_at.isoformat() if draft.completed_at else None,
        "expires_at": draft.expires_at.isoformat(),
        "finalized_project_id": str(draft.finalized_project_id)
        if draft.finalized_project_id
        else None,
    }  # fmt: skip


# The stream --------------------------------------------------------------------------------------
def encoded(event: Event) -> bytes:
    """One event on the wire."""
    return b"data: %b\n\n" % orjson.dumps(event, default=str)


async def happening(session: Session, run_id: uuid.UUID, phase: str) -> AsyncIterator[Event]:
    """What happens in a run, as events that are not written out yet; ends in one `done` or
    `error`. `phase` is the one that the client knows.
    """
    follower = _Follower(run_id, phase)
    look = database_sync_to_async(follower.look, thread_sensitive=False)
    async with follow(session.pk) as place:
        await place.seek_end()
        for event in await look():
            yield event
        while not follower.is_over:
            batch = await place.batch(WAIT_S)
            if batch.is_lost:
                await place.seek_end()
            events, has_news = follower.taken(batch)
            if has_news or batch.is_lost or not batch.entries:
                events += await look()
            for event in events:
                yield event


class _Follower:
    """What has been sent of a run: characters of the reply, operations by status, the phase."""

    def __init__(self, run_id: uuid.UUID, phase: str) -> None:
        self.run_id, self.phase = run_id, phase
        self.reply_id: uuid.UUID | None = None
        self.sent = 0
        self.operations: dict[uuid.UUID, str] = {}
        self.is_over = False

    def taken(self, batch: Batch) -> tuple[list[Event], bool]:
        """The texts that a batch of the log adds, to the reply and beside it, and whether
        PostgreSQL has news or a gap to fill.
        """
        text, beside, has_news = "", list[Event](), False
        for event in (entry.event for entry in batch.entries):
            if not isinstance(event, Token):
                has_news = True
            elif event.is_beside:
                key = str(event.message_id)
                beside.append({"type": "draft_text", "id": key, "content": event.text})
            elif event.message_id != self.reply_id or event.start > self.sent:
                has_news = True
            elif event.end > self.sent:
                text += event.text[self.sent - event.start :]
                self.sent = event.end
        return [*beside, *_text(text)], has_news

    def look(self) -> list[Event]:
        """What has happened in the run since the last look, from PostgreSQL."""
        run = Run.objects.select_related("session", "reply").filter(pk=self.run_id).first()
        if run is None:
            self.is_over = True
            return [{"type": "error", "error": "This conversation is not there any more."}]
        events = [*self._changes(run)]
        phase = str(run.session.state.get("phase", ""))
        if phase != self.phase:
            self.phase = phase
            events.append({"type": "session_phase", "phase": phase})
        events += _text(self._fresh(run))
        if not run.is_open:
            self.is_over = True
            events.append(_end(run))
        return events

    def _fresh(self, run: Run) -> str:
        """What of the reply has not been sent."""
        if run.reply is None:
            return ""
        if self.reply_id != run.reply.pk:
            self.reply_id, self.sent = run.reply.pk, 0
        text = run.reply.text
        if run.is_open and run.lease:
            text = text_after(run.session_id, run.reply.pk, run.lease, text)
        fresh, self.sent = text[self.sent :], max(self.sent, len(text))
        return fresh

    def _changes(self, run: Run) -> Iterator[Event]:
        """Operations with a new status, what they did to dimensions, and the draft after them."""
        operations = Operation.objects.filter(batch__run=run).select_related("batch", "payload")
        has_draft = False
        for operation in operations.order_by("batch__created_at", "sequence"):
            if self.operations.get(operation.pk) == operation.status:
                continue
            self.operations[operation.pk] = operation.status
            yield {"type": "operation", "operation": operation_json(operation)}
            is_done = operation.status == Operation.Status.COMPLETED
            if is_done and operation.entity in {"draft", "project"}:
                has_draft = has_draft or operation.entity == "draft"
                after = operation.payload.after or {}
                for name in FIELDS:
                    if name in operation.changed_fields and after.get(name):
                        text = after[name]
                        yield {"type": "dimension_update", "dimension": name, "content": text}
        if has_draft and (draft := draft_of(run.session)):
            yield {"type": "draft_update", "draft": draft_json(draft)}


def _text(text: str) -> list[Event]:
    return [{"type": "text", "content": text}] if text else []


def _end(run: Run) -> Event:
    if run.status in {Run.Status.FAILED, Run.Status.INTERRUPTED}:
        error = run.error_text or _("The reply was interrupted. Try again.")
        return {"type": "error", "error": error}
    counts = counted(run.pk)
    return {"type": "done", "changes": counts["done"], "waiting": counts["waiting"]}
