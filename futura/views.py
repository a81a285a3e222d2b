"""The platform's own pages: is it alive, is it ready."""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from redis.exceptions import RedisError

from futura import heartbeats


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
    """Workers per queue; None when Redis does not answer."""
    try:
        with heartbeats.connect() as client:
            return heartbeats.workers_alive(client)
    except RedisError:
        return None
