"""Tells the readers of a session that its operations changed."""

from __future__ import annotations

import uuid
from typing import Final

from chat import events
from chat.events.kinds import Feature
from chat.operations.models import OperationBatch

KIND: Final = "operations"
POLICY: Final = "policy"  # in place of a batch's id


def tell_policy(session_id: uuid.UUID) -> None:
    """The same for how the agent's changes are treated."""
    events.append(session_id, Feature(KIND, POLICY))


def tell(batch: OperationBatch) -> None:
    """On commit: a reference in the session's log; the panel is rendered from PostgreSQL."""
    if batch.session_id is not None:
        events.append(batch.session_id, Feature(KIND, str(batch.pk)))
