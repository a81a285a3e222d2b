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
from projects.portfolio.schema.kinds import KINDS, LANGUAGES, Kind
from projects.portfolio.visitors.contract import KIND
from projects.portfolio.visitors.retention import delete_unused

# the machinery's own, which no log of changes shows
_QUIET: Final = frozenset(
    {
        *("doc_id", "position", "portfolio", "source", "kept_fields"),
        *("published_at", "answered_at", "generated_at", "image", "photo"),
    }
)


def _of(name: str, model: type[OperableModel], *titles: str, **more: Any) -> Operable:
    """A title is made of those fields that say something."""

    def title(values: Plain) -> str:
        return " — ".join(str(values[part]) for part in titles if values.get(part))[:80]

    return Operable(name, model, title=title, quiet=_QUIET, **more)


def _record(kind: Kind) -> Operable:
    return _of(
        kind.entity, kind.model, *kind.titles, parents=("portfolio",), changed=refresh.changed
    )


def erase_contents(portfolio_ids: Sequence[uuid.UUID]) -> None:
    """Within the transaction that erases them; sources, texts and indexes go by themselves.

    Files go after the commit. Conversations of visitors quote the portfolio: they go, too.
    """
    for stored in StoredImage.objects.filter(portfolio_id__in=portfolio_ids):
        transaction.on_commit(partial(delete_files, stored))
    keys = [str(key) for key in portfolio_ids]
    visits = list(Session.objects.filter(kind=KIND, state__portfolio_id__in=keys))
    erase(*visits)
    delete_unused(session.participant_id for session in visits)


OPERABLES: Final = (
    _of(
        "portfolio",
        Portfolio,
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
        "alt",
        parents=("entry",),
    ),
    *map(_record, KINDS.values()),
    _of(
        "portfolio_question",
        OpenQuestion,
        "question",
        parents=("portfolio",),
        changed=refresh.changed,
    ),
)


def register_all() -> None:
    """Called once, when the app is ready."""
    for operable in OPERABLES:
        register(operable)
