"""Reads of entries and their pictures: the doors from an id, lists in few queries."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Final

from django.db.models import Count, Prefetch, Q, QuerySet

from chat.identity import Identity
from chat.models import Session
from futura.errors import NotFound
from projects.portfolio.models import Entry, EntryImage, Portfolio

BUILDER: Final = "portfolio_builder"
"""The kind of the conversation about an entry."""
_ALIVE = Q(deleted_at__isnull=True)


def entry_for(
    identity: Identity, entry_id: uuid.UUID, *, portfolio_id: uuid.UUID | None = None
) -> Entry:
    """The caller's own living entry with its portfolio, whatever its status.

    NotFound for strangers, unknown ids, and entries of another portfolio than the one named.
    """
    own = Entry.objects.filter(_ALIVE, pk=entry_id, owner_id__in=identity.participant_ids)
    if portfolio_id is not None:
        own = own.filter(portfolio_id=portfolio_id)
    found = own.select_related("portfolio").first()
    if found is None or found.portfolio.deleted_at is not None:
        raise NotFound
    return found


def image_for(identity: Identity, image_id: uuid.UUID) -> EntryImage:
    """The caller's own living picture with its entry and file; NotFound for strangers."""
    own = EntryImage.objects.filter(_ALIVE, pk=image_id, owner_id__in=identity.participant_ids)
    found = own.filter(entry__deleted_at=None).select_related("entry__portfolio", "image").first()
    if found is None or found.entry.portfolio.deleted_at is not None:
        raise NotFound
    return found


def images_of(entry: Entry) -> list[EntryImage]:
    """Its living pictures with their files, the leading one first, the others in order."""
    return list(_images().filter(entry=entry))


def in_order(entry: Entry) -> list[EntryImage]:
    """Its living pictures by their places, the leading one among them."""
    return sorted(images_of(entry), key=lambda one: (one.position, one.created_at))


def _images() -> QuerySet[EntryImage]:
    living = EntryImage.objects.filter(_ALIVE).select_related("image")
    return living.order_by("-is_hero", "position", "created_at")


def entries_of(portfolio: Portfolio, *, status: str = "") -> Sequence[Entry]:
    """The living entries of a portfolio in their order ("" for any status): two queries.

    Each has `shown_images` (its living pictures) and `picture_count`.
    """
    living = Entry.objects.filter(_ALIVE, portfolio=portfolio)
    if status:
        living = living.filter(status=status)
    shown = Prefetch("images", queryset=_images(), to_attr="shown_images")
    counted = Count("images", filter=Q(images__deleted_at=None))
    ordered = living.annotate(picture_count=counted).order_by("position", "created_at")
    return list(ordered.prefetch_related(shown))


def session_of(entry: Entry) -> Session | None:
    """The living conversation about an entry: what is done by hand is told there, too."""
    about = Session.objects.filter(
        kind=BUILDER, participant_id=entry.owner_id, state__entry_id=str(entry.pk), deleted_at=None
    )
    return about.order_by("created_at").first()
