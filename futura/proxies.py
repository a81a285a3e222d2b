"""The outermost layer of the application: believes our own proxies, and nobody else."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from futura.limits.addresses import Network, client, is_trusted, parsed

log = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Application = Callable[..., Awaitable[None]]
SAID_BY_PROXIES: Final = (
    *(b"forwarded", b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host"),
    *(b"x-forwarded-port", b"x-real-ip"),
)


class BehindProxies:
    """Puts the real client into each connection; takes away what strangers say about themselves.

    `proxies` are the networks whose X-Forwarded-For and X-Forwarded-Proto are believed.
    """

    def __init__(self, application: Application, proxies: tuple[Network, ...]) -> None:
        self.application = application
        self.proxies = proxies
        self._warned: set[str] = set()

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] in {"http", "websocket"}:
            scope = self._as_it_is(scope)
        await self.application(scope, receive, send)

    def _as_it_is(self, scope: Scope) -> Scope:
        peer = str((scope.get("client") or ("",))[0])
        headers = scope["headers"]
        claims = {name.lower(): value for name, value in headers if name.lower() in SAID_BY_PROXIES}
        if not claims:
            return scope
        if not is_trusted(parsed(peer), self.proxies):
            self._warn(peer)
            stored = [(name, value) for name, value in headers if name.lower() not in claims]
            return {**scope, "headers": stored}
        forwarded = b",".join(
            value for name, value in headers if name.lower() == b"x-forwarded-for"
        )
        result = client(peer, forwarded.decode("latin-1"), self.proxies)
        return {**scope, "client": (result, 0)}

    def _warn(self, peer: str) -> None:
        """Once for each of the first few; a forgotten proxy makes everybody one address."""
        if peer not in self._warned and len(self._warned) < 10:
            self._warned.add(peer)
            log.warning("%s sends X-Forwarded headers and is not in FUTURA_PROXIES: ignored", peer)
