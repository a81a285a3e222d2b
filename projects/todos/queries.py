"""Reads of a person's to-dos across projects: lists, counts, doors, in few queries."""

from __future__ import annotations

import datetime as dt
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import (
    Case,
    Count,
    F,
    IntegerField,
    OrderBy,
    Q,
    QuerySet,
    Value,
    When,
    Window,
)
from django.db.models.functions import Coalesce, RowNumber
from django.utils import timezone

from chat.identity import Identity
from projects.models import Project, Task
from projects.queries import WAITS_FOR, living
from projects.todos.listing import NO_PROJECT, WORDS, Listing

ON_PAGE: Final = 50
IN_COLUMN: Final = 15  # to-dos that a day or a status shows; a list has the others
CHOICES: Final = 200  # of people, different sets of tags, or to-dos to wait for
LONG_LATE: Final = dt.timedelta(days=7)
PLACED: Final = 2_000  # to-dos among which one can be put in its place
Status, Priority = Task.Status, Task.Priority
_ALIVE = Q(deleted_at__isnull=True)
_OPEN = Q(status__in=Task.ACTIVE)
RESTING: Final = (Project.Status.ARCHIVED, Project.Status.COMPLETED)  # no new to-dos go there
# what is open in a project that rests or is over does not call for anything
CALLS: Final = Q(project=None) | Q(project__status=Project.Status.ACTIVE)
RANK: Final = Case(
    When(priority=Priority.CRITICAL, then=Value(0)),
    When(priority=Priority.HIGH, then=Value(1)),
    When(priority=Priority.NORMAL, then=Value(2)),
    default=Value(3),
    output_field=IntegerField(),
)
_COUNTED: Final = ("all", "resting", *(f"status_{status}" for status in Status.values))
# when a to-do was completed or dropped; null for an open one
_FINISHED: Final = Case(
    When(status__in=Task.CLOSED, then=Coalesce("completed_at", "updated_at")), default=None
)


def own(identity: Identity) -> QuerySet[Task]:
    return living(Task, identity)


def deleted_among(identity: Identity, keys: Sequence[uuid.UUID]) -> set[uuid.UUID]:
    """Which of these are deleted to-dos of the caller's."""
    deleted = Task.objects.filter(pk__in=keys, owner_id__in=identity.participant_ids)
    return set(deleted.exclude(_ALIVE).values_list("pk", flat=True))


def calling_today(today: dt.date) -> Q:
    """What today is about: late, due, begun as planned, or critical and not still to begin."""
    due = Q(due_date__lte=today)
    begun = Q(status=Status.SCHEDULED, start_date__lte=today)
    critical = Q(priority=Priority.CRITICAL) & (Q(start_date=None) | Q(start_date__lte=today))
    return _OPEN & CALLS & (due | begun | critical)


def _tab(tab: str, today: dt.date) -> Q:
    set_aside = Q(status=Status.SCHEDULED, start_date=None, due_date=None)
    coming = Q(due_date__gt=today) | Q(due_date=None, start_date__gt=today) | set_aside
    tabs = {
        "today": calling_today(today),
        "inbox": Q(status=Status.INBOX),
        "upcoming": _OPEN & CALLS & coming,
        "available": Q(status=Status.AVAILABLE) & CALLS,
        "blocked": Q(status=Status.BLOCKED) & CALLS,
        "done": Q(status__in=Task.CLOSED),
        "open": _OPEN & CALLS,
        "any_open": _OPEN,
    }
    return tabs.get(tab, Q())


def counts_of(owner_ids: Sequence[uuid.UUID], today: dt.date) -> dict[str, int]:
    """What every page and every talk counts, so that they never differ; one query.

    By tab; `all`, `late` (open and due before today) and `due_today`; `resting` (open in a project
    that is not active, counted nowhere else but in `inbox`); by status as `status_…`.
    """
    conditions = {
        "today": _tab("today", today),
        "upcoming": _tab("upcoming", today),
        "late": _OPEN & CALLS & Q(due_date__lt=today),
        "due_today": _OPEN & CALLS & Q(due_date=today),
    }
    groups: Iterable[Mapping[str, Any]] = (
        Task.objects.filter(_ALIVE, owner_id__in=owner_ids)
        .values("status", calls=CALLS)
        .annotate(
            all=Count("pk"),
            **{name: Count("pk", filter=entry) for name, entry in conditions.items()},
        )
    )
    counts: Counter[str] = Counter(dict.fromkeys([*conditions, *_COUNTED], 0))
    for group in groups:
        counts.update({name: group[name] for name in ("all", *conditions)})
        status = group["status"]
        is_everywhere = status in {Status.INBOX, *Task.CLOSED}  # it counts wherever it belongs
        name = f"status_{status}" if group["calls"] or is_everywhere else "resting"
        counts[name] += group["all"]
    for tab in ("inbox", "available", "blocked"):
        counts[tab] = counts[f"status_{tab}"]
    counts["done"] = sum(counts[f"status_{status}"] for status in Task.CLOSED)
    return dict(counts)


