"""The doors of HTTP: ids of requests, who may write to the JSON API from where, errors."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final, cast
from urllib.parse import urlsplit

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from futura import logs
from futura.errors import (
    BadInput,
    FuturaError,
    NotAllowed,
    NotFound,
    SignInNeeded,
    TooMany,
    WrongContentType,
    WrongMethod,
)
from futura.limits import UNSTORABLE, is_storable, storable

REQUEST_ID: Final = "X-Request-ID"

Handler = Callable[[HttpRequest], Any]


class Chained:
    """Base of the middleware: works in a synchronous and in an asynchronous chain.

    A purely synchronous one would hold a thread for as long as an asynchronous view waits.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(cast("Any", self))


class Door(Chained):
    """Middleware that may answer in the view's place."""

    def __call__(self, request: HttpRequest) -> Any:
        refused = self.refusal(request)
        if refused is None:
            return self.get_response(request)
        return _soon(refused) if iscoroutinefunction(self) else refused

    def refusal(self, _request: HttpRequest) -> HttpResponse | None:
        """An answer instead of the view's, or None to let the request pass."""
        return None


class Around(Chained):
    """Middleware that does something before the rest of the chain and something with its answer."""

    def __call__(self, request: HttpRequest) -> Any:
        if iscoroutinefunction(self):
            return self._later(request)
        with self.around(request) as finished:
            return finished(self.get_response(request))

    async def _later(self, request: HttpRequest) -> Any:
        with self.around(request) as finished:
            return finished(await self.get_response(request))

    def around(self, request: HttpRequest) -> AbstractContextManager[Callable[[Any], Any]]:
        """A context for the request; gives what makes the answer out of the chain's."""
        raise NotImplementedError


async def _soon(response: HttpResponse) -> HttpResponse:
    return response


class Observed(Around):
    """Gives a request its id, binds its log lines to it."""

    @contextmanager
    def around(self, request: HttpRequest) -> Iterator[Callable[[Any], Any]]:
        """The answer carries the id, and the request, for lines written afterwards."""
        request_id = uuid.uuid4().hex
        setattr(request, "id", request_id)  # noqa: B010 (no field that Django's types know)

        def finished(response: HttpResponseBase) -> HttpResponseBase:
            response[REQUEST_ID] = request_id
            return response

        with logs.bound(request_id=request_id), logs.asked_by(request):
            yield finished


class StorableText(Chained):
    """Forms, query strings and cookies reach pages without characters that cannot be stored.

    Programs are refused instead (`ApiDoor`, and the parser of `futura.api` for bodies), and no
    address has such a character (`ErrorPages`).
    """

    def __call__(self, request: HttpRequest) -> Any:
        """Cleans the request; a form is read in a thread, since it may bring a large file."""
        request.COOKIES = {name: storable(value) for name, value in request.COOKIES.items()}
        if not is_api(request):
            request.GET = _storable(request.GET)  # type: ignore[assignment]
        has_form = request.method == "POST" and not is_api(request)
        if iscoroutinefunction(self):
            return self._after_form(request) if has_form else self.get_response(request)
        if has_form:
            _clean_form(request)
        return self.get_response(request)

    async def _after_form(self, request: HttpRequest) -> Any:
        await sync_to_async(_clean_form)(request)
        return await self.get_response(request)


def _clean_form(request: HttpRequest) -> None:
    request.POST = _storable(request.POST)  # type: ignore[assignment]


def _storable(query: QueryDict) -> QueryDict:
    """The same where everything in it can be stored."""
    given = list(query.lists())
    lists = [(storable(name), [storable(value) for value in values]) for name, values in given]
    if lists == given:
        return query
    cleaned = QueryDict(mutable=True, encoding=query.encoding)
    for name, values in lists:
        cleaned.setlist(name, values)
    cleaned._mutable = False  # noqa: SLF001 (as `QueryDict.__init__` leaves it)
    return cleaned


def is_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


class ErrorPages(Door):
    """Renders a FuturaError raised by a view; other exceptions pass."""

    def refusal(self, request: HttpRequest) -> HttpResponse | None:
        return None if is_storable(request.path) else answer(request, NotFound())

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return answer(request, exception) if isinstance(exception, FuturaError) else None


class WrongMethods(Around):
    """Programs hear of a method that an address does not take as of every other refusal."""

    @contextmanager
    def around(self, request: HttpRequest) -> Iterator[Callable[[Any], Any]]:
        """Replaces the framework's plain answer; `Allow` stays."""

        def finished(response: HttpResponseBase) -> HttpResponseBase:
            if response.status_code != WrongMethod.status or not is_api(request):
                return response
            refused = answer(request, WrongMethod())
            refused["Allow"] = response["Allow"]
            return refused

        yield finished


class ApiDoor(Door):
    """Writes to the JSON API are JSON and come from here or from no page at all (DECISIONS 20).

    A page elsewhere cannot send this content type without asking first, and its origin shows.
    """

    def refusal(self, request: HttpRequest) -> HttpResponse | None:
        if not is_api(request):
            return None
        if _storable(request.GET) is not request.GET:
            return answer(request, BadInput(str(UNSTORABLE)))
        if request.method in {"GET", "HEAD", "OPTIONS"}:
            return None
        if not _is_own_origin(request):
            return answer(request, NotAllowed(_("Requests from other sites are refused here.")))
        if request.content_type != "application/json" and not _is_empty_with_key(request):
            return answer(request, WrongContentType())
        return None


def _is_empty_with_key(request: HttpRequest) -> bool:
    """A DELETE, say, by a program: no page elsewhere can send this header unasked."""
    has_body = request.META.get("CONTENT_LENGTH") not in {None, "", "0"}
    return "Authorization" in request.headers and not has_body


def _is_own_origin(request: HttpRequest) -> bool:
    origin = request.headers.get("Origin")
    if origin is None:
        return request.headers.get("Sec-Fetch-Site", "none") in {"none", "same-origin"}
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    return urlsplit(origin).netloc == request.get_host()


def answer(request: HttpRequest, error: FuturaError) -> HttpResponse:
    """JSON for `/api/`, a fragment for htmx, a page otherwise."""
    response: HttpResponse
    if is_api(request):
        response = JsonResponse(as_json(error), status=error.status)
    elif getattr(request, "htmx", False):
        response = as_toast(render_to_string("_error.html", {"error": error}, request), error)
    else:
        response = render(request, "error.html", {"error": error}, status=error.status)
    if isinstance(error, TooMany):
        response["Retry-After"] = str(error.retry_after_s)
    if isinstance(error, SignInNeeded):
        response["WWW-Authenticate"] = "Session"
    return response


def as_toast(fragment: str, error: FuturaError) -> HttpResponse:
    """A fragment for htmx, shown above the page that asked."""
    response = HttpResponse(fragment, status=error.status)
    response["HX-Retarget"] = "#toasts"
    response["HX-Reselect"] = "[data-toast]"  # not what the request would take of its answer
    response["HX-Reswap"] = "beforeend"
    return response


def as_json(error: FuturaError) -> dict[str, object]:
    """`{"error": {"code", "message", "field"?, "retry", …}}`, the API's one shape.

    `retryAfterMs` and the error's own details stand beside them.
    """
    body: dict[str, object] = {
        "code": error.code,
        "message": str(error),
        "retry": error.retry_helps,
    }
    if error.field:
        body["field"] = error.field
    if isinstance(error, TooMany):
        body["retryAfterMs"] = error.retry_after_s * 1000
    body.update(error.details)
    return {"error": body}
