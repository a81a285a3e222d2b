"""The log for programs: a conversation, or one run, by server-sent events; and waiting on it for
the end of a run.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final, Generic, TypeVar

import orjson
from channels.db import database_sync_to_async
from django.http import StreamingHttpResponse

from chat.events.follow import Batch, Subscription, follow
from chat.events.kinds import Cursor, Entry, Reference, Token
from chat.events.log import text_after
from chat.models import Message, Run, Session
from chat.queries import conversation
from futura.errors import Unavailable

EventT = TypeVar("EventT")
HEARTBEAT_S: Final = 15.0
WITHOUT_LOG_S: Final = 3.0


def message_json(message: Message) -> dict[str, Any]:
    return {
        "id": str(message.pk),
        "seq": message.seq,
        "role": message.role,
        "text": message.text,
        "parts": message.parts,
        "status": message.status,
        "createdAt": message.created_at.isoformat(),
    }


def run_json(run: Run) -> dict[str, Any]:
    error = {"code": run.error_code, "message": run.error_text} if run.error_code else None
    return {
        "id": str(run.pk),
        "status": run.status,
        "stage": run.stage,
        "messageId": str(run.message_id) if run.message_id else None,
        "replyId": str(run.reply_id) if run.reply_id else None,
        "basicMode": run.basic_mode,
        "error": error,
    }


def _snapshot(session_id: uuid.UUID) -> tuple[str, dict[str, Any]]:
    displayed = conversation(Session.objects.get(pk=session_id))
    messages = [message_json(item.message) for item in (*displayed.messages, *displayed.waiting)]
    run = run_json(displayed.active) if displayed.active else None
    return displayed.cursor, {"messages": messages, "run": run, "status": displayed.session.status}


def _rows(session_id: uuid.UUID, references: Sequence[Reference]) -> dict[str, Any]:
    ids = [ref.id for ref in references if ref.kind in {"message", "part", "run", "stage"}]
    messages = Message.objects.filter(session_id=session_id, pk__in=ids, superseded_at=None)
    runs = Run.objects.filter(session_id=session_id, pk__in=ids)
    return {
        **{str(message.pk): message_json(message) for message in messages},
        **{str(run.pk): run_json(run) for run in runs},
    }


def _event(name: str, body: object, cursor: str) -> bytes:
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (
        cursor.encode(),
        name.encode(),
        orjson.dumps(body),
    )


def _entry_event(entry: Entry, rows: dict[str, Any]) -> bytes:
    event, cursor = entry.event, str(entry.cursor)
    if isinstance(event, Token):
        body = {"messageId": str(event.message_id), "start": event.start, "text": event.text}
        return _event("token", body, cursor)
    normalized = {"id": event.id, "version": event.version}
    return _event(event.kind, rows.get(event.id, normalized), cursor)


async def _batch(batch: Batch, session_id: uuid.UUID) -> bytes:
    references = [e.event for e in batch.entries if isinstance(e.event, Reference)]
    rows: dict[str, Any] = {}
    if references:
        read = database_sync_to_async(_rows, thread_sensitive=False)
        rows = await read(session_id, references)
    return b"".join(_entry_event(entry, rows) for entry in batch.entries)


async def session_events(session_id: uuid.UUID, after: str) -> AsyncIterator[bytes]:
    """What comes after a cursor; without one, or with an old one, a snapshot first."""
    async with follow(session_id) as place:
        await place.seek(Cursor.parse(after))
        while True:
            batch = await place.batch(HEARTBEAT_S)
            if batch.is_lost:
                yield await _lost(place, session_id)
            elif batch.entries:
                yield await _batch(batch, session_id)
            else:
                yield b": still here\n\n"


async def _lost(place: Subscription, session_id: uuid.UUID) -> bytes:
    """A snapshot, after which the log goes on; without Redis, one every few seconds."""
    cursor, body = await database_sync_to_async(_snapshot, thread_sensitive=False)(session_id)
    await place.seek(Cursor.parse(cursor))
    if not cursor:
        await asyncio.sleep(WITHOUT_LOG_S)
    return _event("snapshot", body, cursor)


STREAMED: Final = {
    "responses": {200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}}
}
"""What the OpenAPI document says of an address that answers with `event_stream`."""


def event_stream(events: AsyncIterator[bytes]) -> StreamingHttpResponse:
    """Server-sent events as an answer that nobody on the way keeps or holds back."""
    headers = {
        "Content-Type": "text/event-stream",
        "Cache-Control": "no-store",
        "X-Accel-Buffering": "no",
    }
    return StreamingHttpResponse(events, headers=headers)


LOOK_S: Final = 5.0  # how often the row itself is looked at, should an event be missing


class RunReader(Generic[EventT]):
    """What one reader has been told of a run: `sent` characters of its reply, and what a subclass
    notes. `is_over` ends the reading.
    """

    def __init__(self, run_id: uuid.UUID) -> None:
        self.run_id = run_id
        self.reply_id: uuid.UUID | None = None
        self.sent = 0
        self.is_over = False

    def look(self) -> list[EventT]:
        """What has happened since the last look, from PostgreSQL."""
        raise NotImplementedError

    def taken(self, batch: Batch) -> tuple[list[EventT], bool]:
        """What a batch of the log tells, and whether PostgreSQL has news or a gap to fill."""
        raise NotImplementedError

    def stretch(self, token: Token) -> str | None:
        """What a token adds to the reply; None where something before it is missing."""
        if token.message_id != self.reply_id or token.start > self.sent:
            return None
        fresh = token.text[self.sent - token.start :] if token.end > self.sent else ""
        self.sent = max(self.sent, token.end)
        return fresh

    def remaining(self, run: Run) -> str:
        """What of the reply has not been sent."""
        if run.reply is None:
            return ""
        if self.reply_id != run.reply.pk:
            self.reply_id, self.sent = run.reply.pk, 0
        text = run.reply.text
        if run.is_open and run.lease:
            text = text_after(run.session_id, run.reply.pk, run.lease, text)
        fresh, self.sent = text[self.sent :], max(self.sent, len(text))
        return fresh


async def read_run(session_id: uuid.UUID, reader: RunReader[EventT]) -> AsyncIterator[EventT]:
    """Everything of a run until it is over: its text from the log as it is written, all else from
    PostgreSQL whenever the log says that something changed.
    """
    look = database_sync_to_async(reader.look, thread_sensitive=False)
    async with follow(session_id) as place:
        await place.seek_end()
        for event in await look():
            yield event
        while not reader.is_over:
            batch = await place.batch(LOOK_S)
            if batch.is_lost:
                await place.seek_end()
            events, has_news = reader.taken(batch)
            if (has_news or batch.is_lost or not batch.entries) and not reader.is_over:
                events += await look()
            for event in events:
                yield event


class NoAnswer(Unavailable):
    """A run is over without an answer; programs are told the conversation that has the message."""

    def __init__(self, run: Run) -> None:
        super().__init__(run.error_text)
        self.details = {"sessionId": str(run.session_id)}


def _run(run_id: uuid.UUID) -> Run:
    return Run.objects.select_related("session", "message", "reply").get(pk=run_id)


async def wait_for_run(run_id: uuid.UUID, timeout_s: float) -> Run:
    """The run as soon as it is over, or as it stands when the time is up. Run.DoesNotExist."""
    look = database_sync_to_async(_run, thread_sensitive=False)
    run: Run = await look(run_id)
    until = time.monotonic() + timeout_s
    async with follow(run.session_id) as place:
        await place.seek_end()
        run = await look(run_id)
        while run.is_open and (left_s := until - time.monotonic()) > 0:
            batch = await place.batch(min(LOOK_S, left_s))
            if batch.is_lost:
                await asyncio.sleep(min(0.5, left_s))
                await place.seek_end()
            elif batch.entries and not _is_about(batch, run_id):
                continue
            run = await look(run_id)
    return run


def _is_about(batch: Batch, run_id: uuid.UUID) -> bool:
    events = (entry.event for entry in batch.entries)
    return any(isinstance(event, Reference) and event.id == str(run_id) for event in events)
