"""The private asyncio loop of a process, on which all its model calls wait together."""

from __future__ import annotations

import asyncio
import atexit
import os
import ssl
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeVar

import httpx2
import uvloop

from futura.llm import server

if TYPE_CHECKING:
    from openai import AsyncOpenAI

T = TypeVar("T")
CONNECT_S: Final = 3.0
# Compatible servers without accounts still want a header; this is not a secret.
NO_KEY: Final = "no-key-needed"


class _Loop:
    """A loop in a thread, with the SDK clients that live on it."""

    def __init__(self) -> None:
        self.loop = uvloop.new_event_loop()
        self.clients: dict[tuple[str, str], AsyncOpenAI] = {}
        self.thread = threading.Thread(
            target=self.loop.run_forever, name="model-calls", daemon=True
        )
        self.thread.start()

    async def close(self) -> None:
        running = asyncio.all_tasks() - {asyncio.current_task()}
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        for client in self.clients.values():
            await client.close()
        await self.loop.shutdown_asyncgens()
        await self.loop.shutdown_default_executor()


_current: _Loop | None = None
_lock = threading.RLock()


def submit(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Starts `work` on the loop; cancelling the future cancels it there. Starts the loop lazily."""
    return asyncio.run_coroutine_threadsafe(work, _running().loop)


def client() -> AsyncOpenAI:
    """The SDK client for the server in use; its calls run on the loop only."""
    used = server.current()
    with _lock:
        return _running().clients.get((used.base_url, used.key)) or connect()


def connect(by: httpx2.AsyncClient | None = None) -> AsyncOpenAI:
    """A new SDK client for the server in use, with connections of its own unless there are some."""
    # Loading the SDK takes a second and 40 MB, which processes that call no model never pay.
    from openai import AsyncOpenAI, DefaultAioHttpClient

    used = server.current()
    timeout = httpx2.Timeout(None, connect=CONNECT_S)
    made = AsyncOpenAI(
        base_url=used.base_url or None,
        api_key=used.key or NO_KEY,
        max_retries=0,
        timeout=timeout,
        http_client=by or DefaultAioHttpClient(verify=_tls(), timeout=timeout),
    )
    with _lock:
        _running().clients[used.base_url, used.key] = made
    return made


@cache
def _tls() -> ssl.SSLContext:
    """The trusted certificates; reading them costs 40 ms, and they are the same for all clients."""
    return httpx2.create_ssl_context()


def shutdown() -> None:
    """Cancels running calls, closes all connections and ends the thread; idempotent."""
    global _current
    with _lock:
        ended, _current = _current, None
    if ended is None:
        return
    asyncio.run_coroutine_threadsafe(ended.close(), ended.loop).result(5)
    ended.loop.call_soon_threadsafe(ended.loop.stop)
    ended.thread.join(5)
    ended.loop.close()


def _running() -> _Loop:
    global _current
    with _lock:
        _current = _current or _Loop()
        return _current


def _forget_after_fork() -> None:
    """A forked child has no loop thread: it starts its own, with its own connections."""
    global _current, _lock
    _current, _lock = None, threading.RLock()


os.register_at_fork(after_in_child=_forget_after_fork)
atexit.register(shutdown)
