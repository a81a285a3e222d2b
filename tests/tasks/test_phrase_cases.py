"""Case files of the phrase finder: what is reached must stay, and nobody else's work is claimed."""

from __future__ import annotations

from pathlib import Path

import pytest

from futura.evaluation import EvaluationOptions
from tasks.evaluation import evaluate_extraction

CASES = Path(__file__).parents[1] / "eval"
FLOORS = {
    "extraction_dev.jsonl": (0.92, 0),
    "extraction_fresh.jsonl": (0.92, 1),
    "extraction_fresh2.jsonl": (0.90, 0),
    "extraction_fresh3.jsonl": (0.88, 0),
    "extraction_fresh4.jsonl": (0.88, 1),
    "extraction_holdout.jsonl": (0.88, 1),
}


@pytest.mark.parametrize("name", FLOORS)
def test_what_the_cases_reached_is_kept(name):
    figures = evaluate_extraction(CASES / name, EvaluationOptions())
    f1, foreign = FLOORS[name]
    assert figures["f1"] >= f1
    assert figures["not_tasks_claimed"] <= foreign
