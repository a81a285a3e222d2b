"""The engine's figures for `/metrics`: runs that wait, work and ended; logs of what is at work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.db import connection
from django.db.models import Count, Min
from django.utils import timezone
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)

from chat.events.connection import redis
from chat.events.log import stream_key
from chat.models import OPEN, Run
from futura.telemetry import metrics
from futura.telemetry.histograms import Buckets
from futura.telemetry.totals import SETTLED_AFTER_S, Source, Sums, totals

WAIT: Final = Buckets((0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60))
LENGTH: Final = Buckets((0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 180))
STREAMS_MAX: Final = 500  # sessions at work whose logs are measured
_FINISHED: Final = f"""
SELECT s.kind, r.status, r.basic_mode::text, count(*),
    {WAIT.columns("extract(epoch from r.started_at - r.created_at)")},
    {LENGTH.columns("extract(epoch from r.finished_at - r.started_at)")}
FROM chat_run r JOIN chat_session s ON s.id = r.session_id
WHERE r.finished_at > to_timestamp(%s)
    AND (%s::float IS NULL OR r.finished_at <= to_timestamp(%s::float))
GROUP BY 1, 2, 3
"""  # noqa: S608 (our own columns)


def _finished(after: float, upto: float | None) -> Sums:
    with connection.cursor() as cursor:
        cursor.execute(_FINISHED, [after, upto, upto])
        return {row[:3]: [float(value) for value in row[3:]] for row in cursor.fetchall()}


def _settled() -> float:
    return timezone.now().timestamp() - SETTLED_AFTER_S


RUNS: Final = Source("finished-runs-1", _finished, _settled)


def runs() -> Iterator[Metric]:
    """Runs by what they do now, the oldest that waits, and those that ended."""
    yield from _open()
    ended = CounterMetricFamily(
        "futura_runs_finished", "Runs that ended.", labels=["kind", "outcome", "basic_mode"]
    )
    waited = HistogramMetricFamily(
        "futura_run_wait_seconds", "From the message to the start of its run.", labels=["kind"]
    )
    lasted = HistogramMetricFamily("futura_run_seconds", "From start to end.", labels=["kind"])
    by_kind: Sums = {}
    for (kind, status, basic), values in totals(RUNS, redis()).items():
        ended.add_metric([kind, status, basic], values[0])
        before = by_kind.get((kind,), [0.0] * len(values))
        by_kind[kind,] = [a + b for a, b in zip(before, values, strict=True)]
    for key, values in by_kind.items():
        WAIT.add(waited, key, values[1 : 1 + WAIT.width])
        LENGTH.add(lasted, key, values[1 + WAIT.width :])
    yield from (ended, waited, lasted)


def _open() -> Iterator[Metric]:
    counts = GaugeMetricFamily("futura_runs", "Runs that wait or work.", labels=["status"])
    oldest = GaugeMetricFamily(
        "futura_oldest_queued_run_seconds", "How long the first run in the queue has waited."
    )
    open_runs = Run.objects.filter(status__in=OPEN).order_by()
    rows = open_runs.values("status").annotate(number=Count("pk"), first=Min("created_at"))
    found = {row["status"]: row for row in rows}
    for status in OPEN:
        counts.add_metric([status], found[status]["number"] if status in found else 0)
    queued = found.get(Run.Status.QUEUED)
    waited = (timezone.now() - queued["first"]).total_seconds() if queued else 0.0
    oldest.add_metric([], max(0.0, waited))
    yield from (counts, oldest)


def event_logs() -> Iterator[Metric]:
    """How long the event logs are of sessions that work right now."""
    working = Run.objects.filter(status=Run.Status.RUNNING).order_by()
    sessions = list(working.values_list("session_id", flat=True)[:STREAMS_MAX])
    with redis().pipeline(transaction=False) as pipe:
        for session_id in sessions:
            pipe.xlen(stream_key(session_id))
        lengths: list[Any] = pipe.execute()
    entries = GaugeMetricFamily(
        "futura_event_log_entries", "Entries in the logs of sessions at work.", labels=["of"]
    )
    entries.add_metric(["all"], sum(lengths))
    entries.add_metric(["longest"], max(lengths, default=0))
    yield entries


def register() -> None:
    """Adds the engine's parts to the metrics; once, at the start."""
    metrics.register("runs", runs)
    metrics.register("event_logs", event_logs)
