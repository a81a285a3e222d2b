"""One turn's desk: the entry of its conversation, its pictures, its owner, and the ledger."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import transaction

from chat.guides import Turn
from chat.models import Session
from chat.operations.changes import Change
from futura.llm.tools import ToolRejected
from projects.agent.apply import Applied, Ledger, apply
from projects.portfolio.builder import calls
from projects.portfolio.builder.outcomes import Outcome
from projects.portfolio.builder.state import BuilderState
from projects.portfolio.builder.understanding import Picture, Scene
from projects.portfolio.entries import changes, queries
from projects.portfolio.models import Entry, EntryImage, Portfolio, Profile

NOBODY: Final = uuid.UUID(int=0)
GONE: Final = "The entry of this conversation is not there any more."


class Gone(ToolRejected):
    """The entry was deleted meanwhile."""


@dataclass
class Desk:
    """The rows of one conversation, for one turn; named by the conversation alone."""

    turn: Turn[Any]
    session: Session
    ledger: Ledger = field(default_factory=Ledger)
    outcomes: list[Outcome] = field(default_factory=list)
    with_model: bool = False

    @classmethod
    def of(cls, turn: Turn[Any]) -> Desk:
        """The desk of a turn. Session.DoesNotExist when the conversation was deleted meanwhile."""
        return cls(turn, Session.objects.select_related("participant").get(pk=turn.session_id))

    @property
    def state(self) -> BuilderState:
        """The conversation's memory."""
        state: BuilderState = self.turn.state
        return state

    def entry(self) -> Entry:
        """The entry as it stands now. Raises Gone."""
        own = Entry.objects.filter(
            pk=self.state.entry_id or NOBODY,
            owner_id=self.session.participant_id,
            deleted_at=None,
            portfolio__deleted_at=None,
        )
        found = own.select_related("portfolio").first()
        if found is None:
            raise Gone(GONE)
        return found

    def is_public(self) -> bool:
        """Whether everybody can read the entry."""
        own = Entry.objects.filter(pk=self.state.entry_id or NOBODY, deleted_at=None)
        return own.filter(status=Entry.Status.PUBLISHED).exists()

    def pictures(self, entry: Entry) -> list[EntryImage]:
        """Its pictures as the page shows them: the hero, then the others."""
        return queries.images_of(entry)

    def picture(self, entry: Entry, number: int) -> EntryImage:
        """The picture of a number. Raises ToolRejected."""
        found = self.pictures(entry)
        if not 0 < number <= len(found):
            raise ToolRejected(f"There is no picture {number}; there are {len(found)}.")
        return found[number - 1]

    def profile(self, portfolio: Portfolio) -> Profile | None:
        """Who the owner is, as visitors may know it."""
        return Profile.objects.filter(portfolio=portfolio, deleted_at=None).first()

    def apply(self, made: Sequence[Change], *, title: str, call_id: str) -> Applied:
        """Through the policy to the ledger; what was recorded is remembered."""
        applied = apply(self.turn, made, title=title, tool_call_id=call_id)
        self.ledger.applied.append(applied)
        return applied

    def edit(self, entry: Entry, values: Mapping[str, Any], *, title: str, call_id: str) -> Applied:
        """Other values for fields of the entry. Raises BadInput, TooLong."""
        with transaction.atomic():
            change = changes.updated(entry, dict(values), version=entry.version)
            return self.apply([change], title=title, call_id=call_id)


def scene_of(entry: Entry, pictures: Sequence[EntryImage], state: BuilderState) -> Scene:
    """What the rules know."""
    fields = {name: getattr(entry, name) for name in (*calls.TEXTS, *calls.LISTS)}
    return Scene(
        fields=fields,
        blocks=entry.blocks,
        pictures=[
            Picture(number, one.alt, one.caption, one.is_hero)
            for number, one in enumerate(pictures, start=1)
        ],
        open=state.open,
        pending=state.pending,
        proposal=state.proposal.kind if state.proposal else "",
        last=state.last,
        told=state.told,
        is_published=entry.status == Entry.Status.PUBLISHED,
        is_first=not (entry.blocks or entry.title or entry.summary),
    )
