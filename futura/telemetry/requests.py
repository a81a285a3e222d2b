"""The outermost door of HTTP: gives each request an id, binds it to its log lines and its span."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Final

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from opentelemetry.trace import INVALID_SPAN, Span, SpanKind

from futura import logs
from futura.telemetry import names, tracing
from futura.telemetry.tracing import Value

HEADER: Final = "X-Request-ID"
# What a proxy in front of us may say; anything else is not worth a line in the log.
_GIVEN: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
_UNTRACED: Final = frozenset({"/healthz", "/readyz", "/metrics"})


class Observed:
    """Middleware for a synchronous and for an asynchronous chain."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        if iscoroutinefunction(self):
            return self._later(request)
        request_id = _id_of(request)
        with logs.bound(request_id=request_id), logs.asked_by(request), _span(request) as span:
            response: HttpResponseBase = self.get_response(request)
            return _answered(request, response, request_id, span)

    async def _later(self, request: HttpRequest) -> HttpResponseBase:
        request_id = _id_of(request)
        with logs.bound(request_id=request_id), logs.asked_by(request), _span(request) as span:
            response: HttpResponseBase = await self.get_response(request)
            return _answered(request, response, request_id, span)


def _id_of(request: HttpRequest) -> str:
    """The id that a proxy gave or a new one; kept on the request for lines written afterwards."""
    given = request.headers.get(HEADER, "")
    found = given if _GIVEN.fullmatch(given) else uuid.uuid4().hex
    setattr(request, "id", found)  # noqa: B010 (no field that Django's types know)
    return found


def _span(request: HttpRequest) -> Any:
    if not tracing.is_on() or request.path in _UNTRACED:
        return nullcontext(INVALID_SPAN)
    return tracing.span(request.method or "", {names.METHOD: request.method}, kind=SpanKind.SERVER)


def _answered(
    request: HttpRequest, response: HttpResponseBase, request_id: str, span: Span
) -> HttpResponseBase:
    response[HEADER] = request_id
    if span.is_recording():
        _note(request, response, request_id, span)
    return response


def _note(request: HttpRequest, response: HttpResponseBase, request_id: str, span: Span) -> None:
    found = request.resolver_match
    route = f"/{found.route}" if found else ""
    known: dict[str, Value] = {
        names.ROUTE: route or None,
        names.STATUS: response.status_code,
        names.REQUEST_ID: request_id,
    }
    kwargs = found.kwargs if found else {}
    for name, key in ((names.SESSION, "session_id"), (names.RUN, "run_id")):
        known[name] = str(kwargs[key]) if key in kwargs else None
    tracing.note(span, known)
    span.update_name(names.REQUEST.format(method=request.method, route=route or "-"))
    if response.status_code >= 500:
        tracing.failed(span, str(response.status_code))
