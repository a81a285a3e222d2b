"""The engine's fragments: messages, stage line, run state, tokens; whole for pages, out of band
for open ones."""

from __future__ import annotations

import html as markup
import json
import re
import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.html import format_html
from django.utils.safestring import SafeString

from chat import hot
from chat.actions.sessions import mark_seen
from chat.assistant import cards as ledger
from chat.events.kinds import Reference, ReplyStart
from chat.events.log import tail
from chat.identity import identity_of
from chat.models import OPEN, Message, Run, Session
from chat.operations import notifications, rendering
from chat.pasted import ranges_in
from chat.presenters import Notes, Presenter, Rendered, marked, presenter_for
from chat.queries import (
    Conversation,
    MessageWithRun,
    Place,
    conversation,
    first_open,
    with_run,
)
from futura.llm.stages import is_configured
from futura.parameters import key

_SEQ: Final = re.compile(r"[0-9]{1,9}")
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
        self.parts = [_html(rendered, request) for rendered in result if rendered is not None]
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


@dataclass(frozen=True)
class Growing:
    """A reply that an open page is receiving: under which lease, and how much it has."""

    lease: uuid.UUID
    have: int


@dataclass(frozen=True)
class Changes:
    """Fragments for an open page, and the replies that stream on after them."""

    html: str = ""
    growing: Mapping[uuid.UUID, Growing] = field(default_factory=dict)
    settled: frozenset[uuid.UUID] = frozenset()
    cursor: str = ""
    is_busy: bool = False


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
            "messages": _views(displayed, presenter, request),
            **_beyond(displayed, presenter),
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
    beyond = _beyond(displayed, presenter)
    # the page it goes into has the other side already
    beyond["has_later" if place.before is not None else "has_earlier"] = False
    return {"chat": {"messages": _views(displayed, presenter, request), **beyond}}


def place_in(query: Mapping[str, str]) -> Place:
    """The part of a conversation that an address asks for; its end for anything unusable."""
    return Place(
        before=_seq(query.get("before")), after=_seq(query.get("after")), at=key(query.get("at"))
    )


def _seq(text: str | None) -> int | None:
    return int(text) if text and _SEQ.fullmatch(text) else None


def _beyond(displayed: Conversation, presenter: Presenter) -> dict[str, Any]:
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


def transcript(session: Session, *, limit: int = 200) -> list[MessageView]:
    """The end of a conversation to read, for somebody who may but has no part in it."""
    displayed = conversation(session, limit=limit)
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


