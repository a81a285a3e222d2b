"""The web server: Daphne, taught to wait for clients that read slowly.

    python -m futura.serving -b 127.0.0.1 -p 8000 futura.asgi:application

takes Daphne's own options. As Daphne comes, whatever an application sends lies in memory until the
client takes it. Here `send` returns when no more than a transport's buffer (64 KB) is waiting, so
that an application that gives its readers bounded buffers is bounded as a whole.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from typing import Any, Final

from daphne.cli import CommandLineInterface
from daphne.server import Server
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol

SWITCH_S: Final = 0.001


class Valve:
    """What a transport pauses when its buffer is full and resumes when it is empty."""

    def __init__(self, transport: Any = None) -> None:
        self._transport = transport
        self._open = asyncio.Event()
        self._open.set()

    def pauseProducing(self) -> None:  # noqa: N802 (Twisted's names)
        """Too much lies in the buffer."""
        self._open.clear()

    def resumeProducing(self) -> None:  # noqa: N802
        """It has been taken; a transport that shall close is not kept by us."""
        self._open.set()
        if getattr(self._transport, "disconnecting", False):
            self._transport.unregisterProducer()

    def stopProducing(self) -> None:  # noqa: N802
        """The client is gone; nothing waits for it any more."""
        self._open.set()

    async def passage(self) -> None:
        """Waits while it is paused."""
        await self._open.wait()


class PatientSocket(WebSocketProtocol):  # type: ignore[misc]
    """A socket that knows whether its client keeps up."""

    def onOpen(self) -> None:  # noqa: N802
        """The handshake is done: from now on this socket hears of its transport's buffer."""
        self.valve = Valve(self.transport)
        self.transport.unregisterProducer()  # the HTTP channel's, which stopped the reading
        self.transport.registerProducer(self.valve, True)
        super().onOpen()


class PatientServer(Server):  # type: ignore[misc]
    """Daphne's server, in which an application's `send` waits for the client."""

    @property
    def ws_factory(self) -> WebSocketFactory:
        """What makes the protocols of sockets."""
        return self._ws_factory

    @ws_factory.setter
    def ws_factory(self, factory: WebSocketFactory) -> None:
        factory.protocol = PatientSocket
        self._ws_factory = factory

    async def handle_reply(self, protocol: Any, message: Mapping[str, Any]) -> None:
        """Hands a message to a protocol, and waits until there is room for the next."""
        kind = message.get("type")
        if kind == "http.response.body":
            await self._body(protocol, message)
            return
        await super().handle_reply(protocol, message)
        valve: Valve | None = getattr(protocol, "valve", None)
        if kind == "websocket.send" and valve is not None:
            await valve.passage()

    async def _body(self, request: Any, message: Mapping[str, Any]) -> None:
        """A part of a body; those that stream wait from part to part."""
        valve: Valve | None = getattr(request, "valve", None)
        is_last = not message.get("more_body", False)
        if valve is None and not is_last and request.channel is not None:
            valve = request.valve = Valve()
            request.registerProducer(valve, True)
        elif valve is not None and is_last and request.channel is not None:
            request.unregisterProducer()
        await super().handle_reply(request, message)
        if valve is not None and not is_last:
            await valve.passage()


class Command(CommandLineInterface):  # type: ignore[misc]
    """Daphne's command line with the patient server."""

    server_class = PatientServer


def main() -> None:
    """Serves until it is ended."""
    # threads at the database must not keep the loop from the sockets for long
    sys.setswitchinterval(SWITCH_S)
    Command.entrypoint()


if __name__ == "__main__":
    main()
