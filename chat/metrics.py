"""The engine's figures for `/metrics`: runs that wait, work and ended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.db import connection
from django.db.models import Count, Min
from django.utils import timezone
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    Metric,
    SummaryMetricFamily,
)

from chat.models import OPEN, Run
from futura.telemetry.metrics import SETTLED_AFTER_S, Sums, Totals, added

_FINISHED: Final = """
SELECT s.kind, r.status, r.basic_mode::text, count(*),
    count(r.started_at), coalesce(sum(extract(epoch from r.started_at - r.created_at)), 0),
    count(r.started_at), coalesce(sum(extract(epoch from r.finished_at - r.started_at)), 0)
FROM chat_run r JOIN chat_session s ON s.id = r.session_id
WHERE r.finished_at > to_timestamp(%s)
    AND (%s::float IS NULL OR r.finished_at <= to_timestamp(%s::float))
GROUP BY 1, 2, 3
"""


def _finished(after: float, upto: float | None) -> Sums:
    with connection.cursor() as cursor:
        cursor.execute(_FINISHED, [after, upto, upto])
        return {row[:3]: [float(value) for value in row[3:]] for row in cursor.fetchall()}


def _settled() -> float:
    return timezone.now().timestamp() - SETTLED_AFTER_S


RUNS: Final = Totals(_finished, _settled)


def runs() -> Iterator[Metric]:
    """Runs by what they do now, the oldest that waits, and those that ended."""
    yield from _open()
    ended = CounterMetricFamily(
        "futura_runs_finished", "Runs that ended.", labels=["kind", "outcome", "basic_mode"]
    )
    waited = SummaryMetricFamily(
        "futura_run_wait_seconds", "From the message to the start of its run.", labels=["kind"]
    )
    lasted = SummaryMetricFamily("futura_run_seconds", "From start to end.", labels=["kind"])
    sums = RUNS.now()
    for key, values in sums.items():
        ended.add_metric(key, values[0])
    for key, values in added(sums, {}, labels=1).items():
        waited.add_metric(key, int(values[1]), values[2])
        lasted.add_metric(key, int(values[3]), values[4])
    yield from (ended, waited, lasted)


def _open() -> Iterator[Metric]:
    counts = GaugeMetricFamily("futura_runs", "Runs that wait or work.", labels=["status"])
    oldest = GaugeMetricFamily(
        "futura_oldest_queued_run_seconds", "How long the first run in the queue has waited."
    )
    open_runs = Run.objects.filter(status__in=OPEN).order_by()
    rows = open_runs.values("status").annotate(number=Count("pk"), first=Min("created_at"))
    matches = {row["status"]: row for row in rows}
    for status in OPEN:
        counts.add_metric([status], matches[status]["number"] if status in matches else 0)
    queued = matches.get(Run.Status.QUEUED)
    waited = (timezone.now() - queued["first"]).total_seconds() if queued else 0.0
    oldest.add_metric([], max(0.0, waited))
    yield from (counts, oldest)
