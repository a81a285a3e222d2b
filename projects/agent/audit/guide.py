"""The guide of auditing conversations."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from chat.guides import GuideEvent, StateChanged, Text, Turn
from projects.agent.audit import words
from projects.agent.audit.answer import Auditing
from projects.agent.audit.state import AuditState
from projects.agent.state import AUDIT
from projects.agent.toolbox import ToolBox


class AuditGuide:
    """Asks what worries, reads the project critically, and talks the findings over."""

    kind = AUDIT
    state_model = AuditState

    def respond(self, turn: Turn[AuditState]) -> Iterator[GuideEvent]:
        """The opening, or the answer to a message."""
        if turn.message is not None:
            yield from Auditing(turn, turn.message).events()
            return
        project = ToolBox.of(turn).project()
        if project is None:
            yield Text(words.gone())
            return
        turn.state.questions_asked += 1
        yield Text(words.opening(project.name, str(turn.session_id)))
        yield StateChanged("agent")

    def ended(self, session_id: uuid.UUID) -> None:
        """Auditing conversations do not end: one audits again when something has changed."""

    def merge_saved(
        self, *, before: Mapping[str, Any], saved: Mapping[str, Any], state: AuditState
    ) -> AuditState:
        """Keeps a harshness that was chosen on the page meanwhile."""
        was = (before.get("audit") or {}).get("harshness")
        now = (saved.get("audit") or {}).get("harshness")
        if now is not None and now != was:
            state.audit.harshness = now
        return state
