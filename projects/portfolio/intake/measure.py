"""What a run cost: time, calls, tokens and dollars, by stage and by item; kept as a file."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import orjson
from django.utils import timezone

from futura.llm.models import ModelCall
from projects.portfolio.intake.failures import Warned


@dataclass
class Item:
    """One thing that was done. Tokens and cost are null where nobody knows them."""

    stage: str
    name: str
    seconds: float = 0.0
    method: str = ""
    model: str = ""
    calls: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    skipped: str = ""


@dataclass
class Measure:
    """The measure of one run; model calls are found by its id in the gateway's ledger."""

    run_id: uuid.UUID
    label: str = ""
    method: str = "rules"
    space: str = ""
    items: list[Item] = field(default_factory=list)
    warnings: list[Warned] = field(default_factory=list)
    started_at: Any = field(default_factory=timezone.now)
    _last_call: int = 0

    @contextmanager
    def item(self, stage: str, name: str, *, method: str = "") -> Iterator[Item]:
        """Measures what happens inside; also where it fails."""
        one = Item(stage, name, method=method)
        began = time.perf_counter()
        try:
            yield one
        finally:
            one.seconds = round(time.perf_counter() - began, 3)
            self._count_calls(one)
            self.items.append(one)

    def _count_calls(self, item: Item) -> None:
        if not item.method:
            return
        calls = list(
            ModelCall.objects.filter(run_id=self.run_id, pk__gt=self._last_call).order_by("pk")
        )
        if not calls:
            return
        self._last_call = calls[-1].pk
        item.calls = len(calls)
        item.model = calls[-1].model_returned or calls[-1].model_asked
        item.input_tokens = _sum(one.input_tokens for one in calls)
        item.output_tokens = _sum(one.output_tokens for one in calls)
        costs = [one.cost_usd for one in calls if one.cost_usd is not None]
        item.cost_usd = float(sum(costs, Decimal())) if costs else None

    def warn(self, warned: Warned) -> None:
        """Notes what was left out, cut or not found."""
        self.warnings.append(warned)

    def as_json(self, *, status: str, error: str = "") -> dict[str, Any]:
        """The whole, as it is kept."""
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
            "items": [_camel(asdict(one)) for one in self.items],
            "warnings": [
                {"code": str(one.code), "item": one.item, "message": one.message}
                for one in self.warnings
            ],
        }

    def by_stage(self) -> list[dict[str, Any]]:
        """Sums, a line for each stage, in the order of the run."""
        stages: dict[str, list[Item]] = {}
        for one in self.items:
            stages.setdefault(one.stage, []).append(one)
        return [
            {
                "stage": stage,
                "items": len(items),
                "skipped": sum(bool(one.skipped) for one in items),
                "seconds": round(sum(one.seconds for one in items), 3),
                "calls": sum(one.calls for one in items),
                "inputTokens": _sum(one.input_tokens for one in items),
                "outputTokens": _sum(one.output_tokens for one in items),
                "costUsd": _sum(one.cost_usd for one in items),
            }
            for stage, items in stages.items()
        ]

    def summary(self) -> list[str]:
        """The stages as lines of text."""
        return [
            f"{one['stage']}: {one['items']} items, {one['calls']} calls, {one['seconds']:.2f} s"
            + (f", {one['costUsd']:.4f} USD" if one["costUsd"] is not None else "")
            for one in self.by_stage()
        ]

    def write(self, folder: Path, content: dict[str, Any]) -> Path:
        """The metrics file of this run. Raises OSError."""
        file = folder / "metrics" / f"preprocess-{self.run_id}.json"
        write_whole(file, content)
        return file


def write_whole(file: Path, content: Any) -> None:
    """JSON into a file, whole or not at all. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    beside.write_bytes(orjson.dumps(content, option=orjson.OPT_INDENT_2))
    beside.replace(file)


def _sum(values: Iterable[Any]) -> Any:
    costs = [one for one in values if one is not None]
    return sum(costs) if costs else None


def _camel(values: dict[str, Any]) -> dict[str, Any]:
    def name(key: str) -> str:
        first, *rest = key.split("_")
        return first + "".join(one.title() for one in rest)

    return {name(key): value for key, value in values.items()}
