"""The guide of updating conversations."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

from chat.guides import GuideEvent, StateChanged, Text, Turn
from chat.operations.queries import waiting_count
from projects.agent.others import careful
from projects.agent.state import UPDATE, Phase
from projects.agent.toolbox import ToolBox
from projects.agent.update.answer import Updating
from projects.agent.update.state import UpdateState
from projects.agent.update.words import opening


class UpdateGuide:
    """Finds what changed, does or proposes it, and tells it from the ledger."""

    kind = UPDATE
    state_model = UpdateState

    def respond(self, turn: Turn[UpdateState]) -> Iterator[GuideEvent]:
        """The opening, or the answer to a message."""
        turn.state.phase = Phase.CLARIFYING
        if turn.message is None:
            project = ToolBox.of(turn).project()
            name, waiting = project.name if project else "", waiting_count(turn.session_id)
            yield Text(opening(name, str(turn.session_id), waiting))
            yield StateChanged("agent")
            return
        turn.state.turns += 1
        yield from Updating(careful(turn), turn.message).events()

    def ended(self, session_id: uuid.UUID) -> None:
        """Updating conversations stay open."""
