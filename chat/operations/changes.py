"""What somebody wants changed, who wants it and why: the input of the ledger."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from chat.models import Message, Run, Session
from chat.operations.models import OperationBatch

Values = Mapping[str, Any]
Kind = OperationBatch.Actor


@dataclass(frozen=True)
class Create:
    """A new row of an operable model. `id` may be given, so that other changes can name it."""

    entity: str
    values: Values
    id: uuid.UUID = field(default_factory=uuid.uuid4)


@dataclass(frozen=True)
class Update:
    """New values for some fields. With `version`, a row that has moved on is a conflict."""

    entity: str
    id: uuid.UUID
    values: Values
    version: int | None = None


@dataclass(frozen=True)
class Delete:
    """Takes a row away, and all that hangs on it."""

    entity: str
    id: uuid.UUID
    version: int | None = None


Change = Create | Update | Delete


@dataclass(frozen=True)
class Actor:
    """Who changes whose things: `owner_id` is the participant that owns the rows."""

    owner_id: uuid.UUID
    kind: str = Kind.PERSON
    user_id: int | None = None


@dataclass(frozen=True)
class Cause:
    """What led to a change. A (run, tool call) that was executed before is not executed again."""

    session: Session | None = None
    run: Run | None = None
    message: Message | None = None
    tool_call_id: str = ""
    reason: str = ""
    batch_id: uuid.UUID | None = None
