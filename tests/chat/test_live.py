"""What an open page sees: the socket, its cursor, its reconnections; the same for programs."""

from __future__ import annotations

import asyncio
import json
import re
import uuid
from contextlib import asynccontextmanager
from typing import Any

import pytest
from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.db import connections
from django.test import AsyncClient, Client

from chat import actions, events
from chat.actions import send_message, stop_run
from chat.events.follow import BUFFER, follow
from chat.events.kinds import QUEUED, Cursor, Reference, StreamId, Token
from chat.events.log import redis, tail
from chat.fragments import changes
from chat.models import Message, Participant, Run
from chat.queries import conversation
from chat.runs import lease_renewal
from chat.runs.lease import claim
from chat.runs.perform import perform
from chat.sse import wait_for_run
from futura.asgi import application
from tests.event_log import replay_now
from tests.extent import some

pytestmark = pytest.mark.django_db(transaction=True)

in_thread = database_sync_to_async


def cookie_header(user) -> list[tuple[bytes, bytes]]:
    headers = [(b"origin", b"http://testserver"), (b"host", b"testserver")]
    if user is not None:
        client = Client()
        client.force_login(user)
        value = client.cookies[settings.SESSION_COOKIE_NAME].value
        headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={value}".encode()))
    return headers


@asynccontextmanager
async def page(user, session_id, after="", view="chat"):
    headers = await in_thread(cookie_header)(user)
    path = f"/ws/session/{session_id}/?view={view}&after={after}"
    socket = WebsocketCommunicator(application, path, headers)
    connected, _code = await socket.connect(timeout=60)
    assert connected
    try:
        yield socket
    finally:
        await socket.disconnect(timeout=60)


class Screen:
    """What a page shows of the growing reply, as htmx would put it together."""

    def __init__(self) -> None:
        self.cursor = ""
        self.flow: dict[str, str] = {}
        self.html = ""

    def take(self, frame: str) -> None:
        self.html = frame
        for pk, text in re.findall(r'class="message__flow" id="flow-([\w-]+)">(.*?)</span>', frame):
            self.flow[pk] = text
        for pk in re.findall(r'<article[^>]* id="m-([\w-]+)"[^>]*data-state="complete"', frame):
            self.flow.pop(pk, None)
        for pk, text in re.findall(r'<i hx-swap-oob="beforeend:#flow-([\w-]+)">(.*?)</i>', frame):
            assert pk in self.flow, "text came before its bubble"
            self.flow[pk] += text
        for cursor in re.findall(r'id="log-cursor" data-after="([^"]*)"', frame):
            self.cursor = cursor

    async def until(self, socket, words: str) -> str:
        """Receives frames until one holds these words."""
        while True:
            frame: str = await socket.receive_from(timeout=60)
            self.take(frame)
            if words in frame:
                return frame

    async def shows(self, socket, words: str) -> str:
        """As `until`, but for words that the last frame may hold already: a page that was busy
        gets in one frame what came meanwhile.
        """
        return self.html if words in self.html else await self.until(socket, words)


@pytest.fixture
def turn(echo_guide):
    """Performs a run in a thread of its own, as a worker would."""

    def perform_there(run_id):
        try:
            perform(run_id)
        finally:
            connections.close_all()

    return lambda run_id: asyncio.create_task(asyncio.to_thread(perform_there, run_id))


async def first_run(session) -> Run:
    run: Run = await session.runs.order_by("created_at").afirst()
    return run


async def test_a_page_sees_the_whole_turn(start, alice, turn):
    session = await in_thread(start)(alice, "I paint <b>walls</b>")
    async with page(alice, session.pk) as socket:
        screen = Screen()
        snapshot = await screen.until(socket, 'id="log"')
        assert "I paint &lt;b&gt;walls&lt;/b&gt;" in snapshot
        run = await first_run(session)
        working = turn(run.pk)
        done = await screen.until(socket, 'data-state="idle"')
        await working
        assert "You said: I paint &lt;b&gt;walls&lt;/b&gt;" in done
        assert "<b>" not in done
        assert screen.flow == {}


async def test_text_comes_after_its_bubble_and_before_the_end(start, alice, turn, echo_guide):
    session = await in_thread(start)(alice, "/gate one")
    gate = echo_guide.gate("one")
    async with page(alice, session.pk) as socket:
        screen = Screen()
        await screen.until(socket, 'id="log"')
        working = turn((await first_run(session)).pk)
        await screen.until(socket, "Before the gate.")
        assert list(screen.flow.values()) == ["Before the gate. "]
        assert "composer" not in screen.html.replace("composer-note", "")
        gate.open.set()
        await screen.until(socket, "Reply received")
        await working


