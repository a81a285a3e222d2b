"""What the ledger must know of the models of a portfolio, and what goes with one for good."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from django.db import transaction
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat.actions.sessions import erase
from chat.models import Session
from chat.operations.registry import Operable, Plain, register
from projects.portfolio import undecided
from projects.portfolio.entries import publishing, stories
from projects.portfolio.entries.pictures.storing import delete_files
from projects.portfolio.index import refresh
from projects.portfolio.models import Entry, EntryImage, OpenQuestion, Portfolio, StoredImage
from projects.portfolio.schema import entry, portfolio
from projects.portfolio.schema.portfolio import LANGUAGES
from projects.portfolio.schema.records import KINDS, Kind
from projects.portfolio.schema.tables import Field
from projects.portfolio.visitors.contract import KIND
from projects.portfolio.visitors.retention import let_go

BELONGING: Final = ("portfolio", "source", "kept_fields")
IN_PORTFOLIO: Final = ("portfolio",)
RECORD: Final = ("doc_id", "position", *BELONGING)
# the machinery's own, which no log of changes shows
QUIET: Final = frozenset({*RECORD, "published_at", "answered_at", "generated_at", "image", "photo"})
LABELS: Final = {
    "seo_title": _("Title for search engines"),
    "seo_description": _("Description for search engines"),
    "entry_type": _("Type"),
    "tech_stack": _("Technologies"),
    "system_persona": _("Description of the speaker"),
    "is_hero": _("Hero image"),
    "alt": _("Alternative text"),
    "blocks": _("Story"),
    "language": _("Language of the public page"),
    "photo_alt": _("Alternative text of the photo"),
    "slug": _("Address"),
    "linked_entries": _("Entries"),
    "featured_experiences": _("Experience"),
    "sender": _("Name"),
    "reply_to": _("Email"),
}
ENTRY_FIELDS: Final = (
    *("project", "slug", "status", "published_at", "blocks"),
    *(field.name for field in entry.FIELDS),
)
# what no form of a record shows
UNEDITED: Final = {
    "portfolio_profile": ("featured_experiences",),
    "portfolio_persona": ("generated_at",),
}


def _told(*names: str) -> Callable[[Plain], str]:
    """A title made of the fields that say something."""
    return lambda values: " — ".join(str(values[one]) for one in names if values.get(one))[:80]


def _labels(fields: Sequence[Field]) -> dict[str, str | Promise]:
    """The words of the forms, for the changes made by them."""
    return {one.name: one.label for one in fields}


def _portfolio_url(key: uuid.UUID) -> str:
    return reverse("portfolio:overview", args=[key])


def _record(kind: Kind) -> Operable:
    names = [field.name for field in kind.fields]
    return Operable(
        kind.entity,
        kind.model,
        (*(BELONGING if kind.is_single else RECORD), *names, *UNEDITED.get(kind.entity, ())),
        title=_told(*kind.titles),
        parents=IN_PORTFOLIO,
        labels=LABELS | _labels(kind.fields),
        quiet=QUIET,
        changed=refresh.changed,
    )


def forget(portfolio_ids: Sequence[uuid.UUID]) -> None:
    """Within the transaction that erases them; sources, texts and indexes go by themselves.

    Files go after the commit. Conversations of visitors quote the portfolio: they go, too.
    """
    for stored in StoredImage.objects.filter(portfolio_id__in=portfolio_ids):
        transaction.on_commit(partial(delete_files, stored))
    visits = Session.objects.filter(
        kind=KIND, state__portfolio_id__in=[str(one) for one in portfolio_ids]
    )
    people = set()
    for session in visits:
        erase(session)
        people.add(session.participant_id)
    let_go(people)


OPERABLES: Final = (
    Operable(
        "portfolio",
        Portfolio,
        (
            *("slug", "owner_name", "pronouns", "domain_label", "kind", "status"),
            *("published_at", "language", "private_notes", "photo", "photo_alt"),
        ),
        title=_told("owner_name"),
        labels=LABELS | _labels(portfolio.FIELDS),
        said={"language": lambda code: str(LANGUAGES.get(code, code))},
        sensitive=frozenset({"status"}),
        quiet=QUIET,
        changed=refresh.changed,
        erasing=forget,
        refusal=undecided.refusal,
        url=_portfolio_url,
    ),
    Operable(
        "portfolio_entry",
        Entry,
        (*RECORD, *ENTRY_FIELDS),
        title=_told("title"),
        parents=IN_PORTFOLIO,
        sensitive=frozenset({"status"}),
        labels=LABELS | _labels(entry.FIELDS),
        quiet=QUIET,
        said={"blocks": stories.in_words},
        # they have pages of their own, which know what goes with them
        read_only=frozenset({"status", "slug", "blocks"}),
        refusal=publishing.refusal,
        changed=refresh.changed,
    ),
    Operable(
        "portfolio_image",
        EntryImage,
        ("entry", "image", "alt", "caption", "position", "is_hero"),
        title=_told("alt"),
        parents=("entry",),
        labels=LABELS,
        quiet=QUIET,
    ),
    *(_record(kind) for kind in KINDS.values()),
    Operable(
        "portfolio_question",
        OpenQuestion,
        ("portfolio", "question", "sender", "reply_to", "status", "answer", "answered_at"),
        title=_told("question"),
        parents=IN_PORTFOLIO,
        labels=LABELS,
        quiet=QUIET,
        changed=refresh.changed,
    ),
)


def register_all() -> None:
    """Called once, when the app is ready."""
    for one in OPERABLES:
        register(one)
