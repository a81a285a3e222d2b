"""Translates Futura's errors into answers: a page, a fragment or JSON."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from futura.errors import FuturaError, SignInNeeded, TooMany


class ErrorPages:
    """Renders a FuturaError raised by a view; other exceptions pass."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponse | None:
        if not isinstance(exception, FuturaError):
            return None
        return answer(request, exception)


def answer(request: HttpRequest, error: FuturaError) -> HttpResponse:
    """JSON for `/api/`, a fragment for htmx, a page otherwise."""
    response: HttpResponse
    if request.path.startswith("/api/"):
        response = JsonResponse(as_json(error), status=error.status)
    elif getattr(request, "htmx", False):
        response = render(request, "_error.html", {"error": error}, status=error.status)
        response["HX-Retarget"] = "#toasts"
        response["HX-Reswap"] = "beforeend"
    else:
        response = render(request, "error.html", {"error": error}, status=error.status)
    if isinstance(error, TooMany):
        response["Retry-After"] = str(error.retry_after_s)
    if isinstance(error, SignInNeeded):
        response["WWW-Authenticate"] = "Session"
    return response


def as_json(error: FuturaError) -> dict[str, object]:
    """`{"error": {"code", "message", "field"?, "retry"}}`, the one error shape of the API."""
    body: dict[str, object] = {
        "code": error.code,
        "message": str(error),
        "retry": error.retry_helps,
    }
    if error.field:
        body["field"] = error.field
    return {"error": body}
