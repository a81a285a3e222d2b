"""What a list of to-dos is asked for: its tab, filters and order, read from an address and back."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from futura import parameters
from futura.limits import storable
from projects import field_labels, fields

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
    "late": _("Overdue"),
    "today": _("Today"),
    "week": _("Next seven days"),
    "later": _("Later"),
    "none": _("No due date"),
}
SORTS: Final[Mapping[str, str | Promise]] = {
    "hand": _("Manual order"),
    "due": _("Due date"),
    "priority": _("Priority"),
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

Tab = Literal["today", "inbox", "upcoming", "available", "blocked", "done", "all"]
Due = Literal["", "late", "today", "tomorrow", "week", "later", "none"]
Priority = Literal["", fields.Priority]
Status = Literal["", fields.TaskStatus]


def _words(text: str) -> str:
    return " ".join(storable(text.replace("\x00", ""))[:QUERY_CHARS].split())


def _project(text: str) -> str:
    if text in {"", NO_PROJECT}:
        return text
    if (key := parameters.key(text)) is None:
        raise ValueError(_("That is not an ID."))
    return str(key)


ProjectKey = Annotated[str, AfterValidator(_project)]


def _page(value: Any) -> int:
    text = str(value)
    return min(max(int(text), 1), PAGES) if text.isascii() and text.isdigit() else 1


def _monday(text: str) -> str:
    """The Monday of the week of a day of this age."""
    day = dt.date.fromisoformat(text)
    if not 2000 <= day.year < 2200:
        raise ValueError("not of this age")
    return str(day - dt.timedelta(days=day.weekday()))


class Filters(BaseModel):
    """What narrows a list, on the page and for programs; empty narrows nothing."""

    model_config = ConfigDict(frozen=True)

    project: ProjectKey = Field("", description="Id of a project, or `none`.")
    priority: Priority = ""
    due: Due = ""
    status: Status = ""


WORDS: Final[Mapping[str, tuple[str | Promise, Mapping[str, Any]]]] = {
    "priority": (field_labels.FIELDS["priority"], field_labels.PRIORITY),
    "due": (field_labels.FIELDS["due_date"], DUE),
    "status": (field_labels.FIELDS["status"], field_labels.TASK_STATUS),
}
"""What a filter of the form and its values are called; but for `due` it is a field of the to-do."""


class Listing(Filters):
    """One list. Empty filters narrow nothing; `week` is the Monday of a week.

    The tabs `open` and `any_open` have no page: all that is open, without and with what rests in
    projects that are not active.
    """

    tab: Tab | Literal["open", "any_open"] = "today"
    q: Annotated[str, AfterValidator(_words)] = ""
    sort: Literal["", "hand", "due", "priority", "new", "done"] = ""
    page: Annotated[int, BeforeValidator(_page)] = 1
    view: Literal["list", "week", "board"] = "list"
    week: Annotated[str, AfterValidator(_monday)] = ""

    @classmethod
    def of(cls, query: Mapping[str, Any]) -> Listing:
        """As the query of an address says; what it says wrongly is left out."""
        filters = {name: query[name] for name in cls.model_fields if query.get(name)}
        try:
            listing = cls.model_validate(filters)
        except ValidationError as error:
            wrong = {problem["loc"][0] for problem in error.errors(include_url=False)}
            listing = cls.of({name: filters[name] for name in filters if name not in wrong})
        # a status or words are looked for everywhere, unless a list was named
        is_everywhere = query.get("tab") not in TABS and (listing.q or listing.status)
        return listing.but(tab="all", page=listing.page) if is_everywhere else listing

    @property
    def order(self) -> str:
        """The order it stands in: what was asked for, else the tab's own."""
        return self.sort or _USUAL.get(self.tab, "hand")

    @property
    def usual_order(self) -> str | Promise:
        return SORTS.get(_USUAL.get(self.tab, "hand"), SORTS["new"])

    @property
    def is_by_hand(self) -> bool:
        return self.order == "hand" and self.view == "list"

    @property
    def is_narrowed(self) -> bool:
        return bool(self.q) or self.has_filters

    @property
    def has_filters(self) -> bool:
        return any(getattr(self, name) for name in Filters.model_fields)

    def filters(self) -> list[tuple[str, str | Promise, list[tuple[str, Any]], str]]:
        """Name, label, choices and value of each in the form; status where there are several."""
        hidden = set() if self.tab in {"all", "done"} or self.status else {"status"}
        return [
            (name, label, list(words.items()), getattr(self, name))
            for name, (label, words) in WORDS.items()
            if name not in hidden
        ]

    def but(self, **changes: Any) -> Listing:
        """The same list otherwise; from its first page unless one is named."""
        return self.model_copy(update={"page": 1, **changes})

    def without_filters(self) -> Listing:
        return Listing(tab=self.tab, sort=self.sort, view=self.view).but(week=self.week)

    def monday(self, today: dt.date) -> dt.date:
        named = dt.date.fromisoformat(self.week) if self.week else today
        return named - dt.timedelta(days=named.weekday())

    def as_view(self, view: str) -> str:
        """The address of the same to-dos in another view."""
        query = urlencode({"view": view}), self.but(view="list", week="").query
        return f"{reverse('todos:list')}?{'&'.join(filter(None, query))}"

    @property
    def query(self) -> str:
        return urlencode(self.model_dump(exclude_defaults=True))

    @property
    def url(self) -> str:
        return reverse("todos:list") + (f"?{self.query}" if self.query else "")

    @property
    def whole_url(self) -> str:
        """The same list whatever view and order the browser remembers."""
        return f"{reverse('todos:list')}?{urlencode(self.model_dump())}"
