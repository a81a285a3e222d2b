"""What the list of to-dos shows: one context for the page and for its fragment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise

from chat.identity import Identity
from projects import words
from projects.models import Project
from projects.todos import queries, rows
from projects.todos.wanted import DUE, SORTS, TABS, Wanted


@dataclass(frozen=True)
class Tab:
    """One of the lists, with how much is in it."""

    key: str
    word: str | Promise
    count: int
    url: str
    is_current: bool


def listed(identity: Identity, wanted: Wanted) -> dict[str, Any]:
    """The context: the same queries for one to-do and for thousands."""
    at = rows.now()
    known = identity.is_known
    counts = queries.counts(identity, at.date()) if known else {}
    page = queries.page_of(identity, wanted, at.date()) if known else queries.Page([], 0, 1)
    projects = queries.projects_to_choose(identity) if known else []
    return {
        "wanted": wanted,
        "page": page,
        "groups": rows.grouped(page.tasks, wanted, at),
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


def tab_of(key: str, wanted: Wanted, counts: dict[str, int]) -> Tab:
    """A tab; the filters go along, so that words looked for are looked for there, too."""
    there = wanted.but(tab=key, status="", sort="")
    return Tab(key, TABS[key], counts.get(key, 0), there.url, wanted.tab == key)


def named(projects: Sequence[Project], wanted: Wanted) -> str:
    """What the project of the filter is called."""
    return next((one.name for one in projects if str(one.pk) == wanted.project), "")
