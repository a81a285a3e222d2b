"""The product under measurement: real processes over the bench's settings and model."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.bench.model import ModelProcess
from tests.stack import Stack

TICKS_PER_S = os.sysconf("SC_CLK_TCK")


class MeasuredStack(Stack):
    """One web process and both workers for answers, as `manage.py up` starts them."""

    def __init__(self, folder: Path, model: ModelProcess) -> None:
        super().__init__(folder, None)
        self.model = model
        self._programs["turns-2"] = [
            word.replace("turns-1@", "turns-2@") for word in self._programs["turns"]
        ]

    @property
    def environment(self) -> dict[str, str]:
        return super().environment | {
            "DJANGO_SETTINGS_MODULE": "tests.bench.settings",
            "FUTURA_LOG_LEVEL": "WARNING",
            "OPENAI_BASE_URL": self.model.base_url,
            "OPENAI_API_KEY": "sk-bench",
        }

    def people(self, count: int) -> list[dict[str, str]]:
        """`session` and `cookie` of so many people with an empty conversation each."""
        made: list[dict[str, str]] = json.loads(
            self.manage("relay_sessions", str(count)).splitlines()[-1]
        )
        return made

    def pid(self, name: str) -> int:
        """Of one process."""
        return self._running[name].pid

    def cpu_s(self) -> dict[str, float]:
        """Processor time each process has used so far."""
        return {name: cpu_s(process.pid) for name, process in self._running.items()}


def cpu_s(pid: int) -> float:
    """Processor time of a process, user and system."""
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / TICKS_PER_S


def percentiles(values_s: Sequence[float]) -> dict[str, float]:
    """p50 and p95 in milliseconds."""
    return {
        "p50_ms": round(float(np.percentile(values_s, 50)) * 1000, 1),
        "p95_ms": round(float(np.percentile(values_s, 95)) * 1000, 1),
    }


def show(**figures: Any) -> None:
    """One line of JSON, with what else the machine was doing."""
    load = [round(part, 1) for part in os.getloadavg()]
    print(json.dumps({**figures, "load_average": load}), flush=True)  # noqa: T201
