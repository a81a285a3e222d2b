"""The platform's own figures: model calls, budgets, workers, queues, sockets."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from django.db import connection
from django.utils import timezone
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)

from futura import heartbeats
from futura.llm import breaker, budget
from futura.llm.budget.standing import LEVELS
from futura.llm.models import ModelCall
from futura.llm.stages import all_stages
from futura.telemetry import metrics, sockets
from futura.telemetry.histograms import Buckets
from futura.telemetry.totals import SETTLED_AFTER_S, Source, Sums, totals

LATENCY: Final = Buckets((0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120))
FIRST_TEXT: Final = Buckets((0.1, 0.25, 0.5, 1, 2, 4, 8, 15))
TOKENS: Final = ("input", "cached_input", "output", "reasoning")
_CALLS: Final = f"""
SELECT stage, model_asked, outcome, count(*), coalesce(sum(input_tokens), 0),
    coalesce(sum(cached_input_tokens), 0), coalesce(sum(output_tokens), 0),
    coalesce(sum(reasoning_tokens), 0), coalesce(sum(cost_usd), 0),
    count(*) FILTER (WHERE cost_usd IS NULL),
    {LATENCY.columns("latency_ms / 1000.0")}, {FIRST_TEXT.columns("ttft_ms / 1000.0")}
FROM llm_modelcall WHERE id > %s AND (%s::bigint IS NULL OR id <= %s) GROUP BY 1, 2, 3
"""  # noqa: S608 (our own columns)


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


CALLS: Final = Source("model-calls-1", _call_sums, _settled_call)


def model_calls() -> Iterator[Metric]:
    """Attempts, tokens, cost and times, from the ledger."""
    with heartbeats.connect() as client:
        found = totals(CALLS, client)
    labels = ["stage", "model"]
    attempts = CounterMetricFamily(
        "futura_model_calls", "Attempts at model calls.", labels=[*labels, "outcome"]
    )
    tokens = CounterMetricFamily(
        "futura_model_tokens", "Tokens; cached are part of input.", labels=[*labels, "class"]
    )
    cost = CounterMetricFamily("futura_model_cost_usd", "Known cost in USD.", labels=labels)
    unpriced = CounterMetricFamily(
        "futura_model_calls_unpriced", "Attempts of unknown cost.", labels=labels
    )
    latency = HistogramMetricFamily("futura_model_call_seconds", "Time of attempts.", labels=labels)
    first = HistogramMetricFamily(
        "futura_model_first_text_seconds", "Time to the first text.", labels=labels
    )
    merged: Sums = {}
    for (stage, model, outcome), values in found.items():
        attempts.add_metric([stage, model, outcome], values[0])
        before = merged.get((stage, model), [0.0] * len(values))
        merged[stage, model] = [a + b for a, b in zip(before, values, strict=True)]
    for key, values in merged.items():
        for name, value in zip(TOKENS, values[1:5], strict=True):
            tokens.add_metric([*key, name], value)
        cost.add_metric(key, values[5])
        unpriced.add_metric(key, values[6])
        LATENCY.add(latency, key, values[7 : 7 + LATENCY.width])
        FIRST_TEXT.add(first, key, values[7 + LATENCY.width :])
    yield from (attempts, tokens, cost, unpriced, latency, first)


def budgets() -> Iterator[Metric]:
    """What this month has cost, by budget."""
    amounts = GaugeMetricFamily(
        "futura_budget_usd", "A month's budget, in USD.", labels=["scope", "of"]
    )
    level = GaugeMetricFamily(
        "futura_budget_level", "0 ok, 1 warn, 2 critical, 3 exceeded.", labels=["scope"]
    )
    for one in budget.states():
        named = {"spent": one.spent, "reserved": one.reserved, "cap": one.cap}
        for name, amount in named.items():
            if amount is not None:
                amounts.add_metric([one.scope, name], float(amount))
        level.add_metric([one.scope], float(LEVELS.index(one.level)))
    yield from (amounts, level)


def workers() -> Iterator[Metric]:
    """Workers that gave a sign of life, what waits in their queues, and open sockets."""
    alive = GaugeMetricFamily("futura_workers_alive", "Workers alive.", labels=["queue"])
    waiting = GaugeMetricFamily(
        "futura_queue_length", "Messages that wait in the broker.", labels=["queue"]
    )
    opened = GaugeMetricFamily(
        "futura_sockets", "Open sockets of each web process.", labels=["process"]
    )
    with heartbeats.connect() as client:
        for queue, number in heartbeats.workers_alive(client).items():
            alive.add_metric([queue], number)
            waiting.add_metric([queue], float(str(client.llen(queue))))
        for process, number in sockets.open_sockets(client).items():
            opened.add_metric([process], number)
    yield from (alive, waiting, opened)


def circuits() -> Iterator[Metric]:
    """Models that are left alone because they kept failing."""
    family = GaugeMetricFamily(
        "futura_model_circuit",
        "1 for the state it is in.",
        labels=["model", "state"],
    )
    stages = all_stages().values()
    for model in sorted({name for one in stages for name in (one.model, *one.fallbacks)}):
        family.add_metric([model, breaker.state(model)], 1)
    yield family


def register() -> None:
    """Adds the platform's parts to the metrics; once, at the start."""
    metrics.register("model_calls", model_calls)
    metrics.register("budgets", budgets)
    metrics.register("circuits", circuits)
    metrics.register("workers", workers)
