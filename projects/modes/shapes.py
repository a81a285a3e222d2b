"""Conversations, operations and drafts as the JSON API shows them (names of the specification)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from chat.models import Message, Session
from chat.operations.models import Operation
from projects.models import ProjectDraft
from projects.operables import PROJECT_FIELDS

TABLES: Final = {
    "project": "projects", "draft": "project_drafts", "draft_task": "draft_tasks",
    "task": "tasks", "note": "notes",
}  # fmt: skip
TYPES: Final = {"restore": "create"}  # what an undo brings back is there anew
STATUSES: Final = {"rejected": "rolled_back"}  # the specification has no word for it


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


def operation_json(one: Operation) -> dict[str, Any]:
    """A `chat_operation`; needs batch and payload."""
    return {
        "id": str(one.pk),
        "chat_session_id": str(one.batch.session_id) if one.batch.session_id else None,
        "user_id": str(one.batch.owner_id),
        "operation_type": TYPES.get(one.type, one.type),
        "table_name": TABLES.get(one.entity, one.entity),
        "entity_id": str(one.entity_id),
        "operation_data": one.payload.requested,
        "before_data": one.payload.before,
        "after_data": one.payload.after,
        "status": STATUSES.get(one.status, one.status),
        "error_message": one.error or None,
        "executed_at": one.executed_at.isoformat() if one.executed_at else None,
        "duration_ms": one.duration_ms,
        "created_at": one.created_at.isoformat(),
        "batch_id": str(one.batch_id),
        "sequence_number": one.sequence,
        "review_reasons": one.batch.review_reasons,
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
