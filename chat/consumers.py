"""The socket of an open page: what happens in a session, as fragments; what the page sends."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
import uuid
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, Self, TypeVar
from urllib.parse import parse_qs

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import connection
from django.utils import timezone, translation
from django.utils.html import format_html
from django.utils.translation import gettext as _

from chat import fragments, languages, zones
from chat.actions.sessions import mark_seen
from chat.events.follow import Batch, Subscription, follow
from chat.events.kinds import Cursor, Entry, Reference, ReplyStart, Token, is_queued
from chat.identity import identity_of_scope
from chat.presenters import presenter_for
from chat.queries import session_for
from futura.errors import BadInput, FuturaError, NotFound, SignInNeeded
from futura.limits import SOCKET_FRAME_BYTES
from futura.threads import carried

log = logging.getLogger(__name__)

CLOSE_SIGN_IN: Final = 4401
CLOSE_NOT_FOUND: Final = 4404
CLOSE_TOO_BIG: Final = 1009
CLOSE_BROKEN: Final = 1011
HOLD_S: Final = 0.5  # a message that was sent waits so long for more to be read with it
QUIET_S: Final = 15.0  # a busy session that says nothing for so long is looked at
SNAPSHOT_EVERY_S: Final = 1.0
WITHOUT_LOG_S: Final = 3.0

THREADS: Final = 16  # most of them wait for the database and its disk

T = TypeVar("T")


_threads: Final = ThreadPoolExecutor(THREADS, thread_name_prefix="socket")


async def _in_thread(work: Callable[..., T], *args: Any) -> T:
    """Runs database code in a thread of the pool; the connection goes back afterwards."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_threads, carried(_then_released), work, *args)


def _then_released(work: Callable[..., T], *args: Any) -> T:
    try:
        return work(*args)
    finally:
        connection.close()


