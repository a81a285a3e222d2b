"""What `/metrics` shows: parts that read their figures when asked, and this process's own.

A part is a function that gives metric families; apps add theirs with `register` in
`AppConfig.ready`. Figures that matter are read from PostgreSQL and Redis at that moment, so that
every web process gives the same answer and none of them has to share memory with another.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from django.db import DatabaseError, InterfaceError
from prometheus_client import (
    CollectorRegistry,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

Part = Callable[[], Iterable[Metric]]
AWAY: Final = (DatabaseError, InterfaceError, RedisError, OSError)
_parts: dict[str, Part] = {}


def register(name: str, part: Part) -> None:
    """Adds a part; two of one name are a programming error (ValueError)."""
    if name in _parts:
        raise ValueError(f"There already is a part {name!r} of the metrics.")
    _parts[name] = part


def exposition(accept: str = "") -> tuple[bytes, str]:
    """All figures as of now, and their content type, in the format that was asked for."""
    encode, content_type = choose_encoder(accept)
    return encode(_registry), content_type


class _Parts(Collector):
    """Asks every part; one whose database is away is told of, and costs the others nothing."""

    def collect(self) -> Iterator[Metric]:
        """The families of all parts, and how the asking went."""
        up = GaugeMetricFamily(
            "futura_scrape_success", "1 when a part could be read.", labels=["part"]
        )
        took = GaugeMetricFamily(
            "futura_scrape_seconds", "How long a part took to read.", labels=["part"]
        )
        for name, part in sorted(_parts.items()):
            began = time.perf_counter()
            families = self._families(name, part)
            yield from families or ()
            up.add_metric([name], float(families is not None))
            took.add_metric([name], time.perf_counter() - began)
        yield up
        yield took

    def _families(self, name: str, part: Part) -> list[Metric] | None:
        try:
            return list(part())
        except AWAY as error:
            log.warning("metrics of %s not read: %s", name, error)
            return None

    def describe(self) -> Iterable[Metric]:
        """Nothing is asked at the start."""
        return ()


_registry = CollectorRegistry()
_registry.register(_Parts())
ProcessCollector(registry=_registry)
PlatformCollector(registry=_registry)
GCCollector(registry=_registry)
