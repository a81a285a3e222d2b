"""What one turn about an entry works on, and what a prompt is told of it, with ids."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from chat.assistant.delimiter import cut
from chat.assistant.working import AgentScope, Working, owners_of
from chat.guides import Turn
from chat.models import Participant, Session
from projects.models import Project
from projects.portfolio.blocks import identified, standing_sources
from projects.portfolio.builder.drafting import Ground, grounds_of
from projects.portfolio.builder.from_project import grounds
from projects.portfolio.builder.state import BuilderState, waiting_draft
from projects.portfolio.entries.publishing import check
from projects.portfolio.models import Entry, EntryImage, Profile, Source
from projects.portfolio.queries import images_of

NOBODY: Final = uuid.UUID(int=0)
LISTS: Final = ("tags", "materials", "techniques", "tech_stack", "languages")
SHORT: Final = (
    "title", "entry_type", "location", "organization", "context", "role", "started", "ended",
    "repository_url", "live_url", *LISTS,
)  # fmt: skip
LONG: Final = ("summary", "description", "impact", "size_or_scope", "seo_title", "seo_description")
BEARING: Final = ("impact", "summary", "description", "role")
"""Fields that a sentence of a draft may stand on."""
TEXT_CHARS: Final = 4_000
ABOUT_CHARS: Final = 1_200
RECORD_CHARS: Final = 1_000
WHOLE: Final = 100_000  # characters of a text that a reading shows
READ: Final = "readEntry"
IMPORTED: Final = (
    f"[Read from a source that others may have written; left out. {READ} shows it when the person "
    "asks about it; changes then wait for their review.]"
)


@dataclass(frozen=True)
class EntryContext:
    """The rows of one conversation, named by the conversation alone."""

    turn: Turn[BuilderState]
    participant: Participant
    entry: Entry

    @classmethod
    def of(cls, turn: Turn[BuilderState]) -> EntryContext | None:
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

    def project(self) -> Project | None:
        """The project that the entry is about."""
        own = Project.objects.filter(owner_id=self.participant.pk, deleted_at=None)
        return own.filter(pk=self.turn.state.project_id or self.entry.project_id or NOBODY).first()

    def grounds(self) -> list[Ground]:
        """What sentences of a draft may stand on: what was said, the entry's own fields, its
        project. Text of others bears nothing out.
        """
        entry, project = self.fresh_entry(), self.project()
        own = [str(getattr(entry, name)) for name in BEARING if not self.is_of_others(name)]
        if not self.is_of_others("blocks"):
            own = [*(str(one.get("text", "")) for one in entry.blocks), *own]
        standing = [Ground(text, label=entry.title) for text in own if text]
        return grounds_of(self.turn, [*(grounds(project) if project else []), *standing])

    def is_of_others(self, name: str) -> bool:
        """Whether a field holds what was read from a source, such as a README, and the owner has
        not taken as their own since.
        """
        return self.is_imported and name not in self.entry.kept_fields

    @property
    def is_imported(self) -> bool:
        """Whether the entry was read from a source that others may have written."""
        own = Source.objects.filter(pk=self.entry.source_id or NOBODY)
        return own.exclude(method=Source.Method.PERSON).exists()

    # What a prompt is told ------------------------------------------------------------------
    def records(self) -> Mapping[str, str]:
        """Named texts for the records of a prompt; empty ones stay out."""
        project = self.project()
        told = grounds(project) if project else []
        return {
            "entry": self._fields(),
            "story": self.story(TEXT_CHARS),
            "pictures": "\n".join(map(_picture, self.images())),
            "owner": self._owner(),
            "project": "\n".join(f"- {one.text[:RECORD_CHARS]} ({one.label})" for one in told),
            "draft": "A draft waits; useDraft takes it." if waiting_draft(self.turn) else "",
            "what publishing lacks": "\n".join(one.message for one in check(self.entry)),
        }

    def note_seen(self, working: Working, *, is_whole: bool = False) -> None:
        """Notes which long texts the model has before it, whole."""
        entry = self.entry
        texts = [(name, str(getattr(entry, name)), name) for name in LONG]
        texts += [(str(one["id"]), str(one.get("text", "")), "blocks")
                  for one in identified(entry.blocks)]  # fmt: skip
        for key, text, field in texts:
            if is_whole or (len(text) <= TEXT_CHARS and not self.is_of_others(field)):
                working.has_seen(entry.pk, key, text)

    def story(self, limit: int) -> str:
        """The blocks with their ids; what nothing bears out is marked."""
        if not self.entry.blocks:
            return "(empty)"
        if limit == TEXT_CHARS and self.is_of_others("blocks"):
            return IMPORTED
        return "\n".join(_block(one, limit) for one in identified(self.entry.blocks))

    def _fields(self) -> str:
        entry = self.entry
        lines = [f"id={entry.pk} version={entry.version} status={entry.status}"]
        texts = {name: worded(getattr(entry, name)) for name in (*SHORT, *LONG)}
        for name, text in texts.items():
            shown = IMPORTED if text and name in LONG and self.is_of_others(name) else text
            if shown:
                lines.append(f"{name}: {cut(shown, TEXT_CHARS, READ)}")
        empty = [name for name, text in texts.items() if not text]
        return "\n".join([*lines, f"empty: {', '.join(empty)}"])

    def _owner(self) -> str:
        """Who the owner is; contact data and private notes never."""
        portfolio = self.entry.portfolio
        told = {"name": portfolio.owner_name, "field": portfolio.domain_label,
                "pronouns": portfolio.pronouns}  # fmt: skip
        profile = Profile.objects.filter(portfolio=portfolio, deleted_at=None).first()
        if profile is not None:
            told |= {
                "headline": profile.headline, "lives in": profile.location,
                "works as": profile.current_role, "skills": ", ".join(profile.top_skills[:12]),
                "about": " ".join(profile.about)[:ABOUT_CHARS],
            }  # fmt: skip
        return "\n".join(f"{name}: {text}" for name, text in told.items() if text)


def entry_text(entry: Entry) -> str:
    """Fields that say something; status, type and place always."""
    lines = [f"status: {entry.status}", f"type: {entry.entry_type or '(not known)'}",
             f"location: {entry.location or '(not known)'}"]  # fmt: skip
    names = (name for name in (*SHORT, *LONG) if name not in {"entry_type", "location"})
    values = ((name, getattr(entry, name)) for name in names)
    return "\n".join([*lines, *(f"{name}: {worded(one)}" for name, one in values if one)])


def worded(value: Any) -> str:
    """A field in a line."""
    return ", ".join(value) if isinstance(value, list) else str(value)


def living_entry(entry_id: uuid.UUID | None, owner_id: uuid.UUID) -> Entry | None:
    """The entry of a conversation, while it is there."""
    own = Entry.objects.filter(pk=entry_id or NOBODY, owner_id=owner_id, deleted_at=None)
    return own.filter(portfolio__deleted_at=None).select_related("portfolio").first()


def _picture(one: EntryImage) -> str:
    hero = " hero;" if one.is_hero else ""
    caption = f"; caption: {one.caption}" if one.caption else ""
    return f"id={one.pk}{hero} alt: {one.alt or '(none)'}{caption}"


def _block(block: Mapping[str, Any], limit: int) -> str:
    told = {"id", "type", "text", "sources"}
    rest = {name: value for name, value in block.items() if name not in told}
    text = cut(str(block.get("text", "")), limit, READ)
    unsupported = [one.sentence for one in standing_sources(block) if not one.is_supported]
    mark = f" [nothing bears out: {json.dumps(unsupported, ensure_ascii=False)}]"
    more = f" {json.dumps(rest, ensure_ascii=False)}" if any(rest.values()) else ""
    return f"id={block['id']} [{block['type']}] {text}{more}{mark if unsupported else ''}"
