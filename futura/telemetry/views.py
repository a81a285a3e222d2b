"""`/metrics`: for whoever shows the token; without one, for this very machine only."""

from __future__ import annotations

import secrets
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from futura.errors import NotFound
from futura.limits.addresses import parsed
from futura.telemetry import metrics

_FORWARDED: Final = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")


@never_cache
@require_GET
def scrape(request: HttpRequest) -> HttpResponse:
    """Everything that is measured, in the format of Prometheus (or OpenMetrics when asked)."""
    if settings.METRICS_TOKEN:
        if not _shows_token(request):
            refusal = HttpResponse("A bearer token is needed.\n", "text/plain", status=401)
            refusal["WWW-Authenticate"] = 'Bearer realm="metrics"'
            return refusal
    elif not _is_from_here(request):
        raise NotFound
    body, content_type = metrics.exposition(request.headers.get("Accept", ""))
    return HttpResponse(body, content_type=content_type)


def _shows_token(request: HttpRequest) -> bool:
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    given = token.strip().encode(errors="replace")
    return kind.lower() == "bearer" and secrets.compare_digest(
        given, settings.METRICS_TOKEN.encode()
    )


def _is_from_here(request: HttpRequest) -> bool:
    """A loopback peer that speaks for itself and to us by a name of this machine.

    Behind a proxy on the same machine everybody comes from loopback: what a proxy adds, or has
    had taken away (futura/proxies.py), and the public name give it away.
    """
    peer = parsed(request.META.get("REMOTE_ADDR") or "")
    if peer is None or not peer.is_loopback:
        return False
    if getattr(request, "scope", {}).get("forwarded"):
        return False
    if any(request.headers.get(name) for name in _FORWARDED):
        return False
    host = request.get_host().rpartition(":")[0] or request.get_host()
    name = parsed(host.strip("[]"))
    return host == "localhost" or (name is not None and name.is_loopback)
