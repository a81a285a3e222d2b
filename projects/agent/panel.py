"""The operations panel beside an agent's conversation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chat.models import Session
from chat.operations.models import Operation
from chat.presenters import Rendered
from projects.agent.closing import line_of

SHOWN = 40


def fragments(session: Session) -> Sequence[Rendered]:
    """The panel for an open page."""
    return [Rendered("projects/agent/_panel.html", {**context(session), "oob": True})]


def context(session: Session) -> dict[str, Any]:
    """The newest operations of a conversation, and how many wait."""
    found = Operation.objects.filter(batch__session=session).select_related("batch", "payload")
    rows = list(found.order_by("-batch__created_at", "-sequence")[:SHOWN])
    waiting = [one for one in rows if one.status == Operation.Status.PENDING]
    return {
        "session": session,
        "rows": [{"operation": one, "line": line_of(one).replace("**", "")} for one in rows],
        "waiting": len(waiting),
    }
