"""What one turn about an entry works on: the entry, its pictures, its owner, project and scope."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any, Final

from chat.assistant.working import AgentScope, owners_of
from chat.guides import Turn
from chat.models import Participant, Session
from projects.models import Project
from projects.portfolio.builder.drafting import Ground, grounds_of
from projects.portfolio.builder.from_project import grounds
from projects.portfolio.entries.queries import images_of
from projects.portfolio.models import Entry, EntryImage, Profile, Source

NOBODY: Final = uuid.UUID(int=0)


@dataclass(frozen=True)
class EntryContext:
    """The rows of one conversation, named by the conversation alone."""

    turn: Turn[Any]
    participant: Participant
    entry: Entry

    @classmethod
    def of(cls, turn: Turn[Any]) -> EntryContext | None:
        """None when the entry was deleted. Session.DoesNotExist when the conversation was."""
        session = Session.objects.select_related("participant").get(pk=turn.session_id)
        entry = living_entry(turn.state.entry_id, session.participant_id)
        return cls(turn, session.participant, entry) if entry else None

    def fresh_entry(self) -> Entry:
        """The entry as it stands now."""
        return Entry.objects.select_related("portfolio").get(pk=self.entry.pk)

    def scope(self) -> AgentScope:
        """The person's rows, for one command."""
        return AgentScope.of_participant(self.participant, owners_of(self.participant))

    def images(self) -> list[EntryImage]:
        """Its pictures as the page shows them: the hero, then the others."""
        return images_of(self.entry)

    def profile(self) -> Profile | None:
        """Who the owner is, as visitors may know it."""
        return Profile.objects.filter(portfolio=self.entry.portfolio, deleted_at=None).first()

    def project(self) -> Project | None:
        """The project that the entry is about."""
        own = Project.objects.filter(owner_id=self.participant.pk, deleted_at=None)
        return own.filter(pk=self.turn.state.project_id or self.entry.project_id or NOBODY).first()

    def grounds(self) -> list[Ground]:
        """What sentences of a draft may stand on: what was said, the entry's own fields, its
        project. Text of others bears nothing out.
        """
        entry = self.fresh_entry()
        own = [] if self.is_of_others("blocks") else [str(one.get("text", "")) for one in
                                                      entry.blocks]  # fmt: skip
        own += [
            str(getattr(entry, name))
            for name in ("impact", "summary", "description", "role")
            if getattr(entry, name) and not self.is_of_others(name)
        ]
        project = self.project()
        records = grounds(project) if project else []
        standing = [Ground(text, label=entry.title) for text in own if text]
        return grounds_of(self.turn, [*records, *standing])

    def is_of_others(self, name: str) -> bool:
        """Whether a field holds what was read from a source, such as a README, and the owner has
        not taken as their own since.
        """
        return self.is_imported and name not in self.entry.kept_fields

    @property
    def is_imported(self) -> bool:
        """Whether the entry was read from a source that others may have written."""
        if self.entry.source_id is None:
            return False
        own = Source.objects.filter(pk=self.entry.source_id)
        return own.exclude(method=Source.Method.PERSON).exists()


def living_entry(entry_id: uuid.UUID | None, owner_id: uuid.UUID) -> Entry | None:
    """The entry of a conversation, while it is there."""
    own = Entry.objects.filter(pk=entry_id or NOBODY, owner_id=owner_id, deleted_at=None)
    return own.filter(portfolio__deleted_at=None).select_related("portfolio").first()
