"""Times put into buckets by PostgreSQL, as Prometheus wants its histograms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from prometheus_client.core import HistogramMetricFamily


@dataclass(frozen=True)
class Buckets:
    """Upper edges in seconds; as values: one count for each, then the count and the sum of all."""

    edges: tuple[float, ...]

    @property
    def width(self) -> int:
        """How many values a histogram takes."""
        return len(self.edges) + 2

    def columns(self, seconds: str) -> str:
        """The aggregates over an SQL expression in seconds (our own text, never input)."""
        counts = [f"count(*) FILTER (WHERE {seconds} <= {edge})" for edge in self.edges]
        return ", ".join([*counts, f"count({seconds})", f"coalesce(sum({seconds}), 0)"])

    def add(
        self, family: HistogramMetricFamily, labels: Sequence[str], values: Sequence[float]
    ) -> None:
        """One histogram of a family."""
        *counts, number, total = values
        named = [(f"{edge:g}", count) for edge, count in zip(self.edges, counts, strict=True)]
        family.add_metric(labels, buckets=[*named, ("+Inf", number)], sum_value=total)
