"""A line that is cut at every place of a turn: whoever comes back sees what the uncut page sees."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.test import AsyncClient

from chat import events
from chat.events import log
from chat.events.kinds import Cursor, Reference
from chat.events.log import epoch_key, redis, stream_key, tail
from chat.models import Message, Run
from tests.chat.dom import Page
from tests.chat.test_live import page, turn
from tests.event_log import replay_now

__all__ = ["turn"]  # a fixture

pytestmark = pytest.mark.django_db(transaction=True)
in_thread = database_sync_to_async
STEPS = 12
EMPTY = (
    '<i id="log-cursor" data-after=""></i><div id="log"></div><div id="run-state"></div>'
    '<p id="chat-status"></p><p id="heard"></p>'
)
NAME = "cut"


async def _take_until(socket: Any, shown: Page, words: str) -> None:
    """Receives frames until the page has these words; each word comes once."""
    while words not in shown.shown():
        shown.take(await socket.receive_from(timeout=60))


async def _settle(socket: Any, shown: Page) -> str:
    """Receives what is still to come; the page as it then stands."""
    await _take_until(socket, shown, "'data-state': 'idle'")
    while not await socket.receive_nothing(timeout=0.03):
        shown.take(await socket.receive_from())
    return shown.shown()


async def _run_of(session: Any) -> Run:
    run: Run = await session.runs.order_by("created_at").afirst()
    return run


async def _whole(alice: Any, session: Any) -> str:
    """The page as somebody sees it who comes only now."""
    async with page(alice, session.pk) as socket:
        return await _settle(socket, Page(EMPTY))


@pytest.mark.thorough
async def test_a_page_cut_off_at_every_frame_comes_back_to_the_same_talk(
    start,
    alice,
    turn,
    echo_guide,
):
    session = await in_thread(start)(alice, f"/steps {NAME} {STEPS}")
    gate = echo_guide.gate(NAME)
    cuts: list[Page] = []
    async with AsyncExitStack() as stack:
        socket = await stack.enter_async_context(page(alice, session.pk))
        uncut = Page(EMPTY)
        await _take_until(socket, uncut, f"/steps {NAME}")
        working = turn((await _run_of(session)).pk)
        others = []
        for number in range(STEPS):
            assert await asyncio.to_thread(gate.arrived.wait, 60)
            gate.arrived.clear()
            cuts.append(uncut.copied())
            if number % 3 == 0:  # comes back at once, and goes on live
                back = uncut.copied()
                line = page(alice, session.pk, after=back.cursor)
                others.append((back, await stack.enter_async_context(line)))
            gate.open.set()
            await _take_until(socket, uncut, f"<{number}>")
        seen = await _settle(socket, uncut)
        await working
        assert seen.count("<5>") == 1
        for back, line_back in others:
            assert await _settle(line_back, back) == seen
    for cut in cuts:  # comes back when all is over
        async with page(alice, session.pk, after=cut.cursor) as socket:
            assert await _settle(socket, cut) == seen
    assert await _whole(alice, session) == seen


class Program:
    """A program that reads the log as JSON and keeps what it was told."""

    def __init__(self) -> None:
        self.cursor = ""
        self.texts: dict[str, str] = {}
        self.states: dict[str, str] = {}

    def take(self, event: str) -> None:
        """One server-sent event."""
        fields = dict(re.findall(r"^(id|event|data): (.*)$", event, flags=re.MULTILINE))
        if "event" not in fields:
            return
        body = json.loads(fields["data"])
        if fields["event"] == "token":
            have = self.texts.get(body["messageId"], "")
            assert body["start"] <= len(have), "a gap"
            self.texts[body["messageId"]] = have[: body["start"]] + body["text"]
        for message in body.get("messages", [body] if fields["event"] == "message" else []):
            if "text" in message:
                self._keep(message)
        self.cursor = fields["id"] or self.cursor

    def _keep(self, message: dict[str, Any]) -> None:
        have = self.texts.get(message["id"], "")
        self.states[message["id"]] = message["status"]
        if message["status"] != "streaming" or len(message["text"]) > len(have):
            self.texts[message["id"]] = message["text"]

    def seen(self) -> tuple[list[str], list[str]]:
        """Texts and states, in the order they came up."""
        return list(self.texts.values()), list(self.states.values())


async def _events(alice: Any, session_id: Any, after: str) -> AsyncIterator[str]:
    client = AsyncClient()
    await client.aforce_login(alice)
    response: Any = await client.get(f"/api/chat/sessions/{session_id}/events?after={after}")
    stream = aiter(response.streaming_content)
    try:
        async for chunk in stream:
            for event in chunk.decode().split("\n\n"):
                yield event
    finally:
        await stream.aclose()


async def _read_to_end(alice: Any, session_id: Any, program: Program, message_id: str) -> None:
    async for event in _events(alice, session_id, program.cursor):
        program.take(event)
        if program.states.get(message_id) == "complete" and '"status":"completed"' in event:
            return


@pytest.mark.thorough
async def test_a_program_cut_off_at_every_event_comes_back_to_the_same_texts(
    start,
    alice,
    turn,
):
    session = await in_thread(start)(alice, "/many 20")
    begin = await in_thread(tail)(session.pk)
    await turn((await _run_of(session)).pk)
    reply = await Message.objects.aget(answered_by__session=session)
    found = await in_thread(replay_now)(session.pk, begin)
    assert found is not None
    program = Program()
    program.cursor = str(begin)
    lives: list[tuple[str, Program]] = []
    async for event in _events(alice, session.pk, program.cursor):
        program.take(event)
        life = Program()
        life.cursor, life.texts, life.states = (
            program.cursor, dict(program.texts), dict(program.states),
        )  # fmt: skip
        lives.append((program.cursor, life))
        if program.cursor == str(found.cursor):
            break
    assert program.texts[str(reply.pk)] == reply.text
    for cursor, life in lives:
        if cursor != str(found.cursor):
            await _read_to_end(alice, session.pk, life, str(reply.pk))
        assert life.texts[str(reply.pk)] == reply.text
        assert life.seen() == program.seen()


# The log that forgets ----------------------------------------------------------------------------


async def test_a_cursor_older_than_the_log_gets_the_page_from_the_database(start, alice, turn):
    session = await in_thread(start)(alice)
    before = await in_thread(tail)(session.pk)
    await turn((await _run_of(session)).pk)
    more = [Reference("heard", str(session.pk), number) for number in range(500)]
    for _ in range(log.LENGTH // len(more) + 2):
        await in_thread(events.append)(session.pk, *more)
    assert await in_thread(replay_now)(session.pk, before) is None
    async with page(alice, session.pk, after=str(before)) as socket:
        assert "You said: hello" in await _settle(socket, Page(EMPTY))


async def test_an_expired_log_gives_the_page_from_the_database(start, alice, turn):
    session = await in_thread(start)(alice)
    await turn((await _run_of(session)).pk)
    end = await in_thread(tail)(session.pk)
    assert 0 < redis().ttl(stream_key(session.pk)) <= log.LIFETIME_S
    assert 0 < redis().ttl(epoch_key(session.pk)) <= log.LIFETIME_S
    redis().delete(stream_key(session.pk), epoch_key(session.pk))  # what the time does
    assert Cursor.parse(str(end)) == end
    async with page(alice, session.pk, after=str(end)) as socket:
        assert "You said: hello" in await _settle(socket, Page(EMPTY))
    assert await in_thread(tail)(session.pk) != end
