"""The search over everything a person has: rows with all the words, and rows near in meaning."""

from __future__ import annotations

import datetime as dt
import logging
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import and_, or_
from typing import Any, Final, Literal

import numpy as np
from django.conf import settings
from django.db.models import Case, Q, QuerySet, Value, When
from django.urls import reverse
from django.utils.translation import gettext as _
from pydantic import BaseModel

from chat import library
from chat.identity import Identity
from chat.models import Message
from chat.searching import Search, passage
from futura.errors import FuturaError
from onet.embeddings import LEXICAL, encoder
from projects import field_labels
from projects.commands.wording import LONG
from projects.models import Note, Project, ProjectDraft, Task
from projects.project_page import page_of
from projects.queries import living
from tasks.models import WorkTask

EACH: Final = 6  # matches of one kind
TITLE_CHARS: Final = 120
_ALIVE: Final = Q(deleted_at__isnull=True)
_OVER: Final = (*Task.CLOSED, Project.Status.ARCHIVED)  # a completed project is called alike
_PROJECT_TEXTS: Final = ("name", "tags", *LONG)

Kind = Literal["todo", "project", "draft", "note", "conversation", "message", "survey_task"]


_Shown = tuple[str, str, Sequence[Any], Sequence[str]]


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
    title first, what is over last, then the newest. A constant number of queries; nothing without
    words.
    """
    if not search.words or not identity.participant_ids:
        return []
    result = {
        kind: [match_of(kind, row, search) for row in _rows(rows, search, fields)]
        for kind, rows, fields in sources_of(identity)
    }
    surveys = result.pop("survey_task")
    rows = [match for matches in result.values() for match in matches]
    return [*rows, *_talks(identity, search), *surveys]


def sources_of(identity: Identity) -> Sequence[tuple[Kind, QuerySet[Any], Sequence[str]]]:
    """The caller's own living rows by kind, and the fields in which words stand, title first."""
    surveys = WorkTask.objects.filter(
        _ALIVE,
        response__session__participant_id__in=identity.participant_ids,
        response__session__deleted_at=None,
    )
    drafts = living(ProjectDraft, identity).filter(status=ProjectDraft.Status.IN_PROGRESS)
    notes = living(Note, identity).filter(project__deleted_at=None)
    return (
        ("todo", living(Task, identity).select_related("project"),
         ("title", "details", "assignee", "tags", "project__name")),
        ("project", living(Project, identity), _PROJECT_TEXTS),
        ("draft", drafts, _PROJECT_TEXTS),
        ("note", notes.select_related("project"), ("title", "text")),
        ("survey_task", surveys.select_related("response"),
         ("statement", "english", "raw", "response__job_title")),
    )  # fmt: skip


def _talks(identity: Identity, search: Search) -> Iterator[Match]:
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


def _rows(rows: QuerySet[Any], search: Search, fields: Sequence[str]) -> QuerySet[Any]:
    everywhere = reduce(and_, (_has(fields, word) for word in search.words))
    in_title = reduce(and_, (_has(fields[:1], word) for word in search.words))
    first = Case(When(in_title, then=Value(0)), default=Value(1))
    over = Case(When(status__in=_OVER, then=Value(1)), default=Value(0))
    order = [first, over] if rows.model in {Task, Project} else [first]
    return rows.filter(everywhere).order_by(*order, "-updated_at")[:EACH]


def _has(fields: Iterable[str], word: str) -> Q:
    return reduce(or_, (Q(**{f"{name}__icontains": word}) for name in fields))


def match_of(kind: Kind, row: Any, search: Search) -> Match:
    """A row as the search shows it."""
    title, url, facts, texts = _SHOWN[kind](row)
    is_titled = all(word in title.lower() for word in search.words)
    return Match(
        kind=kind, id=row.pk, title=" ".join(title.split())[:TITLE_CHARS], url=url,
        excerpt="" if is_titled else _excerpt(texts, search),
        when=getattr(row, "updated_at", row.created_at),
        facts=[str(fact) for fact in facts if fact],
    )  # fmt: skip


