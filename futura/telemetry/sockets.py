"""How many sockets each web process holds open, told to the others through Redis."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from django.conf import settings
from redis import Redis
from redis.asyncio import Redis as AsyncRedis
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

KEY: Final = "futura:sockets"
EVERY_S: Final = 5.0
ALIVE_S: Final = 20.0
FORGET_S: Final = 3600.0


class CountingSockets:
    """ASGI: counts the sockets that are open inside, and tells it every few seconds.

    The telling begins with the first socket and ends after the last has gone.
    """

    def __init__(
        self, application: Callable[..., Awaitable[None]], *, every_s: float = EVERY_S
    ) -> None:
        self.application = application
        self.every_s = every_s
        self.open = 0
        self._telling: asyncio.Task[None] | None = None

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        """One socket from its opening to its end; anything else passes."""
        if scope["type"] != "websocket":
            await self.application(scope, receive, send)
            return
        self.open += 1
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._tell(), name="socket count")
        try:
            await self.application(scope, receive, send)
        finally:
            self.open -= 1

    async def _tell(self) -> None:
        told = -1
        async with AsyncRedis.from_url(settings.REDIS_URL, socket_timeout=2) as client:
            while self.open or told:
                told = self.open
                try:
                    await client.hset(KEY, _process(), f"{told} {time.time()}")
                except (RedisError, OSError) as error:
                    log.warning("sockets not told: %s", error)
                await asyncio.sleep(self.every_s)


def open_sockets(client: Redis) -> dict[str, int]:
    """Open sockets by process, as told lately; sweeps away what is long silent."""
    now = time.time()
    found: dict[str, int] = {}
    entries: Any = client.hgetall(KEY)
    for process, entry in entries.items():
        number, _, told_at = str(entry).partition(" ")
        silent_s = now - float(told_at)
        if silent_s < ALIVE_S:
            found[str(process)] = int(number)
        elif silent_s > FORGET_S:
            client.hdel(KEY, process)
    return found


def _process() -> str:
    """This process among those of all machines."""
    return f"{socket.gethostname()}:{os.getpid()}"
