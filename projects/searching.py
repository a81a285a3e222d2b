"""The search over everything a person has: to-dos, projects, drafts, notes, talks, surveys.

The page, the box, the concierge's tool and programs all get their rows here.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from operator import and_, or_
from typing import Any, Final, Literal

from django.db.models import Case, Q, QuerySet, Value, When
from django.urls import reverse
from django.utils.translation import gettext as _
from pydantic import BaseModel

from chat import library
from chat.identity import Identity
from chat.searching import Search, passage
from projects import dimensions, words
from projects.models import Note, Project, ProjectDraft, Task
from tasks.models import WorkTask

EACH: Final = 6  # matches of one kind
TITLE_CHARS: Final = 120
_ALIVE: Final = Q(deleted_at__isnull=True)
_PROJECT_TEXTS: Final = (
    "name", "description", "context", "executive_summary", "tags", *dimensions.FIELDS,
)  # fmt: skip

Kind = Literal["todo", "project", "draft", "note", "conversation", "message", "survey_task"]


class Match(BaseModel):
    """A row that has all the words: where it is, and the passage in which they stand.

    `excerpt` is empty where the title has them all. `facts` are a few words of what it is.
    """

    kind: Kind
    id: uuid.UUID
    title: str
    excerpt: str
    url: str
    when: dt.datetime
    facts: list[str] = []


def matches_of(identity: Identity, search: Search) -> list[Match]:
    """The caller's own rows, kind by kind, at most `EACH` of one; those with the words in their
    title first, then the newest. A constant number of queries; nothing without words.
    """
    if not search.words or not identity.participant_ids:
        return []
    return [match for read in _READERS for match in read(identity, search)]


def _todos(identity: Identity, search: Search) -> Iterator[Match]:
    fields = ("title", "details", "assignee", "tags", "project__name")
    for row in _rows(_own(Task, identity).select_related("project"), search, fields):
        url = reverse("todos:todo", args=[row.pk])
        facts = [str(words.TASK_STATUS[row.status]), row.project.name if row.project else ""]
        yield _match("todo", row, row.title, url, search, [row.details], facts)


def _projects(identity: Identity, search: Search) -> Iterator[Match]:
    for row in _rows(_own(Project, identity), search, _PROJECT_TEXTS):
        url, facts = reverse("projects:project", args=[row.pk]), [words.PROJECT_STATUS[row.status]]
        yield _match("project", row, str(row), url, search, _texts(row), facts)


def _drafts(identity: Identity, search: Search) -> Iterator[Match]:
    own = _own(ProjectDraft, identity).filter(status=ProjectDraft.Status.IN_PROGRESS)
    for row in _rows(own, search, _PROJECT_TEXTS):
        url = reverse("projects:draft", args=[row.pk])
        yield _match("draft", row, row.name or _("Without a name"), url, search, _texts(row))


def _notes(identity: Identity, search: Search) -> Iterator[Match]:
    own = _own(Note, identity).filter(project__deleted_at=None).select_related("project")
    for row in _rows(own, search, ("title", "text")):
        url = f"{reverse('projects:project', args=[row.project_id])}#notes"
        yield _match("note", row, str(row), url, search, [row.text], [row.project.name])


def _talks(identity: Identity, search: Search) -> Iterator[Match]:
    """Conversations by what was said in them last, or by their titles."""
    for row in library.page_of(identity, "active", search=search).rows[:EACH]:
        hit, at = row.hit, row.session.updated_at
        url = f"{row.url}?at={hit.message_id}#m-{hit.message_id}" if hit else row.url
        if row.url:
            yield Match(
                kind="message" if hit else "conversation",
                id=hit.message_id if hit else row.session.pk, title=row.title, url=url, when=at,
                excerpt="".join(piece.text for piece in hit.pieces) if hit else "",
                facts=[row.kind, row.when],
            )  # fmt: skip


def _surveys(identity: Identity, search: Search) -> Iterator[Match]:
    own = WorkTask.objects.filter(
        _ALIVE,
        response__session__participant_id__in=identity.participant_ids,
        response__session__deleted_at=None,
    ).select_related("response")
    for row in _rows(own, search, ("statement", "english", "raw", "response__job_title")):
        url = reverse("survey:tasks", args=[row.response.session_id])
        facts = [row.response.job_title]
        yield _match("survey_task", row, row.statement, url, search, [row.raw], facts)


_READERS: Final[Sequence[Callable[[Identity, Search], Iterator[Match]]]] = (
    _todos, _projects, _drafts, _notes, _talks, _surveys,
)  # fmt: skip


def _own(kind: Any, identity: Identity) -> QuerySet[Any]:
    own: QuerySet[Any] = kind.objects.filter(_ALIVE, owner_id__in=identity.participant_ids)
    return own


def _rows(rows: QuerySet[Any], search: Search, fields: Sequence[str]) -> QuerySet[Any]:
    """Rows that have every word in some field; those that have all in the first of them first."""
    everywhere = reduce(and_, (_has(fields, word) for word in search.words))
    in_title = reduce(and_, (_has(fields[:1], word) for word in search.words))
    first = Case(When(in_title, then=Value(0)), default=Value(1))
    return rows.filter(everywhere).order_by(first, "-updated_at")[:EACH]


def _has(fields: Iterable[str], word: str) -> Q:
    return reduce(or_, (Q(**{f"{name}__icontains": word}) for name in fields))


def _texts(row: Project | ProjectDraft) -> list[str]:
    return [str(getattr(row, name)) for name in _PROJECT_TEXTS if name not in {"name", "tags"}]


def _match(
    kind: Kind, row: Any, title: str, url: str, search: Search, texts: Sequence[str],
    facts: Iterable[Any] = (),
) -> Match:  # fmt: skip
    is_titled = all(word in title.lower() for word in search.words)
    return Match(
        kind=kind, id=row.pk, title=" ".join(title.split())[:TITLE_CHARS], url=url,
        excerpt="" if is_titled else _excerpt(texts, search), when=row.updated_at,
        facts=[str(fact) for fact in facts if fact],
    )  # fmt: skip


def _excerpt(texts: Iterable[str], search: Search) -> str:
    """The passage of the first text that has one of the words."""
    for text in texts:
        pieces = passage(" ".join(text.split()), search)
        if any(piece.is_found for piece in pieces):
            return "".join(piece.text for piece in pieces)
    return ""