@pytest.mark.parametrize("told", some(["not told", "before its message", "after its message"], 3))
async def test_words_are_shown_as_they_come_however_their_reply_was_told(
    start, alice, turn, identity_for, told
):
    session = await in_thread(start)(alice)
    identity = await in_thread(identity_for)(alice)
    await turn((await first_run(session)).pk)
    async with page(alice, session.pk) as socket:
        screen = Screen()
        await screen.until(socket, 'id="log"')
        run = await in_thread(send_message)(identity=identity, session=session, text="two")
        await screen.until(socket, "two")
        claimed = await in_thread(claim)(run.pk, lease := uuid.uuid4())
        began = Reference("run", str(run.pk))
        sent = Reference("message", str(run.message_id)), Reference("run", str(run.pk), QUEUED)
        words = Token(claimed.reply.pk, 0, lease, "First words")
        news = {
            "not told": [words],
            "before its message": [began, words, *sent],
            "after its message": [*sent, began, words],
        }
        await in_thread(events.append)(session.pk, *news[told])
        await screen.until(socket, "First words")
        assert screen.flow == {str(claimed.reply.pk): "First words"}


async def test_stop_reaches_a_working_turn_and_keeps_the_text(
    start, alice, turn, echo_guide, identity_for, monkeypatch
):
    monkeypatch.setattr(lease_renewal, "BEAT_S", 3600)  # it is told at once, or never
    session = await in_thread(start)(alice, "/gate stop")
    identity = await in_thread(identity_for)(alice)
    run = await first_run(session)
    async with page(alice, session.pk) as socket:
        screen = Screen()
        working = turn(run.pk)
        await screen.until(socket, "Before the gate.")
        await in_thread(stop_run)(identity=identity, run_id=run.pk)
        await working
        await screen.until(socket, "You stopped this reply.")
    await run.arefresh_from_db()
    reply = await Message.objects.aget(answered_by=run)
    assert (run.status, reply.status, reply.text) == ("stopped", "stopped", "Before the gate. ")


async def test_a_reload_in_the_middle_loses_nothing(start, alice, turn, echo_guide):
    session = await in_thread(start)(alice, "/gate reload")
    run = await first_run(session)
    working = turn(run.pk)
    gate = echo_guide.gate("reload")
    assert await asyncio.to_thread(gate.arrived.wait, 60)
    shown = await in_thread(conversation)(session)
    async with page(alice, session.pk, after=shown.cursor) as socket:
        screen = Screen()
        await screen.until(socket, "Before the gate.")
        assert list(screen.flow.values()) == ["Before the gate. "]
        gate.open.set()
        await screen.until(socket, "Reply received")
    await working


async def test_a_page_that_connects_late_does_not_see_a_whole_reply_begin(start, alice, turn):
    session = await in_thread(start)(alice)
    before = await in_thread(tail)(session.pk)
    await turn((await first_run(session)).pk)
    async with page(alice, session.pk, after=str(before)) as socket:
        first = await socket.receive_from(timeout=60)
    assert "You said: hello" in first  # drawn empty, it would lose what was opened in it meanwhile
    assert 'data-state="streaming"' not in first


async def test_a_page_is_shown_in_the_language_of_its_reader(start, alice, turn):
    session = await in_thread(start)(alice, "/many 5")
    await Participant.objects.aupdate(language="de", is_language_chosen=True)
    async with page(alice, session.pk) as socket:
        screen = Screen()
        await screen.until(socket, 'id="log"')
        working = turn((await first_run(session)).pk)
        await screen.until(socket, "Antwort erhalten")
        await working


async def test_two_tabs_show_the_same(start, alice, turn):
    session = await in_thread(start)(alice, "/many 50")
    async with page(alice, session.pk) as one, page(alice, session.pk) as two:
        screens = [Screen(), Screen()]
        for screen, socket in zip(screens, (one, two), strict=True):
            await screen.until(socket, 'id="log"')
        working = turn((await first_run(session)).pk)
        frames = [
            await screen.until(socket, 'data-state="idle"')
            for screen, socket in zip(screens, (one, two), strict=True)
        ]
        await working
        assert all("48 49 You said: /many 50" in frame for frame in frames)


