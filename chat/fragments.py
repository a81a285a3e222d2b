"""What events change on an open page, as fragments out of band: messages, parts, the stage, the
state of the run, words; read once, drawn from templates.
"""

from __future__ import annotations

import html as markup
import re
import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from chat import hot
from chat.assistant import cards as ledger
from chat.events.kinds import Reference, ReplyStart
from chat.models import OPEN, Message, Run, Session
from chat.operations import notifications, rendering
from chat.presenters import Presenter, Rendered, presenter_for
from chat.queries import MessageWithRun, conversation, first_open, with_run
from chat.render import MessageView, beyond, displayed_views, part_html, run_state, views_of


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
    html = fragments_html(presenter.snapshot(session=session, view=view))
    if _has_panel(presenter, view):
        html += fragments_html(rendering.snapshot(session))
    growing: dict[uuid.UUID, Growing] = {}
    if view == "chat":
        context = {
            "messages": displayed_views(displayed, presenter),
            **beyond(displayed, presenter),
        }
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
        fragments_html(presenter.fragments(ref, session=session, view=view)) for ref in features
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
    return "".join(part_html(part) for part in parts)


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
    html += "".join(
        f'<article id="m-{pk}" hx-swap-oob="delete"></article>' for pk in requested - set(views)
    )
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


def _stage_html(run: Run, ids: set[uuid.UUID], views: Mapping[uuid.UUID, MessageView]) -> str:
    """The stage of a reply; one that was settled since its run was read has no place for it."""
    if not run.reply_id or run.status != Run.Status.RUNNING:
        return ""
    view = views.get(run.reply_id)
    if run.reply_id in ids and (view is None or view.state != "streaming"):
        return ""
    context = {"id": run.reply_id, "stage": run.stage, "oob": True}
    return render_to_string("chat/_stage.html", context)
