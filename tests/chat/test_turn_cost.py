"""What one turn with open pages asks of the database, counted statement by statement."""

from __future__ import annotations

import asyncio
import re
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from channels.db import database_sync_to_async
from django.db import connection
from django.db.backends.signals import connection_created
from django.test import Client

from chat import consumers, events
from chat.events.kinds import Token
from chat.events.log import redis, stream_key
from chat.runs.perform import perform
from futura.statements import rows
from tests.chat.test_live import Screen, page

pytestmark = pytest.mark.django_db(transaction=True)
in_thread = database_sync_to_async
# of the sender's request, of the worker, and of all pages: what the turn may cost each
WEB, WORKER, PAGES = 7, 7, 5


class Statements:
    """Every statement of every thread of this process, savepoints too."""

    def __init__(self) -> None:
        self.by_thread: dict[str, list[str]] = {}

    def watch(self, sender: object, connection, **_signal: object) -> None:
        if self not in connection.execute_wrappers:
            connection.execute_wrappers.append(self)

    def __call__(self, execute, sql, params, many, context):
        self.by_thread.setdefault(threading.current_thread().name, []).append(str(sql))
        return execute(sql, params, many, context)

    def of(self, thread: str) -> list[str]:
        return [
            sql for name, some in self.by_thread.items() if name.startswith(thread) for sql in some
        ]


@contextmanager
def counted() -> Iterator[Statements]:
    statements = Statements()
    connection_created.connect(statements.watch)
    try:
        yield statements
    finally:
        connection_created.disconnect(statements.watch)


@pytest.fixture
def send(alice):
    """Posts a message as a page does, in a thread called "web"; the id of its run."""
    client = Client()
    client.force_login(alice)

    def send(session, text) -> uuid.UUID:
        threading.current_thread().name = "web"
        answer = client.post(
            f"/chat/sessions/{session.pk}/messages",
            {"text": text, "client_id": str(uuid.uuid4())},
            headers={"accept": "application/json"},
        )
        assert answer.status_code == 202
        return uuid.UUID(answer.json()["run"])

    return send


def work(run_id: uuid.UUID) -> None:
    threading.current_thread().name = "worker"
    perform(run_id)


async def test_a_turn_with_two_open_pages_costs_few_statements(
    start, alice, echo_guide, send, monkeypatch
):
    monkeypatch.setattr(consumers, "HOLD_S", 60)  # the worker begins in time, however slow it is
    session = await in_thread(start)(alice, "first")
    await asyncio.to_thread(work, (await session.runs.afirst()).pk)
    async with page(alice, session.pk) as one, page(alice, session.pk) as two:
        screens = [(Screen(), one), (Screen(), two)]
        for screen, socket in screens:
            await screen.until(socket, 'id="log"')
        with counted() as statements:
            run = await asyncio.to_thread(send, session, "/cards please")
            working = asyncio.create_task(asyncio.to_thread(work, run))
            for screen, socket in screens:
                await screen.until(socket, 'aria-busy="true"')  # by what its event says alone
                assert "/cards please" in await screen.shows(socket, "message--person")
            for screen, socket in screens:
                await screen.shows(socket, 'data-state="idle"')
            await working
    every = [sql for some in statements.by_thread.values() for sql in some]
    assert not [sql for sql in every if "SAVEPOINT" in sql]
    assert len(statements.of("web")) <= WEB, statements.of("web")
    assert len(statements.of("worker")) <= WORKER, statements.of("worker")
    # both pages together: what is read for the message, and for the end
    assert len(statements.of("socket")) <= PAGES + 1, statements.of("socket")
    # the session is locked and read for the message, the claim and the end, else with its runs
    locked = [sql for sql in every if "chat_session" in sql and "FOR UPDATE" in sql]
    assert len([sql for sql in locked if sql.lstrip().startswith("SELECT")]) == 3


