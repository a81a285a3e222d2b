"""Reads of records: the door from an id to a row, lists with where each was read."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from chat.identity import Identity
from futura.errors import NotFound
from projects.portfolio.models import Entry, Portfolio, Source
from projects.portfolio.models.portfolio import Belonging
from projects.portfolio.schema.records import KINDS, Kind


def kind_for(slug: str) -> Kind:
    """A kind by its name in addresses; NotFound for others."""
    kind = KINDS.get(slug)
    if kind is None:
        raise NotFound
    return kind


def record_for(
    identity: Identity, portfolio: Portfolio, kind: Kind, record_id: uuid.UUID
) -> Belonging:
    """A living row of this very portfolio; NotFound for strangers and unknown ids alike."""
    own = kind.model._default_manager.filter(
        pk=record_id,
        portfolio=portfolio,
        deleted_at=None,
        owner_id__in=identity.participant_ids,
    )
    found = own.first()
    if found is None:
        raise NotFound
    return found


def records_of(portfolio: Portfolio, kind: Kind) -> list[Belonging]:
    """The living rows, each with `origin`, the source it was read from. Two queries.

    What goes on comes first, then the latest, as visitors see them; what has no dates in order.
    """
    rows = list(kind.model._default_manager.filter(portfolio=portfolio, deleted_at=None))
    rows.sort(key=lambda row: getattr(row, "started", ""), reverse=True)
    rows.sort(key=lambda row: not getattr(row, "is_current", False))
    with_origin(rows)
    return rows


def with_origin(rows: Sequence[Belonging]) -> None:
    """Sets `origin` on each: a source without its text, or None. One query, none without rows."""
    ids = {row.source_id for row in rows if row.source_id}
    found = Source.objects.filter(pk__in=ids).defer("text", "upload") if ids else []
    named = {one.pk: one for one in found}
    for row in rows:
        row.origin = named.get(row.source_id) if row.source_id else None  # type: ignore[attr-defined]


def entries_of(portfolio: Portfolio) -> list[Entry]:
    """What positions can be linked to."""
    return list(Entry.objects.filter(portfolio=portfolio, deleted_at=None).only("title", "doc_id"))
