"""What a run of the command cost: time, calls, tokens and dollars, by stage and by item."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from itertools import groupby
from typing import Any, Final

from django.db.models import Count, Max, Sum
from django.utils import timezone

from futura.llm.models import ModelCall
from projects.portfolio.intake.failures import Warned

_SUMS: Final = ("calls", "inputTokens", "outputTokens", "costUsd")


def spent(run_id: uuid.UUID, after: int = 0) -> dict[str, Any]:
    """What the gateway's ledger says of a run after this call: its model, calls, tokens, dollars.

    What nobody knows is None. Two queries at most.
    """
    calls = ModelCall.objects.filter(run_id=run_id, pk__gt=after)
    sums = calls.aggregate(
        calls=Count("pk"),
        inputTokens=Sum("input_tokens"),
        outputTokens=Sum("output_tokens"),
        costUsd=Sum("cost_usd"),
        last=Max("pk"),
    )
    last = calls.filter(pk=sums["last"]).first() if sums["last"] else None
    cost = sums["costUsd"]
    return {
        **sums,
        "model": (last.model_returned or last.model_asked) if last else "",
        "costUsd": None if cost is None else float(cost),
        "last": sums["last"] or after,
    }


@dataclass
class Metrics:
    """The measure of one run; `space` is that of its vectors. Items are as the file has them."""

    run_id: uuid.UUID
    label: str
    method: str
    space: str
    items: list[dict[str, Any]] = field(default_factory=list)
    started_at: Any = field(default_factory=timezone.now)
    _last_call: int = 0

    @contextmanager
    def item(self, stage: str, name: str) -> Iterator[dict[str, Any]]:
        """Measures what happens inside; also where it fails."""
        item = {"stage": stage, "name": name, "method": self.method, "skipped": ""}
        began = time.perf_counter()
        try:
            yield item
        finally:
            calls = spent(self.run_id, self._last_call)
            self._last_call = calls.pop("last")
            self.items.append(item | calls | {"seconds": round(time.perf_counter() - began, 3)})

    def as_json(
        self, warnings: Iterable[Warned], *, status: str, error: str = ""
    ) -> dict[str, Any]:
        """The whole, as it is stored."""
        return {
            "runId": str(self.run_id),
            "runLabel": self.label,
            "status": status,
            "error": error,
            "method": self.method,
            "embeddingSpace": self.space,
            "startedAt": self.started_at.isoformat(),
            "seconds": round((timezone.now() - self.started_at).total_seconds(), 3),
            "stages": self.by_stage(),
            "items": self.items,
            "warnings": [asdict(warned) for warned in warnings],
        }

    def by_stage(self) -> list[dict[str, Any]]:
        """Sums, a line for each stage, in the order of the run; None where nobody knows."""
        stages = []
        for stage, group in groupby(self.items, key=lambda item: item["stage"]):
            items = list(group)
            sums = {
                name: [item[name] for item in items if item[name] is not None] for name in _SUMS
            }
            stages.append(
                {
                    "stage": stage,
                    "items": len(items),
                    "skipped": sum(bool(item["skipped"]) for item in items),
                    "seconds": round(sum(item["seconds"] for item in items), 3),
                    **{name: sum(values) if values else None for name, values in sums.items()},
                }
            )
        return stages

    def summary(self) -> list[str]:
        """The stages as lines of text."""
        return [
            f"{stage['stage']}: {stage['items']} items, {stage['calls']} calls, "
            f"{stage['seconds']:.2f} s"
            + (f", {stage['costUsd']:.4f} USD" if stage["costUsd"] is not None else "")
            for stage in self.by_stage()
        ]
