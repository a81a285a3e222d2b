"""The queues of the review: what surveys stand in each, how many, and in what order."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.db.models import Count, Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat.staff.days import between
from chat.staff.models import Review
from chat.staff.reach import Staff, reviewable

LONG_TURNS: Final = 15
_OPEN = Q(reviewed_at__isnull=True)


@dataclass(frozen=True)
class Queue:
    """One queue; `condition` says which reviews stand in it."""

    name: str
    title: str | Promise
    condition: Q
    is_work: bool = True


@dataclass(frozen=True)
class Counted:
    """A queue with how many stand in it."""

    queue: Queue
    number: int
    is_current: bool


def queues(user_id: int | None) -> Sequence[Queue]:
    """All queues as one person sees them, in the order of the tabs."""
    return (
        Queue("", _("All"), Q(), is_work=False),
        Queue("new", _("New"), _OPEN & Q(is_ready=True)),
        Queue("mine", _("Mine"), _OPEN & Q(assignee=user_id)),
        Queue("flagged", _("Flagged"), Q(flagged_at__isnull=False)),
        Queue("doubtful", _("Low confidence"), _OPEN & Q(doubts__gt=0)),
        Queue("long", _("Long"), _OPEN & Q(turns__gte=LONG_TURNS)),
        Queue("failed", _("Failed"), _OPEN & Q(has_failed=True)),
        Queue("unfinished", _("Unfinished"), _OPEN & Q(is_ready=False)),
        Queue("reviewed", _("Reviewed"), Q(reviewed_at__isnull=False), is_work=False),
    )


@dataclass(frozen=True)
class Filters:
    """What a list is narrowed to; empty values narrow nothing."""

    queue: str = ""
    words: str = ""
    kind: str = ""
    status: str = ""
    group_id: uuid.UUID | None = None
    tag: str = ""
    only_problems: bool = False
    only_basic: bool = False
    since: date | None = None
    until: date | None = None


def reviews(filters: Filters, *, user: Staff) -> QuerySet[Review]:
    """What stands in the queue of the filters, newest first, with what a list shows of each."""
    rows = _narrowed(filters).select_related("session__participant__user", "assignee")
    queue = next((one for one in queues(user.pk) if one.name == filters.queue), None)
    return (rows.filter(queue.condition) if queue else rows).order_by("-started_at", "pk")


def counts(filters: Filters, *, user: Staff) -> list[Counted]:
    """Every queue with its number, narrowed alike: one query."""
    known = queues(user.pk)
    wanted = {f"n{place}": Count("pk", filter=one.condition) for place, one in enumerate(known)}
    wanted["n0"] = Count("pk")
    found: Mapping[str, int] = _narrowed(filters).aggregate(**wanted)
    return [
        Counted(one, found[f"n{place}"], one.name == filters.queue)
        for place, one in enumerate(known)
    ]


def _narrowed(filters: Filters) -> QuerySet[Review]:
    rows = Review.objects.filter(reviewable(), session__deleted_at__isnull=True)
    exact = {
        "kind": filters.kind,
        "session__status": filters.status,
        "group_id": filters.group_id,
        "tags__contains": [filters.tag] if filters.tag else None,
        "has_failed": filters.only_problems,
        "is_basic": filters.only_basic,
    }
    rows = rows.filter(**{name: value for name, value in exact.items() if value})
    if filters.words:
        rows = rows.filter(_words(filters.words))
    return rows.filter(between("started_at", filters.since, filters.until))


def _words(words: str) -> Q:
    """Title, account or the whole id; what was said is not searched here."""
    found = Q(session__title__icontains=words)
    found |= Q(session__participant__user__email__icontains=words)
    with suppress(ValueError):
        found |= Q(pk=uuid.UUID(words))
    return found


def around(
    review: Review, filters: Filters, *, user: Staff, limit: int = 12
) -> tuple[list[Review], list[Review]]:
    """Those before and after one in its queue, each nearest first: two queries."""
    rows = reviews(filters, user=user).exclude(pk=review.pk)
    at, key = review.started_at, review.pk
    newer = rows.filter(Q(started_at__gt=at) | Q(started_at=at, pk__lt=key))
    older = rows.filter(Q(started_at__lt=at) | Q(started_at=at, pk__gt=key))
    return list(newer.order_by("started_at", "-pk")[:limit]), list(older[:limit])
