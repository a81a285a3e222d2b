"""The draft that waits in a conversation: remembered when it is made, used or dropped later."""

from __future__ import annotations

import uuid
from typing import Final

from chat.assistant.working import Working
from chat.operations.changes import Actor
from chat.operations.models import Operation, OperationBatch
from chat.operations.review import reject
from futura.llm.tools import ToolRejected
from projects.portfolio.builder.context import EntryContext
from projects.portfolio.builder.state import BuilderState, Draft
from projects.portfolio.commands.story import RewriteEntry, UseDraft

NO_DRAFT: Final = "No draft of this conversation waits; nothing was changed."


def draft_command(context: EntryContext) -> UseDraft:
    """What the draft that waits would do, for the version it was made for. Raises ToolRejected."""
    state: BuilderState = context.turn.state
    batch = waiting_draft(state, context.turn.session_id)
    if batch is None or state.draft is None or batch.run_id == context.turn.run_id:
        raise ToolRejected(NO_DRAFT)
    if state.has_untrusted_text:
        raise ToolRejected("This turn reads text of others: the person uses it on its card.")
    return UseDraft.model_validate(state.draft.command)


def waiting_draft(state: BuilderState, session_id: uuid.UUID) -> OperationBatch | None:
    """The batch of the draft that waits in a conversation. Two queries where there is one."""
    if state.draft is None:
        return None
    waits = OperationBatch.objects.filter(
        pk=state.draft.batch, session=session_id, status=OperationBatch.Status.REVIEW
    )
    batch = waits.first()
    return batch if batch is not None and _pending(batch, state.draft) else None


def _pending(batch: OperationBatch, draft: Draft) -> list[uuid.UUID]:
    own = batch.operations.filter(pk__in=draft.operations, status=Operation.Status.PENDING)
    return list(own.values_list("pk", flat=True))


def drop_draft(working: Working) -> str:
    """Drops the draft that waits. Raises ToolRejected."""
    state: BuilderState = working.turn.state
    batch = waiting_draft(state, working.turn.session_id)
    if batch is None:
        raise ToolRejected(NO_DRAFT)
    reject_draft(state, batch)
    return "Dropped."


def reject_draft(state: BuilderState, batch: OperationBatch) -> None:
    """Lets what waits of the draft drop, and forgets it."""
    if state.draft and (ids := _pending(batch, state.draft)):
        reject(actor=Actor(batch.owner_id), batch_id=batch.pk, operation_ids=ids)
    state.draft = None


def note_drafts(working: Working) -> None:
    """Remembers the draft that a turn laid before the person, and forgets one that was used."""
    state: BuilderState = working.turn.state
    for written in working.written:
        command, operations = written.command, written.operations
        if isinstance(command, UseDraft):
            batch = waiting_draft(state, working.turn.session_id)
            if operations and not written.is_waiting and batch is not None:
                reject_draft(state, batch)
        elif isinstance(command, RewriteEntry) and written.is_waiting and operations:
            versions = [one.base_version for one in operations if one.entity == "portfolio_entry"]
            seen = command.model_copy(update={"version": next(iter(versions), None)})
            state.draft = Draft(
                batch=operations[0].batch_id, operations=[one.pk for one in operations],
                command=seen.model_dump(mode="json"),
            )  # fmt: skip
