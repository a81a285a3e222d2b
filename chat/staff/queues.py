"""The queues of the review: what surveys stand in each, how many, and in what order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from chat.staff.models import Review
from chat.staff.reach import Staff

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
        Queue("new", pgettext_lazy("queue", "New"), _OPEN & Q(is_ready=True)),
        Queue("mine", _("Mine"), _OPEN & Q(assignee=user_id)),
        Queue("flagged", pgettext_lazy("queue", "Flagged"), Q(flagged_at__isnull=False)),
        Queue("doubtful", _("Low confidence"), _OPEN & Q(doubts__gt=0)),
        Queue("long", pgettext_lazy("queue", "Long"), _OPEN & Q(turns__gte=LONG_TURNS)),
        Queue("failed", _("Failed"), _OPEN & Q(has_failed=True)),
        Queue("unfinished", pgettext_lazy("queue", "Unfinished"), _OPEN & Q(is_ready=False)),
        Queue(
            "reviewed",
            pgettext_lazy("queue", "Reviewed"),
            Q(reviewed_at__isnull=False),
            is_work=False,
        ),
    )


def reviews(rows: QuerySet[Review], queue: str, *, user: Staff) -> QuerySet[Review]:
    """What stands in a queue among some rows, newest first, with what a list shows of each."""
    shown = rows.select_related("session__participant__user", "assignee")
    named = next((one for one in queues(user.pk) if one.name == queue), None)
    return (shown.filter(named.condition) if named else shown).order_by("-started_at", "pk")


def counts(rows: QuerySet[Review], queue: str, *, user: Staff) -> list[Counted]:
    """Every queue with how many of some rows stand in it: one query."""
    known = queues(user.pk)
    wanted = {f"n{place}": Count("pk", filter=one.condition) for place, one in enumerate(known)}
    wanted["n0"] = Count("pk")
    found: Mapping[str, int] = rows.aggregate(**wanted)
    return [Counted(one, found[f"n{place}"], one.name == queue) for place, one in enumerate(known)]


def around(
    review: Review, reviews: QuerySet[Review], *, limit: int = 12
) -> tuple[list[Review], list[Review]]:
    """Those before and after one in its queue, each nearest first: two queries."""
    rows = reviews.exclude(pk=review.pk)
    at, key = review.started_at, review.pk
    newer = rows.filter(Q(started_at__gt=at) | Q(started_at=at, pk__lt=key))
    older = rows.filter(Q(started_at__lt=at) | Q(started_at=at, pk__gt=key))
    return list(newer.order_by("started_at", "-pk")[:limit]), list(older[:limit])
