"""What was replaced in a conversation, put together as it was set aside, for staff to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Generic, Protocol, TypeVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat.models import Message, Run


class Replaced(Protocol):
    """A turn of the transcript."""

    @property
    def message(self) -> Message:
        """What was said."""
        ...

    @property
    def run(self) -> Run | None:
        """What made it, for an answer."""
        ...


TurnT = TypeVar("TurnT", bound=Replaced)


@dataclass(frozen=True)
class Branch(Generic[TurnT]):
    """A wording with its answers, or an answer alone: set aside by one gesture."""

    turns: Sequence[TurnT]
    replaced_at: datetime
    why: str | Promise


def branches_of(turns: Sequence[TurnT], runs: Sequence[Run]) -> list[Branch[TurnT]]:
    """What was set aside among all turns of a session, newest first."""
    gone = sorted((turn for turn in turns if turn.message.superseded_at), key=_when)
    found = [list(together) for _at, together in groupby(gone, key=_when)]
    return [Branch(branch, _when(branch[0]), _why(branch, runs)) for branch in reversed(found)]


def _when(turn: Replaced) -> datetime:
    """When it was set aside, which is the same for all that went together."""
    return turn.message.superseded_at or turn.message.created_at


def _why(branch: Sequence[Replaced], runs: Sequence[Run]) -> str | Promise:
    own = [turn.message for turn in branch if turn.message.role == Message.Role.PERSON]
    if own:
        return _("reworded") if own[0].text else _("taken back before it was answered")
    made = {turn.run.pk for turn in branch if turn.run is not None}
    causes = {run.cause for run in runs if run.retry_of_id in made}
    if Run.Cause.REGENERATE in causes:
        return _("another answer was asked for")
    return _("tried again")
