"""Open pages by the hundred: the least of WebSocket that a page needs, on one asyncio loop."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import time
from dataclasses import dataclass
from typing import Self

IDLE = 'id="run-state" hidden data-state="idle"'
TIMEOUT_S = 60.0


@dataclass(frozen=True)
class Frame:
    """One frame of the server and when it came."""

    text: str
    at: float

    @property
    def says_done(self) -> bool:
        """Whether the answer is there."""
        return IDLE in self.text


class Page:
    """A socket of one session."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, port: int, session: str, cookie: str) -> Self:
        """Connects and waits until the page stands, so that all that follows is seen."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET /ws/session/{session}/?view=chat HTTP/1.1",
            f"Host: localhost:{port}",
            f"Origin: http://localhost:{port}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
            f"Cookie: {cookie}",
        ]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), TIMEOUT_S)
        assert b" 101 " in head.split(b"\r\n")[0], head
        page = cls(reader, writer)
        await page.frame()
        return page

    async def frame(self) -> Frame:
        """The next frame with text."""
        while True:
            kind, payload = await asyncio.wait_for(self._receive(), TIMEOUT_S)
            if kind == 1:
                return Frame(payload.decode(), time.monotonic())
            assert kind == 9, (kind, payload)
            self._write(10, payload)

    async def _receive(self) -> tuple[int, bytes]:
        first, second = await self._reader.readexactly(2)
        size = second & 127
        if size > 125:
            more = await self._reader.readexactly(2 if size == 126 else 8)
            size = int.from_bytes(more, "big")
        return first & 15, await self._reader.readexactly(size)

    def say(self, text: str) -> float:
        """Sends a message; when."""
        at = time.monotonic()
        self._write(1, json.dumps({"type": "send", "text": text}).encode())
        return at

    def _write(self, kind: int, payload: bytes) -> None:
        """A frame under a mask of zeros, which leaves the payload as it is."""
        size = len(payload)
        length = bytes([128 | size]) if size < 126 else bytes([254]) + size.to_bytes(2, "big")
        self._writer.write(bytes([128 | kind]) + length + bytes(4) + payload)

    async def close(self) -> None:
        """Hangs up."""
        self._writer.close()
        await self._writer.wait_closed()
