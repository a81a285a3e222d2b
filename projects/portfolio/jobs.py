"""Jobs of portfolios: reading, the index, and taking away what nobody needs: pictures without a
place, old visits, entries that a first message made and that stayed empty (DECISIONS 42).
"""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any, Final

from celery import shared_task
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.actions import erase
from chat.models import Session
from chat.operations.changes import Actor, Cause, Delete, Kind
from chat.operations.execute import execute
from futura.celery import periodic
from projects.portfolio.entries import pictures
from projects.portfolio.index import refresh
from projects.portfolio.intake import reading
from projects.portfolio.models import Entry, EntryImage
from projects.portfolio.queries import BUILDER, session_of
from projects.portfolio.schema.kinds import ENTRY
from projects.portfolio.visitors.retention import purge_visits

EMPTY_ENTRY_AGE: Final = dt.timedelta(days=7)
_NEW: Final = Entry()
_EMPTY: Final[dict[str, Any]] = {
    name: getattr(_NEW, name)
    for name in ("blocks", *(field.name for field in ENTRY))
    if name not in {"context", "hide_from_chat"}  # say nothing by themselves
}


@shared_task(name=refresh.BUILD.job, ignore_result=True)
def refresh_index(portfolio_id: str) -> None:
    refresh.refresh(uuid.UUID(portfolio_id))


@shared_task(name=reading.READ.job, ignore_result=True)
def read_source(source_id: str) -> None:
    reading.read(uuid.UUID(source_id))


def purge_empty(*, now: dt.datetime | None = None, limit: int = 200) -> int:
    """Deletes eager entries that nothing stands in after seven days, with their talk; how many."""
    before = (now or timezone.now()) - EMPTY_ENTRY_AGE
    purged = 0
    for key in list(_empty(before).values_list("pk", flat=True)[:limit]):
        with transaction.atomic():  # one that was filled meanwhile stays
            still = _empty(before).select_for_update(skip_locked=True, of=("self",))
            entry = still.filter(pk=key).first()
            if entry is None:
                continue
            session = session_of(entry)
            execute(
                actor=Actor(entry.owner_id, Kind.SYSTEM),
                changes=[Delete("portfolio_entry", entry.pk, entry.version)],
                cause=Cause(reason=str(_("The entry stayed empty for seven days."))),
                title=_("Deleted empty entry"),
            )
            if session is not None:
                erase(session)
            purged += 1
    return purged


def _empty(before: dt.datetime) -> QuerySet[Entry]:
    """Drafts without anything in them, begun by a conversation and untouched since `before`."""
    conversations = Session.objects.filter(kind=BUILDER, state__has_key="entry_id")
    pictures = EntryImage.objects.filter(entry=OuterRef("pk"), deleted_at=None)
    empty = Entry.objects.filter(
        deleted_at=None, status=Entry.Status.DRAFT, updated_at__lt=before,
        source=None, project=None, **_EMPTY,
    )  # fmt: skip
    started = conversations.filter(updated_at__lt=before).values_list("state__entry_id", flat=True)
    return empty.filter(~Exists(pictures), pk__in=[item for item in started if item])


# every hour, not every day: a day's pause would begin anew with each deployment
periodic(
    {
        "portfolio.purge_empty_entries": (purge_empty, 3600.0),
        "portfolio.purge_pictures": (pictures.purge, 3600.0),
        "portfolio.purge_visits": (purge_visits, 3600.0),
        "portfolio.sweep_indexes": (refresh.sweep, 10.0),
        "portfolio.sweep_sources": (reading.sweep, 10.0),
    }
)
