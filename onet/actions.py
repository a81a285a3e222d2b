"""Writes to the catalogue: loads O*NET releases and the starter catalogue, and switches."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from django.db import transaction

from futura.progress import Quiet, Reporter
from onet.loading.catalogue import Catalogue
from onet.loading.reading import read_release
from onet.loading.release import activate, claim_loading, write_release
from onet.loading.source import open_source
from onet.models import Release
from onet.starter.reader import read_starter


class Outcome(StrEnum):
    """What a load did."""

    LOADED = "loaded"
    ALREADY = "already loaded"
    SWITCHED = "already loaded, now active again"
    CHECKED = "checked, nothing written"


@dataclass(frozen=True, slots=True)
class Report:
    """What a load did, for the summary; `warnings` counts what was odd about the source."""

    outcome: Outcome
    name: str
    counts: dict[str, int]
    seconds: float
    warnings: Counter[str] = field(default_factory=Counter)


def load_release(
    source: str,
    *,
    name: str = "",
    force: bool = False,
    dry_run: bool = False,
    reporter: Reporter | None = None,
) -> Report:
    """Loads the O*NET text release in a folder, a zip file or at an http(s) address.

    The same release again changes nothing unless `force`. Raises CannotLoad; then nothing has
    changed.
    """
    shown = reporter or Quiet()

    def read() -> Catalogue:
        with open_source(source, shown) as opened:
            return read_release(opened, name=name, reporter=shown)

    return _load(read, force=force, dry_run=dry_run, reporter=shown)


def load_starter(
    *, force: bool = False, dry_run: bool = False, reporter: Reporter | None = None
) -> Report:
    """Loads the starter catalogue that ships with Futura and makes it active."""
    return _load(read_starter, force=force, dry_run=dry_run, reporter=reporter or Quiet())


def ensure_starter(reporter: Reporter | None = None) -> Report | None:
    """The starter catalogue, unless a full release is active (then None); for every start."""
    active = Release.objects.filter(is_active=True).first()
    if active is not None and not active.is_starter:
        return None
    return load_starter(reporter=reporter)


def _load(
    read: Callable[[], Catalogue], *, force: bool, dry_run: bool, reporter: Reporter
) -> Report:
    begun = time.monotonic()
    catalogue = read()
    outcome = Outcome.CHECKED if dry_run else _store(catalogue, force=force, reporter=reporter)
    return Report(
        outcome=outcome,
        name=catalogue.name,
        counts=catalogue.counts(),
        seconds=time.monotonic() - begun,
        warnings=catalogue.warnings,
    )


@transaction.atomic
def _store(catalogue: Catalogue, *, force: bool, reporter: Reporter) -> Outcome:
    claim_loading()
    same = (
        Release.objects.filter(fingerprint=catalogue.fingerprint)
        .order_by("-is_active", "-pk")
        .first()
    )
    if same is None or force:
        write_release(catalogue, reporter)
        return Outcome.LOADED
    if same.is_active:
        return Outcome.ALREADY
    activate(same)
    return Outcome.SWITCHED
