"""The owner's doors from an id to a portfolio, an entry, a picture, a record; and their lists."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any, Final, TypeVar

from django.db.models import Count, Model, Prefetch, Q, QuerySet

from chat.identity import Identity
from chat.models import Session
from chat.operations.queries import Page, touching
from futura.errors import NotFound
from projects.portfolio.models import Entry, EntryImage, OpenQuestion, Portfolio, Source
from projects.portfolio.models.portfolio import Belonging
from projects.portfolio.schema.kinds import KINDS, Kind

RowT = TypeVar("RowT", bound=Model)
BUILDER: Final = "portfolio_builder"
"""The kind of the conversation about an entry."""
_ALIVE = Q(deleted_at__isnull=True)


def portfolio_for(identity: Identity, portfolio_id: uuid.UUID) -> Portfolio:
    """The caller's own living portfolio; NotFound for strangers and unknown ids alike."""
    return only(portfolios_of(identity).filter(pk=portfolio_id))


def portfolios_of(identity: Identity) -> QuerySet[Portfolio]:
    """The caller's living portfolios, last changed first."""
    own = Portfolio.objects.filter(_ALIVE, owner_id__in=identity.participant_ids)
    return own.order_by("-updated_at")


def published_portfolio(**named: str | uuid.UUID) -> Portfolio:
    """The portfolio that visitors find by its `slug` or `pk`. NotFound unless it is published."""
    published = Portfolio.objects.filter(_ALIVE, status=Portfolio.Status.PUBLISHED)
    return only(published.filter(**named))


def only(rows: QuerySet[RowT]) -> RowT:
    """The first of these rows. NotFound where there is none."""
    row = rows.first()
    if row is None:
        raise NotFound
    return row


def history_of(portfolio: Portfolio, after: str = "") -> Page:
    """The batches that touched a portfolio or anything in it, newest first; `after` is a key."""
    rows: dict[str, QuerySet[Any]] = {
        "portfolio": Portfolio.objects.filter(pk=portfolio.pk),
        "portfolio_entry": Entry.objects.filter(portfolio=portfolio),
        "portfolio_image": EntryImage.objects.filter(entry__portfolio=portfolio),
        "portfolio_question": OpenQuestion.objects.filter(portfolio=portfolio),
    }
    for kind in KINDS.values():
        rows[kind.entity] = kind.model._default_manager.filter(portfolio=portfolio)
    return touching(rows, after=after)


# Entries ----------------------------------------------------------------------------------------
def entry_for(
    identity: Identity, entry_id: uuid.UUID, *, portfolio_id: uuid.UUID | None = None
) -> Entry:
    """The caller's own living entry with its portfolio, whatever its status.

    NotFound for strangers, unknown ids, and entries of another portfolio than the one named.
    """
    own = Entry.objects.filter(_ALIVE, pk=entry_id, owner_id__in=identity.participant_ids)
    if portfolio_id is not None:
        own = own.filter(portfolio_id=portfolio_id)
    return only(own.filter(portfolio__deleted_at=None).select_related("portfolio"))


def images_of(entry: Entry) -> list[EntryImage]:
    """Its living pictures with their files, the leading one first, the others in order."""
    return list(entry.images.filter(_ALIVE).select_related("image"))


def in_order(entry: Entry) -> list[EntryImage]:
    """Its living pictures by their places, the leading one among them."""
    return sorted(images_of(entry), key=lambda image: (image.position, image.created_at))


def living_images() -> QuerySet[EntryImage]:
    """Pictures with their files, the leading ones first."""
    return EntryImage.objects.filter(_ALIVE).select_related("image")


def entries_of(portfolio: Portfolio) -> Sequence[Entry]:
    """The living entries of a portfolio in their order: two queries.

    Each has `shown_images` (its living pictures) and `picture_count`.
    """
    living = Entry.objects.filter(_ALIVE, portfolio=portfolio)
    prefetch = Prefetch("images", queryset=living_images(), to_attr="shown_images")
    counted = Count("images", filter=Q(images__deleted_at=None))
    ordered = living.annotate(picture_count=counted).order_by("position", "created_at")
    return list(ordered.prefetch_related(prefetch))


def session_of(entry: Entry) -> Session | None:
    """The living conversation about an entry: what is done by hand is told there, too."""
    about = Session.objects.filter(
        kind=BUILDER, participant_id=entry.owner_id, state__entry_id=str(entry.pk), deleted_at=None
    )
    return about.order_by("created_at").first()


# Records ----------------------------------------------------------------------------------------
def kind_for(slug: str) -> Kind:
    """A kind by its name in addresses; NotFound for others."""
    if slug not in KINDS:
        raise NotFound
    return KINDS[slug]


def record_for(
    identity: Identity, portfolio: Portfolio, kind: Kind, record_id: uuid.UUID
) -> Belonging:
    """A living row of this very portfolio; NotFound for strangers and unknown ids alike."""
    own = kind.model._default_manager.filter(_ALIVE, pk=record_id, portfolio=portfolio)
    return only(own.filter(owner_id__in=identity.participant_ids))


def records_of(portfolio: Portfolio, kind: Kind) -> list[Belonging]:
    """The living rows, each with `origin`, the source it was read from. Two queries.

    What goes on comes first, then the latest, as visitors see them; what has no dates in order.
    """
    rows = list(kind.model._default_manager.filter(_ALIVE, portfolio=portfolio))
    rows.sort(key=lambda row: getattr(row, "started", ""), reverse=True)
    rows.sort(key=lambda row: not getattr(row, "is_current", False))
    with_origin(rows)
    return rows


def with_origin(rows: Sequence[Belonging]) -> None:
    """Sets `origin` on each: a source without its text, or None. One query, none without rows."""
    ids = {row.source_id for row in rows if row.source_id}
    sources = Source.objects.defer("text", "upload").in_bulk(ids) if ids else {}
    for row in rows:
        row.origin = sources.get(row.source_id)  # type: ignore[attr-defined]