def _views(
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


def _html(rendered: Rendered, request: HttpRequest | None = None) -> SafeString:
    """With a request, forms carry its token; fragments for open pages send it as a header."""
    return render_to_string(rendered.template, dict(rendered.context), request)


def _message_html(view: MessageView) -> str:
    if not view.is_bare:
        return render_to_string("chat/_message.html", {"m": view, "oob": True})
    values = {
        _ID: str(view.id),
        _ORDER: str(view.order),
        _TEXT: markup.escape(view.text),
        _HTML: view.html,
        _STAGE: markup.escape(view.stage),
    }
    return _bare(
        translation.get_language(), is_person=view.is_person, state=view.state, values=values
    )


def _bare(language: str, *, is_person: bool, state: str, values: Mapping[str, str]) -> str:
    pieces = _bare_message(language, is_person, state)
    return "".join(values.get(piece, piece) for piece in pieces)


# Every turn shows a message without anything beside its text and a reply that has only begun, to
# every page. Drawn by their template each time they are a sixth of what a burst of answers costs
# the web process; so the template draws each once, with marks where its messages differ.
_ID, _ORDER = "7b8a6f5e-3d2c-4b1a-9f8e-6d5c4b3a2f1e", "918273645"
_TEXT, _HTML, _STAGE = "{text}", "{html}", "{stage}"
_MARKS: Final = re.compile(f"({_ID}|{_ORDER}|{_TEXT}|{_HTML}|{_STAGE})")


@lru_cache(maxsize=64)
def _bare_message(_language: str, is_person: bool, state: str) -> Sequence[str]:
    marked_view = {
        "id": uuid.UUID(_ID),
        "order": int(_ORDER),
        "is_person": is_person,
        "state": state,
        "text": _TEXT,
        "html": _HTML,
        "stage": _STAGE,
    }
    html = render_to_string("chat/_message.html", {"m": marked_view, "oob": True})
    return _MARKS.split(html)


def run_state(session: Session, active: Run | None) -> dict[str, Any]:
    return {
        "state": "streaming" if active else "idle",
        "run_id": active.pk if active else "",
        "session": session,
        "is_basic": not is_configured(),
    }


def _run_state_html(session: Session, active: Run | None, *, goes_to: str = "") -> str:
    context = {"chat": run_state(session, active), "oob": True, "goes_to": goes_to}
    return render_to_string("chat/_run_state.html", context)


def start_html(run_id: str, start: ReplyStart) -> str:
    """A reply that has just begun, and that its run is at work: nothing has to be read for it."""
    reply = _bare(
        translation.get_language(),
        is_person=False,
        state="streaming",
        values={
            _ID: str(start.reply_id),
            _ORDER: str(start.seq),
            _TEXT: "",
            _STAGE: markup.escape(start.stage),
        },
    )
    before, after = _streaming(translation.get_language())
    return f"{reply}{before}{markup.escape(run_id)}{after}"


@lru_cache(maxsize=16)
def _streaming(_language: str) -> Sequence[str]:
    state = {"state": "streaming", "run_id": _ID}
    html = render_to_string("chat/_run_state.html", {"chat": state, "oob": True, "goes_to": ""})
    return html.split(_ID)


def token_html(message_id: uuid.UUID, text: str) -> str:
    """The next stretch of a reply, appended to what the page has of it."""
    # sent for every stretch to every page: Django's wrappers would take longer than all the rest
    return f'<i hx-swap-oob="beforeend:#flow-{message_id}">{markup.escape(text)}</i>'


def cursor_html(cursor: str) -> str:
    """How far the page has read; it says so when it connects again."""
    return f'<i id="log-cursor" data-after="{markup.escape(cursor)}" hx-swap-oob="true" hidden></i>'


def snapshot(session_id: uuid.UUID, view: str) -> Changes:
    """Everything of a page that events change, from PostgreSQL, and the cursor to go on from."""
    session = Session.objects.get(pk=session_id)
    presenter = presenter_for(session.kind)
    displayed = conversation(session)
    html = "".join(_html(part) for part in presenter.snapshot(session=session, view=view))
    if _has_panel(presenter, view):
        html += fragments_html(rendering.snapshot(session))
    growing: dict[uuid.UUID, Growing] = {}
    if view == "chat":
        context = {"messages": _views(displayed, presenter), **_beyond(displayed, presenter)}
        html += render_to_string("chat/_log.html", {"chat": context, "oob": True})
        html += _run_state_html(session, displayed.active)
        growing = _growing(displayed.messages)
    return Changes(html, growing, cursor=displayed.cursor, is_busy=displayed.active is not None)


def opening(session_id: uuid.UUID) -> Changes:
    """What a page that connects with a valid cursor needs at once: the reply that is growing."""
    session, runs = hot.standing(session_id)
    active = first_open(runs)
    if active is None or active.reply_id is None or active.status != Run.Status.RUNNING:
        return Changes(is_busy=active is not None)
    messages = _messages_with_runs(session_id, {active.reply_id}, runs)
    presenter = presenter_for(session.kind)
    html = "".join(_message_html(view) for view in views_of(messages, session, presenter))
    return Changes(html, _growing(messages), cursor=active.log_cursor, is_busy=True)


def changes(
    session_id: uuid.UUID, references: Sequence[Reference], view: str, have: Iterable[uuid.UUID]
) -> Changes:
    """What these events change on an open page that is already receiving the replies `have`."""
    have = set(have)
    names = _ids(references, "run") | _ids(references, "stage")
    ids = _ids(references, "message") | _ids(references, "part")
    session, runs = hot.standing(session_id, messages=list(ids), runs=list(names))
    presenter = presenter_for(session.kind)
    features = [ref for ref in references if ref.kind in presenter.event_kinds]
    html = "".join(
        _html(part)
        for ref in features
        for part in presenter.fragments(ref, session=session, view=view)
    )
    html += _operations(session, presenter, references, view)
    if view != "chat":
        return Changes(html)
    return _talk_changes(session, presenter, references, have, html, runs)


def _operations(
    session: Session, presenter: Presenter, references: Sequence[Reference], view: str
) -> str:
    ids = [ref.id for ref in references if ref.kind == notifications.KIND]
    if not ids or not _has_panel(presenter, view):
        return ""
    return fragments_html(rendering.fragments(session, ids))


def _has_panel(presenter: Presenter, view: str) -> bool:
    return view == rendering.VIEW or (view == "chat" and presenter.has_operations)


def fragments_html(parts: Iterable[Rendered]) -> str:
    return "".join(_html(part) for part in parts)


def _talk_changes(
    session: Session,
    presenter: Presenter,
    references: Sequence[Reference],
    have: set[uuid.UUID],
    html: str,
    standing: Sequence[Run],
) -> Changes:
    by_kind = {kind: _ids(references, kind) for kind in ("message", "run", "stage", "part")}
    runs = {run.pk: run for run in standing}
    requested = by_kind["message"] | _replies(runs, by_kind["run"], have)
    if presenter.has_operations:
        batches = [ref.id for ref in references if ref.kind == notifications.KIND]
        if changed := ledger.answers(session.pk, batches) - have:
            requested |= changed
            _session, standing = hot.standing(session.pk, messages=list(requested), runs=list(runs))
    has_ended = any(ref.kind == "ended" for ref in references)
    says_state = bool(by_kind["run"]) or has_ended
    displayed = _messages_with_runs(session.pk, requested | by_kind["part"], standing)
    active = first_open(standing)
    views = {view.id: view for view in views_of(displayed, session, presenter)}
    html += "".join(_message_html(view) for pk, view in views.items() if pk in requested)
    html += "".join(_gone(pk) for pk in requested - set(views))
    html += "".join(
        render_to_string("chat/_parts.html", {"m": view, "oob": True})
        for pk, view in views.items()
        if pk in by_kind["part"] - requested
    )
    html += "".join(
        _stage_html(runs[pk], requested, views) for pk in by_kind["stage"] if pk in runs
    )
    growing = _growing([item for item in displayed if item.message.pk in requested])
    if says_state:
        goes_to = _end_of(session, presenter) if has_ended else ""
        html += _run_state_html(session, active, goes_to=goes_to)
    return Changes(
        html,
        growing,
        settled=frozenset(requested - set(growing)),
        is_busy=active is not None or bool(growing),
    )


def _messages_with_runs(
    session_id: uuid.UUID, ids: Collection[uuid.UUID], runs: Sequence[Run]
) -> list[MessageWithRun]:
    """These messages as a page shows them."""
    return [with_run(message, runs) for message in hot.displayed(session_id, list(ids))]


def _end_of(session: Session, presenter: Presenter) -> str:
    if session.deleted_at is not None:
        return f"{reverse('chat:sessions')}?moved={session.pk}"
    return presenter.ended_url(session)


def _ids(references: Sequence[Reference], kind: str) -> set[uuid.UUID]:
    return {uuid.UUID(ref.id) for ref in references if ref.kind == kind}


def _replies(
    runs: Mapping[uuid.UUID, Run], changed: set[uuid.UUID], have: set[uuid.UUID]
) -> set[uuid.UUID]:
    """Messages to show anew because their run changed; not a reply that the page is receiving."""
    replies = {run.reply_id for pk, run in runs.items() if pk in changed and run.reply_id}
    own = {
        run.message_id
        for pk, run in runs.items()
        if pk in changed and run.message_id and run.status not in OPEN
    }
    streaming = {run.reply_id for run in runs.values() if run.status == Run.Status.RUNNING}
    return {pk for pk in replies | own if pk and not (pk in have and pk in streaming)}


def _growing(displayed: Sequence[MessageWithRun]) -> dict[uuid.UUID, Growing]:
    return {
        item.message.pk: Growing(item.run.lease, len(item.message.text))
        for item in displayed
        if item.message.status == Message.Status.STREAMING and item.run and item.run.lease
    }


def _gone(message_id: uuid.UUID) -> str:
    return format_html('<article id="m-{}" hx-swap-oob="delete"></article>', message_id)


def _stage_html(run: Run, ids: set[uuid.UUID], views: Mapping[uuid.UUID, MessageView]) -> str:
    """The stage of a reply; one that was settled since its run was read has no place for it."""
    if not run.reply_id or run.status != Run.Status.RUNNING:
        return ""
    view = views.get(run.reply_id)
    if run.reply_id in ids and (view is None or view.state != "streaming"):
        return ""
    context = {"id": run.reply_id, "stage": run.stage, "oob": True}
    return render_to_string("chat/_stage.html", context)
