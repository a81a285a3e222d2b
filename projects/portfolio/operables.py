"""What the ledger must know of the models of a portfolio, and what goes with one for good."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.urls import reverse

from chat.actions.sessions import erase
from chat.models import Session
from chat.operations.registry import Operable, OperableModel, Plain, register
from projects.portfolio import blocks, contact_review
from projects.portfolio.entries import publishing
from projects.portfolio.entries.pictures import delete_files
from projects.portfolio.index import refresh
from projects.portfolio.models import Entry, EntryImage, OpenQuestion, Portfolio, StoredImage
from projects.portfolio.schema.kinds import ENTRY, KINDS, LANGUAGES, Kind
from projects.portfolio.visitors.contract import KIND
from projects.portfolio.visitors.retention import delete_unused

_BELONGING: Final = ("portfolio", "source", "kept_fields")
_RECORD: Final = ("doc_id", "position", *_BELONGING)
# the machinery's own, which no log of changes shows
_QUIET: Final = frozenset(
    {*_RECORD, "published_at", "answered_at", "generated_at", "image", "photo"}
)
# what no form of a record shows
_UNEDITED: Final = {"profile": ("featured_experiences",), "persona": ("generated_at",)}


def _of(
    name: str,
    model: type[OperableModel],
    fields: tuple[str, ...],
    *titles: str,
    **more: Any,
) -> Operable:
    """A title is made of those fields that say something."""

    def title(values: Plain) -> str:
        return " — ".join(str(values[part]) for part in titles if values.get(part))[:80]

    return Operable(name, model, fields, title=title, quiet=_QUIET, **more)


def _record(kind: Kind) -> Operable:
    names = [field.name for field in kind.fields]
    fields = (*(_BELONGING if kind.is_single else _RECORD), *names, *_UNEDITED.get(kind.slug, ()))
    return _of(
        kind.entity, kind.model, fields, *kind.titles, parents=("portfolio",),
        changed=refresh.changed,
    )  # fmt: skip


def erase_contents(portfolio_ids: Sequence[uuid.UUID]) -> None:
    """Within the transaction that erases them; sources, texts and indexes go by themselves.

    Files go after the commit. Conversations of visitors quote the portfolio: they go, too.
    """
    for stored in StoredImage.objects.filter(portfolio_id__in=portfolio_ids):
        transaction.on_commit(partial(delete_files, stored))
    keys = [str(key) for key in portfolio_ids]
    visits = list(Session.objects.filter(kind=KIND, state__portfolio_id__in=keys))
    for session in visits:
        erase(session)
    delete_unused(session.participant_id for session in visits)


OPERABLES: Final = (
    _of(
        "portfolio",
        Portfolio,
        (
            *("slug", "owner_name", "pronouns", "domain_label", "kind", "status"),
            *("published_at", "language", "private_notes", "photo", "photo_alt"),
        ),
        "owner_name",
        display={"language": lambda code: str(LANGUAGES.get(code, code))},
        sensitive=frozenset({"status"}),
        changed=refresh.changed,
        erasing=erase_contents,
        refusal=contact_review.refusal,
        url=lambda key: reverse("portfolio:overview", args=[key]),
    ),
    _of(
        "portfolio_entry",
        Entry,
        (
            *_RECORD,
            *("project", "slug", "status", "published_at", "blocks"),
            *(field.name for field in ENTRY),
        ),
        "title",
        parents=("portfolio",),
        sensitive=frozenset({"status"}),
        display={"blocks": blocks.story_text},
        # they have pages of their own, which know what goes with them
        read_only=frozenset({"status", "slug", "blocks"}),
        refusal=publishing.refusal,
        changed=refresh.changed,
    ),
    _of(
        "portfolio_image",
        EntryImage,
        ("entry", "image", "alt", "caption", "position", "is_hero"),
        "alt",
        parents=("entry",),
    ),
    *map(_record, KINDS.values()),
    _of(
        "portfolio_question",
        OpenQuestion,
        ("portfolio", "question", "sender", "reply_to", "status", "answer", "answered_at"),
        "question",
        parents=("portfolio",),
        changed=refresh.changed,
    ),
)


def register_all() -> None:
    """Called once, when the app is ready."""
    for operable in OPERABLES:
        register(operable)
