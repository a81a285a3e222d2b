"""The platform's own figures: model calls, budgets, circuits, workers and their queues."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from django.db import connection
from django.utils import timezone
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    Metric,
    SummaryMetricFamily,
)

from futura import heartbeats
from futura.llm import breaker, budget, stages
from futura.llm.models import ModelCall
from futura.telemetry import metrics
from futura.telemetry.metrics import SETTLED_AFTER_S, Sums, Totals, added

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
    """Workers that gave a sign of life, and what waits in their queues."""
    alive = GaugeMetricFamily("futura_workers_alive", "Workers alive.", labels=["queue"])
    waiting = GaugeMetricFamily(
        "futura_queue_length", "Messages that wait in the broker.", labels=["queue"]
    )
    with heartbeats.connect() as client:
        for queue, number in heartbeats.workers_alive(client).items():
            alive.add_metric([queue], number)
            waiting.add_metric([queue], float(str(client.llen(queue))))
    yield from (alive, waiting)


def circuits() -> Iterator[Metric]:
    """Models that are left alone because they kept failing."""
    family = GaugeMetricFamily(
        "futura_model_circuit", "1 for the state it is in.", labels=["model", "state"]
    )
    asked = {name for stage in stages.in_use() for name in (stage.model, *stage.fallbacks)}
    for model in sorted(asked):
        family.add_metric([model, breaker.state(model)], 1)
    yield family


def register() -> None:
    """Adds the platform's parts to the metrics; once, at the start."""
    for part in (model_calls, budgets, circuits, workers):
        metrics.register(part.__name__, part)
