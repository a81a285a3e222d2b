"""The guide of updating conversations."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.assistant.provenance import careful
from chat.guides import Guide, GuideEvent, StateChanged, Text, Turn
from chat.operations.queries import waiting_count
from projects.modes.rows import ProjectRows
from projects.modes.state import UPDATE, Phase
from projects.modes.update.state import UpdateState
from projects.modes.update.turn import Updating


class UpdateGuide(Guide[UpdateState]):
    """Carries out what changed, or proposes it, and tells it from the ledger."""

    kind = UPDATE
    state_model = UpdateState

    def respond(self, turn: Turn[UpdateState]) -> Iterator[GuideEvent]:
        """The opening, or the answer to a message."""
        turn.state.phase = Phase.CLARIFYING
        if turn.message is None:
            project = ProjectRows.of(turn).project()
            name = project.name if project else _("your project")
            yield Text(opening(name, waiting_count(turn.session_id)))
            yield StateChanged("agent")
            return
        turn.state.turns += 1
        message, turn = turn.message, careful(turn)
        yield from Updating(turn, message, ProjectRows.of(turn)).events()


def opening(name: str, waiting: int = 0) -> str:
    """The first word of a conversation; `waiting` changes were put before the person already."""
    if not waiting:
        return _("What is new with **%(name)s**? Tell me what changed.") % {"name": name}
    words = ngettext(
        "I have put %(n)d change to **%(name)s** before you: it waits under Changes until you "
        "approve it. Tell me if it should be different, or what else is new.",
        "I have put %(n)d changes to **%(name)s** before you: they wait under Changes until "
        "you approve them. Tell me if one should be different, or what else is new.",
        waiting,
    )
    return words % {"n": waiting, "name": name}
