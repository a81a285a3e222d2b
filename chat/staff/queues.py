"""The queues of the review: what each holds, in what order, and the counted facts behind them."""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from chat.models import Message, Run, Session
from chat.staff.audit import Staff
from chat.staff.models import Review
from chat.staff.panels import Facts, by_kind, source_of

LONG_TURNS: Final = 15
_OPEN = Q(reviewed_at__isnull=True)


@dataclass(frozen=True)
class Queue:
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
    displayed = rows.select_related("session__participant__user", "assignee")
    named = next((item for item in queues(user.pk) if item.name == queue), None)
    return (displayed.filter(named.condition) if named else displayed).order_by("-started_at", "pk")


def counts(rows: QuerySet[Review], queue: str, *, user: Staff) -> list[Counted]:
    """Every queue with how many of some rows stand in it: one query."""
    existing = queues(user.pk)
    aggregates = {
        f"n{place}": Count("pk", filter=entry.condition) for place, entry in enumerate(existing)
    }
    aggregates["n0"] = Count("pk")
    result: Mapping[str, int] = rows.aggregate(**aggregates)
    return [
        Counted(entry, result[f"n{place}"], entry.name == queue)
        for place, entry in enumerate(existing)
    ]


def around(
    review: Review, reviews: QuerySet[Review], *, limit: int = 12
) -> tuple[list[Review], list[Review]]:
    """Those before and after one in its queue, each nearest first: two queries."""
    rows = reviews.exclude(pk=review.pk)
    at, key = review.started_at, review.pk
    newer = rows.filter(Q(started_at__gt=at) | Q(started_at=at, pk__lt=key))
    older = rows.filter(Q(started_at__lt=at) | Q(started_at=at, pk__gt=key))
    return list(newer.order_by("started_at", "-pk")[:limit]), list(older[:limit])


PROBLEMS: Final = (Run.Status.FAILED, Run.Status.INTERRUPTED)
AT_ONCE: Final = 200
RECENT: Final = timedelta(hours=1)
COUNTED: Final = (
    "kind", "started_at", "turns", "has_failed", "is_basic", "is_ready", "results", "doubts",
    "group_id", "looked_at",
)  # fmt: skip


def outdated(session_ids: Sequence[uuid.UUID]) -> None:
    """Something about these changed that their conversation does not show: count them anew."""
    Review.objects.filter(pk__in=session_ids).update(looked_at=None)


def refresh(*, limit: int = AT_ONCE) -> int:
    """Counts what changed since it was counted last, newest first, at most `limit`; how many."""
    now = timezone.now()
    requested = (
        Q(review=None) | Q(review__looked_at=None) | Q(updated_at__gt=F("review__looked_at"))
    )
    live = Session.objects.filter(deleted_at=None)
    stale = list(
        live.filter(requested).order_by("-created_at").values_list("pk", flat=True)[:limit]
    )
    ended = Run.objects.filter(
        finished_at__gte=now - RECENT, finished_at__gt=F("session__review__looked_at")
    )
    stale += [pk for pk in ended.values_list("session_id", flat=True)[:limit] if pk not in stale]
    if stale:
        count(stale, now=now)
    return len(stale)


def refresh_all() -> int:
    """Until nothing is left to count; how many were."""
    done = 0
    while new := refresh(limit=1_000):
        done += new
        if new < 1_000:
            break
    return done


def count(session_ids: Sequence[uuid.UUID], *, now: datetime) -> None:
    """Writes the facts of these conversations: as many queries as there are kinds, and four."""
    sessions = list(Session.objects.filter(pk__in=session_ids).only("kind", "created_at"))
    ids = [session.pk for session in sessions]
    turns = _turns(ids)
    failed, basic = _runs(ids)
    groups: dict[uuid.UUID, Facts] = defaultdict(Facts)
    for kind, some in by_kind(sessions).items():
        if source := source_of(kind):
            groups.update(source.facts(some))
    rows = [
        Review(
            session_id=session.pk,
            kind=session.kind,
            started_at=session.created_at,
            turns=turns.get(session.pk, 0),
            has_failed=session.pk in failed,
            is_basic=session.pk in basic,
            is_ready=groups[session.pk].is_ready,
            results=groups[session.pk].results,
            doubts=groups[session.pk].doubts,
            group_id=groups[session.pk].group_id,
            looked_at=now,
        )
        for session in sessions
    ]
    Review.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["session"], update_fields=COUNTED
    )


def _turns(ids: Sequence[uuid.UUID]) -> Mapping[uuid.UUID, int]:
    messages = Message.objects.filter(
        session__in=ids, role=Message.Role.PERSON, superseded_at__isnull=True
    )
    return dict(messages.order_by().values_list("session").annotate(number=Count("pk")))


def _runs(ids: Sequence[uuid.UUID]) -> tuple[set[uuid.UUID], set[uuid.UUID]]:
    marked = Run.objects.filter(session__in=ids).filter(Q(status__in=PROBLEMS) | Q(basic_mode=True))
    failed, basic = set(), set()
    for session_id, status, is_basic in marked.values_list("session_id", "status", "basic_mode"):
        if status in PROBLEMS:
            failed.add(session_id)
        if is_basic:
            basic.add(session_id)
    return failed, basic


def tags_in_use(among: Q) -> list[str]:
    numbers: Counter[str] = Counter()
    rows = Review.objects.filter(among).exclude(tags=[])
    for tags in rows.values_list("tags", flat=True)[:1_000]:
        numbers.update(tags)
    return [tag for tag, _number in numbers.most_common(50)]
