"""What a list of to-dos is asked for: its tab, filters and order, read from an address and back."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from futura.limits import storable
from projects.models import Task

QUERY_CHARS: Final = 200
PAGES: Final = 1_000
TABS: Final[Mapping[str, str | Promise]] = {
    "today": _("Today"),
    "inbox": _("Inbox"),
    "upcoming": _("Upcoming"),
    "available": _("Available"),
    "blocked": _("Blocked"),
    "done": _("Done"),
    "all": _("All"),
}
DUE: Final[Mapping[str, str | Promise]] = {
    "late": _("Late"),
    "today": _("Today"),
    "week": _("Within seven days"),
    "later": _("Later"),
    "none": _("Without a day"),
}
SORTS: Final[Mapping[str, str | Promise]] = {
    "hand": _("By hand"),
    "due": _("By day"),
    "priority": _("By priority"),
    "new": _("Newest first"),
}
# how a list stands when no other order is asked for
_USUAL: Final = {"today": "due", "upcoming": "due", "done": "done"}
NO_PROJECT: Final = "none"
VIEWS: Final[Mapping[str, str | Promise]] = {
    "list": _("List"),
    "week": _("Week"),
    "board": _("Board"),
}
REMEMBERED: Final = ("view", "sort")  # by the browser, from one visit to the next


@dataclass(frozen=True)
class Wanted:
    """One list. Empty filters narrow nothing; what an address says wrongly is left out."""

    tab: str = "today"
    q: str = ""
    project: str = ""
    priority: str = ""
    due: str = ""
    status: str = ""
    sort: str = ""
    page: int = 1
    view: str = "list"
    week: str = ""  # its Monday

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Wanted:
        """As the query of an address says."""
        tab = told.get("tab", "")
        known = tab in TABS
        wanted = cls(
            tab=tab if known else "today",
            q=_words(told.get("q", "")),
            project=_project(told.get("project", "")),
            priority=_one_of(told.get("priority", ""), Task.Priority.values),
            due=_one_of(told.get("due", ""), DUE),
            status=_one_of(told.get("status", ""), Task.Status.values),
            sort=_one_of(told.get("sort", ""), SORTS),
            page=_page(told.get("page", "")),
            view=_one_of(told.get("view", ""), VIEWS) or "list",
            week=_monday(told.get("week", "")),
        )
        # a status or words are looked for everywhere, unless a list was named
        return wanted if known or not (wanted.q or wanted.status) else replace(wanted, tab="all")

    @property
    def order(self) -> str:
        """The order it stands in: what was asked for, else the tab's own."""
        return self.sort or _USUAL.get(self.tab, "hand")

    @property
    def is_by_hand(self) -> bool:
        """Whether a to-do can be put in another place."""
        return self.order == "hand" and self.view == "list"

    @property
    def is_narrowed(self) -> bool:
        """Whether a filter leaves something out."""
        return bool(self.q or self.project or self.priority or self.due or self.status)

    def but(self, **changes: Any) -> Wanted:
        """The same list otherwise; from its first page unless one is named."""
        return replace(self, **{"page": 1, **changes})

    def plain(self) -> Wanted:
        """The tab without filters."""
        return Wanted(tab=self.tab, sort=self.sort, view=self.view, week=self.week)

    def monday(self, today: dt.date) -> dt.date:
        """The first day of the week that is shown."""
        named = dt.date.fromisoformat(self.week) if self.week else today
        return named - dt.timedelta(days=named.weekday())

    def as_view(self, view: str) -> str:
        """The address of the same to-dos in another view."""
        query = urlencode({"view": view}), self.but(view="list", week="").query
        return f"{reverse('todos:list')}?{'&'.join(filter(None, query))}"

    @property
    def query(self) -> str:
        """As the query of an address, without what is usual."""
        told = {
            one.name: getattr(self, one.name)
            for one in fields(self)
            if getattr(self, one.name) != one.default
        }
        return urlencode(told)

    @property
    def url(self) -> str:
        """Where this list is."""
        return reverse("todos:list") + (f"?{self.query}" if self.query else "")


def _words(told: str) -> str:
    return " ".join(storable(told.replace("\x00", ""))[:QUERY_CHARS].split())


def _project(told: str) -> str:
    if told == NO_PROJECT:
        return told
    try:
        return str(uuid.UUID(told)) if told else ""
    except ValueError:
        return ""


def _monday(told: str) -> str:
    """The Monday of the week of a day; nothing for what is no day of this age."""
    try:
        day = dt.date.fromisoformat(told)
    except ValueError:
        return ""
    return str(day - dt.timedelta(days=day.weekday())) if 2000 <= day.year < 2200 else ""


def _one_of(told: str, known: Any) -> str:
    return told if told in known else ""


def _page(told: str) -> int:
    return (
        min(max(int(told), 1), PAGES) if told.isascii() and told.isdigit() and len(told) < 6 else 1
    )
