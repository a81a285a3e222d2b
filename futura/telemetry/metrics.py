"""`/metrics`: figures that parts read from PostgreSQL and Redis when asked, and the process's own.

A part is a function that gives metric families; apps add theirs with `register` in
`AppConfig.ready`. Every web process gives the same answer, since none keeps a figure to itself.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    Metric,
    SummaryMetricFamily,
)
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

from futura import heartbeats
from futura.errors import NotFound
from futura.llm import breaker, budget, stages
from futura.llm.models import ModelCall

log = logging.getLogger(__name__)

Part = Callable[[], Iterable[Metric]]
Sums = dict[tuple[str, ...], list[float]]
AWAY: Final = (DatabaseError, InterfaceError, RedisError, OSError)
SETTLED_AFTER_S: Final = 15 * 60.0  # longer than any call or run leaves its row open
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
        return ()


_registry = CollectorRegistry()
_registry.register(_Parts())
for _collector in (ProcessCollector, PlatformCollector, GCCollector):
    _collector(registry=_registry)


@never_cache
@require_GET
def scrape(request: HttpRequest) -> HttpResponse:
    """All figures, in the format of Prometheus (or OpenMetrics when asked).

    For whoever shows the token; where none is set, nothing is here.
    """
    if not settings.METRICS_TOKEN:
        raise NotFound
    if not _shows_token(request):
        refusal = HttpResponse("A bearer token is needed.\n", "text/plain", status=401)
        refusal["WWW-Authenticate"] = 'Bearer realm="metrics"'
        return refusal
    encode, content_type = choose_encoder(request.headers.get("Accept", ""))
    return HttpResponse(encode(_registry), content_type=content_type)


def _shows_token(request: HttpRequest) -> bool:
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    sent = token.strip().encode(errors="replace")
    return kind.lower() == "bearer" and secrets.compare_digest(
        sent, settings.METRICS_TOKEN.encode()
    )


# The platform's own parts: model calls, budgets, circuits, workers and their queues ----------
TOKENS: Final = ("input", "cached_input", "output", "reasoning")
_CALLS: Final = """
SELECT stage, model_asked, outcome, count(*), coalesce(sum(input_tokens), 0),
    coalesce(sum(cached_input_tokens), 0), coalesce(sum(output_tokens), 0),
    coalesce(sum(reasoning_tokens), 0), coalesce(sum(cost_usd), 0),
    count(latency_ms), coalesce(sum(latency_ms) / 1000.0, 0),
    count(ttft_ms), coalesce(sum(ttft_ms) / 1000.0, 0)
FROM llm_modelcall WHERE id > %s AND (%s::bigint IS NULL OR id <= %s) GROUP BY 1, 2, 3
"""


def _call_sums(after: float, upto: float | None) -> Sums:
    last = None if upto is None else int(upto)
    with connection.cursor() as cursor:
        cursor.execute(_CALLS, [int(after), last, last])
        return {row[:3]: [float(value) for value in row[3:]] for row in cursor.fetchall()}


def _settled_call() -> float:
    """The id of a call that ended long ago: what has a smaller one has been written long since."""
    long_ago = timezone.now() - timedelta(seconds=SETTLED_AFTER_S)
    calls = ModelCall.objects.filter(created_at__lt=long_ago).order_by("-created_at")
    return float(calls.values_list("pk", flat=True).first() or 0)


CALLS: Final = Totals(_call_sums, _settled_call)


def model_calls() -> Iterator[Metric]:
    """Attempts, tokens, cost and times, from the ledger."""
    labels = ["stage", "model"]
    attempts = CounterMetricFamily(
        "futura_model_calls", "Attempts at model calls.", labels=[*labels, "outcome"]
    )
    tokens = CounterMetricFamily(
        "futura_model_tokens", "Tokens; cached are part of input.", labels=[*labels, "class"]
    )
    cost = CounterMetricFamily("futura_model_cost_usd", "Known cost in USD.", labels=labels)
    latency = SummaryMetricFamily("futura_model_call_seconds", "Time of attempts.", labels=labels)
    first = SummaryMetricFamily(
        "futura_model_first_text_seconds", "Time to the first text.", labels=labels
    )
    sums = CALLS.now()
    for key, values in sums.items():
        attempts.add_metric(key, values[0])
    for key, values in added(sums, {}, labels=2).items():
        for name, value in zip(TOKENS, values[1:5], strict=True):
            tokens.add_metric([*key, name], value)
        cost.add_metric(key, values[5])
        latency.add_metric(key, int(values[6]), values[7])
        first.add_metric(key, int(values[8]), values[9])
    yield from (attempts, tokens, cost, latency, first)


def budgets() -> Iterator[Metric]:
    """What this month has cost, by budget."""
    amounts = GaugeMetricFamily(
        "futura_budget_usd", "A month's budget, in USD.", labels=["scope", "of"]
    )
    level = GaugeMetricFamily(
        "futura_budget_level", "0 ok, 1 warn, 2 critical, 3 exceeded.", labels=["scope"]
    )
    for state in budget.states():
        named = {"spent": state.spent, "reserved": state.reserved, "cap": state.cap}
        for name, amount in named.items():
            if amount is not None:
                amounts.add_metric([state.scope, name], float(amount))
        level.add_metric([state.scope], float(budget.LEVELS.index(state.level)))
    yield from (amounts, level)


def workers() -> Iterator[Metric]:
    """Workers that gave a sign of life, what waits in their queues, and jobs that failed."""
    alive = GaugeMetricFamily("futura_workers_alive", "Workers alive.", labels=["queue"])
    waiting = GaugeMetricFamily(
        "futura_queue_length", "Messages that wait in the broker.", labels=["queue"]
    )
    failed = CounterMetricFamily("futura_jobs_failed", "Jobs that raised.", labels=["job"])
    with heartbeats.connect() as client:
        for name, count in client.hgetall(heartbeats.FAILED_KEY).items():
            failed.add_metric([str(name)], float(count))
        for queue, number in heartbeats.workers_alive(client).items():
            alive.add_metric([queue], number)
            waiting.add_metric([queue], float(str(client.llen(queue))))
    yield from (alive, waiting, failed)


def circuits() -> Iterator[Metric]:
    """Models that are left alone because they kept failing."""
    family = GaugeMetricFamily(
        "futura_model_circuit", "1 for the state it is in.", labels=["model", "state"]
    )
    models = {name for stage in stages.in_use() for name in (stage.model, *stage.fallbacks)}
    for model in sorted(models):
        family.add_metric([model, breaker.state(model)], 1)
    yield family


def register_platform() -> None:
    """Adds the platform's parts to the metrics; once, at the start."""
    for part in (model_calls, budgets, circuits, workers):
        register(part.__name__, part)
