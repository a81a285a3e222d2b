"""What the conversation about an entry remembers between two messages, its draft above all."""

from __future__ import annotations

import uuid
from enum import StrEnum
from typing import Any, Final

from pydantic import BaseModel, Field

from chat.assistant.state import AssistantState
from chat.assistant.working import Working
from chat.guides import Turn
from chat.operations.changes import Actor
from chat.operations.models import Operation, OperationBatch
from chat.operations.review import reject
from futura.llm.tools import ToolRejected
from projects.portfolio.commands.story import RewriteEntry, UseDraft

KIND: Final = "portfolio_builder"
NO_DRAFT: Final = "No draft of this conversation waits; nothing was changed."


class Phase(StrEnum):
    """Where the work on an entry stands."""

    INTERVIEW = "interview"
    DRAFT = "draft"
    READY = "ready"
    PUBLISHED = "published"


class Draft(BaseModel):
    """A draft that was laid before the person: where it waits, and its command."""

    batch: uuid.UUID
    operations: list[uuid.UUID]
    command: dict[str, Any]


class BuilderState(AssistantState):
    """Saved in the session as JSON; ids are put here by the server alone.

    `open` is the question that basic mode has put, `passed` those that were put or skipped; `told`
    is what was told of each section, word for word; `unplaced` a text that no question asked for.
    """

    entry_id: uuid.UUID | None = None
    project_id: uuid.UUID | None = None
    phase: Phase = Phase.INTERVIEW
    open: str = ""
    passed: list[str] = Field(default_factory=list)
    told: dict[str, str] = Field(default_factory=dict)
    unplaced: str = ""
    is_quiet: bool = False
    draft: Draft | None = None
    hinted: list[str] = Field(default_factory=list)


def waiting_draft(turn: Turn[BuilderState]) -> OperationBatch | None:
    """The batch of the draft that waits in a conversation. Two queries where there is one."""
    draft = turn.state.draft
    if draft is None:
        return None
    waits = OperationBatch.objects.filter(
        pk=draft.batch, session=turn.session_id, status=OperationBatch.Status.REVIEW
    )
    batch = waits.first()
    return batch if batch is not None and _pending(batch, draft) else None


def _pending(batch: OperationBatch, draft: Draft) -> list[uuid.UUID]:
    own = batch.operations.filter(pk__in=draft.operations, status=Operation.Status.PENDING)
    return list(own.values_list("pk", flat=True))


def draft_command(turn: Turn[BuilderState]) -> UseDraft:
    """What the draft that waits would do, for the version it was made for. Raises ToolRejected."""
    batch = waiting_draft(turn)
    if batch is None or turn.state.draft is None or batch.run_id == turn.run_id:
        raise ToolRejected(NO_DRAFT)
    if turn.state.has_untrusted_text:
        raise ToolRejected("This turn reads text of others: the person uses it on its card.")
    return UseDraft.model_validate(turn.state.draft.command)


def drop_draft(turn: Turn[BuilderState]) -> str:
    """Drops the draft that waits. Raises ToolRejected."""
    batch, draft = waiting_draft(turn), turn.state.draft
    if batch is None or draft is None:
        raise ToolRejected(NO_DRAFT)
    reject(actor=Actor(batch.owner_id), batch_id=batch.pk, operation_ids=_pending(batch, draft))
    turn.state.draft = None
    return "Dropped."


def note_drafts(working: Working) -> None:
    """Remembers the draft that a turn laid before the person, and drops one that was used."""
    turn: Turn[BuilderState] = working.turn
    for written in working.written:
        command, operations = written.command, written.operations
        if not operations:
            continue
        if isinstance(command, UseDraft):
            if not written.is_waiting and waiting_draft(turn) is not None:
                drop_draft(turn)
        elif isinstance(command, RewriteEntry) and written.is_waiting:
            versions = [one.base_version for one in operations if one.entity == "portfolio_entry"]
            seen = command.model_copy(update={"version": next(iter(versions), None)})
            turn.state.draft = Draft(
                batch=operations[0].batch_id, operations=[one.pk for one in operations],
                command=seen.model_dump(mode="json"),
            )  # fmt: skip
