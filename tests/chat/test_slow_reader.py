"""A page that does not take what it is sent: it costs little, delays nobody, and catches up."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from channels.db import database_sync_to_async

from chat import events
from chat.events import follow
from chat.events.follow import BUFFER
from chat.events.kinds import Token
from chat.models import Message
from futura.asgi import application
from tests.bench.sockets import WebSocket
from tests.chat.test_live import Screen, cookie_header, first_run, page, turn
from tests.stack import PROJECT, free_port

__all__ = ["turn"]
in_thread = database_sync_to_async
STRETCHES = 2 * BUFFER
FRAME = 100_000
FRAMES = 400
MEGABYTE = 1024 * 1024


class SlowPage:
    """A page's socket whose server is told to wait while the page does not read."""

    def __init__(self) -> None:
        self.reads = asyncio.Event()
        self.frames: list[str] = []
        self._said: asyncio.Queue[dict] = asyncio.Queue()
        self._got = asyncio.Condition()

    async def receive(self) -> dict:
        return await self._said.get()

    async def send(self, message: dict) -> None:
        if message["type"] == "websocket.send":
            await self.reads.wait()
            async with self._got:
                self.frames.append(message["text"])
                self._got.notify_all()

    async def until(self, words: str) -> None:
        """Waits for a frame with these words."""
        async with self._got:
            await asyncio.wait_for(
                self._got.wait_for(lambda: any(words in frame for frame in self.frames)), 60
            )

    @classmethod
    @asynccontextmanager
    async def open(cls, user, session_id) -> AsyncIterator[SlowPage]:
        slow = cls()
        scope = {
            "type": "websocket",
            "path": f"/ws/session/{session_id}/",
            "query_string": b"view=chat",
            "headers": await in_thread(cookie_header)(user),
            "subprotocols": [],
        }
        await slow._said.put({"type": "websocket.connect"})
        serving = asyncio.create_task(application(scope, slow.receive, slow.send))
        try:
            yield slow
        finally:
            await slow._said.put({"type": "websocket.disconnect", "code": 1000})
            await serving


def buffered(session_id) -> list[int]:
    """How much lies waiting for each reader of a session in this process."""
    feeds = [feed for listener in follow._listeners.values() for feed in listener.feeds.values()]
    readers = [reader for feed in feeds if feed.session_id == session_id for reader in feed.readers]
    return [len(reader._buffer) for reader in readers]


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
async def test_a_page_that_stops_reading_gets_one_snapshot_and_delays_nobody(
    start, alice, turn, echo_guide
):
    session = await in_thread(start)(alice, "/gate slow")
    run, gate = await first_run(session), echo_guide.gate("slow")
    async with SlowPage.open(alice, session.pk) as slow, page(alice, session.pk) as socket:
        screen = Screen()
        await screen.until(socket, 'id="log"')
        slow.reads.set()
        working = turn(run.pk)
        await screen.until(socket, "Before the gate.")
        await slow.until("Before the gate.")
        slow.reads.clear()
        slow.frames.clear()
        await run.arefresh_from_db()
        assert run.lease is not None
        reply = await Message.objects.aget(answered_by=run)
        at = len("Before the gate. ")
        for number in range(STRETCHES):
            token = Token(reply.pk, at, run.lease, f"stretch {number} ")
            at = token.end
            await in_thread(events.append)(session.pk, token)
        await screen.until(socket, f"stretch {STRETCHES - 1} ")  # the other page has it all
        assert max(buffered(session.pk)) <= BUFFER
        gate.open.set()
        await working
        slow.reads.set()
        await slow.until("After the gate.")
        assert sum('id="log"' in frame for frame in slow.frames) == 1
        assert len(slow.frames) < 10


# The server ---------------------------------------------------------------------------------------

ECHOING = f"""
import asyncio
sent = 0

async def application(scope, receive, send):
    global sent
    await receive()
    if scope["type"] == "http":
        await send({{"type": "http.response.start", "status": 200, "headers": []}})
        await send({{"type": "http.response.body", "body": str(sent).encode()}})
        return
    await send({{"type": "websocket.accept"}})
    if scope["path"] == "/quick":
        while (await receive())["type"] == "websocket.receive":
            await send({{"type": "websocket.send", "text": str(sent)}})
        return
    for number in range({FRAMES}):
        await send({{"type": "websocket.send", "text": f"{{number:0{FRAME}}}"}})
        sent += 1
    await receive()
"""


@pytest.fixture
def server(tmp_path):
    """The product's server over an application that sends 40 MB to whoever connects."""
    (tmp_path / "echoing.py").write_text(ECHOING)
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "futura.serving", "-v", "0", "-p", str(port), "echoing:application"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{PROJECT}:{tmp_path}"},
    )
    try:
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(60)


async def connected(port: int, path: str) -> WebSocket:
    """A socket of the server as soon as it listens."""
    deadline = time.monotonic() + 60
    while True:
        try:
            return await WebSocket.connect(port, path)
        except ConnectionRefusedError:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.05)


def memory(pid: int) -> int:
    """What a process holds, in bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.thorough
async def test_the_server_waits_for_a_client_that_does_not_read(server):
    port, pid = server
    quick = await connected(port, "/quick")
    before = memory(pid)
    slow = await connected(port, "/slow")
    sent, last = 0, -1
    # until the application has been made to wait: whoever is answered would have seen it go on
    while not 0 < sent == last:
        last = sent
        await asyncio.sleep(0.1)
        quick.write("how many?")
        sent = int((await quick.frame()).text)
    assert 0 < sent < FRAMES
    assert memory(pid) - before < 8 * MEGABYTE
    for number in range(FRAMES):  # what had to wait comes whole and in order
        assert (await slow.frame()).text == f"{number:0{FRAME}}"
    await slow.close()
    await quick.close()
