"""The platform's own pages: is it alive, is it ready."""

from __future__ import annotations

from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from redis.exceptions import RedisError


def healthz(_request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return HttpResponse("ok", content_type="text/plain")


def readyz(_request: HttpRequest) -> JsonResponse:
    """PostgreSQL and Redis answer; 503 with what is missing otherwise."""
    parts = {"database": _database_answers(), "redis": _redis_answers()}
    return JsonResponse(parts, status=200 if all(parts.values()) else 503)


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _redis_answers() -> bool:
    try:
        cache.get("readyz")
    except RedisError:
        return False
    return True
