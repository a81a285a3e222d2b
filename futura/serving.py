"""The web server: Daphne, taught to wait for clients that read slowly, and to end with manners.

    python -m futura.serving -b 127.0.0.1 -p 8000 futura.asgi:application

takes Daphne's own options. As Daphne comes, whatever an application sends lies in memory until the
client takes it, and SIGTERM cuts whatever is at work.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final
from weakref import WeakSet

import uvloop
from django.conf import settings
from twisted.internet import asyncioreactor
from twisted.internet.defer import Deferred, maybeDeferred

from futura import garbage

# Daphne, imported after it, takes it as it is
asyncioreactor.install(uvloop.new_event_loop())  # type: ignore[no-untyped-call]

import daphne.server  # noqa: E402
from daphne.cli import CommandLineInterface  # noqa: E402
from daphne.http_protocol import HTTPFactory, WebRequest  # noqa: E402
from daphne.server import Server  # noqa: E402
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol  # noqa: E402
from twisted.internet import reactor as some_reactor  # noqa: E402

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "futura.settings")
log = logging.getLogger(__name__)
reactor: Any = some_reactor

SWITCH_S: Final = 0.001
CLOSE_RESTART: Final = 1012  # "service restart": pages come again
LINGER_S: Final = 0.2  # requests that were on their way when the end was announced
FLUSH_S: Final = 1.0  # for answers that clients are still taking when the grace is over
LOOK_S: Final = 0.02
BACKLOG: Final = 1000  # more than a port lets wait


class Valve:
    """What a transport pauses when its buffer (64 KB) is full and resumes when it is empty."""

    def __init__(self, transport: Any = None) -> None:
        self._transport = transport
        self._open = asyncio.Event()
        self._open.set()
        self.passage = self._open.wait

    def pauseProducing(self) -> None:  # noqa: N802 (Twisted's names)
        self._open.clear()

    def resumeProducing(self) -> None:  # noqa: N802
        self._open.set()
        if getattr(self._transport, "disconnecting", False):  # one that shall close is not kept
            self._transport.unregisterProducer()

    def stopProducing(self) -> None:  # noqa: N802
        self._open.set()


class WholeBodies(HTTPFactory):  # type: ignore[misc]
    """Connections whose requests leave reading forms to Django, which reads every body anyway.

    Reading the type of a body alone costs Twisted a seventh of everything that a sending costs the
    web process, and an upload is held up once more.
    """

    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = partial(WebRequest, parsePOSTFormSubmission=False)
        return protocol


class PatientSocket(WebSocketProtocol):  # type: ignore[misc]
    """A socket that knows whether its client keeps up, and closes with any code."""

    def onOpen(self) -> None:  # noqa: N802
        self.valve = Valve(self.transport)
        self.transport.unregisterProducer()  # the HTTP channel's, which stopped the reading
        self.transport.registerProducer(self.valve, True)
        super().onOpen()
        if self.server.is_draining:
            self.serverClose(CLOSE_RESTART)

    def serverClose(self, code: int | None = None) -> None:  # noqa: N802
        if self.state == self.STATE_OPEN:  # `sendClose` knows 1000 and those from 3000 only
            self.sendCloseFrame(code=1000 if code is None else code)


class DrainingServer(Server):  # type: ignore[misc]
    """Daphne's server, in which `send` waits for the client, and which is drained before it ends:

    nobody listens any more, and connections kept for further requests end, so that a proxy goes
    elsewhere; sockets are closed with 1012 and streams of events end, since their readers come
    again; what runs is answered within FUTURA_GRACE_S, the rest is cancelled. It exits with 0.
    """

    is_draining = has_cut = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.channels: WeakSet[Any] = WeakSet()

    def listen_success(self, port: Any) -> Any:
        super().listen_success(port)
        return port  # for `_drain`, which closes it before the rest

    def protocol_connected(self, protocol: Any) -> None:
        super().protocol_connected(protocol)
        if isinstance(protocol, WebRequest):
            self.channels.add(protocol.channel)

    async def handle_reply(self, protocol: Any, message: Mapping[str, Any]) -> None:
        """Hands a message to a protocol, and waits until there is room for the next."""
        kind, is_open = message.get("type"), getattr(protocol, "channel", None) is not None
        if kind == "http.response.start" and self.is_draining and is_open:
            protocol.channel.persistent = False
            message = {**message, "headers": [*message.get("headers", ()), _CLOSE]}
        is_stream = kind == "http.response.body" and message.get("more_body", False)
        if is_stream and is_open and not hasattr(protocol, "valve"):
            protocol.valve = Valve()
            protocol.registerProducer(protocol.valve, True)
        elif is_open and not is_stream and hasattr(protocol, "valve"):
            protocol.unregisterProducer()
        await super().handle_reply(protocol, message)
        if (is_stream or kind == "websocket.send") and hasattr(protocol, "valve"):
            await protocol.valve.passage()
        if is_stream and self.is_draining:
            await self._send_away(protocol)

    def kill_all_applications(self) -> Deferred[None]:
        """Twisted waits for this before it ends."""
        return Deferred.fromFuture(asyncio.ensure_future(self._drain()))

    async def _drain(self) -> None:
        self.is_draining, begun_at = True, time.monotonic()
        for listener in self.listeners:
            listener.addCallback(_stop_listening)
        for channel in list(self.channels):
            if not channel.requests and channel.transport is not None:
                channel.transport.loseConnection()
        await asyncio.sleep(LOOK_S)  # proxies hear of it before pages come again
        for protocol in list(self.connections):
            await self._send_away(protocol)
        await _until(lambda: not self._is_busy(), begun_at + settings.GRACE_S, begun_at + LINGER_S)
        late = [it["application_instance"] for it in self.connections.values() if _works(it)]
        if late:
            log.warning("%d requests were cut off: this web process had to end", len(late))
            self.has_cut = True
            for application in late:
                application.cancel()
            await asyncio.wait(late, timeout=FLUSH_S)
        # what is answered is not always taken yet
        over_at = max(begun_at + settings.GRACE_S, time.monotonic() + FLUSH_S)
        await _until(lambda: not reactor.getWriters(), over_at)

    async def _send_away(self, protocol: Any) -> None:
        """Ends what would go on for ever; those at the other end come again."""
        if isinstance(protocol, WebSocketProtocol):
            protocol.serverClose(CLOSE_RESTART)
        elif protocol.method == b"GET" and not protocol.finished:
            kinds = protocol.responseHeaders.getRawHeaders(b"content-type", [])
            if any(kind.startswith(b"text/event-stream") for kind in kinds):
                await self.handle_reply(protocol, {"type": "http.response.body"})

    def _is_busy(self) -> bool:
        """Whether somebody is not answered yet, or an application has something left to do."""
        return any("disconnected" not in it or _works(it) for it in self.connections.values())


_CLOSE: Final = (b"connection", b"close")


def _works(connection: Mapping[str, Any]) -> bool:
    application = connection.get("application_instance")
    return application is not None and not application.done()


async def _until(holds: Callable[[], bool], over_at: float, least_until: float = 0.0) -> None:
    while (now := time.monotonic()) < least_until or (not holds() and now < over_at):
        await asyncio.sleep(LOOK_S)


def _stop_listening(port: Any) -> Any:
    port.numberAccepts = BACKLOG  # those that wait at the port are taken, and no more
    port.doRead()
    return maybeDeferred(port.stopListening)


def main() -> None:
    # threads at the database must not keep the loop from the sockets for long
    sys.setswitchinterval(SWITCH_S)
    WebSocketFactory.protocol = PatientSocket
    daphne.server.HTTPFactory = WholeBodies
    reactor.callWhenRunning(garbage.look_seldom)  # with all pages loaded
    garbage.look_seldom()  # what is loaded from here on is there to stay
    command = CommandLineInterface()
    command.server_class = DrainingServer
    command.run(sys.argv[1:])
    if command.server.has_cut:  # its thread may hang; Python would wait for it
        logging.shutdown()
        os._exit(0)


if __name__ == "__main__":
    main()