async def test_a_socket_takes_no_messages_and_refuses_what_it_does_not_know(start, alice):
    session = await in_thread(start)(alice)
    async with page(alice, session.pk) as socket:
        screen = Screen()
        await screen.until(socket, 'id="log"')
        for bad in ("no json", "[]", '{"type": "dance"}', '{"text": "hello"}', '{"type": "send"}'):
            await socket.send_to(bad)
            await screen.until(socket, "bad_input")
    assert await session.messages.acount() == 0


async def test_a_huge_frame_closes_the_socket(start, alice):
    session = await in_thread(start)(alice)
    async with page(alice, session.pk) as socket:
        await Screen().until(socket, 'id="log"')
        await socket.send_to(json.dumps({"text": "x" * 70_000}))
        assert (await socket.receive_output(10))["code"] == 1009


async def test_another_view_gets_only_the_features_fragments(start, alice, turn):
    session = await in_thread(start)(alice, "I paint")
    async with page(alice, session.pk, view="tasks") as socket:
        screen = Screen()
        await screen.until(socket, "tasks heard 0")
        working = turn((await first_run(session)).pk)
        frame = await screen.until(socket, "tasks heard 1: I paint")
        await working
        assert "<article" not in frame
    with pytest.raises(ValueError, match="No presenter declares"):
        events.append(session.pk, events.Reference("surprise", "1"))


# The log -----------------------------------------------------------------------------------------


def played(session_id, after: Cursor, have: str) -> str:
    """The reply's text as a reader puts it together who has `have` at a cursor."""
    found = replay_now(session_id, after)
    assert found is not None
    for entry in found.entries:
        token = entry.event
        if isinstance(token, Token) and token.end > len(have):
            assert token.start <= len(have), "a gap"
            have += token.text[len(have) - token.start :]
    return have


def test_a_cut_at_every_place_of_a_turn_gives_the_same_text(start, alice, drain):
    session = start(alice, "/many 60")
    begin = tail(session.pk)
    assert begin is not None
    drain()
    reply = session.messages.get(seq=2)
    found = replay_now(session.pk, begin)
    assert found is not None
    have = ""
    for entry in found.entries:
        assert played(session.pk, entry.cursor, have_at(found.entries, entry)) == reply.text
    assert played(session.pk, begin, have) == reply.text


def have_at(entries, last) -> str:
    tokens = [e.event for e in entries if e.cursor.id <= last.cursor.id]
    return "".join(token.text for token in tokens if isinstance(token, Token))


def test_a_wiped_or_foreign_cursor_is_unknown(start, alice, drain):
    session = start(alice)
    before = tail(session.pk)
    assert before is not None
    drain()
    assert replay_now(session.pk, before) is not None
    redis().flushall()
    assert replay_now(session.pk, before) is None
    drain()
    after = tail(session.pk)
    assert after is not None
    assert after.epoch != before.epoch
    assert Cursor.parse("nonsense") is None


async def test_a_page_recovers_after_redis_was_wiped(start, alice, turn):
    session = await in_thread(start)(alice)
    await turn((await first_run(session)).pk)
    shown = await in_thread(conversation)(session)
    await in_thread(redis().flushall)()
    async with page(alice, session.pk, after=shown.cursor) as socket:
        snapshot = await Screen().until(socket, 'id="log"')
        assert "You said: hello" in snapshot


async def test_a_page_goes_on_after_the_line_to_redis_was_cut(start, alice, turn):
    session = await in_thread(start)(alice)
    async with page(alice, session.pk) as socket:
        screen = Screen()
        await screen.until(socket, 'id="log"')
        assert await in_thread(redis().client_kill_filter)(_type="pubsub")
        await turn((await first_run(session)).pk)
        shown = await screen.until(socket, "You said: hello")
        assert 'data-state="idle"' in shown or await screen.until(socket, 'data-state="idle"')


async def test_a_reader_that_falls_behind_gets_one_snapshot(start, alice):
    session = await in_thread(start)(alice)
    end = await in_thread(tail)(session.pk)
    assert end is not None
    async with follow(session.pk) as place:
        await place.seek_end()
        for number in range(BUFFER + 100):
            later = Cursor(end.epoch, StreamId(end.id.ms + 1_000, number))
            place.push(events.Entry(later, Reference("run", str(session.pk))))
        assert (await place.batch(0.1)).is_lost
        await place.seek_end()
        assert not (await place.batch(0.1)).is_lost


async def test_waiting_for_a_run_ends_with_it_or_with_the_time(start, alice, turn, echo_guide):
    session = await in_thread(start)(alice, "/gate wait")
    run = await first_run(session)
    gate = echo_guide.gate("wait")
    working = turn(run.pk)
    assert await asyncio.to_thread(gate.arrived.wait, 60)
    assert (await wait_for_run(run.pk, 0.2)).status == Run.Status.RUNNING
    waiting = asyncio.create_task(wait_for_run(run.pk, 10))
    gate.open.set()
    assert (await waiting).status == Run.Status.COMPLETED
    await working


