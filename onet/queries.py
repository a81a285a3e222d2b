"""Reads from the active catalogue: what it is, its occupations, statements and activities."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from django.db.models import Exists, F, OuterRef, QuerySet

from futura.text import content_stems, jaccard
from onet import titles
from onet.candidates import ActivityGroup, Candidate, CatalogueKind, OccupationHit
from onet.models import Occupation, Release, TaskStatement, WorkActivity
from onet.starter.reader import unsaved_activities

ATTRIBUTION: Final = (
    "O*NET database by U.S. Department of Labor, Employment and Training Administration, CC BY 4.0"
)
ALSO_CALLED: Final = 5
"""Other names shown with an occupation."""

NEIGHBOURHOODS: Final = (7, 6, 4, 2)
"""Leading characters of a code that neighbours share: detailed, broad, minor, major SOC group."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What a page says about the catalogue in use; without one, `kind` is None."""

    name: str = ""
    kind: CatalogueKind | None = None
    attribution: str = ""

    @property
    def is_starter(self) -> bool:
        return self.kind == "starter"


def active_release() -> Release | None:
    """The release in use; None before anything was loaded. One query."""
    return Release.objects.filter(is_active=True).first()


def catalogue() -> Catalogue:
    """Name, kind and attribution of the catalogue in use. One query."""
    release = active_release()
    if release is None:
        return Catalogue()
    # the starter catalogue takes codes, occupation titles and activity names from O*NET
    return Catalogue(release.name, "starter" if release.is_starter else "onet", ATTRIBUTION)


def occupations(codes: Iterable[str]) -> dict[str, OccupationHit]:
    """Code → occupation for those that the active release has. Two queries."""
    result = Occupation.objects.filter(release__is_active=True, code__in=set(codes))
    return {
        row.code: OccupationHit(
            code=row.code,
            title=row.title,
            description=row.description,
            also_called=_also_called(row),
        )
        for row in result.prefetch_related("alternate_titles")
    }


def pick_occupations(title: str, limit: int = 5) -> list[OccupationHit]:
    """The occupations that a job title may mean, likeliest first; `score` adds up to at most 1."""
    ranked = titles.rank_occupations(title, limit=limit)
    existing = occupations(code for code, _ in ranked)
    return [replace(existing[code], score=score) for code, score in ranked if code in existing]


def _also_called(row: Occupation) -> tuple[str, ...]:
    named = sorted(
        row.alternate_titles.all(), key=lambda title: (title.kind != "reported", title.pk)
    )
    names = dict.fromkeys(title.title for title in named if title.title != row.title)
    return tuple(names)[:ALSO_CALLED]


def activities() -> list[WorkActivity]:
    """The 41 activities by element id; from the starter files when nothing is loaded. One query."""
    rows = WorkActivity.objects.filter(release__is_active=True).order_by("element_id")
    return list(rows) or unsaved_activities()


def statements(task_ids: Iterable[str]) -> dict[str, Candidate]:
    """Task id → statement for those that the active release has. Three queries."""
    return {row.task_id: candidate(row) for row in _statements().filter(task_id__in=set(task_ids))}


def top_statements(code: str, limit: int = 15) -> list[Candidate]:
    """The statements that stand for an occupation: core first, then by importance.

    An occupation without statements (about one in ten) borrows those of its nearest neighbour,
    and an occupation that the release does not have at all gets none. At most six queries.
    """
    own = list(_ranked(_statements().filter(occupation__code=code))[:limit])
    if own:
        return [candidate(row) for row in own]
    lender = _lender(code)
    if lender is None:
        return []
    return [candidate(row) for row in _ranked(_statements().filter(occupation=lender))[:limit]]


def candidate(row: TaskStatement, score: float = 0.0) -> Candidate:
    """A statement as a plain value; wants `occupation` and the activities fetched with it."""
    listed = sorted(row.activities.all(), key=lambda activity: activity.element_id)
    return Candidate(
        task_id=row.task_id,
        text=row.text,
        occupation_code=row.occupation.code,
        occupation_title=row.occupation.title,
        kind=row.kind,
        score=score,
        groups=tuple(dict.fromkeys(ActivityGroup(activity.group) for activity in listed)),
        activity_ids=tuple(activity.element_id for activity in listed),
        importance=row.importance,
        detailed_ids=tuple(sorted(detailed.dwa_id for detailed in row.detailed.all())),
    )


def _statements() -> QuerySet[TaskStatement]:
    """Statements of the active release with what `candidate` wants."""
    return (
        TaskStatement.objects.filter(release__is_active=True)
        .select_related("occupation")
        .prefetch_related("activities", "detailed")
    )


def _ranked(rows: QuerySet[TaskStatement]) -> QuerySet[TaskStatement]:
    """Core before supplemental before unrated, each by importance."""
    return rows.order_by(
        TaskStatement.Kind.rank(), F("importance").desc(nulls_last=True), "task_id"
    )


def _lender(code: str) -> Occupation | None:
    """The nearest occupation with statements: smallest shared group, then likest in words."""
    occupations = Occupation.objects.filter(release__is_active=True)
    borrower = occupations.filter(code=code).first()
    if borrower is None:
        return None
    requested = content_stems(f"{borrower.title} {borrower.description}")
    has_statements = Exists(TaskStatement.objects.filter(occupation=OuterRef("pk")))
    neighbours = list(
        occupations.filter(has_statements, code__startswith=code[: NEIGHBOURHOODS[-1]])
    )
    for shared in NEIGHBOURHOODS:
        close = [row for row in neighbours if row.code[:shared] == code[:shared]]
        if close:
            return max(
                close,
                key=lambda row: (
                    jaccard(requested, content_stems(f"{row.title} {row.description}")),
                    row.code,
                ),
            )
    return None
