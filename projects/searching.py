"""The search over everything a person has: to-dos, projects, drafts, notes, talks, surveys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Any, Final, TypeVar

from django.db.models import Case, Model, Q, QuerySet, Value, When
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat import library
from chat.identity import Identity
from chat.searching import Piece, Search, marked, passage
from projects import dimensions, words
from projects.models import Note, Project, ProjectDraft, Task
from tasks.models import WorkTask

EACH: Final = 6  # results of one kind
RowT = TypeVar("RowT", bound=Model)
_ALIVE: Final = Q(deleted_at__isnull=True)
_PROJECT_TEXTS: Final = (
    "name", "description", "context", "executive_summary", "tags", *dimensions.FIELDS,
)  # fmt: skip
PLACES: Final[Sequence[tuple[str | Promise, str]]] = (
    (gettext_lazy("To-dos"), "todos:list"),
    (gettext_lazy("Projects"), "projects:list"),
    (gettext_lazy("New project"), "projects:new"),
    (gettext_lazy("Drafts"), "projects:drafts"),
    (gettext_lazy("Conversations"), "chat:sessions"),
    (gettext_lazy("Portfolio"), "portfolio:home"),
    (gettext_lazy("Survey"), "surveys"),
    (gettext_lazy("Account"), "account"),
)


@dataclass(frozen=True)
class Result:
    """One thing with the words looked for: its title, where it is, and where they stand in it."""

    title: Sequence[Piece]
    url: str
    facts: Sequence[str] = ()
    passage: Sequence[Piece] = ()


@dataclass(frozen=True)
class Group:
    """Results of one kind; `url` leads to all of them where a page has them."""

    name: str | Promise
    results: Sequence[Result]
    url: str = ""


def search_of(identity: Identity, search: Search) -> list[Group]:
    """The caller's own rows that have all the words, at most `EACH` of a kind; titles come first.

    A constant number of queries. Nothing without words.
    """
    if not search.words:
        return []
    places = [Result(marked(str(name), search), reverse(url)) for name, url in PLACES
              if all(word in str(name).lower() for word in search.words)]  # fmt: skip
    groups = [Group(_("Pages"), places)]
    if identity.participant_ids:
        groups += [reader(identity, search) for reader in _READERS]
    return [group for group in groups if group.results]


def _todos(identity: Identity, search: Search) -> Group:
    fields = ("title", "details", "assignee", "tags", "project__name")
    rows = _matches(_own(Task, identity).select_related("project"), search, fields, "title")
    query = urlencode({"tab": "all", "q": search.typed})
    return Group(
        _("To-dos"),
        [_result(row.title, reverse("todos:todo", args=[row.pk]), search, [row.details],
                 [str(words.TASK_STATUS[row.status]), row.project.name if row.project else ""])
         for row in rows],
        f"{reverse('todos:list')}?{query}",
    )  # fmt: skip


def _projects(identity: Identity, search: Search) -> Group:
    rows = _matches(_own(Project, identity), search, _PROJECT_TEXTS, "name")
    results = [
        _result(row.name, reverse("projects:project", args=[row.pk]), search, _texts(row),
                [str(words.PROJECT_STATUS[row.status])])
        for row in rows
    ]  # fmt: skip
    return Group(_("Projects"), results)


def _drafts(identity: Identity, search: Search) -> Group:
    drafts = _own(ProjectDraft, identity).filter(status=ProjectDraft.Status.IN_PROGRESS)
    rows = _matches(drafts, search, _PROJECT_TEXTS, "name")
    results = [
        _result(row.name or _("Without a name"), reverse("projects:draft", args=[row.pk]), search,
                _texts(row), [])
        for row in rows
    ]  # fmt: skip
    return Group(_("Drafts"), results)


def _notes(identity: Identity, search: Search) -> Group:
    living = _own(Note, identity).filter(project__deleted_at=None).select_related("project")
    rows = _matches(living, search, ("title", "text"), "title")
    results = [
        _result(
            row.title or row.text[:60],
            f"{reverse('projects:project', args=[row.project_id])}#notes",
            search, [row.text], [row.project.name],
        )
        for row in rows
    ]  # fmt: skip
    return Group(_("Notes"), results)


def _talks(identity: Identity, search: Search) -> Group:
    rows = library.page_of(identity, "active", search=search).rows[:EACH]
    results = [
        Result(
            row.title_pieces,
            f"{row.url}?at={row.hit.message_id}#m-{row.hit.message_id}" if row.hit else row.url,
            [row.kind, row.when],
            row.hit.pieces if row.hit else (),
        )
        for row in rows
        if row.url
    ]
    query = urlencode({"q": search.typed})
    return Group(_("Conversations"), results, f"{reverse('chat:sessions')}?{query}")


def _surveys(identity: Identity, search: Search) -> Group:
    own = WorkTask.objects.filter(
        _ALIVE,
        response__session__participant_id__in=identity.participant_ids,
        response__session__deleted_at=None,
    ).select_related("response")
    fields = ("statement", "english", "raw", "response__job_title")
    rows = _matches(own, search, fields, "statement")
    results = [
        _result(row.statement, reverse("survey:tasks", args=[row.response.session_id]), search, [],
                [row.response.job_title])
        for row in rows
    ]  # fmt: skip
    return Group(_("Survey results"), results)


_READERS: Final = (_todos, _projects, _drafts, _notes, _talks, _surveys)


def _own(kind: type[RowT], identity: Identity) -> QuerySet[RowT]:
    return kind._default_manager.filter(_ALIVE, owner_id__in=identity.participant_ids)


def _matches(
    rows: QuerySet[Any], search: Search, fields: Sequence[str], title: str
) -> QuerySet[Any]:
    """Rows that have every word in some field; those that have all in their title first."""
    everywhere = reduce(and_, (_in(fields, word) for word in search.words))
    in_title = reduce(and_, (_in([title], word) for word in search.words))
    first = Case(When(in_title, then=Value(0)), default=Value(1))
    return rows.filter(everywhere).order_by(first, "-updated_at")[:EACH]


def _in(fields: Iterable[str], word: str) -> Q:
    return reduce(or_, (Q(**{f"{name}__icontains": word}) for name in fields))


def _texts(row: Project | ProjectDraft) -> list[str]:
    return [str(getattr(row, name)) for name in _PROJECT_TEXTS if name not in {"name", "tags"}]


def _result(
    title: str, url: str, search: Search, texts: Iterable[str], facts: Iterable[str]
) -> Result:
    """With the stretch of the first text that has one of the words, where the title has not all."""
    pieces = marked(title, search)
    found = () if all(word in title.lower() for word in search.words) else _passage(texts, search)
    return Result(pieces, url, [fact for fact in facts if fact], found)


def _passage(texts: Iterable[str], search: Search) -> Sequence[Piece]:
    for text in texts:
        pieces = passage(" ".join(text.split()), search)
        if any(piece.is_found for piece in pieces):
            return pieces
    return ()