async def test_programs_read_the_log_as_json(start, alice, turn):
    session = await in_thread(start)(alice, "I paint")
    client = AsyncClient()
    await client.aforce_login(alice)
    response: Any = await client.get(f"/api/chat/sessions/{session.pk}/events")
    assert response["Content-Type"] == "text/event-stream"
    stream = aiter(response.streaming_content)
    first = (await anext(stream)).decode()
    assert "event: snapshot" in first
    assert "I paint" in first
    working = turn((await first_run(session)).pk)
    heard = ""
    while "event: message" not in heard or '"status":"completed"' not in heard:
        heard += (await anext(stream)).decode()
    await working
    await stream.aclose()
    texts = [json.loads(line)["text"] for line in re.findall(r"event: token\ndata: (.*)", heard)]
    assert "".join(texts) == "You said: I paint "


# Workers that die --------------------------------------------------------------------------------


async def test_a_run_taken_away_writes_nothing_more(start, alice, turn, echo_guide, identity_for):
    session = await in_thread(start)(alice, "/gate lost")
    run = await first_run(session)
    gate = echo_guide.gate("lost")
    working = turn(run.pk)
    assert await asyncio.to_thread(gate.arrived.wait, 60)
    await Run.objects.filter(pk=run.pk).aupdate(status="interrupted", lease=uuid.uuid4())
    gate.open.set()
    await working
    await run.arefresh_from_db()
    reply = await Message.objects.aget(answered_by=run)
    assert run.status == "interrupted"
    assert "After the gate" not in reply.text
    identity = await in_thread(identity_for)(alice)
    assert (await in_thread(stop_run)(identity=identity, run_id=run.pk)).status == "interrupted"
    again = await in_thread(send_message)(identity=identity, session=session, text="hello again")
    await turn(again.pk)
    await again.arefresh_from_db()
    assert again.status == "completed"


async def test_open_pages_show_what_is_reworded_removed_rated_and_answered_anew(
    start, alice, turn, identity_for
):
    session = await in_thread(start)(alice, "one")
    identity = await in_thread(identity_for)(alice)
    run = await first_run(session)
    async with page(alice, session.pk) as socket:
        screen = Screen()
        await screen.until(socket, 'id="log"')
        for text in ("two", "three"):
            await in_thread(send_message)(identity=identity, session=session, text=text)
            await screen.until(socket, text)
        two, three = [message async for message in session.messages.filter(status="queued")]
        await in_thread(actions.edit_queued)(identity=identity, message_id=two.pk, text="2")
        await screen.until(socket, "<p>2</p>")
        for one in (two, three):
            await in_thread(actions.remove_queued)(identity=identity, message_id=one.pk)
            await screen.until(socket, f'id="m-{one.pk}" hx-swap-oob="delete"')
        await turn(run.pk)
        await screen.until(socket, 'data-state="idle"')
        await run.arefresh_from_db()
        rated = {"identity": identity, "message_id": run.reply_id}
        await in_thread(actions.rate_message)(
            **rated, rating="bad", reasons=["missed"], comment="<i>no</i>"
        )
        shown = await screen.until(socket, 'data-reasons="missed"')
        assert "<i>no" not in shown
        await in_thread(actions.withdraw_rating)(**rated)
        assert "data-reasons" not in await screen.until(socket, f"m-{run.reply_id}")
        await in_thread(actions.regenerate)(identity=identity, run_id=run.pk)
        await screen.until(socket, f'id="m-{run.reply_id}" hx-swap-oob="delete"')


def test_an_answer_that_settled_while_the_news_was_put_together_has_no_stage(start, alice, drain):
    """What runs do is read before what messages say; a turn may end in between."""
    session = start(alice)
    drain()
    run = session.runs.get()
    session.runs.update(status=Run.Status.RUNNING)
    news = [Reference("run", str(run.pk), 1), Reference("stage", str(run.pk), 2)]

    told = changes(session.pk, news, "chat", have=())
    assert f'id="m-{run.reply_id}"' in told.html
    assert f'id="stage-{run.reply_id}"' not in told.html

    session.messages.filter(pk=run.reply_id).update(status=Message.Status.STREAMING)
    told = changes(session.pk, news, "chat", have=())
    assert told.html.count(f'id="stage-{run.reply_id}"') == 2  # the bubble's own, and the news
