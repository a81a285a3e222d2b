"""The least of HTTP/1.1 that a model API needs, with a hold on every byte."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from tests.scripted.requests import ScriptedRequest

REASONS = {
    200: "OK",
    400: "Bad Request",
    401: "Unauthorized",
    404: "Not Found",
    429: "Too Many Requests",
    500: "Internal Server Error",
    503: "Service Unavailable",
}


class Connection:
    """One connection: reads requests, writes answers whole, streamed or broken."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def read_request(self) -> ScriptedRequest | None:
        """The next request; None when the client is gone."""
        try:
            head = await self.reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        first, *lines = head.decode("latin-1").split("\r\n")
        method, path, _ = first.split(" ", 2)
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines if line)
        }
        raw = await self._read_body(headers)
        return ScriptedRequest(method, path, headers, _parsed(headers, raw), raw)

    async def _read_body(self, headers: Mapping[str, str]) -> bytes:
        if headers.get("transfer-encoding", "").lower() != "chunked":
            return await self.reader.readexactly(int(headers.get("content-length", "0")))
        body = b""
        while size := int((await self.reader.readline()).split(b";")[0], 16):
            body += await self.reader.readexactly(size)
            await self.reader.readline()
        await self.reader.readline()
        return body

    async def send(
        self,
        status: int,
        body: bytes,
        *,
        kind: str = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """A whole answer."""
        self._head(
            status, {"content-type": kind, "content-length": str(len(body)), **(headers or {})}
        )
        self.writer.write(body)
        await self.writer.drain()

    async def send_json(
        self, status: int, value: Any, *, headers: Mapping[str, str] | None = None
    ) -> None:
        """A whole answer in JSON."""
        await self.send(status, json.dumps(value).encode(), headers=headers)

    async def begin_stream(self, headers: Mapping[str, str] | None = None) -> None:
        """Headers of a chunked event stream."""
        self._head(
            200,
            {
                "content-type": "text/event-stream; charset=utf-8",
                "transfer-encoding": "chunked",
                **(headers or {}),
            },
        )
        await self.writer.drain()

    async def chunk(self, payload: bytes) -> None:
        """One chunk of the stream."""
        self.writer.write(b"%x\r\n%b\r\n" % (len(payload), payload))
        await self.writer.drain()

    async def end_stream(self) -> None:
        """The proper end of a stream."""
        self.writer.write(b"0\r\n\r\n")
        await self.writer.drain()

    async def wait_closed_by_client(self) -> None:
        """Returns when the client hangs up."""
        while await self.reader.read(1024):
            pass

    def abort(self) -> None:
        """Tears the connection."""
        self.writer.transport.abort()

    def _head(self, status: int, headers: Mapping[str, str]) -> None:
        lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Scripted')}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        self.writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))


def _parsed(headers: Mapping[str, str], raw: bytes) -> dict[str, Any]:
    if "json" not in headers.get("content-type", "") or not raw:
        return {}
    found = json.loads(raw)
    return found if isinstance(found, dict) else {}
