"""To-dos as lists show them: rows under headings, and the context of the page and its fragment."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from django.template.defaultfilters import date as day_words
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _, pgettext

from chat.identity import Identity
from futura import parameters
from projects import field_labels, project_page
from projects.models import Task
from projects.outcomes import day
from projects.todos import queries
from projects.todos.listing import SORTS, TABS, VIEWS, Listing


@dataclass(frozen=True)
class Group:
    """Rows under one heading; the heading is empty where the list needs none."""

    title: str
    rows: Sequence[project_page.Todo]
    is_late: bool = False
    drop: str = ""  # what a row gets that is dropped here: `status:blocked`, `day:2026-11-27`
    more: int = 0  # to-dos that are not shown
    url: str = ""  # of the list that has them
    is_today: bool = False


def now() -> dt.datetime:
    return timezone.localtime()


def row(task: Task, at: dt.datetime, *, under_today: bool = False) -> project_page.Todo:
    """One row. Late is what should have been done before this very minute.

    `under_today`: where it stands it is plain that today is meant; only the time is told.
    """
    todo = project_page.todo_of(task, at.date())
    if task.due_date != at.date():
        return todo
    clock = f"{task.due_time:%H:%M}" if task.due_time else ""
    is_past = task.due_time is not None and task.due_time < at.time()
    is_late = is_past and task.status not in Task.CLOSED
    return replace(todo, due=clock if under_today else todo.due, is_late=is_late)


def grouped(tasks: Iterable[Task], listing: Listing, at: dt.datetime) -> list[Group]:
    """The rows of a list under its headings, without a query."""
    is_today = listing.tab == "today" and listing.order == "due"
    return [
        Group(title, [row(task, at, under_today=is_today) for task in some], is_late)
        for (title, is_late), some in groupby(tasks, key=lambda task: _heading(task, listing, at))
    ]


def by_day(columns: queries.Columns, listing: Listing, at: dt.datetime) -> list[Group]:
    """The seven days of a week, empty ones too, behind what is late. No query."""
    today, monday = at.date(), listing.monday(at.date())
    days = [monday + dt.timedelta(days=n) for n in range(7)]
    groups = [
        Group(
            day_words(day, "D j M"),
            [row(task, at, under_today=day == today) for task in columns.get(day, ())],
            drop=f"day:{day}", is_today=day == today,
            **_others(columns.get(day, ()), listing, tab="upcoming" if day > today else "all"),
        )
        for day in days
    ]  # fmt: skip
    if late := columns.get(None, ()):
        others = _others(late, listing, tab="today", due="late")
        groups.insert(0, Group(_("Overdue"), [row(task, at) for task in late], True, **others))
    return groups


def by_status(columns: queries.Columns, listing: Listing, at: dt.datetime) -> list[Group]:
    """A column for each status of a board, empty ones too. No query."""
    return [
        Group(
            str(field_labels.TASK_STATUS[status]),
            [row(task, at) for task in columns.get(status, ())],
            drop=f"status:{status}",
            **_others(columns.get(status, ()), listing, tab="all", status=status),
        )
        for status in (*Task.ACTIVE, Task.Status.COMPLETED)
    ]


def _others(displayed: Sequence[Any], listing: Listing, **where: str) -> dict[str, Any]:
    """How many more a column has than are displayed, and the list that has them."""
    more = displayed[0].in_column - len(displayed) if displayed else 0
    return {"more": more, "url": listing.but(view="list", week="", **where).whole_url}


def _heading(task: Task, listing: Listing, at: dt.datetime) -> tuple[str, bool]:
    """What a to-do stands under, and whether that is what is late."""
    today, is_closed = at.date(), task.status in Task.CLOSED
    if listing.tab == "all":  # open ones come first
        return _("Completed or dropped, newest first") if is_closed else "", False
    if listing.order == "done":
        ended = timezone.localtime(task.completed_at or task.updated_at).date()
        return capfirst(day(ended, today)), False
    if listing.order != "due":
        return "", False
    if task.due_date is not None and task.due_date < today and not is_closed:
        is_long = listing.tab == "today" and today - task.due_date > queries.LONG_LATE
        return _("Overdue for more than a week") if is_long else _("Overdue"), True
    if listing.tab == "today":
        if task.due_date == today:
            return _("Today"), False
        is_critical = task.priority == "critical"
        return _("Critical") if is_critical else pgettext("to-do", "Started"), False
    when = task.due_date or (task.start_date if listing.tab == "upcoming" else None)
    return (capfirst(day(when, today)) if when else _("No due date")), False


def list_context(identity: Identity, listing: Listing) -> dict[str, Any]:
    """The context: the same queries for one to-do and for thousands."""
    at = now()
    existing = identity.is_known
    counts = queries.counts_of(identity.participant_ids, at.date()) if existing else {}
    page, groups = _rows(identity, listing, at)
    own = parameters.key(listing.project)
    projects = queries.projects_to_choose(identity, own) if existing else []
    return {
        "listing": listing,
        "page": page,
        "groups": groups,
        "views": [
            (key, word, listing.as_view(key), key == listing.view) for key, word in VIEWS.items()
        ],
        "weeks": _weeks(listing, at.date()),
        "tabs": [
            {
                "key": key,
                "word": word,
                "count": counts.get(key, 0),
                # the filters go along, so that words looked for are looked for there, too
                "url": listing.but(tab=key, status="", sort="").url,
                "is_current": listing.tab == key,
            }
            for key, word in TABS.items()
        ],
        "counts": counts,
        "projects": projects,
        "chosen_project": next(
            (project.name for project in projects if str(project.pk) == listing.project), ""
        ),
        "next_page": listing.but(page=page.number + 1) if page.has_more else None,
        "last_page": listing.but(page=page.number - 1) if page.number > 1 else None,
        "priorities": list(field_labels.PRIORITY.items()),
        "statuses": list(field_labels.TASK_STATUS.items()),
        "sorts": list(SORTS.items()),
        "now": at,
    }


def _rows(
    identity: Identity, listing: Listing, at: dt.datetime
) -> tuple[queries.Page, list[Group]]:
    page = queries.Page([], 0, 1)
    if listing.view == "week":
        columns = queries.week_of(identity, listing, at.date())
        return _page_of(columns), by_day(columns, listing, at)
    if listing.view == "board":
        columns = queries.board_of(identity, listing, at.date())
        return _page_of(columns), by_status(columns, listing, at)
    if identity.is_known:
        page = queries.page_of(identity, listing, at.date())
    return page, grouped(page.tasks, listing, at)


def _page_of(columns: queries.Columns) -> queries.Page:
    tasks = [task for some in columns.values() for task in some]
    total = sum(some[0].in_column for some in columns.values())  # type: ignore[attr-defined]
    return queries.Page(tasks, total, 1)


def _weeks(listing: Listing, today: dt.date) -> dict[str, Any]:
    monday = listing.monday(today)
    sunday = monday + dt.timedelta(days=6)
    beside = {name: listing.but(week=str(monday + dt.timedelta(days=days)))
              for name, days in (("before", -7), ("after", 7))}  # fmt: skip
    words = f"{date_format(monday, 'j M')} – {date_format(sunday, 'j M Y')}"
    return {**beside, "words": words, "present": listing.but(week="")}