def matching(identity: Identity, listing: Listing, today: dt.date) -> QuerySet[Task]:
    result = own(identity).filter(_tab(listing.tab, today), *_narrowing(listing, today))
    return result.order_by(*_order(listing, today), "pk")


def _narrowing(listing: Listing, today: dt.date) -> list[Q]:
    conditions = []
    if listing.project:
        is_none = listing.project == NO_PROJECT
        conditions.append(Q(project=None) if is_none else Q(project_id=listing.project))
    same = {name: getattr(listing, name) for name in WORDS if name != "due"}
    conditions += [Q(**{name: value}) for name, value in same.items() if value]
    if listing.due:
        week = today + dt.timedelta(days=7)
        conditions.append(
            {
                "late": Q(due_date__lt=today) & _OPEN,
                "today": Q(due_date=today),
                "tomorrow": Q(due_date=today + dt.timedelta(days=1)),
                "week": Q(due_date__gte=today, due_date__lt=week),
                "later": Q(due_date__gte=week),
                "none": Q(due_date=None),
            }[listing.due]
        )
    conditions += [
        Q(title__icontains=word)
        | Q(details__icontains=word)
        | Q(project__name__icontains=word)
        | Q(assignee__icontains=word)
        | Q(tags__icontains=word)
        for word in listing.q.split()
    ]
    return conditions


def _order(listing: Listing, today: dt.date) -> Sequence[Any]:
    is_coming = listing.tab == "upcoming"
    when = Coalesce("due_date", "start_date") if is_coming else F("due_date")
    day: OrderBy = when.asc(nulls_last=True)
    clock: OrderBy = F("due_time").asc(nulls_last=True)
    by_hand = (F("position").asc(), F("created_at").asc())
    # among all what is open comes first, then what was done last
    open_first = (_FINISHED.desc(nulls_first=True),) if listing.tab == "all" else ()
    order: Sequence[Any] = {
        "hand": by_hand,
        "due": (*_when(listing, today), day, clock, RANK, *by_hand),
        "priority": (RANK, day, clock, *by_hand),
        "new": (F("created_at").desc(),),
        "done": (Coalesce("completed_at", "updated_at").desc(),),
    }[listing.order]
    return [*open_first, *order]


def _when(listing: Listing, today: dt.date) -> Sequence[Any]:
    """On the list of today: late, due today, then what is critical, then the rest; and at the end
    what has been late for long, or years of it would stand before the day.
    """
    if listing.tab != "today":
        return ()
    long_late = When(due_date__lt=today - LONG_LATE, then=Value(4))
    late, now = When(due_date__lt=today, then=Value(0)), When(due_date=today, then=Value(1))
    critical = When(priority=Priority.CRITICAL, then=Value(2))
    return (Case(long_late, late, now, critical, default=Value(3), output_field=IntegerField()),)


@dataclass(frozen=True)
class Page:
    tasks: Sequence[Task]
    total: int
    number: int

    @property
    def has_more(self) -> bool:
        return self.number * ON_PAGE < self.total

    @property
    def first(self) -> int:
        return (self.number - 1) * ON_PAGE + 1

    @property
    def last(self) -> int:
        return self.first + len(self.tasks) - 1


