"""Writes to the catalogue: loads O*NET releases and the starter catalogue, and switches."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from django.db import transaction

from futura.progress import Quiet, Reporter
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
    seconds: float
    warnings: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class _Work:
    """One load: how to recognise the catalogue, how to read it, and what was asked for."""

    fingerprint: str
    read: Callable[[], Catalogue]
    reporter: Reporter
    name: str = ""
    force: bool = False
    dry_run: bool = False
    begun: float = field(default_factory=time.monotonic)


def load_release(
    source: str,
    *,
    name: str = "",
    force: bool = False,
    dry_run: bool = False,
    if_needed: bool = False,
    reporter: Reporter | None = None,
) -> Report:
    """Loads the O*NET text release in a folder, a zip file or at an http(s) address.

    The same release again changes nothing unless `force`; with `if_needed`, an address that was
    loaded before is not even fetched. Raises CannotLoad; then nothing has changed.
    """
    shown = reporter or Quiet()
    if if_needed and is_address(source) and (known := _loaded_from(source)):
        return _reuse(known, name)
    with open_source(source, shown) as opened:
        files = release_files(opened)
        return _load(
            _Work(
                fingerprint=release_fingerprint(files),
                read=lambda: read_release(opened, files, name=name, reporter=shown),
                reporter=shown,
                name=name,
                force=force,
                dry_run=dry_run,
            )
        )


def load_starter(
    *, force: bool = False, dry_run: bool = False, reporter: Reporter | None = None
) -> Report:
    """Loads the starter catalogue that ships with Futura and makes it active."""
    return _load(
        _Work(
            starter_fingerprint(), read_starter, reporter or Quiet(), force=force, dry_run=dry_run
        )
    )


def ensure_starter(reporter: Reporter | None = None) -> Report | None:
    """The starter catalogue, unless a full release is active (then None); for every start."""
    if Release.objects.filter(is_active=True, is_starter=False).exists():
        return None
    return load_starter(reporter=reporter)


def _load(work: _Work) -> Report:
    if not (work.force or work.dry_run) and (known := _known(work.fingerprint)):
        return _reuse(known, work.name, begun=work.begun)
    catalogue = work.read()
    if not work.dry_run:
        write_release(catalogue, work.reporter)
    return Report(
        outcome=Outcome.CHECKED if work.dry_run else Outcome.LOADED,
        name=catalogue.name,
        counts=catalogue.counts(),
        seconds=time.monotonic() - work.begun,
        warnings=catalogue.warnings,
    )


@transaction.atomic
def _reuse(release: Release, name: str = "", *, begun: float | None = None) -> Report:
    """Makes a release that is there already the active one; a new name is taken over."""
    claim_loading()
    outcome = Outcome.ALREADY if release.is_active else Outcome.SWITCHED
    activate(release)
    if name and release.name != name:
        release.name = name
        release.save(update_fields=["name"])
    seconds = time.monotonic() - begun if begun else 0.0
    return Report(outcome, release.name, release.counts, seconds)


def _known(fingerprint: str) -> Release | None:
    """The release with these very files, the active one first."""
    return Release.objects.filter(fingerprint=fingerprint).order_by("-is_active", "-pk").first()


def _loaded_from(address: str) -> Release | None:
    label = public_address(address)
    return Release.objects.filter(source=label).order_by("-is_active", "-pk").first()
