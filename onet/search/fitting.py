"""Fits weights and calibration on O*NET's own statements, some left out of the index.

A left-out statement is the query; statements that share a detailed activity with it are right.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from onet.lexical.postings import Floats
from onet.search.index import EVIDENCE, Evidence, StatementIndex, StatementSource, build

RIDGE = 1e-3
SHORTLIST = 400
"""Statements per query that take part in the fit: the best by words and letters."""


def left_out(
    source: Sequence[StatementSource], number: int, seed: int
) -> tuple[list[StatementSource], list[StatementSource]]:
    """Statements to ask for, and the others; only linked ones are asked for."""
    linked = [place for place, one in enumerate(source) if one.detailed]
    drawn = set(random.Random(seed).sample(linked, min(number, len(linked))))  # noqa: S311
    return (
        [one for place, one in enumerate(source) if place in drawn],
        [one for place, one in enumerate(source) if place not in drawn],
    )


def fit(
    source: Sequence[StatementSource], *, number: int, seed: int
) -> dict[str, dict[str, float]]:
    """Weights of the evidence for statements and for activities."""
    asked, rest = left_out(source, number, seed)
    index = StatementIndex.load(build(rest))
    tables: list[Floats] = []
    truths: list[npt.NDArray[np.bool_]] = []
    doing: list[Floats] = []
    done: list[npt.NDArray[np.bool_]] = []
    for one in asked:
        found = index.evidence(one.text)
        short = shortlist(found)
        wanted = set(one.detailed)
        right = np.array([bool(wanted & set(rest[place].detailed)) for place in short.tolist()])
        doing.append(found.activities)
        done.append(np.array([name in one.activities for name in index.activities]))
        if right.any():
            tables.append(found.statements[short])
            truths.append(right)
    return {
        "statements": dict(zip(EVIDENCE, softmax_fit(tables, truths), strict=True)),
        "activities": dict(
            zip(("model", "opening", "support"), softmax_fit(doing, done), strict=True)
        ),
    }


def shortlist(found: Evidence) -> npt.NDArray[np.int64]:
    """Places of the statements that are worth weighing."""
    rough = found.statements[:, 0] + found.statements[:, 1]
    size = min(SHORTLIST, len(rough))
    return np.argpartition(-rough, size - 1)[:size]


def softmax_fit(tables: list[Floats], truths: list[npt.NDArray[np.bool_]]) -> list[float]:
    """Weights under which the right rows of each table are most likely."""
    evidence, truth = np.stack(tables), np.stack(truths)
    scale = evidence.std(axis=(0, 1)) + 1e-9
    rows, size, width = evidence.shape
    flat = (evidence / scale).reshape(-1, width)

    def loss(weights: npt.NDArray[np.float64]) -> tuple[float, Any]:
        scores = (flat @ weights.astype(np.float32)).reshape(rows, size).astype(np.float64)
        scores -= scores.max(axis=1, keepdims=True)
        chances = np.exp(scores)
        chances /= chances.sum(axis=1, keepdims=True)
        right = chances * truth
        total = right.sum(axis=1, keepdims=True) + 1e-30
        slope = (chances - right / total).reshape(-1).astype(np.float32) @ flat / rows
        value = -float(np.log(total).mean()) + RIDGE * float(weights @ weights) / 2
        return value, slope.astype(np.float64) + RIDGE * weights

    result = minimize(loss, np.zeros(width), jac=True, method="L-BFGS-B", options={"maxiter": 120})
    return [float(value) for value in (result.x / scale).round(4)]