async def test_a_turn_begins_with_one_event_each_of_sender_and_worker(
    start, alice, echo_guide, send
):
    session = await in_thread(start)(alice, "first")
    await asyncio.to_thread(work, (await session.runs.afirst()).pk)
    run = await asyncio.to_thread(send, session, "hello")
    before = redis().xlen(stream_key(session.pk))
    await asyncio.to_thread(work, run)
    entries = [fields["d"] for _id, fields in redis().xrange(stream_key(session.pk))][before:]
    kinds = [re.findall(r'"k":"(\w+)"', entry) or ["token"] for entry in entries]
    assert [kind for (kind,) in kinds if kind != "token"] == ["run", "heard", "message", "run"]


async def test_a_reply_and_its_first_words_are_shown_before_anything_is_read(
    start, alice, echo_guide
):
    session = await in_thread(start)(alice, "/gate bare")
    gate, run = echo_guide.gate("bare"), await session.runs.afirst()
    async with page(alice, session.pk) as socket:
        screen = Screen()
        await screen.until(socket, 'id="log"')
        with counted() as statements:
            working = asyncio.create_task(asyncio.to_thread(work, run.pk))
            begun = await screen.until(socket, 'aria-busy="true"')
            await screen.shows(socket, "Before the gate.")
        assert list(screen.flow.values()) == ["Before the gate. "]
        assert f'data-run="{run.pk}"' in begun
        assert "Listening" in begun
        assert len(statements.of("socket")) <= 2  # for the state that the guide told of
        gate.open.set()
        await working


async def test_a_page_that_comes_back_before_a_sent_message_was_read_gets_it(
    start, alice, echo_guide, send
):
    session = await in_thread(start)(alice, "first")
    await asyncio.to_thread(work, (await session.runs.afirst()).pk)
    gate = echo_guide.gate("held")
    async with page(alice, session.pk) as socket:
        screen = Screen()
        await screen.until(socket, 'id="log"')
        run = await asyncio.to_thread(send, session, "/gate held")
        working = asyncio.create_task(asyncio.to_thread(work, run))
        await screen.until(socket, 'aria-busy="true"')
        cursor = screen.cursor
    async with page(alice, session.pk, after=cursor) as socket:
        again = Screen()
        assert "/gate held" in await again.until(socket, "message--person")
        gate.open.set()
        await again.until(socket, 'data-state="idle"')
        await working


async def test_words_go_ahead_of_what_has_to_be_read(start, alice, echo_guide, send):
    session = await in_thread(start)(alice, "/gate ahead")
    gate, run = echo_guide.gate("ahead"), await session.runs.afirst()
    async with page(alice, session.pk) as socket:
        screen = Screen()
        await screen.until(socket, 'id="log"')
        working = asyncio.create_task(asyncio.to_thread(work, run.pk))
        await screen.until(socket, "Before the gate.")
        reply = await session.messages.aget(role="assistant")
        await run.arefresh_from_db()
        text = "Before the gate. "
        news = [
            events.Reference("heard", str(session.pk)),
            Token(reply.pk, len(text), run.lease, "!"),
        ]
        await in_thread(events.append)(session.pk, *news)
        assert await screen.until(socket, "!</i>") == (
            f'<i hx-swap-oob="beforeend:#flow-{reply.pk}">!</i>'
        )
        await screen.until(socket, "heard")
        gate.open.set()
        await working


def test_a_statement_is_planned_once_and_logged_as_all_others(start, alice):
    session = start(alice, "one")
    sql = "SELECT text FROM chat_message WHERE session_id = %s"
    for _ in range(4):
        assert rows(sql, [session.pk]) == [("one",)]
    planned = rows("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE %s", ["%$1%"])
    assert planned[0][0] >= 1
    connection.force_debug_cursor = True
    try:
        rows(sql, [session.pk])
        assert str(session.pk).replace("-", "") in connection.queries[-1]["sql"].replace("-", "")
    finally:
        connection.force_debug_cursor = False
