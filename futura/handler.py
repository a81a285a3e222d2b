"""How a request gets to its view: through everything in one thread, where nothing awaits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager, closing
from contextvars import copy_context
from typing import IO, Any, Final
from weakref import WeakKeyDictionary

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.http import FileResponse, HttpResponseBase
from django.urls import Resolver404, ResolverMatch, resolve, set_script_prefix

# Most of them wait for the database, a few for a model; threads are made as they are needed.
THREADS: Final = 64
# Many that share one processor are all ready at the end. One after the other, half of them are
# ready at half the time, and workers have begun with theirs: of 40 answers that begin at once the
# median first word comes a fifth sooner. One that waits long, for a model or a lock, makes room.
AT_ONCE: Final = 6
LONG_S: Final = 0.25

_threads: Final = ThreadPoolExecutor(THREADS, thread_name_prefix="page")
_rooms: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


class PageHandler(ASGIHandler):
    """Django's handler, with a synchronous way beside its own.

    Django makes a thread for each request and changes to it and back some twenty times: at its
    beginning, in each middleware, at its end. That costs a page more than all its queries. Here one
    thread of a pool does the whole request in one go. A view that awaits keeps Django's way, so
    that it holds no thread for as long as it waits.
    """

    def __init__(self) -> None:
        super().__init__()
        self._in_thread = BaseHandler()
        self._in_thread.load_middleware()

    async def handle(
        self,
        scope: dict[str, Any],
        receive: Callable[[], Awaitable[Any]],
        send: Callable[[Any], Awaitable[None]],
    ) -> None:
        """Answers one request, by the way that suits its view."""
        match = _match(scope["path"].removeprefix(scope.get("root_path", "")))
        if match is None or iscoroutinefunction(match.func):
            await super().handle(scope, receive, send)
            return
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with closing(body):
            work = copy_context()
            async with _in_turn():
                response = await asyncio.get_running_loop().run_in_executor(
                    _threads, work.run, self._answer, scope, body
                )
            await self.send_response(response, send)
            if response.streaming:
                await sync_to_async(response.close)()

    def _answer(self, scope: dict[str, Any], body: IO[bytes]) -> HttpResponseBase:
        """What the view answers; its connection to the database is back in the pool by then."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, refusal = self.create_request(scope, body)
        response: Any = self._in_thread.get_response(request) if request else refusal
        response._handler_class = self.__class__  # noqa: SLF001 (as all of Django's handlers do)
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        if not response.streaming:
            response.close()
        answer: HttpResponseBase = response
        return answer


@asynccontextmanager
async def _in_turn() -> AsyncIterator[None]:
    """Waits until few enough are at work; who came first goes first."""
    loop = asyncio.get_running_loop()
    room = _rooms.setdefault(loop, asyncio.Semaphore(AT_ONCE))
    await room.acquire()
    with ExitStack() as stay:
        stay.callback(room.release)
        late = loop.call_later(LONG_S, stay.close)
        try:
            yield
        finally:
            late.cancel()


def _match(path: str) -> ResolverMatch | None:
    """The view of an address; static files have none."""
    try:
        return resolve(path)
    except Resolver404:
        return None
