"""The platform's own pages: is it alive, is it ready, what broke; what every template may use."""

from __future__ import annotations

import sys
from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from django.views import defaults
from django.views.decorators.cache import never_cache
from redis.exceptions import RedisError

from futura import heartbeats, mail
from futura.errors import FuturaError, NotFound, Unavailable
from futura.llm.stages import is_configured
from futura.middleware import answer, as_json, as_toast, is_api

OUTAGES: Final = (OperationalError, InterfaceError, RedisError)
BACK_WITHIN_S: Final = 3


def site(_request: HttpRequest) -> dict[str, Any]:
    """A context processor."""
    return {"model_configured": is_configured(), "has_mail": mail.is_sent()}


@never_cache
def healthz(_request: HttpRequest) -> HttpResponse:
    """This process answers; nothing else is asked."""
    return HttpResponse("ok", content_type="text/plain")


@never_cache
def readyz(_request: HttpRequest) -> JsonResponse:
    """A person who comes now gets answers: PostgreSQL, Redis, and a worker on every queue.

    200 or 503, and which part is missing: `{"database", "redis", "workers": {"turns", "jobs"}}`.
    """
    workers = _workers()
    parts = {
        "database": _database_answers(),
        "redis": workers is not None,
        "workers": workers or dict.fromkeys(heartbeats.QUEUES, 0),
    }
    ready = parts["database"] and workers is not None and all(workers.values())
    return JsonResponse(parts, status=200 if ready else 503)


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, ImproperlyConfigured):
        return False
    return True


def _workers() -> dict[str, int] | None:
    try:
        with heartbeats.connect() as client:
            client.ping()  # refused where Redis reads but cannot write, such as on a full disk
            return heartbeats.workers_alive(client)
    except RedisError:
        return None


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Speaks the language of a reader, too, whose request is refused before it was looked up."""
    with translation.override(translation.get_language_from_request(request)):
        return defaults.bad_request(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """An address that leads nowhere: a page for people, the API's one shape for programs."""
    if is_api(request):
        return answer(request, NotFound())
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """What nobody caught: 503 while the database or Redis is away or its disk full, else 500.

    Django calls it while it handles the exception. Nothing here asks the database.
    """
    if not isinstance(sys.exception(), OUTAGES):
        if is_api(request):
            return answer(request, FuturaError(_("Something went wrong on our side.")))
        page = render_to_string("500.html", {"is_form": request.method == "POST"})
        return HttpResponse(page, status=500)
    error = Unavailable()
    response: HttpResponse
    if is_api(request):
        response = JsonResponse(as_json(error), status=error.status)
    elif "HX-Request" in request.headers:
        response = as_toast(render_to_string("_error.html", {"error": error}), error)
    else:
        values = {"loads_again": request.method == "GET", "seconds": BACK_WITHIN_S}
        response = HttpResponse(render_to_string("503.html", values), status=error.status)
    response["Retry-After"] = str(BACK_WITHIN_S)
    return response
