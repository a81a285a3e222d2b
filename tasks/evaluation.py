"""Measures extraction in the configured mode: what is found of what was told, and made up."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Final, Literal

import numpy as np
from pydantic import BaseModel, Field
from scipy.optimize import linear_sum_assignment

from futura.errors import BadInput
from futura.evaluation import EvaluationOptions, read_cases
from futura.llm.client import Llm
from futura.text import content_overlap
from tasks.coding import basic, extraction
from tasks.coding.records import RawTask, Source, SourceTurn

SAME: Final = 0.5
"""Jaccard overlap of stemmed content words from which two tasks are one (issue 2)."""


class CaseTurn(BaseModel):
    """One message of a case."""

    role: Literal["user", "assistant"]
    text: str


class Case(BaseModel):
    """One line of the file: a conversation, what the person does, and what they do not."""

    job_title: str = ""
    turns: list[CaseTurn]
    tasks: list[str] = Field(default_factory=list)
    not_tasks: list[str] = Field(default_factory=list)


@dataclass(frozen=True)
class Judged:
    """What was found in one case, held against what should have been."""

    job_title: str
    predicted: list[str]
    matched: list[tuple[str, str]]
    missed: list[str]
    extra: list[str]
    claimed: list[str]


def evaluate_extraction(path: Path | None, options: EvaluationOptions) -> dict[str, Any]:
    """Precision, recall, F1 and how many foreign tasks were claimed, over a file of JSON lines.

    Raises ModelUnavailable when the configured model fails: a figure of both modes is none.
    """
    if path is None:
        raise BadInput("Name the file with the cases: evaluate extraction FILE.")
    cases = read_cases(path, Case)
    llm = Llm()
    started = perf_counter()
    judged = [judge(case, llm) for case in cases]
    elapsed_ms = (perf_counter() - started) * 1000
    matched = sum(len(one.matched) for one in judged)
    predicted = sum(len(one.predicted) for one in judged)
    expected = sum(len(case.tasks) for case in cases)
    precision = matched / predicted if predicted else 0.0
    recall = matched / expected if expected else 0.0
    both = precision + recall
    figures: dict[str, Any] = {
        "n": len(cases),
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "f1": round(2 * precision * recall / both, 4) if both else 0.0,
        "not_tasks_claimed": sum(len(one.claimed) for one in judged),
        "predicted": predicted,
        "expected": expected,
        "mode": "model" if llm.is_configured else "basic",
        "mean_ms": round(elapsed_ms / len(cases), 3),
    }
    if options.details:
        figures["details"] = [asdict(one) for one in judged]
    return figures


def judge(case: Case, llm: Llm) -> Judged:
    """Finds the tasks of one case as the product does and pairs them with those expected."""
    predicted = [task.raw for task in _extract(case, llm)]
    pairs = paired(predicted, case.tasks)
    found = {i for i, _ in pairs}
    met = {j for _, j in pairs}
    extra = [text for i, text in enumerate(predicted) if i not in found]
    foreign = paired(extra, case.not_tasks)
    return Judged(
        job_title=case.job_title,
        predicted=predicted,
        matched=[(predicted[i], case.tasks[j]) for i, j in pairs],
        missed=[text for j, text in enumerate(case.tasks) if j not in met],
        extra=extra,
        claimed=[case.not_tasks[j] for _, j in foreign],
    )


def _extract(case: Case, llm: Llm) -> list[RawTask]:
    turns = [SourceTurn(turn.role, turn.text, uuid.uuid4()) for turn in case.turns]
    source = Source(case.job_title, turns if any(turn.is_person for turn in turns) else [])
    return extraction.extract(source, llm=llm) if llm.is_configured else basic.extract(source)


def paired(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    """As many pairs of equal tasks as possible, each text used once; places in both lists."""
    if not left or not right:
        return []
    overlap = np.array([[content_overlap(one, other) for other in right] for one in left])
    equal = overlap >= SAME
    # enough pairs first, then the closest ones
    rows, columns = linear_sum_assignment(-(equal * (100.0 + overlap)))
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if equal[i, j]]
