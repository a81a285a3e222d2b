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
from django.urls import reverse
from django.utils.translation import gettext as _

from chat.assistant.cards import counted
from chat.events.follow import Batch
from chat.events.kinds import Token
from chat.models import Message, Run, Session
from chat.operations.models import Operation
from chat.sse import RunReader, read_run
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
    state = draft.session.state if draft.session else {}  # the row has it as of the last change
    return {
        "id": str(draft.pk),
        "user_id": str(draft.owner_id),
        "chat_session_id": str(draft.session_id) if draft.session_id else None,
        **{name: str(value) if value else None if name in dates else value
           for name, value in fields.items()},
        "status": draft.status,
        "dimensions_covered": draft.dimensions_covered,
        "question_count": state.get("questions_asked", draft.question_count),
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


def happening(session: Session, run_id: uuid.UUID, phase: str) -> AsyncIterator[Event]:
    """What happens in a run, as events that are not written out yet; ends in one `done` or
    `error`. `phase` is the one that the client knows.
    """
    return read_run(session.pk, _Reader(run_id, phase))


class _Reader(RunReader[Event]):
    """Operations by the status that was sent, and the phase."""

    def __init__(self, run_id: uuid.UUID, phase: str) -> None:
        super().__init__(run_id)
        self.phase = phase
        self.operations: dict[uuid.UUID, str] = {}

    def taken(self, batch: Batch) -> tuple[list[Event], bool]:
        """The texts that a batch adds, to the reply and beside it."""
        text, beside, has_news = "", list[Event](), False
        for event in (entry.event for entry in batch.entries):
            if isinstance(event, Token) and event.is_beside:
                key = str(event.message_id)
                beside.append({"type": "draft_text", "id": key, "content": event.text})
            elif not isinstance(event, Token) or (fresh := self.stretch(event)) is None:
                has_news = True
            else:
                text += fresh
        return [*beside, *_text(text)], has_news

    def look(self) -> list[Event]:
        run = Run.objects.select_related("session", "reply").filter(pk=self.run_id).first()
        if run is None:
            self.is_over = True
            return [{"type": "error", "error": "This conversation is not there any more."}]
        events = [*self._changes(run)]
        phase = str(run.session.state.get("phase", ""))
        if phase != self.phase:
            self.phase = phase
            events.append({"type": "session_phase", "phase": phase})
        events += _text(self.remaining(run))
        if not run.is_open:
            self.is_over = True
            events.append(_end(run))
        return events

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
                before, after = operation.payload.before or {}, operation.payload.after or {}
                for name in FIELDS:
                    text = after.get(name, "")
                    if name in operation.changed_fields and (text or before.get(name)):
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
    changes = counts["done"] + counts["undone"]
    return {"type": "done", "changes": changes, "waiting": counts["waiting"]}


def turn_json(run_id: uuid.UUID) -> Event:
    """What the end of a stream of the agent says besides."""
    run = Run.objects.select_related("reply").get(pk=run_id)
    return {"opened": opened_by(run), "basic_mode": run.basic_mode}


def opened_by(run: Run) -> list[str]:
    """Pages of the conversations that a turn opened."""
    parts = run.reply.parts if run.reply else []
    opened = [part for part in parts if part.get("type") == "opened"]
    return [
        part.get("url") or reverse("projects:agent_talk", args=[part["session"]]) for part in opened
    ]
