"""The worker: claims a source, reads it, stores it, and says how it went."""

from __future__ import annotations

import hashlib
import logging
import uuid
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from futura.celery import app
from futura.errors import BadInput, Conflict, FuturaError
from projects.portfolio.intake import apply as applying
from projects.portfolio.intake.drafts import Draft, as_json
from projects.portfolio.intake.failures import PreprocessError, Skipped
from projects.portfolio.intake.reading import Reading, Understood
from projects.portfolio.intake.repositories import RepoConfig, address_of
from projects.portfolio.models import Entry, Portfolio, Profile, Source
from tasks.coding.heartbeat import SILENT_FOR, beating

log = logging.getLogger(__name__)

ATTEMPTS: Final = 3
TRIES: Final = 3
Kind, Outcome, Step = Source.Kind, Source.Outcome, Source.Step
# after these the owner's voice is looked for again
VOICED: Final = frozenset({Kind.PROFILE, Kind.RESUME, Kind.VOICE})


class _Overtaken(Exception):
    """Another worker holds the lease by now, or the source is gone; nothing was stored."""


def read(source_id: uuid.UUID) -> bool:
    """Reads a source that waits; False when none does, or somebody else is at it."""
    lease = uuid.uuid4()
    free = Q(outcome=Outcome.WAITING) | Q(
        outcome=Outcome.READING, heartbeat_at__lt=Now() - SILENT_FOR
    )
    claimed = Source.objects.filter(free, pk=source_id, portfolio__deleted_at=None).update(
        outcome=Outcome.READING,
        lease=lease,
        heartbeat_at=Now(),
        attempts=F("attempts") + 1,
        step="",
        code="",
        note="",
    )
    if not claimed:
        return False
    mine = Source.objects.filter(pk=source_id, lease=lease)
    with beating(mine):
        try:
            _read(mine)
        except _Overtaken:
            log.info("source %s: taken over by another worker", source_id)
            return False
    return True


def _read(mine: QuerySet[Source]) -> None:
    source = mine.select_related("portfolio").first()
    if source is None:
        raise _Overtaken
    if source.attempts > ATTEMPTS:
        told = _("reading it broke off again and again. Change it a little, or paste its text.")
        _failed(mine, "BROKE_OFF", told)
        return
    reading = Reading(
        source,
        at=lambda step: _at(mine, step),
        keep=lambda text: _keep(mine, text),
    )
    try:
        found = reading.read()
        counts = _store(mine, source, reading, found)
    except (PreprocessError, Skipped) as error:
        _failed(mine, error.failure.value, error.reason, **_how(reading))
        return
    except (Conflict, BadInput) as error:
        log.warning("source %s not stored: %s", source.pk, error)
        _failed(mine, error.code.upper(), str(error), **_how(reading))
        return
    except FuturaError as error:
        _failed(mine, error.code.upper(), str(error), **_how(reading))
        return
    log.info("source %s read: %s", source.pk, counts)


def _at(mine: QuerySet[Source], step: Source.Step) -> None:
    if not mine.update(step=step, heartbeat_at=Now()):
        raise _Overtaken


def _keep(mine: QuerySet[Source], text: str) -> None:
    """The text of a file is kept in its place, whatever comes."""
    mine.update(text=text, upload=None)


def _how(reading: Reading) -> dict[str, Any]:
    return {"method": reading.method, "model": reading.model[:120], "told": reading.told()}


def _failed(mine: QuerySet[Source], code: str, note: str, **more: Any) -> None:
    mine.update(
        outcome=Outcome.FAILED,
        code=code[:60],
        note=note,
        step="",
        lease=None,
        read_at=timezone.now(),
        **more,
    )


def _store(
    mine: QuerySet[Source], source: Source, reading: Reading, found: Understood
) -> dict[str, Any]:
    """Stores it all in one transaction. Raises Conflict when others write all the time."""
    _at(mine, Step.STORE)
    for left in reversed(range(TRIES)):
        try:
            with transaction.atomic():
                if not mine.select_for_update(of=("self",)).exists():
                    raise _Overtaken
                return _stored(mine, source, reading, found)
        except Conflict:
            if not left:
                raise
    return {}


def _stored(
    mine: QuerySet[Source], source: Source, reading: Reading, found: Understood
) -> dict[str, Any]:
    drafts = _wanted(source, found.drafts)
    counts: dict[str, Any] = {}
    if found.drafts:
        counts["left_out"] = len(found.drafts) - len(drafts)
    else:
        counts = applying.apply(source, found)[1]
    if found.repositories:
        counts["repositories"] = _ask_for(source, found.repositories)
    if found.examples:
        counts["examples"] = len(found.examples)
    text = found.text or source.text
    how = _how(reading)
    told = {**how.pop("told"), **counts}
    mine.update(
        outcome=Outcome.CHECK if found.drafts else Outcome.READ,
        drafts=as_json(drafts),
        code="",
        note="",
        step="",
        lease=None,
        attempts=0,
        read_at=timezone.now(),
        text=text,
        upload=None,
        sha256=hashlib.sha256(text.encode()).hexdigest() if text else "",
        commit=found.commit,
        prompt_version=reading.version,
        told=told,
        **how,
    )
    if source.kind in VOICED and not found.drafts:
        ask_for_voice(source.portfolio)
    return counts


