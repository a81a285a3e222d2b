"""Keeps the facts that the queues are made of: counted anew for conversations that changed."""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, F, Q
from django.utils import timezone

from chat.models import Message, Run, Session
from chat.staff.facts import Facts, by_kind, source_of
from chat.staff.models import Review

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


def refresh(*, limit: int = AT_ONCE, now: datetime | None = None) -> int:
    """Counts what changed since it was counted last, newest first, at most `limit`; how many."""
    now = now or timezone.now()
    wanted = Q(review=None) | Q(review__looked_at=None) | Q(updated_at__gt=F("review__looked_at"))
    live = Session.objects.filter(deleted_at=None)
    stale = list(live.filter(wanted).order_by("-created_at").values_list("pk", flat=True)[:limit])
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
    ids = [one.pk for one in sessions]
    turns = _turns(ids)
    failed, basic = _runs(ids)
    told = _told(sessions)
    rows = [
        Review(
            session_id=one.pk,
            kind=one.kind,
            started_at=one.created_at,
            turns=turns.get(one.pk, 0),
            has_failed=one.pk in failed,
            is_basic=one.pk in basic,
            is_ready=told[one.pk].is_ready,
            results=told[one.pk].results,
            doubts=told[one.pk].doubts,
            group_id=told[one.pk].group_id,
            looked_at=now,
        )
        for one in sessions
    ]
    Review.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["session"], update_fields=COUNTED
    )


def _turns(ids: Sequence[uuid.UUID]) -> Mapping[uuid.UUID, int]:
    said = Message.objects.filter(
        session__in=ids, role=Message.Role.PERSON, superseded_at__isnull=True
    )
    return dict(said.order_by().values_list("session").annotate(number=Count("pk")))


def _runs(ids: Sequence[uuid.UUID]) -> tuple[set[uuid.UUID], set[uuid.UUID]]:
    """Those with an answer that failed, and those with one from basic mode."""
    marked = Run.objects.filter(session__in=ids).filter(Q(status__in=PROBLEMS) | Q(basic_mode=True))
    failed, basic = set(), set()
    for session_id, status, is_basic in marked.values_list("session_id", "status", "basic_mode"):
        if status in PROBLEMS:
            failed.add(session_id)
        if is_basic:
            basic.add(session_id)
    return failed, basic


def _told(sessions: Sequence[Session]) -> Mapping[uuid.UUID, Facts]:
    """What the features say."""
    told: dict[uuid.UUID, Facts] = defaultdict(Facts)
    for kind, ids in by_kind(sessions).items():
        source = source_of(kind)
        if source is not None:
            told.update(source.facts(ids))
    return told


def tags_in_use(among: Q, limit: int = 50) -> list[str]:
    """Tags that were given to some of the reviews, most used first."""
    given: Counter[str] = Counter()
    rows = Review.objects.filter(among).exclude(tags=[])
    for tags in rows.values_list("tags", flat=True)[:1_000]:
        given.update(tags)
    return [tag for tag, _number in given.most_common(limit)]
