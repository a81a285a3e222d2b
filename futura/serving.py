"""The web server: Daphne, taught to wait for clients that read slowly, and to end with manners.

    python -m futura.serving -b 127.0.0.1 -p 8000 futura.asgi:application

takes Daphne's own options. As Daphne comes, whatever an application sends lies in memory until the
client takes it. Here `send` returns when no more than a transport's buffer (64 KB) is waiting, so
that an application that gives its readers bounded buffers is bounded as a whole.

As Daphne comes, SIGTERM cuts whatever is at work. Here the server stops listening, tells open
pages and readers of events to come again (elsewhere, or to whoever listens next), lets requests
finish for up to FUTURA_GRACE_S, and exits with 0. `DRAINING` below says how.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import time
from collections.abc import Mapping
from typing import Any, Final

from daphne.cli import CommandLineInterface
from daphne.http_protocol import WebRequest
from daphne.server import Server
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from django.conf import settings
from twisted.internet import reactor as some_reactor
from twisted.internet.defer import Deferred, maybeDeferred
from twisted.internet.tcp import Server as Connection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "futura.settings")
log = logging.getLogger(__name__)
reactor: Any = some_reactor  # Daphne has put the one of asyncio there

SWITCH_S: Final = 0.001
CLOSE_RESTART: Final = 1012  # "service restart": pages come again
LINGER_S: Final = 0.2  # requests that were on their way when the end was announced
FLUSH_S: Final = 1.0  # for answers that clients are still taking when the grace is over
LOOK_S: Final = 0.02
BACKLOG: Final = 1000  # more than a port lets wait


class Valve:
    """What a transport pauses when its buffer is full and resumes when it is empty."""

    def __init__(self, transport: Any = None) -> None:
        self._transport = transport
        self._open = asyncio.Event()
        self._open.set()

    def pauseProducing(self) -> None:  # noqa: N802 (Twisted's names)
        self._open.clear()

    def resumeProducing(self) -> None:  # noqa: N802
        self._open.set()
        if getattr(self._transport, "disconnecting", False):  # one that shall close is not kept
            self._transport.unregisterProducer()

    def stopProducing(self) -> None:  # noqa: N802
        self._open.set()

    async def passage(self) -> None:
        await self._open.wait()


class PatientSocket(WebSocketProtocol):  # type: ignore[misc]
    """A socket that knows whether its client keeps up."""

    def onOpen(self) -> None:  # noqa: N802
        self.valve = Valve(self.transport)
        self.transport.unregisterProducer()  # the HTTP channel's, which stopped the reading
        self.transport.registerProducer(self.valve, True)
        super().onOpen()
        if self.server.is_draining:
            self.serverClose(CLOSE_RESTART)

    def serverClose(self, code: int | None = None) -> None:  # noqa: N802
        """Closes with any code: autobahn's `sendClose` knows 1000 and those from 3000 only."""
        if self.state == self.STATE_OPEN:
            self.sendCloseFrame(code=1000 if code is None else code)


