"""Writes a catalogue as a release and makes it the active one, all in one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import connection, models, transaction

from futura import locks
from futura.errors import BadInput
from futura.progress import Reporter
from onet.models import (
    AlternateTitle,
    DetailedActivity,
    Occupation,
    Release,
    TaskStatement,
    WorkActivity,
)

LOCK: Final = "loading of a release"

BATCH: Final = 1000
"""Rows between two steps of the progress bar."""


class CannotLoad(BadInput):
    """The source cannot become a release; nothing was changed."""

    code = "cannot_load"


@dataclass(slots=True)
class Catalogue:
    """All rows of one release, not saved yet, and what was odd about the source (text → how often).

    `detailed_links` and `activity_links` say what the statements are linked to.
    """

    name: str
    label: str
    fingerprint: str
    is_starter: bool = False
    occupations: list[Occupation] = field(default_factory=list)
    titles: list[AlternateTitle] = field(default_factory=list)
    activities: list[WorkActivity] = field(default_factory=list)
    detailed: list[DetailedActivity] = field(default_factory=list)
    statements: list[TaskStatement] = field(default_factory=list)
    detailed_links: list[tuple[TaskStatement, DetailedActivity]] = field(default_factory=list)
    activity_links: list[tuple[TaskStatement, WorkActivity]] = field(default_factory=list)
    warnings: Counter[str] = field(default_factory=Counter)
    left_out: dict[str, int] = field(default_factory=dict)

    def counts(self) -> dict[str, int]:
        """How many rows of each kind, for the summary and the release's record."""
        return {
            "occupations": len(self.occupations),
            "titles": len(self.titles),
            "activities": len(self.activities),
            "detailed activities": len(self.detailed),
            "statements": len(self.statements),
            **self.left_out,
        }


def claim_loading() -> None:
    """Takes the lock of loading for this transaction; raises CannotLoad when another holds it."""
    if not locks.claim(LOCK):
        raise CannotLoad("Another load is running. Wait until it has ended, then try again.")


@transaction.atomic
def write_release(catalogue: Catalogue, reporter: Reporter) -> Release:
    """The new, active release; the one before is kept, older ones go.

    Everything happens in one transaction: until it ends, others see the release before.
    """
    claim_loading()
    release = Release.objects.create(
        name=catalogue.name[:120],
        source=catalogue.label[:500],
        fingerprint=catalogue.fingerprint,
        is_starter=catalogue.is_starter,
        counts=catalogue.counts(),
    )
    of_release: list[Any] = [
        *(*catalogue.occupations, *catalogue.activities),
        *(*catalogue.detailed, *catalogue.statements),
    ]
    for row in of_release:
        row.release = release
    _write(catalogue.occupations, reporter)
    _write(catalogue.titles, reporter)
    _write(catalogue.activities, reporter)
    _write(catalogue.detailed, reporter)
    _write(catalogue.statements, reporter)
    for links in _links(catalogue):
        _write(links, reporter)
    activate(release)
    return release


@transaction.atomic
def activate(release: Release) -> None:
    """Makes a complete release the active one; keeps the one before, removes older ones."""
    before = Release.objects.select_for_update().filter(is_active=True).first()
    Release.objects.filter(is_active=True).update(is_active=False)
    Release.objects.filter(pk=release.pk).update(is_active=True)
    release.is_active = True
    if before is None or before.pk == release.pk:
        return
    for old in Release.objects.exclude(pk__in=[release.pk, before.pk]):
        old.delete()


def _links(catalogue: Catalogue) -> Iterator[Sequence[models.Model]]:
    """The rows that link statements, which have their keys by now."""
    detailed, activities = TaskStatement.detailed.through, TaskStatement.activities.through
    yield [
        detailed(taskstatement_id=statement.pk, detailedactivity_id=activity.pk)
        for statement, activity in catalogue.detailed_links
    ]
    yield [
        activities(taskstatement_id=statement.pk, workactivity_id=activity.pk)
        for statement, activity in catalogue.activity_links
    ]


def _write(rows: Sequence[models.Model], reporter: Reporter) -> None:
    """Saves rows of one table, which get their keys."""
    if not rows:
        return
    model = type(rows[0])
    name, is_link = model._meta.verbose_name_plural, model._meta.auto_created
    reporter.step("Writing links" if is_link else f"Writing {name}", total=len(rows))
    for start in range(0, len(rows), BATCH):
        batch = rows[start : start + BATCH]
        model._default_manager.bulk_create(batch)
        reporter.advance(len(batch))
    with connection.cursor() as cursor:  # else plans go by the sizes of before
        cursor.execute(f"ANALYZE {connection.ops.quote_name(model._meta.db_table)}")
