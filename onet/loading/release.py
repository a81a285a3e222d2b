"""Writes a catalogue as a release and makes it the active one, all in one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from django.db import connection, models, transaction

from futura.errors import BadInput
from futura.progress import Reporter
from onet.candidates import group_of
from onet.models import (
    AlternateTitle,
    DetailedActivity,
    Occupation,
    Release,
    StatementVector,
    TaskStatement,
    TitleVector,
    WorkActivity,
)

LOCK: Final = 0x0F070A0E
"""Advisory lock of loading; held to the end of the transaction, freed with it."""

BATCH: Final = 1000
"""Rows between two steps of the progress bar."""

Row = tuple[Any, ...]


def claim_loading() -> None:
    """Takes the lock of loading for this transaction; raises CannotLoad when another holds it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [LOCK])
        (is_ours,) = cursor.fetchone()
    if not is_ours:
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
    for model, columns, rows in _tables(catalogue, release.pk):
        _copy(model, columns, rows, reporter)
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
        remove(old)


@transaction.atomic
def remove(release: Release) -> None:
    """Deletes a release; leaves first, so that no row is fetched to be deleted."""
    StatementVector.objects.filter(space__release=release).delete()
    TitleVector.objects.filter(space__release=release).delete()
    TaskStatement.detailed.through.objects.filter(taskstatement__release=release).delete()
    TaskStatement.activities.through.objects.filter(taskstatement__release=release).delete()
    AlternateTitle.objects.filter(occupation__release=release).delete()
    release.delete()


def _tables(
    rows: Catalogue, release: int
) -> Iterator[tuple[type[models.Model], Sequence[str], Sequence[Row]]]:
    """Every table with its columns and rows, in the order of writing.

    Ids are drawn beforehand so that rows can point at each other.
    """
    occupations = _ids(Occupation, [row.code for row in rows.occupations])
    activities = _ids(WorkActivity, [row.element_id for row in rows.activities])
    detailed = _ids(DetailedActivity, [row.dwa_id for row in rows.detailed])
    statements = _ids(TaskStatement, [row.task_id for row in rows.statements])
    yield (
        Occupation,
        ("id", "release_id", *OccupationRow._fields),
        [(occupations[row.code], release, *row) for row in rows.occupations],
    )
    yield (
        AlternateTitle,
        ("occupation_id", *TitleRow._fields[1:]),
        [(occupations[row.code], *row[1:]) for row in rows.titles],
    )
    yield (
        WorkActivity,
        ("id", "release_id", *ActivityRow._fields, "group"),
        [
            (activities[row.element_id], release, *row, group_of(row.element_id).value)
            for row in rows.activities
        ],
    )
    yield (
        DetailedActivity,
        ("id", "release_id", "activity_id", *DetailedRow._fields[:2]),
        [(detailed[row.dwa_id], release, activities[row[2]], *row[:2]) for row in rows.detailed],
    )
    yield (
        TaskStatement,
        ("id", "release_id", "occupation_id", "task_id", "text", "kind", "importance"),
        [
            (statements[row.task_id], release, occupations[row.code], *row[:1], *row[2:5])
            for row in rows.statements
        ],
    )
    yield (
        TaskStatement.detailed.through,
        ("taskstatement_id", "detailedactivity_id"),
        [(statements[row.task_id], detailed[i]) for row in rows.statements for i in row.dwa_ids],
    )
    yield (
        TaskStatement.activities.through,
        ("taskstatement_id", "workactivity_id"),
        [
            (statements[row.task_id], activities[element_id])
            for row in rows.statements
            for element_id in row.element_ids
        ],
    )


def _copy(
    model: type[models.Model], columns: Sequence[str], rows: Sequence[Row], reporter: Reporter
) -> None:
    """Writes rows into a table (PostgreSQL's COPY)."""
    name, links = model._meta.verbose_name_plural, model._meta.auto_created
    reporter.step("Writing links" if links else f"Writing {name}", total=len(rows))
    table = connection.ops.quote_name(model._meta.db_table)
    listed = ", ".join(connection.ops.quote_name(column) for column in columns)
    with connection.cursor() as cursor:
        with (
            connection.wrap_database_errors,
            cursor.copy(f"COPY {table} ({listed}) FROM STDIN") as copy,
        ):
            for start in range(0, len(rows), BATCH):
                for row in rows[start : start + BATCH]:
                    copy.write_row(row)
                reporter.advance(min(BATCH, len(rows) - start))
        cursor.execute(f"ANALYZE {table}")  # else plans go by the sizes of before


def _ids(model: type[models.Model], keys: Iterable[str]) -> dict[str, int]:
    """Fresh primary keys of a table for each key, drawn from its sequence."""
    requested = list(keys)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
            [model._meta.db_table, len(requested)],
        )
        drawn = [row[0] for row in cursor.fetchall()]
    return dict(zip(requested, drawn, strict=True))


class CannotLoad(BadInput):
    """The source cannot become a release; nothing was changed."""

    code = "cannot_load"


class OccupationRow(NamedTuple):
    code: str
    title: str
    description: str
    job_zone: int | None = None


class TitleRow(NamedTuple):
    """Another name of an occupation; `kind` as in AlternateTitle.Kind."""

    code: str
    title: str
    kind: str
    short_title: str = ""


class ActivityRow(NamedTuple):
    element_id: str
    name: str
    description: str


class DetailedRow(NamedTuple):
    dwa_id: str
    title: str
    element_id: str


class StatementRow(NamedTuple):
    """A statement; `element_ids` in order, `kind` as in TaskStatement.Kind."""

    task_id: str
    code: str
    text: str
    kind: str
    importance: float | None
    element_ids: tuple[str, ...]
    dwa_ids: tuple[str, ...] = ()


@dataclass(slots=True)
class Catalogue:
    """All rows of one release and what was odd about the source (text → how often)."""

    name: str
    label: str
    fingerprint: str
    is_starter: bool = False
    occupations: list[OccupationRow] = field(default_factory=list)
    titles: list[TitleRow] = field(default_factory=list)
    activities: list[ActivityRow] = field(default_factory=list)
    detailed: list[DetailedRow] = field(default_factory=list)
    statements: list[StatementRow] = field(default_factory=list)
    warnings: Counter[str] = field(default_factory=Counter)
    left_out: dict[str, int] = field(default_factory=dict)

    def counts(self) -> dict[str, int]:
        """How many rows of each kind, for the summary and the release's record."""
        return {
            "occupations": len(self.occupations),
            "occupations with statements": len({row.code for row in self.statements}),
            "titles": len(self.titles),
            "activities": len(self.activities),
            "detailed activities": len(self.detailed),
            "statements": len(self.statements),
            "statements with importance": sum(s.importance is not None for s in self.statements),
            "statements without activity": sum(not s.element_ids for s in self.statements),
            **self.left_out,
        }
