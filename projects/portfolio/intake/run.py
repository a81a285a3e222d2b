"""The queue of what waits to be read: claims a source, has it read, keeps its drafts.

The row is the queue; a worker that is not told of it is told again by a sweep.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from chat.zones import place_of
from futura.durable import LeaseLost, Work
from futura.errors import FuturaError
from projects.portfolio.intake import reading
from projects.portfolio.intake.apply import apply_persona, rows_of
from projects.portfolio.intake.basic.markdown import voice_in
from projects.portfolio.intake.drafts import Draft, as_json
from projects.portfolio.intake.failures import PreprocessError
from projects.portfolio.intake.metrics import spent
from projects.portfolio.intake.plan import without_deleted
from projects.portfolio.intake.reading import Reader
from projects.portfolio.models import Persona, Portfolio, Profile, Source

log = logging.getLogger(__name__)

NOTES: Final = 20
ATTEMPTS: Final = 3
Kind, Outcome = Source.Kind, Source.Outcome

# after these the owner's voice is looked for again
VOICED: Final = frozenset({Kind.PROFILE, Kind.RESUME})


READ: Final = Work(
    "portfolio.read_source",
    Source,
    waits=Q(outcome__in=[Outcome.WAITING, Outcome.READING])
    & Q(Exists(Portfolio.objects.filter(pk=OuterRef("portfolio_id"), deleted_at=None))),
    announced="read_at",
)


# The worker --------------------------------------------------------------------------------------
def read(source_id: uuid.UUID) -> bool:
    """Reads a source that waits; False when none does, or somebody else is at it."""
    return READ.perform(
        source_id, _read, outcome=Outcome.READING, attempts=F("attempts") + 1, code="", note=""
    )


def _read(claim: QuerySet[Source]) -> None:
    source = claim.select_related("portfolio").first()
    if source is None:
        raise LeaseLost
    portfolio = source.portfolio
    with translation.override(place_of(portfolio.owner_id)[1]):
        if source.attempts > ATTEMPTS:
            reason = _("Reading failed several times. Change the source, or paste its text.")
            _failed(claim, "BROKE_OFF", reason)
            return
        reader = Reader(portfolio, reading.POLICY, source.is_by_rules)
        drafts: list[Draft] = []
        persona: Mapping[str, Any] | None = None
        try:
            if source.kind == Kind.CORPUS:
                persona = reader.persona(source, rows_of(portfolio), _voice_of(portfolio))
            else:
                drafts = reader.read(source)
            _store(claim, source, reader, drafts, persona)
        except PreprocessError as error:
            _failed(claim, error.failure.value, error.reason, **_account(source, reader))
        except FuturaError as error:
            log.warning("source %s not stored: %s", source.pk, error)
            _failed(claim, error.code.upper(), str(error), **_account(source, reader))


def _failed(claim: QuerySet[Source], code: str, note: str, **account: Any) -> None:
    now = timezone.now()
    claim.update(
        outcome=Outcome.FAILED, code=code[:60], note=note, lease=None, read_at=now, **account
    )


def _store(
    claim: QuerySet[Source],
    source: Source,
    reader: Reader,
    read_drafts: Sequence[Draft],
    persona: Mapping[str, Any] | None,
) -> None:
    """Stores it all in one transaction. Raises Conflict when others write at the same time."""
    account = _account(source, reader)
    drafts = without_deleted(source.portfolio, read_drafts)
    if len(drafts) < len(read_drafts):
        account["told"]["left_out"] = len(read_drafts) - len(drafts)
    with transaction.atomic():
        if not claim.select_for_update(of=("self",)).exists():
            raise LeaseLost
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


def _account(source: Source, reader: Reader) -> dict[str, Any]:
    """What was read and how, what it cost and what was left out, by the fields of the source."""
    cost = spent(reader.run_id)
    notes = [warned.message for warned in reader.warnings[:NOTES]]
    counts = {"notes": notes, "calls": cost["calls"], "cost_usd": cost["costUsd"]}
    names = ("text", "upload", "commit", "method", "prompt_version")
    values = {name: getattr(source, name) for name in names}
    return {**values, "model": cost["model"][:120], "told": counts}


def _voice_of(portfolio: Portfolio) -> list[str]:
    """Examples of the owner's voice: those of the profile read last, and those that it has."""
    persona = Persona.objects.filter(portfolio=portfolio, deleted_at=None).first()
    profiles = Source.objects.filter(portfolio=portfolio, kind=Kind.PROFILE, outcome=Outcome.READ)
    profile = profiles.order_by("-given_at", "-read_at").first()
    read = voice_in(profile.text) if profile else []
    return list(dict.fromkeys([*read, *(persona.voice_examples if persona else ())]))


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
    READ.announce(source.pk)
    return source


def ask_for_voice(portfolio: Portfolio) -> None:
    """Looks for the owner's voice again, once everything else that waits was read."""
    sources = Source.objects.filter(portfolio=portfolio)
    open_ones = sources.filter(kind__in=VOICED, outcome__in=[Outcome.WAITING, Outcome.READING])
    has_profile = Profile.objects.filter(portfolio=portfolio, deleted_at=None).exists()
    if has_profile and not open_ones.exists():
        whole = sources.filter(kind=Kind.CORPUS).exclude(given_at=None).first()
        wait(whole or Source(portfolio=portfolio, kind=Kind.CORPUS))
