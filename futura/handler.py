"""How a request gets to its view: through the middleware in one thread, where nothing awaits."""

from __future__ import annotations

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.core.handlers.base import BaseHandler
from django.http import HttpRequest, HttpResponseBase
from django.urls import Resolver404, resolve


class PageHandler(ASGIHandler):
    """Django's handler, with a synchronous chain of middleware beside its own.

    In Django's own chain each middleware of a synchronous view goes to the request's thread and
    back, twice: some twenty changes of thread, which cost a page more than all its queries. Here
    the whole chain runs there in one go. A view that awaits keeps Django's, so that it holds no
    thread for as long as it waits.
    """

    def __init__(self) -> None:
        super().__init__()
        self._in_thread = BaseHandler()
        self._in_thread.load_middleware()

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """What the view answers, by the chain that suits it."""
        if _suits_the_loop(request.path_info):
            return await super().get_response_async(request)
        return await sync_to_async(self._in_thread.get_response)(request)


def _suits_the_loop(path: str) -> bool:
    """Whether what answers awaits, or has no view at all, as static files."""
    try:
        return iscoroutinefunction(resolve(path).func)
    except Resolver404:
        return True
