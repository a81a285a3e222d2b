"""The queue of what waits to be read: claims a source, has it read, keeps its drafts.

The row is the queue; a worker that is not told of it is told again by a sweep.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from futura import locks
from futura.celery import send_job
from futura.errors import Conflict, FuturaError
from projects.portfolio.intake.apply import apply_persona
from projects.portfolio.intake.drafts import Draft, as_json
from projects.portfolio.intake.failures import (
    PreprocessError,
    Skipped,
)
from projects.portfolio.intake.plan import RECORDS, deleted_by_hand
from projects.portfolio.intake.reading import Reading, Result, reading_of
from projects.portfolio.intake.repositories import (
    RepoConfig,
    address_of,
)
from projects.portfolio.models import Entry, Portfolio, Profile, Source
from projects.portfolio.models.portfolio import Belonging
from tasks.coding.heartbeat import SILENT_FOR, beating

log = logging.getLogger(__name__)

READ: Final = "portfolio.read_source"
NOTES: Final = 20
ATTEMPTS: Final = 3
TRIES: Final = 3
BATCH: Final = 200
WAITING_FOR: Final = timedelta(seconds=10)
Kind, Outcome, Step = Source.Kind, Source.Outcome, Source.Step

# after these the owner's voice is looked for again
VOICED: Final = frozenset({Kind.PROFILE, Kind.RESUME, Kind.VOICE})


class _Overtaken(Exception):
    """Another worker holds the lease by now, or the source is gone; nothing was stored."""


# The worker --------------------------------------------------------------------------------------
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
    claim = Source.objects.filter(pk=source_id, lease=lease)
    with beating(claim):
        try:
            _read(claim)
        except _Overtaken:
            log.info("source %s: taken over by another worker", source_id)
            return False
    return True


def _read(claim: QuerySet[Source]) -> None:
    source = claim.select_related("portfolio").first()
    if source is None:
        raise _Overtaken
    if source.attempts > ATTEMPTS:
        reason = _("reading it broke off again and again. Change it a little, or paste its text.")
        _failed(claim, "BROKE_OFF", reason)
        return
    reading = reading_of(source, lambda step: _at(claim, step), lambda text: _keep(claim, text))
    try:
        result = reading.read()
        _store(claim, source, reading, result)
    except (PreprocessError, Skipped) as error:
        _failed(claim, error.failure.value, error.reason, **_account(reading))
    except FuturaError as error:
        log.warning("source %s not stored: %s", source.pk, error)
        _failed(claim, error.code.upper(), str(error), **_account(reading))


def _at(claim: QuerySet[Source], step: Source.Step) -> None:
    if not claim.update(step=step, heartbeat_at=Now()):
        raise _Overtaken


def _keep(claim: QuerySet[Source], text: str) -> None:
    """The text of a file is kept in its place, whatever comes."""
    claim.update(text=text, upload=None)


def _failed(claim: QuerySet[Source], code: str, note: str, **more: Any) -> None:
    claim.update(
        outcome=Outcome.FAILED,
        code=code[:60],
        note=note,
        step="",
        lease=None,
        read_at=timezone.now(),
        **more,
    )


def _store(claim: QuerySet[Source], source: Source, reading: Reading, result: Result) -> None:
    """Stores it all in one transaction. Raises Conflict when others write all the time."""
    _at(claim, Step.STORE)
    for left in reversed(range(TRIES)):
        try:
            with transaction.atomic():
                if not claim.select_for_update(of=("self",)).exists():
                    raise _Overtaken
                _stored(claim, source, reading, result)
                return
        except Conflict:
            if not left:
                raise


def _stored(claim: QuerySet[Source], source: Source, reading: Reading, result: Result) -> None:
    if result.persona is not None:
        apply_persona(source, result.persona)
    for repository in result.repositories:
        _ask_for(source.portfolio, repository)
    drafts = _without_deleted(source.portfolio, result.drafts)
    account = _account(reading)
    account["told"] |= result.counts
    if len(drafts) < len(result.drafts):
        account["told"]["left_out"] = len(result.drafts) - len(drafts)
    claim.update(
        outcome=Outcome.CHECK if drafts else Outcome.READ,
        drafts=as_json(drafts),
        code="",
        note="",
        step="",
        lease=None,
        attempts=0,
        read_at=timezone.now(),
        **{**reading.fields(result), **account},
    )
    if source.kind in VOICED and not drafts:
        ask_for_voice(source.portfolio)


def _account(reading: Reading) -> dict[str, Any]:
    """How it was read, what it cost and what was left out, by the fields of the source."""
    items = reading.measure.items if reading.measure else []
    warnings = reading.measure.warnings if reading.measure else []
    account: dict[str, Any] = {
        "notes": [one.message for one in warnings[:NOTES]],
        "calls": sum(one.calls for one in items),
    }
    costs = [one.cost_usd for one in items if one.cost_usd is not None]
    if costs:
        account["cost_usd"] = round(sum(costs), 6)
    model = next((one.model for one in reversed(items) if one.model), "")
    return {"method": reading.method, "model": model[:120], "told": account}


def _without_deleted(portfolio: Portfolio, drafts: Sequence[Draft]) -> list[Draft]:
    """Without what the owner has deleted since it was read before."""
    if not drafts:
        return []
    gone: set[str] = set()
    models: list[type[Belonging]] = [Entry, *RECORDS.values()]
    for model in models:
        gone |= deleted_by_hand(model, portfolio)
    return [one for one in drafts if not one.doc_id or one.doc_id not in gone]


# What waits --------------------------------------------------------------------------------------
def _ask_for(portfolio: Portfolio, repo: RepoConfig) -> Source:
    """A repository of a list becomes a source of its own, and waits."""
    wish = {"name": repo.display_name, "branch": repo.branch}
    more = {"companies": repo.linked_to_companies}
    return wait_for_repository(portfolio, address_of(repo.repo), repo.project_id, {**wish, **more})


def wait_for_repository(
    portfolio: Portfolio, place: str, project_id: str, wish: dict[str, Any]
) -> Source:
    """The source of this address, new or again, waiting. Within a transaction."""
    same = Source.objects.filter(portfolio=portfolio, kind=Kind.README, place=place)
    source = same.exclude(given_at=None).first() or Source(
        portfolio=portfolio,
        kind=Kind.README,
        place=place,
        doc_id=free_doc_id(portfolio, project_id),
    )
    source.wish = {name: value for name, value in wish.items() if value}
    return wait(source)


def free_doc_id(portfolio: Portfolio, project_id: str) -> str:
    """An id that no other source is read under, and no entry has that was made by hand."""
    sources = Source.objects.filter(portfolio=portfolio, kind=Kind.README)
    taken = set(sources.exclude(given_at=None).values_list("doc_id", flat=True))
    by_hand = Entry.objects.filter(portfolio=portfolio, deleted_at=None, source=None)
    taken |= set(by_hand.values_list("doc_id", flat=True))
    doc_id, number = project_id[:100], 1
    while doc_id in taken:
        number += 1
        doc_id = f"{project_id[:90]}-{number}"
    return doc_id


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
    transaction.on_commit(partial(send_job, READ, str(source.pk)))
    return source


def ask_for_voice(portfolio: Portfolio) -> Source | None:
    """Looks for the owner's voice again, once everything else that waits was read."""
    others = Source.objects.filter(portfolio=portfolio, kind__in=VOICED)
    waiting = others.filter(outcome__in=[Outcome.WAITING, Outcome.READING])
    has_profile = Profile.objects.filter(portfolio=portfolio, deleted_at=None).exists()
    if waiting.exists() or not has_profile:
        return None
    whole = Source.objects.filter(portfolio=portfolio, kind=Kind.CORPUS).exclude(given_at=None)
    return wait(whole.first() or Source(portfolio=portfolio, kind=Kind.CORPUS))


def sweep() -> int:
    """Enqueues again what waits without a living worker; how many."""
    now = timezone.now()
    waiting = Q(outcome=Outcome.WAITING, read_at__lt=now - WAITING_FOR)
    abandoned = Q(outcome=Outcome.READING, heartbeat_at__lt=Now() - SILENT_FOR)
    with transaction.atomic():
        if not locks.claim("sweep of sources"):
            return 0
        stale = list(
            Source.objects.filter(waiting | abandoned).values_list("pk", flat=True)[:BATCH]
        )
        # touched, so that the next sweeps leave a busy worker some time
        Source.objects.filter(pk__in=stale, outcome=Outcome.WAITING).update(read_at=now)
    for source_id in stale:
        send_job(READ, str(source_id))
    return len(stale)