def _project(row: Project | ProjectDraft) -> _Shown:
    texts = [str(getattr(row, name)) for name in _PROJECT_TEXTS if name not in {"name", "tags"}]
    if isinstance(row, ProjectDraft):
        return row.name or _("Untitled"), reverse("projects:draft", args=[row.pk]), (), texts
    status = field_labels.PROJECT_STATUS[row.status]
    return str(row), reverse("projects:project", args=[row.pk]), (status,), texts


def _task(row: Task) -> _Shown:
    facts = field_labels.TASK_STATUS[row.status], row.project.name if row.project else ""
    return row.title, reverse("todos:todo", args=[row.pk]), facts, [row.details]


def _note(row: Note) -> _Shown:
    url = f"{reverse('projects:project', args=[row.project_id])}?notes=all#notes"
    return str(row), url, (row.project.name,), [row.text]


def _survey_task(row: WorkTask) -> _Shown:
    url = reverse("survey:tasks", args=[row.response.session_id])
    return row.statement, url, (row.response.job_title,), [row.raw]


def _message(row: Message) -> _Shown:
    page = page_of(row.session)
    url = f"{page}?at={row.pk}#m-{row.pk}" if page else ""
    return row.session.title or row.text, url, (), [row.text]


_SHOWN: Final[Mapping[Kind, Callable[[Any], _Shown]]] = {
    "todo": _task, "project": _project, "draft": _project, "note": _note,
    "survey_task": _survey_task, "message": _message,
}  # fmt: skip
"""Title, address, a few words of what it is, and texts in which the words may stand."""


def _excerpt(texts: Iterable[str], search: Search) -> str:
    for text in texts:
        pieces = passage(" ".join(text.split()), search)
        if any(piece.is_found for piece in pieces):
            return "".join(piece.text for piece in pieces)
    return ""


log = logging.getLogger(__name__)

NEWEST: Final = 40  # candidates of each kind
CHARS: Final = 600  # of each candidate that are embedded
EXCERPT_CHARS: Final = 220
NEAR: Final = 0.35  # cosine; what is farther away is not what was meant


def near_matches(identity: Identity, search: Search, there: Collection[Match]) -> list[Match]:
    """At most six rows that are near, the nearest first, without those that are `there`.

    Nothing where no embedding model is set up, or while it is away. A constant number of queries.
    """
    if settings.EMBEDDINGS in {"", LEXICAL} or not search.typed or not identity.participant_ids:
        return []
    existing = {match.id for match in there}
    candidates = [
        candidate for candidate in _candidates(identity) if candidate[1].pk not in existing
    ]
    texts = [" ".join(text.split())[:CHARS] for _kind, _row, text in candidates]
    if not texts:
        return []
    try:
        vectors = encoder(settings.EMBEDDINGS)([search.typed, *texts])
    except FuturaError as error:
        log.warning("the search goes on without vectors: %s", error)
        return []
    scores = vectors[1:] @ vectors[0]
    best = [int(place) for place in np.argsort(-scores)[:EACH] if scores[place] >= NEAR]
    return [
        match_of(*candidates[place][:2], search).model_copy(
            update={"excerpt": texts[place][:EXCERPT_CHARS]}
        )
        for place in best
    ]


def _candidates(identity: Identity) -> Sequence[tuple[Kind, Any, str]]:
    matches: list[tuple[Kind, Any, str]] = []
    for kind, rows, fields in sources_of(identity):
        for row in rows.order_by("-updated_at")[:NEWEST]:
            text = " ".join(str(getattr(row, name) or "") for name in fields if "__" not in name)
            matches.append((kind, row, text))
    own = Message.objects.filter(
        session__participant_id__in=identity.participant_ids, session__deleted_at=None,
        superseded_at=None,
    ).select_related("session")  # fmt: skip
    matches += [("message", row, row.text) for row in own.order_by("-created_at")[:NEWEST]]
    return matches
