"""Open pages of the product by the hundred."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Self

from tests.bench.sockets import Frame, WebSocket

IDLE = 'id="run-state" hidden data-state="idle"'


def says_done(frame: Frame) -> bool:
    """Whether the answer is there."""
    return IDLE in frame.text


class Page(WebSocket):
    """A socket of one session, and the connection over which it sends messages."""

    _port: int
    _session: str
    _cookie: str
    _sending: asyncio.StreamWriter

    @classmethod
    async def open(cls, port: int, session: str, cookie: str) -> Self:
        """Connects and waits until the page stands, so that all that follows is seen."""
        page = await cls.connect(port, f"/ws/session/{session}/?view=chat", [f"Cookie: {cookie}"])
        page._port, page._session, page._cookie = port, session, cookie
        _reader, page._sending = await asyncio.open_connection("127.0.0.1", port)
        await page.frame()
        return page

    def say(self, text: str) -> float:
        """Sends a message as programs do; when."""
        body = json.dumps({"text": text})
        lines = [
            f"POST /api/chat/sessions/{self._session}/messages HTTP/1.1",
            f"Host: localhost:{self._port}",
            f"Origin: http://localhost:{self._port}",
            f"Cookie: {self._cookie}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
        ]
        at = time.monotonic()
        self._sending.write(("\r\n".join(lines) + "\r\n\r\n" + body).encode())
        return at

    async def close(self) -> None:
        """Hangs up."""
        self._sending.close()
        await super().close()
