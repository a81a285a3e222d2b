"""What templates of a conversation need: its messages, how it stands, what lies beyond."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString

from chat.actions.sessions import mark_seen
from chat.events.log import tail
from chat.identity import identity_of
from chat.models import Message, Run, Session
from chat.pasted import ranges_in
from chat.presenters import Notes, Presenter, Rendered, marked, presenter_for
from chat.queries import (
    Conversation,
    MessageWithRun,
    Place,
    conversation,
)
from futura.llm.stages import is_configured
from futura.parameters import key, whole

READ: Final = 200  # messages for somebody who only reads
_LAST: Final = 1_000_000  # messages that wait stand after everything said


class MessageView:
    def __init__(
        self,
        item: MessageWithRun,
        session: Session,
        presenter: Presenter,
        request: HttpRequest | None,
        notes: Notes,
    ) -> None:
        message, run = item.message, item.run
        self.id = message.pk
        self.is_person = message.role == Message.Role.PERSON
        self.order = message.seq + (_LAST if message.status == Message.Status.QUEUED else 0)
        self.state = message.status
        self.text = message.text
        self.html = marked(message, notes.marks) if self.is_person else presenter.html(message)
        self.has_pasted = self.is_person and bool(ranges_in(message.parts))
        result = (presenter.part(part, message=message, session=session) for part in message.parts)
        self.parts = [part_html(rendered, request) for rendered in result if rendered is not None]
        self.foot, self.foot_url = notes.foot, notes.url
        self.run, self.stage = run, run.stage if run else ""
        self.can_retry, self.can_continue = item.can_retry, item.can_continue
        self.is_basic = _is_by_fallback(item)
        # what an answer that broke off had kept, while it is the last one
        has_broken_off = run is not None and item.can_retry and run.reply_id == message.pk
        self.written = presenter.written(run, session=session) if run and has_broken_off else ()
        self.rated = item.rated
        self.form = _open_form(item, request)

    @property
    def is_bare(self) -> bool:
        """Whether it has only its text: a person's message, or a reply that has just begun."""
        is_sent = self.is_person and self.state == "complete" and bool(self.text)
        has_more = self.parts or self.has_pasted or self.is_basic or self.foot or self.form
        return (is_sent or self.state == "streaming") and not has_more


def page_context(request: HttpRequest, session: Session) -> dict[str, Any]:
    """What the `chat/_….html` partials of a conversation page need (see chat/presenters.py).

    `?before=`, `?after=` (a seq) and `?at=` (a message's id) show another part than the end.
    What a person's own visit shows counts as seen.
    """
    displayed = conversation(session, place=place_in(request.GET))
    presenter = presenter_for(session.kind)
    return {
        "request": request,
        "chat": {
            "session": session,
            "seen": _seen(request, displayed),
            "messages": displayed_views(displayed, presenter, request),
            **beyond(displayed, presenter),
            "socket": socket_url(session, "chat"),
            "cursor": displayed.cursor,
            "client_id": uuid.uuid4(),
            "limit": presenter.message_chars,
            "label": presenter.composer_label,
            "placeholder": presenter.composer_placeholder,
            "reasons": presenter.reasons,
            "can_transcribe": is_configured(),
            "marks_pasted": presenter.has_operations,
            "draft_pasted": json.dumps(session.draft_pasted if session.draft else []),
            **run_state(session, displayed.active),
        },
    }


def log_context(request: HttpRequest, session: Session) -> dict[str, Any]:
    """What `chat/_turns.html` needs: a further stretch, for a page that has what is beside it."""
    place = place_in(request.GET)
    displayed = conversation(session, place=place)
    presenter = presenter_for(session.kind)
    around = beyond(displayed, presenter)
    # the page it goes into has the other side already
    around["has_later" if place.before is not None else "has_earlier"] = False
    return {"chat": {"messages": displayed_views(displayed, presenter, request), **around}}


