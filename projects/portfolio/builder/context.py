"""What the conversation about an entry remembers between two messages, what one turn of it works
on, and what a prompt is told of that, with ids.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, get_args

from pydantic import BaseModel, Field

from chat.assistant.delimiter import cut
from chat.assistant.toolset import AssistantState
from chat.assistant.working import Working, agent_scope, owners_of
from chat.commands.base import Scope
from chat.guides import Turn
from chat.memory.tokens import count
from chat.models import Message, Participant, Session
from chat.operations.changes import Actor, Kind
from chat.operations.models import Operation, OperationBatch
from chat.operations.registry import operable
from chat.operations.review import reject
from futura.llm.tools import ToolRejected
from futura.text import sentences
from projects.models import Project
from projects.portfolio.blocks import identified, standing_sources
from projects.portfolio.builder.drafting import Ground, ListField, TextField
from projects.portfolio.builder.from_project import grounds, typed_in
from projects.portfolio.commands.images import ProposeImages
from projects.portfolio.commands.story import RewriteEntry, UseDraft
from projects.portfolio.entries.publishing import check
from projects.portfolio.models import Entry, EntryImage, Portfolio, Profile, Source
from projects.portfolio.public.page import Addresses, absolute
from projects.portfolio.queries import images_of

NOBODY: Final = uuid.UUID(int=0)
LISTS: Final[tuple[str, ...]] = get_args(ListField)
LONG: Final = ("summary", "description", "impact", "size_or_scope", "seo_title", "seo_description")
BEARING: Final = ("impact", "summary", "description", "role")
"""Fields that a sentence of a draft may stand on."""
TEXT_CHARS: Final = (4_000, 1_000, 150)
"""Of one text of an entry in a prompt: the most with which all of them fit."""
TEXTS_TOKENS: Final = 10_000
WHOLE: Final = 100_000  # characters of a text that a reading shows
READ: Final = "readEntry"
IMPORTED: Final = (
    f"[Read from a source that others may have written; left out. {READ} shows it when the person "
    "asks about it; changes then wait for their review.]"
)
DRAFTS: Final = (RewriteEntry, ProposeImages)
USES: Final = "A draft waits; useDraft takes all of it."
NO_DRAFT: Final = "No draft of this conversation waits; nothing was changed."


class Phase(StrEnum):
    """Where the work on an entry stands."""

    INTERVIEW = "interview"
    DRAFT = "draft"
    READY = "ready"
    PUBLISHED = "published"


class Draft(BaseModel):
    """A draft that was laid before the person: where it waits."""

    batch: uuid.UUID
    operations: list[uuid.UUID]


class BuilderState(AssistantState):
    """Saved in the session as JSON; ids are put here by the server alone.

    `open` is the question that basic mode has put, `passed` those that were skipped, or whose
    answer waits for review; `told` is what was told of each section, word for word; `unplaced` a
    text that no question asked for; `older` are drafts that others came after; `looked_at` are
    pictures that a model has seen, the last ones last.
    """

    entry_id: uuid.UUID | None = None
    project_id: uuid.UUID | None = None
    phase: Phase = Phase.INTERVIEW
    open: str = ""
    passed: list[str] = Field(default_factory=list)
    told: dict[str, str] = Field(default_factory=dict)
    unplaced: str = ""
    is_quiet: bool = False
    draft: Draft | None = None
    older: list[Draft] = Field(default_factory=list)
    hinted: list[str] = Field(default_factory=list)
    looked_at: list[uuid.UUID] = Field(default_factory=list)


# The draft that waits ---------------------------------------------------------------------------
def waiting_draft(turn: Turn[BuilderState]) -> list[Operation]:
    """What waits of the draft of a conversation."""
    return _waiting_of(turn, turn.state.draft) if turn.state.draft else []


def _waiting_of(turn: Turn[BuilderState], draft: Draft) -> list[Operation]:
    waits = Operation.objects.filter(pk__in=draft.operations, status=Operation.Status.PENDING)
    in_review = {"batch__session": turn.session_id, "batch__status": OperationBatch.Status.REVIEW}
    own = waits.filter(batch=draft.batch, **in_review).select_related("batch", "payload")
    return list(own.order_by("sequence"))


def draft_command(context: EntryContext) -> UseDraft:
    """What takes the draft that waits. Raises ToolRejected."""
    turn, waiting = context.turn, waiting_draft(context.turn)
    if not waiting or waiting[0].batch.run_id == turn.run_id:
        raise ToolRejected(NO_DRAFT)
    if turn.state.has_untrusted_text:
        raise ToolRejected("This turn reads text of others: the person uses it on its card.")
    return UseDraft(id=context.entry.pk, operations=tuple(item.pk for item in waiting))


def drop_draft(turn: Turn[BuilderState]) -> str:
    waiting = waiting_draft(turn)
    if not waiting:
        raise ToolRejected(NO_DRAFT)
    _reject(waiting)
    turn.state.draft = None
    return "Dropped."


def _reject(waiting: Sequence[Operation]) -> None:
    batch, ids = waiting[0].batch, [operation.pk for operation in waiting]
    reject(actor=Actor(batch.owner_id), batch_id=batch.pk, operation_ids=ids)


def _drop_outdated(turn: Turn[BuilderState]) -> None:
    """Drops earlier drafts that were written for an entry as it is no more: nobody can use them."""
    for draft in turn.state.older:
        outdated = [
            item
            for item in _waiting_of(turn, draft)
            if not operable(item.entity)
            .model._default_manager.filter(pk=item.entity_id, version=item.base_version or 0)
            .exists()
        ]
        if outdated:
            _reject(outdated)
    turn.state.older = []


def note_drafts(working: Working) -> None:
    """Remembers the draft that a turn laid before the person, and drops one that was used."""
    turn: Turn[BuilderState] = working.turn
    drafted: list[Operation] = []
    for written in working.written:
        command, operations = written.command, written.operations
        if isinstance(command, UseDraft):
            if operations and not written.is_waiting and waiting_draft(turn):
                drop_draft(turn)
                _drop_outdated(turn)
        elif isinstance(command, DRAFTS) and operations and written.is_waiting:
            drafted += operations
    if drafted:  # in one batch, as everything of a turn
        turn.state.older += [turn.state.draft] if turn.state.draft else []
        keys = [operation.pk for operation in drafted]
        turn.state.draft = Draft(batch=drafted[0].batch_id, operations=keys)


# What a turn works on ---------------------------------------------------------------------------
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
        entry = entry_of(session)
        return cls(turn, session.participant, entry) if entry else None

    def fresh_entry(self) -> Entry:
        return Entry.objects.select_related("portfolio").get(pk=self.entry.pk)

    def renewed(self) -> EntryContext:
        """With the entry as it stands by now."""
        return replace(self, entry=self.fresh_entry())

    def scope(self) -> Scope:
        return agent_scope(self.participant, owners_of(self.participant))

    def images(self) -> list[EntryImage]:
        """Its pictures as the page shows them: the hero, then the others."""
        return images_of(self.entry)

    def project(self) -> Project | None:
        own = Project.objects.filter(owner_id=self.participant.pk, deleted_at=None)
        return own.filter(pk=self.turn.state.project_id or self.entry.project_id or NOBODY).first()

    def grounds(self) -> list[Ground]:
        """What sentences of a draft may stand on: what was said, what the owner wrote into the
        entry by hand, the sources of what stands there, its project. Text of others bears nothing
        out, nor does what a model wrote: it would be its own source.
        """
        messages = Message.objects.filter(
            session_id=self.turn.session_id, role=Message.Role.PERSON, superseded_at=None
        )
        words = messages.order_by("seq").values_list("text", "pk")
        entry, project = self.fresh_entry(), self.project()
        return [
            *(Ground(text, message=str(key)) for text, key in words),
            *(item for item in (grounds(project) if project else []) if item.is_own),
            *(Ground(text, label=entry.title) for text in self._typed_texts(entry)),
            *_standing_grounds(entry),
        ]

    def _typed_texts(self, entry: Entry) -> list[str]:
        """Of the texts of the entry the sentences that its owner brought in by a form."""
        by_hand = Operation.objects.filter(
            entity="portfolio_entry", entity_id=entry.pk, status=Operation.Status.COMPLETED,
            batch__actor=Kind.PERSON, batch__undoes=None,
        )  # fmt: skip
        typed = typed_in(by_hand)
        texts = [getattr(entry, name) for name in BEARING if not self.is_of_others(name)]
        if not self.is_of_others("blocks"):
            texts += [block.get("text", "") for block in entry.blocks]
        return [
            "\n".join(sentence.text for sentence in sentences(text) if sentence.text in typed)
            for text in texts
        ]

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
        limit = self.text_chars
        others = [name for name in LONG if self.is_of_others(name)]
        return {
            "today": f"{self.scope().today:%A, %Y-%m-%d}",
            "entry": entry_text(self.entry, others, limit=limit),
            "story": self.story(limit, hides=self.is_of_others("blocks")),
            "pictures": "\n".join(map(_image_line, self.images())),
            "owner": self.owner(1_200),
            "project": self.project_text(1_000),
            "draft": self.draft(limit),
            "what publishing lacks": "\n".join(item.message for item in check(self.entry)),
            "its public page": self.public_page(),
        }

    @property
    def texts(self) -> Mapping[str, str]:
        """The texts that may be long, by their fields and the ids of their blocks."""
        blocks = identified(self.entry.blocks)
        fields = {name: str(getattr(self.entry, name)) for name in LONG}
        return {**fields, **{str(item["id"]): str(item.get("text", "")) for item in blocks}}

    @property
    def text_chars(self) -> int:
        """How much of each text a prompt shows."""
        for limit in TEXT_CHARS:
            if sum(count(text[:limit]) for text in self.texts.values()) <= TEXTS_TOKENS:
                return limit
        return TEXT_CHARS[-1]

    def note_seen(self, working: Working, limit: int, *, is_read: bool = False) -> None:
        """Notes which texts the model has before it whole, where it has so many characters of each:
        in a prompt, or `is_read`, text of others included.
        """
        for key, text in self.texts.items():
            is_hidden = not is_read and self.is_of_others(key if key in LONG else "blocks")
            if len(text) <= limit and not is_hidden:
                working.has_seen(self.entry.pk, key, text)

    def story(self, limit: int, *, hides: bool = False) -> str:
        """The blocks with their ids; what nothing bears out is marked."""
        return IMPORTED if hides and self.entry.blocks else _story(self.entry.blocks, limit)

    def draft(self, limit: int) -> str:
        """What waits of the draft, so that a part of it can be taken; not where it was made of text
        of others.
        """
        waiting = waiting_draft(self.turn)
        if not waiting or waiting[0].batch.run_id in self.turn.state.others:
            return USES if waiting else ""
        values = {
            f"{name}{'' if item.entity_id == self.entry.pk else f' of {item.entity_id}'}": value
            for item in waiting
            for name, value in (item.payload.requested or {}).items()
        }
        return "\n".join(
            [USES, *(f"{name}: {_as_read(value, limit)}" for name, value in values.items())]
        )

    def project_text(self, limit: int) -> str:
        """What its project tells, each with its source."""
        project = self.project()
        details = grounds(project) if project else []
        return "\n".join(f"- {cut(item.text, limit, READ)} ({item.label})" for item in details)

    def public_page(self) -> str:
        """Where visitors see the entry, and whether they do by now."""
        portfolio, slug = self.entry.portfolio, self.entry.slug
        if not slug:
            return ""
        if portfolio.status != Portfolio.Status.PUBLISHED:
            return "None: as long as the whole portfolio is not published, visitors see no entry."
        is_seen = self.entry.status == Entry.Status.PUBLISHED
        address = absolute(Addresses(portfolio).entry(slug))
        return address if is_seen else f"{address} once this entry is published"

    def owner(self, limit: int) -> str:
        """Who the owner is; contact data and private notes never."""
        portfolio = self.entry.portfolio
        values = {"name": portfolio.owner_name, "field": portfolio.domain_label,
                "pronouns": portfolio.pronouns}  # fmt: skip
        profile = Profile.objects.filter(portfolio=portfolio, deleted_at=None).first()
        if profile is not None:
            values |= {
                "headline": profile.headline, "lives in": profile.location,
                "works as": profile.current_role, "skills": ", ".join(profile.top_skills[:12]),
                "about": cut(" ".join(profile.about), limit, READ),
            }  # fmt: skip
        return "\n".join(f"{name}: {text}" for name, text in values.items() if text)


def _standing_grounds(entry: Entry) -> list[Ground]:
    """What the sentences of the story stand on: where one is repeated, its source holds."""
    sources = (source for block in entry.blocks for source in standing_sources(block))
    return [
        Ground(source.sentence, source.message, source.label, source.url, quote=source.quote)
        for source in sources
        if source.is_supported
    ]


def entry_of(session: Session) -> Entry | None:
    own = Entry.objects.filter(owner_id=session.participant_id, deleted_at=None)
    living = own.filter(portfolio__deleted_at=None).select_related("portfolio")
    return living.filter(pk=session.state.get("entry_id")).first()


def entry_text(entry: Entry, others: Collection[str] = (), *, limit: int = WHOLE) -> str:
    """The fields that say something, those of `others` left out, and names of the empty ones."""
    lines, empty = [f"id={entry.pk} version={entry.version} status={entry.status}"], []
    for name in (*get_args(TextField), *LISTS):
        value = getattr(entry, name)
        text = ", ".join(value) if isinstance(value, list) else str(value)
        if text:
            lines.append(f"{name}: {IMPORTED if name in others else cut(text, limit, READ)}")
        else:
            empty.append(name)
    return "\n".join([*lines, f"empty: {', '.join(empty)}"])


def _image_line(image: EntryImage) -> str:
    hero = " hero;" if image.is_hero else ""
    caption = f"; caption: {image.caption}" if image.caption else ""
    return f"id={image.pk}{hero} alt: {image.alt or '(none)'}{caption}"


def _as_read(value: Any, limit: int) -> str:
    """A value of the draft: its story as the entry's is shown."""
    is_story = isinstance(value, list) and any(isinstance(item, dict) for item in value)
    return f"\n{_story(value, limit)}" if is_story else cut(str(value), limit, READ)


def _story(blocks: Sequence[Any], limit: int) -> str:
    return "\n".join(_block(item, limit) for item in identified(blocks)) or "(empty)"


def _block(block: Mapping[str, Any], limit: int) -> str:
    displayed = {"id", "type", "text", "sources"}
    remaining = {name: value for name, value in block.items() if name not in displayed}
    text = cut(str(block.get("text", "")), limit, READ)
    unsupported = [source.sentence for source in standing_sources(block) if not source.is_supported]
    mark = f" [nothing bears out: {json.dumps(unsupported, ensure_ascii=False)}]"
    more = f" {json.dumps(remaining, ensure_ascii=False)}" if any(remaining.values()) else ""
    return f"id={block['id']} [{block['type']}] {text}{more}{mark if unsupported else ''}"
