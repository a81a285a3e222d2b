"""What every conversation with an assistant remembers; a guide's state adds its own fields."""

from __future__ import annotations

import uuid

from pydantic import BaseModel, Field


class UndoQuestion(BaseModel):
    """Batches that would be taken back, whose rows the person was shown by the run `asked_by`."""

    batches: list[uuid.UUID]
    row: uuid.UUID | None = None
    asked_by: uuid.UUID


class AssistantState(BaseModel):
    """Saved in the session as JSON. Ids are put here by the server alone, never by a model.

    `has_untrusted_text` is of the last turn, `others` names the runs that read other people's
    words, `is_opened_with_others`: the first message has some (see `chat.assistant.provenance`).
    """

    turns: int = 0
    operations_executed: int = 0
    has_untrusted_text: bool = False
    others: list[uuid.UUID] = Field(default_factory=list)
    is_opened_with_others: bool = False
    undo_question: UndoQuestion | None = None