def place_in(query: Mapping[str, str]) -> Place:
    """The part of a conversation that an address asks for; its end for anything unusable."""
    return Place(
        before=whole(query.get("before")), after=whole(query.get("after")), at=key(query.get("at"))
    )


def beyond(displayed: Conversation, presenter: Presenter) -> dict[str, Any]:
    seqs = [item.message.seq for item in displayed.messages]
    return {
        "has_earlier": displayed.has_earlier,
        "has_later": displayed.has_later,
        "first": min(seqs, default=0),
        "last": max(seqs, default=0),
        "page_url": presenter.page_url(displayed.session),
        "log_url": reverse("chat:log", args=[displayed.session.pk]),
    }


def _seen(request: HttpRequest, displayed: Conversation) -> int:
    """Remembers the seq that a visit shows; a browser that only reads ahead shows it to nobody."""
    purpose = request.headers.get("Sec-Purpose", "") + request.headers.get("Purpose", "")
    done = [
        item.message.seq
        for item in displayed.messages
        if item.message.status not in {Message.Status.STREAMING, Message.Status.QUEUED}
    ]
    if not done or request.method != "GET" or "prefetch" in purpose:
        return 0
    mark_seen(identity=identity_of(request), session=displayed.session, seq=max(done))
    return max(done)


def transcript(session: Session) -> list[MessageView]:
    """The end of a conversation to read, for somebody who may but has no part in it."""
    displayed = conversation(session, limit=READ)
    items = [*displayed.messages, *displayed.waiting]
    return views_of(items, session, presenter_for(session.kind), to_read=True)


def follow_context(session: Session, view: str) -> dict[str, Any]:
    """What `chat/_follow.html` needs, for pages that follow a session without showing its talk.

    Call it before reading what the page shows: events from here on reach the page.
    """
    end = str(tail(session.pk) or "")
    return {"chat_follow": {"socket": socket_url(session, view), "cursor": end}}


def socket_url(session: Session, view: str) -> str:
    """Where a page's socket connects; the cursor is added by the page."""
    return f"/ws/session/{session.pk}/?view={view}"


def displayed_views(
    displayed: Conversation, presenter: Presenter, request: HttpRequest | None = None
) -> list[MessageView]:
    return views_of(
        [*displayed.messages, *displayed.waiting], displayed.session, presenter, request
    )


def views_of(
    items: Sequence[MessageWithRun],
    session: Session,
    presenter: Presenter,
    request: HttpRequest | None = None,
    *,
    to_read: bool = False,
) -> list[MessageView]:
    notes = presenter.notes([item.message for item in items], session=session)
    if to_read:
        notes = {message_id: these.to_read() for message_id, these in notes.items()}
    return [
        MessageView(item, session, presenter, request, notes.get(item.message.pk, Notes()))
        for item in items
    ]


def _is_by_fallback(item: MessageWithRun) -> bool:
    """Whether an answer was made without the model that is there for it."""
    is_done = item.message.status == Message.Status.COMPLETE
    is_set_up = is_configured()
    return is_set_up and is_done and item.run is not None and item.run.basic_mode


def _open_form(item: MessageWithRun, request: HttpRequest | None) -> str:
    """`edit` or `why` where a page without JavaScript asks for that form in this message."""
    query = request.GET if request is not None else {}
    is_person = item.message.role == Message.Role.PERSON
    name = "edit" if is_person else "why"
    is_open = item.message.status == Message.Status.STREAMING
    return name if query.get(name) == str(item.message.pk) and not is_open else ""


def part_html(rendered: Rendered, request: HttpRequest | None = None) -> SafeString:
    """With a request, forms carry its token; fragments for open pages send it as a header."""
    return render_to_string(rendered.template, dict(rendered.context), request)


def run_state(session: Session, active: Run | None) -> dict[str, Any]:
    return {
        "state": "streaming" if active else "idle",
        "run_id": active.pk if active else "",
        "session": session,
        "is_basic": not is_configured(),
    }