class PatientServer(Server):  # type: ignore[misc]
    """Daphne's server, in which an application's `send` waits for the client.

    DRAINING, when it is asked to end: connections that wait to be taken are taken, then nobody
    listens any more, and connections that were kept for further requests end: what a proxy sends
    now goes elsewhere. Then sockets are closed with 1012, and so are streams of events that were
    asked for by GET, since their readers come again by themselves from where they were. Requests
    that run are answered, the last of their connection. What is not done within the grace is
    cancelled.
    """

    is_draining = False
    has_cut = False

    def listen_success(self, port: Any) -> Any:
        super().listen_success(port)
        return port  # for `_drain`, which closes it before the rest

    @property
    def ws_factory(self) -> WebSocketFactory:
        return self._ws_factory

    @ws_factory.setter
    def ws_factory(self, factory: WebSocketFactory) -> None:
        factory.protocol = PatientSocket
        self._ws_factory = factory

    def protocol_connected(self, protocol: Any) -> None:
        super().protocol_connected(protocol)
        if isinstance(protocol, WebRequest):
            protocol.channel.was_asked = True

    async def handle_reply(self, protocol: Any, message: Mapping[str, Any]) -> None:
        """Hands a message to a protocol, and waits until there is room for the next."""
        kind = message.get("type")
        if kind == "http.response.body":
            await self._body(protocol, message)
            if self.is_draining and _comes_again(protocol):
                await self._send_away(protocol)
            return
        if kind == "http.response.start" and self.is_draining and protocol.channel is not None:
            protocol.channel.persistent = False
            message = {**message, "headers": [*message.get("headers", ()), _CLOSE]}
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

    def kill_all_applications(self) -> Deferred[None]:
        """Twisted waits for this before it ends."""
        return Deferred.fromFuture(asyncio.ensure_future(self._drain()))

    async def _drain(self) -> None:
        self.is_draining = True
        over_at = time.monotonic() + settings.GRACE_S
        linger_until = time.monotonic() + LINGER_S
        for listener in self.listeners:
            listener.addCallback(_stop_listening)
        for connection in _connections():
            _keep_no_longer(connection)
        await asyncio.sleep(LOOK_S)  # proxies hear of it before pages come again
        for protocol in list(self.connections):
            await self._send_away(protocol)
        while time.monotonic() < linger_until or (self._is_busy() and time.monotonic() < over_at):
            await asyncio.sleep(LOOK_S)
        await self._cut()
        # what is answered is not always taken yet: a connection closes when its buffer is empty
        over_at = max(over_at, time.monotonic() + FLUSH_S)
        for connection in _connections():
            connection.loseConnection()
        while _connections() and time.monotonic() < over_at:
            await asyncio.sleep(LOOK_S)

    async def _send_away(self, protocol: Any) -> None:
        """Ends what would go on for ever; those at the other end come again."""
        if isinstance(protocol, WebSocketProtocol):
            protocol.serverClose(CLOSE_RESTART)
        elif _comes_again(protocol):
            await self._body(protocol, {"type": "http.response.body"})

    def _is_busy(self) -> bool:
        """Whether somebody is not answered yet, or an application has something left to do."""
        return any("disconnected" not in it or _works(it) for it in self.connections.values())

    async def _cut(self) -> None:
        late = [it["application_instance"] for it in self.connections.values() if _works(it)]
        if not late:
            return
        log.warning("%d requests were cut off: this web process had to end", len(late))
        self.has_cut = True
        for application in late:
            application.cancel()
        await asyncio.wait(late, timeout=FLUSH_S)


_CLOSE: Final = (b"connection", b"close")


def _comes_again(protocol: Any) -> bool:
    """Whether it is a stream of events under way that its reader takes up again by itself."""
    if not isinstance(protocol, WebRequest) or protocol.method != b"GET" or protocol.finished:
        return False
    kinds = protocol.responseHeaders.getRawHeaders(b"content-type", [])
    return any(kind.startswith(b"text/event-stream") for kind in kinds)


def _works(connection: Mapping[str, Any]) -> bool:
    application = connection.get("application_instance")
    return application is not None and not application.done()


def _stop_listening(port: Any) -> Any:
    port.numberAccepts = BACKLOG  # those that wait at the port are taken, and no more
    port.doRead()
    return maybeDeferred(port.stopListening)


def _keep_no_longer(connection: Any) -> None:
    """Ends a connection after its request, or now where it only waits for another one."""
    channel = getattr(connection.protocol, "_channel", None)
    if channel is None:
        return
    channel.persistent = False
    if not channel.requests and getattr(channel, "was_asked", False):
        connection.loseConnection()


def _connections() -> list[Any]:
    ends = {*reactor.getReaders(), *reactor.getWriters()}
    return [end for end in ends if isinstance(end, Connection)]


def main() -> None:
    # threads at the database must not keep the loop from the sockets for long
    sys.setswitchinterval(SWITCH_S)
    command = CommandLineInterface()
    command.server_class = PatientServer
    command.run(sys.argv[1:])
    if command.server.has_cut:  # its thread may hang; Python would wait for it
        logging.shutdown()
        os._exit(0)


if __name__ == "__main__":
    main()
