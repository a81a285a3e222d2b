"""A person's list of conversations: one page of it by key, with marks, last words and search."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Literal

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject, Left
from django.http import HttpRequest
from django.template.defaultfilters import date as date_words
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from chat.identity import Identity, identity_of
from chat.models import Message, Run, Session
from chat.presenters import presenter_for
from chat.queries import IN_BIN_FOR
from chat.searching import Hit, Search, hits_in, marked, matching, plain_text
from futura.characters import closed
from futura.parameters import place_in, place_of

PAGE: Final = 30
PREVIEW_CHARS: Final = 160
TROUBLE: Final = (Run.Status.FAILED, Run.Status.INTERRUPTED)

Tab = Literal["active", "archived", "bin"]
TABS: Final[tuple[Tab, ...]] = ("active", "archived", "bin")


class Row:
    """One conversation in the list; `session` is read by `_with_marks`.

    `work` is running, queued, failed or nothing; `hit` where what is looked for was said.
    """

    def __init__(self, session: Any, hit: Hit | None, search: Search) -> None:
        presenter = presenter_for(session.kind)
        last, first = session.last_said or {}, session.first_said or {}
        binned: datetime | None = session.deleted_at
        self.session: Session = session
        self.title = title_of(session, first.get("text", ""))
        self.title_pieces = marked(self.title, search)
        self.kind = str(presenter.name)
        self.url = "" if binned else presenter.page_url(session)
        self.words = plain_text(last.get("text", ""), last.get("role", ""))
        self.is_own_words = last.get("role") == Message.Role.PERSON
        self.work = _work(session)
        self.is_unread: bool = session.is_unread and not binned
        self.gone_on = binned + IN_BIN_FOR if binned else None
        self.hit = hit

    @property
    def when(self) -> str:
        at = timezone.localtime(self.session.updated_at)
        today = timezone.localtime()
        if at.date() == today.date():
            return date_words(at, "H:i")
        return date_words(at, "j M" if at.year == today.year else "j M Y")


@dataclass(frozen=True)
class Page:
    """One page of the list; `next_key` is where the next one begins, empty at the end."""

    tab: Tab
    rows: Sequence[Row]
    next_key: str = ""
    search: Search = field(default_factory=Search)


def page_of(identity: Identity, tab: Tab, *, after: str = "", search: Search | None = None) -> Page:
    """A page of the caller's list, newest first.

    The same number of queries whatever is on it: the sessions with their marks and last words, one
    for the passages when something is looked for.
    """
    search = search or Search()
    sessions = _of_tab(_own(identity), tab)
    if search.is_asked:
        sessions = sessions.filter(matching(search, sessions))
    key = place_in(after)
    if key is not None:
        at, pk = key
        sessions = sessions.filter(Q(updated_at__lt=at) | Q(updated_at=at, pk__lt=pk))
    result = list(_with_marks(sessions).order_by("-updated_at", "-pk")[: PAGE + 1])
    more = len(result) > PAGE
    displayed = result[:PAGE]
    hits = hits_in(search, [session.pk for session in displayed])
    return Page(
        tab,
        _distinguished(_rows(displayed, hits, search)),
        place_of(displayed[-1].updated_at, displayed[-1].pk) if more else "",
        search,
    )


def rows_of(identity: Identity, ids: Sequence[uuid.UUID]) -> list[Row]:
    """Rows of the caller's own among some sessions, deleted or not, in the order asked for."""
    matches = {mark.pk: mark for mark in _with_marks(_own(identity).filter(pk__in=ids[:PAGE]))}
    return _rows([matches[pk] for pk in ids if pk in matches])


def row_of(session: Session) -> Row:
    return _rows([_with_marks(Session.objects.filter(pk=session.pk)).get()])[0]


def has_unread(identity: Identity) -> bool:
    """Whether any of the caller's active conversations has an answer not seen yet: one query."""
    if not identity.participant_ids:
        return False
    active = _of_tab(_own(identity), "active")
    return active.filter(Exists(_unseen())).exists()


def title_of(session: Session, first_words: str = "") -> str:
    """What to call a conversation: its title, else how it began, else the day that it did."""
    began = closed(" ".join(first_words.split())[:80])
    day = date_words(timezone.localtime(session.created_at), "l, j F")
    return session.title or began or day


def _distinguished(rows: list[Row]) -> list[Row]:
    """Rows of one kind and name on a page get the day and time at which each began."""
    times = Counter((row.kind, row.title) for row in rows)
    for row in rows:
        if times[row.kind, row.title] > 1:
            at = date_words(timezone.localtime(row.session.created_at), "j M, H:i")
            row.title = f"{row.title} · {at}"
            row.title_pieces = [*row.title_pieces, *marked(f" · {at}", Search())]
    return rows


def _own(identity: Identity) -> QuerySet[Session]:
    return Session.objects.filter(participant_id__in=identity.participant_ids)


def _of_tab(sessions: QuerySet[Session], tab: Tab) -> QuerySet[Session]:
    if tab == "bin":
        # what is due is as good as gone, whenever the job comes round
        return sessions.filter(deleted_at__gt=datetime.now(UTC) - IN_BIN_FOR)
    return sessions.filter(deleted_at__isnull=True, archived_at__isnull=tab == "active")


def _current_messages() -> QuerySet[Message]:
    return Message.objects.filter(session=OuterRef("pk"), superseded_at__isnull=True)


def _unseen() -> QuerySet[Message]:
    return _current_messages().filter(
        seq__gt=OuterRef("seen_seq"),
        role=Message.Role.ASSISTANT,
        status=Message.Status.COMPLETE,
    )


def _with_marks(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """What a row shows beside its session; each of these is a look at one end of an index."""
    words = JSONObject(role="role", text=Left("text", PREVIEW_CHARS))
    runs = Run.objects.filter(session=OuterRef("pk"))
    written = _current_messages().exclude(text="")
    return sessions.defer("state", "summary", "key_facts", "draft").annotate(
        last_said=Subquery(written.order_by("-seq").values(words=words)[:1]),
        first_said=Subquery(
            written.filter(role=Message.Role.PERSON).order_by("seq").values(words=words)[:1]
        ),
        last_run=Subquery(runs.order_by("-created_at").values("status")[:1]),
        is_running=Exists(runs.filter(status=Run.Status.RUNNING)),
        is_unread=Exists(_unseen()),
    )


def _rows(
    sessions: Sequence[Session],
    hits: Mapping[uuid.UUID, Hit] | None = None,
    search: Search | None = None,
) -> list[Row]:
    return [Row(session, (hits or {}).get(session.pk), search or Search()) for session in sessions]


def _work(session: Any) -> str:
    if session.deleted_at:
        return ""
    if session.is_running:
        return "running"
    if session.last_run == Run.Status.QUEUED:
        return "queued"
    return "failed" if session.last_run in TROUBLE else ""


def navigation(request: HttpRequest) -> dict[str, Any]:
    """The context processor: `conversations` on every page.

    `is_known`: the caller signed in, or this browser was here before; `has_unread`: one query.
    """
    return {
        "conversations": {
            "is_known": SimpleLazyObject(lambda: identity_of(request).is_known),
            "has_unread": SimpleLazyObject(lambda: has_unread(identity_of(request))),
        }
    }
