"""Takes away entries that a first message made and that stayed empty (DECISIONS 42)."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final, get_args

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.actions import erase
from chat.models import Session
from chat.operations.changes import Actor, Cause, Delete, Kind
from chat.operations.execute import execute
from projects.portfolio.builder import calls
from projects.portfolio.entries.queries import session_of
from projects.portfolio.models import Entry, EntryImage

KEPT_EMPTY: Final = dt.timedelta(days=7)
_TEXTS: Final = (
    *(one for one in get_args(calls.TextField) if one != "context"), "private_notes",
)  # fmt: skip
_LISTS: Final = (*get_args(calls.ListField), "bullets", "blocks")
_NOTHING: Final[dict[str, Any]] = {**dict.fromkeys(_TEXTS, ""), **{one: [] for one in _LISTS}}


def purge_empty(*, now: dt.datetime | None = None, limit: int = 200) -> int:
    """Deletes eager entries that nothing stands in after seven days, with their talk; how many."""
    before = (now or timezone.now()) - KEPT_EMPTY
    purged = 0
    for key in list(_empty(before).values_list("pk", flat=True)[:limit]):
        with transaction.atomic():  # one that was filled meanwhile stays
            still = _empty(before).select_for_update(skip_locked=True, of=("self",))
            entry = still.filter(pk=key).first()
            if entry is None:
                continue
            session = session_of(entry)
            gone = Delete("portfolio_entry", entry.pk, entry.version)
            actor = Actor(entry.owner_id, Kind.SYSTEM)
            cause = Cause(reason=str(_("Nothing was told of it for seven days.")))
            execute(actor=actor, changes=[gone], cause=cause, title=_("Removed an empty entry"))
            if session is not None:
                erase(session)
            purged += 1
    return purged


def _empty(before: dt.datetime) -> QuerySet[Entry]:
    """Drafts without anything in them, begun by a conversation and untouched since `before`."""
    talks = Session.objects.filter(kind="portfolio_builder", state__has_key="entry_id")
    pictures = EntryImage.objects.filter(entry=OuterRef("pk"), deleted_at=None)
    empty = Entry.objects.filter(
        deleted_at=None, status=Entry.Status.DRAFT, updated_at__lt=before,
        source=None, project=None, **_NOTHING,
    )  # fmt: skip
    started = talks.filter(updated_at__lt=before).values_list("state__entry_id", flat=True)
    return empty.filter(~Exists(pictures), pk__in=[one for one in started if one])
