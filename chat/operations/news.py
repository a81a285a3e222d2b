"""Tells the readers of a session that its operations changed."""

from __future__ import annotations

from chat import events
from chat.events.kinds import Feature
from chat.operations.models import OperationBatch

KIND = "operations"


def tell(batch: OperationBatch) -> None:
    """On commit: a reference in the session's log; the panel is rendered from PostgreSQL."""
    if batch.session_id is not None:
        events.append(batch.session_id, Feature(KIND, str(batch.pk)))
