"""The web server is asked to end: nobody new, what runs is answered, the rest comes again."""

from __future__ import annotations

import http.client
import os
import struct
import subprocess
import sys
import time

import pytest

from tests.bench.sockets import WebSocket
from tests.stack import PROJECT, free_port

CLOSE = 8
BIG = 3_000_000
APPLICATION = f"""
import asyncio, time
from pathlib import Path

async def answer(send, body, kind="text/plain", more=False):
    headers = [(b"content-type", kind.encode())]
    if not more:
        headers.append((b"content-length", str(len(body)).encode()))
    await send({{"type": "http.response.start", "status": 200, "headers": headers}})
    await send({{"type": "http.response.body", "body": body, "more_body": more}})

async def application(scope, receive, send):
    said = await receive()
    if scope["type"] == "websocket":
        await send({{"type": "websocket.accept"}})
        while (await receive())["type"] != "websocket.disconnect":
            pass
        return
    match scope["path"]:
        case "/events":
            await answer(send, b"data: one\\n\\n", "text/event-stream", more=True)
            assert (await receive())["type"] == "http.disconnect"
        case "/slow":
            Path("begun").touch()
            while not Path("go").exists():
                await asyncio.sleep(0.01)
            await answer(send, said["body"].upper())
        case "/hang":
            Path("begun").touch()
            await asyncio.to_thread(time.sleep, 60)
        case "/big":
            await answer(send, bytes({BIG}))
        case _:
            await answer(send, b"well")
"""


LINES: list[http.client.HTTPConnection] = []


@pytest.fixture(autouse=True)
def _hang_up():
    yield
    while LINES:
        LINES.pop().close()


@pytest.fixture
def serve(tmp_path):
    """Starts the product's server over the application above; its port and process."""
    (tmp_path / "slow.py").write_text(APPLICATION)
    processes = []

    def serve(**more):
        port = free_port()
        command = [sys.executable, "-m", "futura.serving", "-v", "0", "-p", str(port)]
        with (tmp_path / "log").open("w") as told:
            process = subprocess.Popen(
                [*command, "slow:application"],
                cwd=tmp_path,
                env={**os.environ, "PYTHONPATH": f"{PROJECT}:{tmp_path}", **more},
                stdout=told,
                stderr=told,
            )
        processes.append(process)
        _await(lambda: _says(port, "GET", "/"))
        return port, process

    yield serve
    for process in processes:
        process.kill()
        process.wait()


def _await(look):
    """The first answer of `look` that is something; a refused connection is nothing."""
    deadline = time.monotonic() + 60
    while True:
        try:
            if found := look():
                return found
        except ConnectionRefusedError:
            pass
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _line(port):
    LINES.append(http.client.HTTPConnection("127.0.0.1", port, timeout=60))
    return LINES[-1]


def _asks(port, method, path, body=None, line=None):
    line = line or _line(port)
    line.request(method, path, body)
    return line


def _says(port, method, path, line=None):
    return _asks(port, method, path, line=line).getresponse().read()


@pytest.mark.thorough
async def test_running_requests_are_answered_and_open_pages_come_again(serve, tmp_path):
    port, process = serve()
    page = await WebSocket.connect(port, "/")
    kept = _line(port)
    assert _says(port, "GET", "/", kept) == b"well"
    events = _asks(port, "GET", "/events").getresponse()
    assert events.readline() == b"data: one\n"
    big = _asks(port, "GET", "/big")
    posted = _asks(port, "POST", "/slow", b"what was typed")
    _await((tmp_path / "begun").exists)

    process.terminate()
    assert await page._receive() == (CLOSE, struct.pack("!H", 1012))
    await page.close()
    assert events.read() == b"\n"  # to its end, and not cut in an event
    with pytest.raises(ConnectionRefusedError):
        _says(port, "GET", "/")
    assert kept.sock.recv(1) == b""  # so that a proxy takes the next request elsewhere
    assert process.poll() is None

    (tmp_path / "go").touch()
    answer = posted.getresponse()
    assert (answer.status, answer.read()) == (200, b"WHAT WAS TYPED")
    assert len(big.getresponse().read()) == BIG
    assert process.wait(60) == 0
    assert (tmp_path / "log").read_text() == ""


@pytest.mark.thorough
def test_what_is_not_done_within_the_grace_is_cut(serve, tmp_path):
    port, process = serve(FUTURA_GRACE_S="0.3")
    hanging = _asks(port, "POST", "/hang", b"")
    _await((tmp_path / "begun").exists)
    process.terminate()
    with pytest.raises((http.client.RemoteDisconnected, ConnectionResetError)):
        hanging.getresponse()
    assert process.wait(60) == 0
    assert "1 requests were cut off" in (tmp_path / "log").read_text()
