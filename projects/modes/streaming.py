"""What programs see of the agent: conversations, operations and drafts in the specification's
shapes, and one run as server-sent events.

Text comes from the log as it is written; operations, drafts and phases are read from PostgreSQL
whenever the log says that something changed. A stream ends in exactly one `done` or `error`.
"""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
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
from projects.models import ProjectDraft
from projects.modes.starting import draft_of
from projects.operables import PROJECT_FIELDS

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
    fields = {name: getattr(draft, name) for name in PROJECT_FIELDS}
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
@dataclass
class _Seen:
    """What has been sent of a run: characters of the reply, operations by status, the phase."""

    sent: int = 0
    reply_id: uuid.UUID | None = None
    operations: dict[uuid.UUID, str] = field(default_factory=dict)
    phase: str = ""
    is_over: bool = False


def encoded(event: Event) -> bytes:
    return b"data: %b\n\n" % orjson.dumps(event, default=str)


async def opening_of(session: Session, text: str) -> AsyncIterator[bytes]:
    yield encoded({"type": "session", "session": session_json(session)})
    if text:
        yield encoded({"type": "text", "content": text})
    yield encoded({"type": "done"})


async def run_events(session: Session, run_id: uuid.UUID, phase: str) -> AsyncIterator[bytes]:
    """Everything of a run until it is over; `phase` is the one that the client knows."""
    yield encoded({"type": "session", "session": session_json(session)})
    async for event in happening(session, run_id, phase):
        yield encoded(event)


async def happening(session: Session, run_id: uuid.UUID, phase: str) -> AsyncIterator[Event]:
    """What happens in a run, as events that are not written out yet; ends in one `done` or
    `error`.
    """
    seen = _Seen(phase=phase)
    look = database_sync_to_async(_look, thread_sensitive=False)
    async with follow(session.pk) as place:
        await place.seek_end()
        for event in await look(run_id, seen):
            yield event
        while not seen.is_over:
            batch = await place.batch(WAIT_S)
            if batch.is_lost:
                await place.seek_end()
            text, has_news = _taken(batch, seen)
            for event in _beside(batch):
                yield event
            if text:
                yield {"type": "text", "content": text}
            if has_news or batch.is_lost or not batch.entries:
                for event in await look(run_id, seen):
                    yield event


def _taken(batch: Batch, seen: _Seen) -> tuple[str, bool]:
    """The text that a batch of events adds, and whether PostgreSQL has news or a gap to fill."""
    text, has_news = "", False
    for entry in batch.entries:
        event = entry.event
        if isinstance(event, Token) and event.is_beside:
            continue
        if (
            not isinstance(event, Token)
            or event.message_id != seen.reply_id
            or event.start > seen.sent
        ):
            has_news = True
        elif event.end > seen.sent:
            text += event.text[seen.sent - event.start :]
            seen.sent = event.end
    return text, has_news


def _beside(batch: Batch) -> list[Event]:
    """Stretches of texts that are drafted beside the reply."""
    tokens = (entry.event for entry in batch.entries)
    return [
        {"type": "draft_text", "id": str(token.message_id), "content": token.text}
        for token in tokens
        if isinstance(token, Token) and token.is_beside
    ]


def _look(run_id: uuid.UUID, seen: _Seen) -> list[Event]:
    run = Run.objects.select_related("session", "reply").filter(pk=run_id).first()
    if run is None:
        seen.is_over = True
        return [{"type": "error", "error": "This conversation is not there any more."}]
    events = _operations(run, seen)
    events += _phase(run.session, seen)
    events += _text(run, seen)
    if not run.is_open:
        seen.is_over = True
        events.append(_end(run))
    return events


def _text(run: Run, seen: _Seen) -> list[Event]:
    if run.reply is None:
        return []
    if seen.reply_id != run.reply.pk:
        seen.reply_id, seen.sent = run.reply.pk, 0
    text = run.reply.text
    if run.is_open and run.lease:
        text = text_after(run.session_id, run.reply.pk, run.lease, text)
    fresh, seen.sent = text[seen.sent :], max(seen.sent, len(text))
    return [{"type": "text", "content": fresh}] if fresh else []


def _operations(run: Run, seen: _Seen) -> list[Event]:
    found = Operation.objects.filter(batch__run=run).select_related("batch", "payload")
    events: list[Event] = []
    has_draft = False
    for one in found.order_by("batch__created_at", "sequence"):
        if seen.operations.get(one.pk) == one.status:
            continue
        seen.operations[one.pk] = one.status
        events.append({"type": "operation", "operation": operation_json(one)})
        is_done = one.status == Operation.Status.COMPLETED
        if is_done and one.entity in {"draft", "project"}:
            has_draft = has_draft or one.entity == "draft"
            events += _dimensions(one)
    draft = draft_of(run.session) if has_draft else None
    return [*events, {"type": "draft_update", "draft": draft_json(draft)}] if draft else events


def _dimensions(one: Operation) -> list[Event]:
    after = one.payload.after or {}
    return [
        {"type": "dimension_update", "dimension": name, "content": after[name]}
        for name in FIELDS
        if name in one.changed_fields and after.get(name)
    ]


def _phase(session: Session, seen: _Seen) -> list[Event]:
    phase = str(session.state.get("phase", ""))
    if phase == seen.phase:
        return []
    seen.phase = phase
    return [{"type": "session_phase", "phase": phase}]


def _end(run: Run) -> Event:
    if run.status in {Run.Status.FAILED, Run.Status.INTERRUPTED}:
        return {
            "type": "error",
            "error": run.error_text or _("The reply was interrupted. Try again."),
        }
    counts = counted(run.pk)
    return {"type": "done", "changes": counts["done"], "waiting": counts["waiting"]}
