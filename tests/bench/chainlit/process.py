"""Chainlit's process: its environment made once and kept in a cache, its page's protocol."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from tests.bench.sockets import Frame, WebSocket
from tests.stack import free_port

REQUIREMENTS = ("chainlit>=2.12,<3", "openai>=3", "sqlalchemy>=2,<3", "asyncpg", "greenlet")
READY_S = 90.0
APP = Path(__file__).with_name("app.py")
TABLES = Path(__file__).with_name("tables.sql")
# engine.io and socket.io: what the first characters of a frame mean
OPEN, PING, PONG, CONNECT, EVENT = "0", "2", "3", "40", "42"


def environment() -> Path:
    """The folder of Chainlit's own environment; made on the first call, which takes minutes.

    It lives in FUTURA_BENCH_CACHE, else in the user's cache.
    """
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(os.environ.get("FUTURA_BENCH_CACHE") or f"{home}/futura-bench") / "chainlit"
    done = folder / "requirements.txt"
    wanted = "\n".join((*REQUIREMENTS, sys.version))
    if not done.exists() or done.read_text() != wanted:
        venv.create(folder, clear=True, with_pip=True)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, *REQUIREMENTS], check=True)
        done.write_text(wanted)
    return folder


class ChainlitProcess:
    """A running Chainlit on a scripted model."""

    def __init__(self, process: subprocess.Popen[bytes], port: int, log: Path) -> None:
        self._process = process
        self.pid = process.pid
        self.port = port
        self._log = log

    def await_ready(self) -> None:
        """Waits until it serves its page; fails with its log."""
        deadline = time.monotonic() + READY_S
        while not self._answers():
            assert self._process.poll() is None, self._log.read_text()
            assert time.monotonic() < deadline, self._log.read_text()
            time.sleep(0.1)

    def _answers(self) -> bool:
        web = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            web.request("GET", "/")
            return web.getresponse().status == http.HTTPStatus.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            web.close()


@contextlib.contextmanager
def running_chainlit(base_url: str, database: str = "") -> Iterator[ChainlitProcess]:
    """A Chainlit that ends with the block, on files of its own.

    With the address of an empty `database` it stores what is said there.
    """
    program = environment() / "bin" / "chainlit"
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="futura-chainlit-") as folder:
        log = Path(folder) / "log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [str(program), "run", str(APP), "--headless", "--port", str(port)],
                cwd=folder,
                env={
                    "PATH": os.environ["PATH"],
                    "HOME": folder,
                    "CHAINLIT_APP_ROOT": folder,
                    "OPENAI_BASE_URL": base_url,
                    "OPENAI_API_KEY": "sk-bench",
                    "CHAINLIT_BENCH_DATABASE": database.replace("://", "+asyncpg://", 1),
                },
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        running = ChainlitProcess(process, port, log)
        try:
            running.await_ready()
            yield running
        finally:
            process.terminate()
            process.wait(15)


class ChainlitPage(WebSocket):
    """A page of Chainlit, by the protocol that its own page speaks."""

    @classmethod
    async def open(cls, port: int) -> Self:
        """Connects, and introduces itself as the page does."""
        page = await cls.connect(port, "/ws/socket.io/?EIO=4&transport=websocket")
        assert (await page.frame()).text.startswith(OPEN)
        greeting = {
            "clientType": "webapp",
            "sessionId": str(uuid.uuid4()),
            "threadId": "",
            "userEnv": "{}",
            "chatProfile": "",
        }
        page.write(CONNECT + json.dumps(greeting))
        while not (await page.frame()).text.startswith(CONNECT):
            pass
        page.emit("connection_successful")
        while (await page.event())[1] != "clear_call_fn":
            pass
        return page

    def emit(self, name: str, *arguments: Any) -> float:
        """Sends an event; when."""
        return self.write(EVENT + json.dumps([name, *arguments]))

    async def event(self) -> tuple[Frame, str]:
        """The next event of the server, and its name; pings are answered on the way."""
        while True:
            frame = await self.frame()
            if frame.text.startswith(EVENT):
                return frame, frame.text[len(EVENT) + 2 : frame.text.index('"', len(EVENT) + 2)]
            if frame.text == PING:
                self.write(PONG)

    def say(self, text: str) -> float:
        """Sends a message; when."""
        message = {
            "id": str(uuid.uuid4()),
            "threadId": "",
            "name": "user",
            "type": "user_message",
            "output": text,
            "createdAt": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()),
        }
        return self.emit("client_message", {"message": message, "fileReferences": []})
