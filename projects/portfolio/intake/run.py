"""The queue of what waits to be read: claims a source, has it read, keeps its drafts.

The row is the queue; a worker that is not told of it is told again by a sweep.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from chat.zones import place_of
from futura import locks
from futura.celery import send_job
from futura.errors import Conflict, FuturaError
from projects.portfolio.intake import reading
from projects.portfolio.intake.apply import apply_persona, rows_of
from projects.portfolio.intake.basic.profile import voice_in
from projects.portfolio.intake.drafts import Draft, as_json
from projects.portfolio.intake.failures import PreprocessError
from projects.portfolio.intake.metrics import spent
from projects.portfolio.intake.plan import ENTITIES, deleted_by_hand
from projects.portfolio.intake.reading import Reader
from projects.portfolio.models import Persona, Portfolio, Profile, Source
from tasks.coding.heartbeat import SILENT_FOR, beating

log = logging.getLogger(__name__)

READ: Final = "portfolio.read_source"
NOTES: Final = 20
ATTEMPTS: Final = 3
TRIES: Final = 3
BATCH: Final = 200
WAITING_FOR: Final = timedelta(seconds=10)
Kind, Outcome = Source.Kind, Source.Outcome

# after these the owner's voice is looked for again
VOICED: Final = frozenset({Kind.PROFILE, Kind.RESUME})


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
    with translation.override(place_of(source.portfolio.owner_id)[1]):
        _read_source(claim, source)


def _read_source(claim: QuerySet[Source], source: Source) -> None:
    if source.attempts > ATTEMPTS:
        reason = _("Reading failed several times. Change the source, or paste its text.")
        _failed(claim, "BROKE_OFF", reason)
        return
    reader = Reader(
        portfolio=source.portfolio,
        policy=reading.POLICY,
        is_by_rules=source.is_by_rules,
    )
    try:
        if source.kind == Kind.CORPUS:
            voice = _voice_of(source.portfolio)
            persona = reader.persona(source, rows_of(source.portfolio), voice)
            _store(claim, source, reader, [], persona)
        else:
            _store(claim, source, reader, reader.read(source))
    except PreprocessError as error:
        _failed(claim, error.failure.value, error.reason, **_account(source, reader))
    except FuturaError as error:
        log.warning("source %s not stored: %s", source.pk, error)
        _failed(claim, error.code.upper(), str(error), **_account(source, reader))


def _failed(claim: QuerySet[Source], code: str, note: str, **more: Any) -> None:
    claim.update(
        outcome=Outcome.FAILED,
        code=code[:60],
        note=note,
        lease=None,
        read_at=timezone.now(),
        **more,
    )


def _store(
    claim: QuerySet[Source],
    source: Source,
    reader: Reader,
    read_drafts: Sequence[Draft],
    persona: Mapping[str, Any] | None = None,
) -> None:
    """Stores it all in one transaction. Raises Conflict when others write all the time."""
    account = _account(source, reader)
    drafts = _without_deleted(source.portfolio, read_drafts)
    if len(drafts) < len(read_drafts):
        account["told"]["left_out"] = len(read_drafts) - len(drafts)
    for left in reversed(range(TRIES)):
        try:
            with transaction.atomic():
                if not claim.select_for_update(of=("self",)).exists():
                    raise _Overtaken
                if persona is not None:
                    apply_persona(source, persona)
                claim.update(
                    outcome=Outcome.CHECK if drafts else Outcome.READ,
                    drafts=as_json(drafts),
                    lease=None,
                    attempts=0,
                    read_at=timezone.now(),
                    **account,
                )
                if source.kind in VOICED and not drafts:
                    ask_for_voice(source.portfolio)
                return
        except Conflict:
            if not left:
                raise


def _account(source: Source, reader: Reader) -> dict[str, Any]:
    """What was read and how, what it cost and what was left out, by the fields of the source."""
    cost = spent(reader.run_id)
    notes = [warned.message for warned in reader.warnings[:NOTES]]
    counts = {"notes": notes, "calls": cost["calls"], "cost_usd": cost["costUsd"]}
    names = ("text", "upload", "commit", "method", "prompt_version")
    values = {name: getattr(source, name) for name in names}
    return {**values, "model": cost["model"][:120], "told": counts}


def _without_deleted(portfolio: Portfolio, drafts: Sequence[Draft]) -> list[Draft]:
    """Without what the owner has deleted since it was read before."""
    if not drafts:
        return []
    gone = {doc_id for model in ENTITIES for doc_id in deleted_by_hand(model, portfolio)}
    return [draft for draft in drafts if not draft.doc_id or draft.doc_id not in gone]


def _voice_of(portfolio: Portfolio) -> list[str]:
    """Examples of the owner's voice: those that it has, and those of the profile read last."""
    persona = Persona.objects.filter(portfolio=portfolio, deleted_at=None).first()
    profiles = Source.objects.filter(portfolio=portfolio, kind=Kind.PROFILE, outcome=Outcome.READ)
    profile = profiles.order_by("-given_at", "-read_at").first()
    examples = [
        *(voice_in(profile.text) if profile else ()),
        *(persona.voice_examples if persona else ()),
    ]
    return list(dict.fromkeys(examples))


# What waits --------------------------------------------------------------------------------------
def wait(source: Source, *, is_by_rules: bool = False) -> Source:
    """Saves a source as one that waits, and asks a worker on commit.

    A worker that is just reading it stores nothing.
    """
    now = timezone.now()
    source.outcome, source.lease, source.attempts = Outcome.WAITING, None, 0
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
