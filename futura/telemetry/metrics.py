"""`/metrics`: figures that parts read from PostgreSQL and Redis when asked, and the process's own.

A part is a function that gives metric families; apps add theirs with `register` in
`AppConfig.ready`. Every web process gives the same answer, since none keeps a figure to itself.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

from futura.errors import NotFound
from futura.limits.addresses import parsed

log = logging.getLogger(__name__)

Part = Callable[[], Iterable[Metric]]
Sums = dict[tuple[str, ...], list[float]]
AWAY: Final = (DatabaseError, InterfaceError, RedisError, OSError)
SETTLED_AFTER_S: Final = 15 * 60.0  # longer than any call or run leaves its row open
_FORWARDED: Final = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")
_parts: dict[str, Part] = {}


def register(name: str, part: Part) -> None:
    """Adds a part; two of one name are a programming error (ValueError)."""
    if name in _parts:
        raise ValueError(f"There already is a part {name!r} of the metrics.")
    _parts[name] = part


class Totals:
    """Sums over a table that only grows: what can change no more is read once by each process.

    `read(after, upto)` sums the rows with a mark in (after, upto], None being the end; `settled` is
    a mark before which no row is added or changed any more. Millions of rows are not read every
    few seconds, and a counter does not fall back when a process starts anew.
    """

    def __init__(
        self, read: Callable[[float, float | None], Sums], settled: Callable[[], float]
    ) -> None:
        self._read = read
        self._settled = settled
        self.forget()

    def forget(self) -> None:
        """Reads everything again next time."""
        self._mark = 0.0
        self._sums: Sums = {}

    def now(self) -> Sums:
        """The sums of the whole table. Raises DatabaseError."""
        settled = self._settled()
        if settled > self._mark:
            self._sums = added(self._sums, self._read(self._mark, settled))
            self._mark = settled
        return added(self._sums, self._read(self._mark, None))


def added(first: Mapping[tuple[str, ...], list[float]], second: Sums, *, labels: int = 9) -> Sums:
    """The sums of both, for each value of the first so many labels."""
    sums: Sums = {}
    for key, values in (*first.items(), *second.items()):
        before = sums.get(key[:labels], [0.0] * len(values))
        sums[key[:labels]] = [a + b for a, b in zip(before, values, strict=True)]
    return sums


class _Parts(Collector):
    """Asks every part; one whose database is away costs the others nothing."""

    def collect(self) -> Iterator[Metric]:
        """The families of all parts, and which could be read."""
        up = GaugeMetricFamily(
            "futura_scrape_success", "1 when a part could be read.", labels=["part"]
        )
        for name, part in sorted(_parts.items()):
            try:
                yield from list(part())
                up.add_metric([name], 1)
            except AWAY as error:
                log.warning("metrics of %s not read: %s", name, error)
                up.add_metric([name], 0)
        yield up

    def describe(self) -> Iterable[Metric]:
        """Nothing is asked at the start."""
        return ()


_registry = CollectorRegistry()
_registry.register(_Parts())
for _collector in (ProcessCollector, PlatformCollector, GCCollector):
    _collector(registry=_registry)


@never_cache
@require_GET
def scrape(request: HttpRequest) -> HttpResponse:
    """All figures, in the format of Prometheus (or OpenMetrics when asked).

    For whoever shows the token; without one, for this very machine only.
    """
    if settings.METRICS_TOKEN:
        if not _shows_token(request):
            refusal = HttpResponse("A bearer token is needed.\n", "text/plain", status=401)
            refusal["WWW-Authenticate"] = 'Bearer realm="metrics"'
            return refusal
    elif not _is_from_here(request):
        raise NotFound
    encode, content_type = choose_encoder(request.headers.get("Accept", ""))
    return HttpResponse(encode(_registry), content_type=content_type)


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
    if peer is None or not peer.is_loopback or getattr(request, "scope", {}).get("forwarded"):
        return False
    if any(request.headers.get(name) for name in _FORWARDED):
        return False
    host = request.get_host().rpartition(":")[0] or request.get_host()
    name = parsed(host.strip("[]"))
    return host == "localhost" or (name is not None and name.is_loopback)