def page_of(identity: Identity, listing: Listing, today: dt.date) -> Page:
    """A page of a list, each to-do with its project and what it waits for: three queries.

    A page beyond the end is the last one.
    """
    tasks = matching(identity, listing, today)
    total = tasks.count()
    number = min(listing.page, max(-(-total // ON_PAGE), 1))
    start = (number - 1) * ON_PAGE
    return Page(list(_full(tasks)[start : start + ON_PAGE]), total, number)


Columns = dict[Any, list[Task]]
"""To-dos by the column they stand in; each has `in_column`, how many there are of it."""


def board_of(identity: Identity, listing: Listing, today: dt.date) -> Columns:
    """Open to-dos and those done within seven days by status. Two queries."""
    lately = timezone.now() - dt.timedelta(days=7)
    is_done = Q(status=Status.COMPLETED, completed_at__gte=lately)
    is_open = _OPEN & (CALLS | Q(status=Status.INBOX))
    rows = own(identity).filter(is_open | is_done, *_narrowing(listing, today))
    return _columns(rows, F("status"), _order(listing.but(tab="all"), today))


def week_of(identity: Identity, listing: Listing, today: dt.date) -> Columns:
    """Open to-dos of a week by their due day, else their start; in the present week, late ones
    as those of no day, the oldest first. Two queries.
    """
    monday = listing.monday(today)
    sunday = monday + dt.timedelta(days=6)
    is_within = Q(due_date__range=(monday, sunday))
    is_within |= Q(due_date=None, start_date__range=(monday, sunday))
    day: Any = Coalesce("due_date", "start_date")
    if monday <= today <= sunday:
        is_late = Q(due_date__lt=today)
        is_within |= is_late
        day = Case(When(is_late, then=None), default=day)
    rows = own(identity).filter(_OPEN & CALLS & is_within, *_narrowing(listing, today))
    clock = F("due_time").asc(nulls_last=True)
    order = _when(listing.but(tab="today"), today)
    return _columns(rows, day, [*order, F("due_date").asc(), clock, RANK, F("position").asc()])


def _columns(rows: QuerySet[Task], column: Any, order: Sequence[Any]) -> Columns:
    """The first to-dos of each column in their order."""
    rows = rows.annotate(column=column)
    place = Window(RowNumber(), partition_by=F("column"), order_by=[*order, F("pk").asc()])
    total = Window(Count("pk"), partition_by=F("column"))
    ranked = rows.annotate(place=place, in_column=total).filter(place__lte=IN_COLUMN)
    columns: Columns = {}
    for task in _full(ranked.order_by("place")):
        columns.setdefault(task.column, []).append(task)  # type: ignore[attr-defined]
    return columns


def _full(tasks: QuerySet[Task]) -> QuerySet[Task]:
    return tasks.select_related("project").prefetch_related(WAITS_FOR)


def exported(identity: Identity, listing: Listing, today: dt.date) -> list[Task]:
    return list(_full(matching(identity, listing, today)))


def placed_among(identity: Identity, listing: Listing, today: dt.date) -> list[Task]:
    """A whole list by hand, for putting one in another place; of `all`, what is open."""
    by_hand = listing.but(sort="hand", q="")
    tasks = matching(identity, by_hand, today)
    return list((tasks.filter(_OPEN) if listing.tab == "all" else tasks)[:PLACED])


def today_of(identity: Identity, today: dt.date, limit: int) -> list[Task]:
    """What today is about, most pressing first."""
    result = own(identity).filter(calling_today(today))
    order = _order(Listing(tab="today"), today)
    return list(_full(result).order_by(*order, "pk")[:limit])


def people_and_tags(owner_ids: Sequence[uuid.UUID]) -> tuple[list[str], list[str]]:
    """Whom these owners have assigned to-dos to, and the tags they have used. Two queries."""
    living = Task.objects.filter(_ALIVE, owner_id__in=owner_ids).order_by()
    people = living.exclude(assignee="").values_list("assignee", flat=True).distinct()
    tags = living.exclude(tags=[]).values_list("tags", flat=True).distinct()
    return sorted(people[:CHOICES]), sorted({tag for some in tags[:CHOICES] for tag in some})


def projects_to_choose(identity: Identity, own: uuid.UUID | None = None) -> list[Project]:
    """The caller's projects that to-dos can go to, last changed first; the one that a to-do is in,
    or a list is of, may rest. One query.
    """
    is_choice = ~Q(status__in=RESTING) | Q(pk=own)
    return list(living(Project, identity).filter(is_choice).order_by("-updated_at"))


def can_wait_for(identity: Identity, task: Task) -> list[Task]:
    """Open to-dos that one could wait for: of its project, or those of none; of very many, those
    that were changed last. Two queries.

    Those that it waits for come first, wherever they are: a form without them would let them go.
    """
    waits = list(task.depends_on.filter(deleted_at=None).order_by("position", "created_at"))
    near = own(identity).filter(_OPEN, project=task.project)
    others = near.exclude(pk__in=[task.pk, *(item.pk for item in waits)])
    latest = others.order_by("-updated_at")[:CHOICES]
    return [*waits, *sorted(latest, key=lambda item: (item.position, item.created_at))]