def _heed_cancelling() -> None:
    """Ends a task whose cancelling was forgotten by what it waited for."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


@dataclass(frozen=True)
class Due:
    """What is to be read, each once, and the last place in the log that told of it."""

    references: tuple[Reference, ...] = ()
    cursor: Cursor | None = None

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> Self:
        """What is told in two ways is no longer just what one of them says of it."""
        named: dict[tuple[str, str], Reference] = {}
        for reference in (entry.event for entry in entries):
            if isinstance(reference, Reference):
                name = reference.kind, reference.id
                is_twofold = name in named and named[name].version != reference.version
                named[name] = Reference(*name) if is_twofold else reference
        return cls(tuple(named.values()), entries[-1].cursor if entries else None)


class SessionSocket(AsyncWebsocketConsumer):  # type: ignore[misc]
    """`/ws/session/<uuid>/?view=…&after=…`: fragments out, `send`, `stop`, `seen`, `ping` in."""

    session_id: uuid.UUID
    view: str
    _following: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Lets owners in; strangers get a close code that pages understand."""
        self.session_id = self.scope["url_route"]["kwargs"]["session_id"]
        query = parse_qs(self.scope.get("query_string", b"").decode("latin-1"))
        self.view = query.get("view", ["chat"])[0]
        self._after = Cursor.parse(query.get("after", [""])[0])
        self._growing: dict[uuid.UUID, fragments.Growing] = {}
        self._beside: dict[uuid.UUID, fragments.Growing] = {}  # texts that grow beside a reply
        self._held: list[Entry] = []  # not read yet: the page's cursor stays before them
        self._held_until = 0.0
        self._is_busy = False
        self._language = settings.LANGUAGE_CODE
        self._shot_at = 0.0
        self._shot = ""
        zones.activate(zones.told_by(self.scope.get("cookies") or {}))
        await self.accept()
        refusal = await _in_thread(self._refusal)
        translation.activate(self._language)
        if refusal is None and re.fullmatch(r"[a-z]{1,20}", self.view):
            self._following = asyncio.create_task(self._follow(), name="socket")
        else:
            await self.close(refusal or CLOSE_NOT_FOUND)

    def _refusal(self) -> int | None:
        identity = identity_of_scope(self.scope)
        if not identity.is_known:
            return CLOSE_SIGN_IN
        try:
            session = session_for(identity, self.session_id)
        except NotFound:
            return CLOSE_NOT_FOUND
        chosen = identity.chosen_language
        self._language = languages.of_socket(
            presenter_for(session.kind).language(session, chosen=chosen) or chosen,
            identity.language,
            dict(self.scope.get("headers") or ()),
        )
        return None

    async def disconnect(self, _code: int) -> None:
        """Stops following; turns go on without any socket."""
        if self._following is not None:
            self._following.cancel()
            with suppress(asyncio.CancelledError):
                await self._following

    # Out ------------------------------------------------------------------------------------

    async def _follow(self) -> None:
        try:
            async with follow(self.session_id) as place:
                await self._begin(place)
                while True:
                    _heed_cancelling()
                    await self._show(await place.batch(self._patience_s()), place)
        except Exception:  # the page is told to come again, and finds everything
            log.exception("socket of session %s broke", self.session_id)
            await self.close(CLOSE_BROKEN)

    def _patience_s(self) -> float:
        return max(0.001, self._held_until - time.monotonic()) if self._held else QUIET_S

    async def _begin(self, place: Subscription) -> None:
        if self._after is None:
            return
        start = fragments.Changes()
        if self.view == "chat":
            start = await _in_thread(fragments.opening, self.session_id)
            self._growing = dict(start.growing)
            self._is_busy = start.is_busy
        await place.seek(self._after.or_earlier(Cursor.parse(start.cursor)))
        # in one frame with what the log has after it, so that no text is seen to go back
        await self._show(self._reread(await place.batch(0.0)), place, first=start.html)

    async def _show(self, batch: Batch, place: Subscription, first: str = "") -> None:
        if batch.is_lost:
            await self._snapshot(place)
            return
        if not batch.entries and not self._held:
            if first:
                await self.send(first)
            elif self._is_busy:
                await self._snapshot(place)
            return
        due = self._due(batch)
        starts = self._starts(batch)
        # a message that is shown anew comes before its words; they go ahead of all else, which has
        # to be read first
        shows_anew = not starts and any(ref.kind in {"message", "run"} for ref in due.references)
        text = "" if shows_anew else starts + self._tokens(batch, place)
        if text and due.references:
            await self.send(first + text)
            first = text = ""
        html, settled = await self._references(due, place)
        if shows_anew:
            text = self._tokens(batch, place, settled)
        cursor = "" if self._held else fragments.cursor_html(place.cursor)
        if frame := first + html + text + cursor:
            await self.send(frame)

    def _due(self, batch: Batch) -> Due:
        """What is to be read now. A message that was just sent waits for more to be read with it,
        since its sender's page shows it already; on a page that is receiving a reply nothing waits.
        """
        entries = [
            entry
            for entry in batch.entries
            if isinstance(entry.event, Reference) and entry.event.start is None
        ]
        waits = bool(entries) and is_queued(entries[-1].event) and not self._growing
        if waits and not self._held:
            self._held_until = time.monotonic() + HOLD_S
        self._held += entries
        if (entries and not waits) or time.monotonic() >= self._held_until:
            due, self._held = Due.of(self._held), []
            return due
        return Due()

    def _reread(self, batch: Batch) -> Batch:
        """With replies that begin in it as rows to read: the page may have them whole already."""
        entries = []
        for entry in batch.entries:
            run = entry.event
            if isinstance(run, Reference) and run.start and self._is_new(run.start):
                run = replace(run, start=None)
            entries.append(replace(entry, event=run))
        return replace(batch, entries=entries)

    def _is_new(self, start: ReplyStart) -> bool:
        growing = self._growing.get(start.reply_id)
        return growing is None or growing.lease != start.lease

    def _starts(self, batch: Batch) -> str:
        """The replies that a batch begins, but for those that this page has already."""
        html = ""
        for entry in batch.entries:
            run = entry.event
            if self.view != "chat" or not isinstance(run, Reference) or run.start is None:
                continue
            if self._is_new(run.start):
                self._growing[run.start.reply_id] = fragments.Growing(run.start.lease, 0)
                self._is_busy = True
                html += fragments.start_html(run.id, run.start)
        return html

    async def _references(self, due: Due, place: Subscription) -> tuple[str, Collection[uuid.UUID]]:
        """What these events change, read once for all pages of the session that look alike; and
        the messages among it that grow no more.
        """
        if not due.references:
            return "", ()
        have = frozenset(self._growing)
        looks = (self.view, translation.get_language(), str(timezone.get_current_timezone()))
        changed = await place.once(
            (due, have, *looks),
            lambda: _in_thread(fragments.changes, self.session_id, due.references, self.view, have),
        )
        for message_id in changed.settled:
            self._growing.pop(message_id, None)
        self._growing.update(changed.growing)
        self._is_busy = changed.is_busy or bool(self._growing)
        return changed.html, changed.settled

    def _tokens(
        self, batch: Batch, place: Subscription, settled: Collection[uuid.UUID] = ()
    ) -> str:
        """The words of the replies that this page has; words of one that it never learnt of send
        it to look, unless that is `settled` and stands there whole.
        """
        new: dict[uuid.UUID, str] = {}
        for entry in batch.entries:
            token = entry.event
            if not isinstance(token, Token) or self.view != "chat":
                continue
            growth = self._beside if token.is_beside else self._growing
            if token.is_beside and token.start == 0:  # whoever comes later finds it in the end
                growth.setdefault(token.message_id, fragments.Growing(token.lease, 0))
            growing = growth.get(token.message_id)
            if growing is None and not token.is_beside and token.message_id not in settled:
                place.lose()
                break
            if growing is None or growing.lease != token.lease or token.end <= growing.have:
                continue
            if token.start > growing.have:
                place.lose()
                break
            text = token.text[growing.have - token.start :]
            new[token.message_id] = new.get(token.message_id, "") + text
            growth[token.message_id] = fragments.Growing(token.lease, token.end)
        return "".join(fragments.token_html(pk, text) for pk, text in new.items())

    async def _snapshot(self, place: Subscription) -> None:
        """Shows the page as PostgreSQL has it and reads on from there; at most one a second."""
        pause_s = self._shot_at + SNAPSHOT_EVERY_S - time.monotonic()
        if pause_s > 0:
            await asyncio.sleep(pause_s)
        shot = await _in_thread(fragments.snapshot, self.session_id, self.view)
        self._shot_at = time.monotonic()
        self._growing = dict(shot.growing)
        self._beside = {}
        self._held = []
        self._is_busy = shot.is_busy
        if shot.html != self._shot:
            await self.send(shot.html + fragments.cursor_html(shot.cursor))
        self._shot = shot.html
        await place.seek(Cursor.parse(shot.cursor))
        if not shot.cursor:  # without Redis the rows are all there is: look again later
            await asyncio.sleep(WITHOUT_LOG_S)

    async def send(self, text_data: str | None = None, *args: Any, **kwargs: Any) -> None:
        """Sends one frame; what was shown last is no longer the bare snapshot."""
        self._shot = ""
        await super().send(text_data, *args, **kwargs)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """All that a page says here: `{"type": "seen", "seq": 7}`, how far it shows the talk."""
        if self._following is None:
            return
        if len((text_data or "").encode()) > SOCKET_FRAME_BYTES or bytes_data:
            await self.close(CLOSE_TOO_BIG)
            return
        try:
            await _in_thread(self._note_seen, _seq_in(text_data or ""))
        except SignInNeeded:
            await self.close(CLOSE_SIGN_IN)
        except FuturaError as error:
            await self.send(_note(error))

    def _note_seen(self, seq: int) -> None:
        identity = identity_of_scope(self.scope)
        mark_seen(identity=identity, session=session_for(identity, self.session_id), seq=seq)


def _seq_in(text: str) -> int:
    """The place that a page names as seen. Raises BadInput for any other frame."""
    try:
        frame = json.loads(text)
    except ValueError:
        frame = None
    is_seen = isinstance(frame, dict) and frame.get("type") == "seen"
    seq = frame.get("seq") if is_seen else None
    if not isinstance(seq, int) or not 0 <= seq < 2**31:
        raise BadInput(_("This page sent something that is not understood. Load it again."))
    return seq


def _note(error: FuturaError) -> str:
    return format_html(
        '<p class="composer__note small" id="composer-note" role="alert" '
        'hx-swap-oob="true" data-code="{}">{}</p>',
        error.code,
        str(error),
    )
