"""What the list of to-dos shows: one context for the page and for its fragment."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import date_format
from django.utils.functional import Promise

from chat.identity import Identity
from projects import words
from projects.models import Project
from projects.todos import queries, rows
from projects.todos.listing import DUE, SORTS, TABS, VIEWS, Listing


@dataclass(frozen=True)
class Tab:
    """One of the lists, with how much is in it."""

    key: str
    word: str | Promise
    count: int
    url: str
    is_current: bool


def listed(identity: Identity, wanted: Listing) -> dict[str, Any]:
    """The context: the same queries for one to-do and for thousands."""
    at = rows.now()
    known = identity.is_known
    counts = queries.counts(identity, at.date()) if known else {}
    page, groups = _rows(identity, wanted, at)
    projects = queries.projects_to_choose(identity) if known else []
    return {
        "wanted": wanted,
        "page": page,
        "groups": groups,
        "views": [
            (key, word, wanted.as_view(key), key == wanted.view) for key, word in VIEWS.items()
        ],
        "weeks": _weeks(wanted, at.date()),
        "tabs": [tab_of(key, wanted, counts) for key in TABS],
        "counts": counts,
        "projects": projects,
        "chosen_project": named(projects, wanted),
        "next_page": wanted.but(page=page.number + 1) if page.has_more else None,
        "last_page": wanted.but(page=page.number - 1) if page.number > 1 else None,
        "priorities": list(words.PRIORITY.items()),
        "statuses": list(words.TASK_STATUS.items()),
        "due_choices": list(DUE.items()),
        "sorts": list(SORTS.items()),
        "now": at,
    }


def _rows(
    identity: Identity, wanted: Listing, at: dt.datetime
) -> tuple[queries.Page, list[rows.Group]]:
    """What the view shows: a page of a list, the days of a week, the columns of a board."""
    page = queries.Page([], 0, 1)
    if wanted.view == "week":
        tasks = queries.week_of(identity, wanted, at.date())
        return queries.Page(tasks, len(tasks), 1), rows.by_day(tasks, wanted, at)
    if wanted.view == "board":
        columns, totals = queries.board_of(identity, wanted, at.date())
        tasks = [task for some in columns.values() for task in some]
        return queries.Page(tasks, sum(totals.values()), 1), rows.by_status(columns, totals, at)
    if identity.is_known:
        page = queries.page_of(identity, wanted, at.date())
    return page, rows.grouped(page.tasks, wanted, at)


def _weeks(wanted: Listing, today: dt.date) -> dict[str, Any]:
    """The week that is shown, in words, and the ones beside it."""
    monday = wanted.monday(today)
    sunday = monday + dt.timedelta(days=6)
    beside = {name: wanted.but(week=str(monday + dt.timedelta(days=days)))
              for name, days in (("before", -7), ("after", 7))}  # fmt: skip
    words = f"{date_format(monday, 'j M')} – {date_format(sunday, 'j M Y')}"
    return {**beside, "words": words, "present": wanted.but(week="")}


def tab_of(key: str, wanted: Listing, counts: dict[str, int]) -> Tab:
    """A tab; the filters go along, so that words looked for are looked for there, too."""
    there = wanted.but(tab=key, status="", sort="")
    return Tab(key, TABS[key], counts.get(key, 0), there.url, wanted.tab == key)


def named(projects: Sequence[Project], wanted: Listing) -> str:
    """What the project of the filter is called."""
    return next((one.name for one in projects if str(one.pk) == wanted.project), "")
