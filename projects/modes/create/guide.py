"""The guide of creating conversations."""

from __future__ import annotations

from collections.abc import Iterator

from chat.assistant.provenance import careful
from chat.guides import Guide, GuideEvent, StateChanged, Text, Turn
from projects.modes.create import replies
from projects.modes.create.state import CreateState
from projects.modes.create.turn import Creating
from projects.modes.rows import ProjectRows
from projects.modes.state import CREATE


class CreateGuide(Guide[CreateState]):
    """Listens, asks, keeps a draft, and makes a project of it."""

    kind = CREATE
    state_model = CreateState

    def respond(self, turn: Turn[CreateState]) -> Iterator[GuideEvent]:
        """The opening, or the answer to a message."""
        if turn.message is not None:
            yield from Creating(careful(turn), turn.message).events()
            return
        draft = ProjectRows.of(turn).draft()
        yield Text(replies.opening(str(turn.session_id), draft.name if draft else ""))
        yield StateChanged("agent")