def _wanted(source: Source, drafts: Sequence[Draft]) -> list[Draft]:
    """Without what the owner has deleted since it was read before."""
    records = {one.doc_id: one.kind for one in drafts if one.doc_id}
    gone: set[str] = set()
    for model in applying.RESUME:
        gone |= applying.deleted_by_hand(model, source.portfolio, list(records))
    return [one for one in drafts if one.doc_id not in gone]


def _ask_for(source: Source, repositories: Any) -> int:
    """Each repository of a list becomes a source of its own, and waits."""
    for one in repositories:
        wish = {"name": one.display_name, "branch": one.branch}
        if one.linked_to_companies:
            wish["companies"] = one.linked_to_companies
        wait_for_repository(source.portfolio, address_of(one.repo), one, wish)
    return len(repositories)


def wait_for_repository(
    portfolio: Portfolio, place: str, repo: RepoConfig, wish: dict[str, Any]
) -> Source:
    """The source of this address, new or again, waiting. Within a transaction."""
    same = Source.objects.filter(portfolio=portfolio, kind=Kind.README, place=place)
    known = same.exclude(given_at=None).first()
    if known is None:
        known = Source(
            portfolio=portfolio,
            kind=Kind.README,
            place=place,
            doc_id=free_doc_id(portfolio, repo.project_id),
        )
    known.wish = {name: value for name, value in wish.items() if value}
    return wait(known)


def free_doc_id(portfolio: Portfolio, wanted: str) -> str:
    """An id that no other source is read under, and no entry has that was made by hand."""
    sources = Source.objects.filter(portfolio=portfolio, kind=Kind.README)
    taken = set(sources.exclude(given_at=None).values_list("doc_id", flat=True))
    by_hand = Entry.objects.filter(portfolio=portfolio, deleted_at=None, source=None)
    taken |= set(by_hand.values_list("doc_id", flat=True))
    found, number = wanted[:100], 1
    while found in taken:
        number += 1
        found = f"{wanted[:90]}-{number}"
    return found


def wait(source: Source, *, is_by_rules: bool = False) -> Source:
    """Saves a source as one that waits, and asks a worker on commit.

    A worker that is just reading it stores nothing.
    """
    now = timezone.now()
    source.outcome, source.step, source.lease, source.attempts = Outcome.WAITING, "", None, 0
    source.code = source.note = ""
    source.is_by_rules, source.read_at = is_by_rules, now
    source.given_at = source.given_at or now
    source.save()
    transaction.on_commit(partial(enqueue, source.pk))
    return source


def ask_for_voice(portfolio: Portfolio) -> Source | None:
    """Looks for the owner's voice again, once everything else that waits was read."""
    others = Source.objects.filter(portfolio=portfolio, kind__in=VOICED)
    waiting = others.filter(outcome__in=[Outcome.WAITING, Outcome.READING])
    has_profile = Profile.objects.filter(portfolio=portfolio, deleted_at=None).exists()
    if waiting.exists() or not has_profile:
        return None
    whole = Source.objects.filter(portfolio=portfolio, kind=Kind.CORPUS).exclude(given_at=None)
    found = whole.first() or Source(portfolio=portfolio, kind=Kind.CORPUS)
    return wait(found)


READ: Final = "portfolio.read_source"
WAITING_FOR: Final = timedelta(seconds=10)
BATCH: Final = 200
_LOCK: Final = 0x46757472  # any fixed number, one per periodic job


def enqueue(source_id: uuid.UUID) -> None:
    """Asks a worker to read it."""
    try:
        app.send_task(READ, args=[str(source_id)], queue="jobs", retry=False)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("source %s not announced: %s", source_id, error)


def sweep() -> int:
    """Announces again what waits without a living worker; how many."""
    now = timezone.now()
    waiting = Q(outcome=Source.Outcome.WAITING, read_at__lt=now - WAITING_FOR)
    abandoned = Q(outcome=Source.Outcome.READING, heartbeat_at__lt=Now() - SILENT_FOR)
    with transaction.atomic():
        if not _alone():
            return 0
        found = list(
            Source.objects.filter(waiting | abandoned).values_list("pk", flat=True)[:BATCH]
        )
        # touched, so that the next sweeps leave a busy worker some time
        Source.objects.filter(pk__in=found, outcome=Source.Outcome.WAITING).update(read_at=now)
    for source_id in found:
        enqueue(source_id)
    return len(found)


def _alone() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_LOCK])
        row = cursor.fetchone()
    return bool(row and row[0])
