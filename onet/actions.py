"""Writes to the catalogue: loads O*NET releases and the starter catalogue, and switches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from django.db import transaction

from futura.progress import Reporter
from onet.loading.reading import read_release, release_files, release_fingerprint
from onet.loading.release import Catalogue, activate, claim_loading, write_release
from onet.loading.source import is_address, open_source, public_address
from onet.models import Release
from onet.starter.reader import read_starter, starter_fingerprint


class Outcome(StrEnum):
    LOADED = "loaded"
    ALREADY = "already loaded"
    SWITCHED = "loaded before, active again"
    CHECKED = "checked, nothing written"


@dataclass(frozen=True, slots=True)
class Report:
    """What a load did, for the summary; `warnings` counts what was odd about the source."""

    outcome: Outcome
    name: str
    counts: dict[str, int]
    warnings: Counter[str] = field(default_factory=Counter)


def load_release(
    source: str,
    *,
    dry_run: bool = False,
    if_needed: bool = False,
    reporter: Reporter | None = None,
) -> Report:
    """Loads the O*NET text release in a folder, a zip file or at an http(s) address.

    The same release again changes nothing; with `if_needed`, an address that was loaded before is
    not even fetched. Raises CannotLoad; then nothing has changed.
    """
    displayed = reporter or Reporter()
    if if_needed and is_address(source):
        stored = _stored(source=public_address(source))
        if stored is not None:
            return _reuse(stored)
    with open_source(source, displayed) as opened:
        files = release_files(opened)

        def read() -> Catalogue:
            return read_release(opened, files, reporter=displayed)

        return _load(release_fingerprint(files), read, displayed, dry_run=dry_run)


def load_starter(reporter: Reporter | None = None) -> Report:
    """Loads the starter catalogue that ships with Futura and makes it active."""
    return _load(starter_fingerprint(), read_starter, reporter or Reporter())


def ensure_starter(reporter: Reporter | None = None) -> Report | None:
    """The starter catalogue, unless a full release is active (then None); for every start."""
    if Release.objects.filter(is_active=True, is_starter=False).exists():
        return None
    return load_starter(reporter)


def _load(
    fingerprint: str, read: Callable[[], Catalogue], reporter: Reporter, *, dry_run: bool = False
) -> Report:
    if not dry_run and (stored := _stored(fingerprint=fingerprint)):
        return _reuse(stored)
    catalogue = read()
    if not dry_run:
        write_release(catalogue, reporter)
    outcome = Outcome.CHECKED if dry_run else Outcome.LOADED
    return Report(outcome, catalogue.name, catalogue.counts(), catalogue.warnings)


@transaction.atomic
def _reuse(release: Release) -> Report:
    """Makes a release that is there already the active one."""
    claim_loading()
    outcome = Outcome.ALREADY if release.is_active else Outcome.SWITCHED
    activate(release)
    return Report(outcome, release.name, release.counts)


def _stored(**by: str) -> Release | None:
    """The release of this fingerprint or source, the active one first."""
    return Release.objects.filter(**by).order_by("-is_active", "-pk").first()
