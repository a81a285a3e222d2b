"""The least of WebSocket that an open page needs, so that hundreds cost little, on one loop."""

from __future__ import annotations

import asyncio
import base64
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

TIMEOUT_S = 60.0
TEXT, PING, PONG = 1, 9, 10


@dataclass(frozen=True)
class Frame:
    """One frame of the server and when it came."""

    text: str
    at: float


class WebSocket:
    """A socket over the loopback interface."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def connect(cls, port: int, path: str, headers: Sequence[str] = ()) -> Self:
        """Connects; fails when the server does not switch protocols."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: localhost:{port}",
            f"Origin: http://localhost:{port}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
            *headers,
        ]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), TIMEOUT_S)
        assert b" 101 " in head.split(b"\r\n")[0], head
        return cls(reader, writer)

    async def frame(self) -> Frame:
        """The next frame with text."""
        while True:
            kind, payload = await asyncio.wait_for(self._receive(), TIMEOUT_S)
            if kind == TEXT:
                return Frame(payload.decode(), time.monotonic())
            assert kind == PING, (kind, payload)
            self._write(PONG, payload)

    async def _receive(self) -> tuple[int, bytes]:
        first, second = await self._reader.readexactly(2)
        size = second & 127
        if size > 125:
            more = await self._reader.readexactly(2 if size == 126 else 8)
            size = int.from_bytes(more, "big")
        return first & 15, await self._reader.readexactly(size)

    def write(self, text: str) -> float:
        """Sends a frame; when."""
        at = time.monotonic()
        self._write(TEXT, text.encode())
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
