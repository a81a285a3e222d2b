"""Fits the weights of the evidence on O*NET's own titles, each left out of the index in turn."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from onet.lexical.postings import Floats
from onet.titles.index import EVIDENCE, TitleIndex, TitleSource, build

RIDGE = 1e-3


def left_out(source: TitleSource, number: int, seed: int) -> dict[str, set[int]]:
    """Titles to leave out, drawn among the other names, with all their occupations."""
    owners: dict[str, set[int]] = defaultdict(set)
    displayed: dict[str, str] = {}
    for place, title in source.titles:
        owners[title.casefold()].add(place)
        displayed.setdefault(title.casefold(), title)
    drawn = random.Random(seed).sample(sorted(owners), min(number, len(owners)))  # noqa: S311
    return {displayed[title]: owners[title] for title in drawn}


def fit_weights(source: TitleSource, *, number: int, seeds: Sequence[int]) -> dict[str, float]:
    """Weights that make the left-out titles most likely under a softmax over occupations."""
    tables: list[Floats] = []
    truths: list[npt.NDArray[np.bool_]] = []
    for seed in seeds:
        drawn = left_out(source, number, seed)
        index = TitleIndex.load(build(source, without={title.casefold() for title in drawn}))
        for title, places in drawn.items():
            tables.append(index.evidence(title))
            truth = np.zeros(index.occupations, dtype=bool)
            truth[list(places)] = True
            truths.append(truth)
    evidence = np.stack(tables)
    scale = evidence.std(axis=(0, 1)) + 1e-9
    found = _softmax_fit(evidence / scale, np.stack(truths)) / scale
    return dict(zip(EVIDENCE, found.round(4).tolist(), strict=True))


def _softmax_fit(evidence: Floats, truth: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Weights `(f,)` for evidence `(n, occupations, f)`; any true occupation satisfies a row."""
    rows, size, width = evidence.shape
    flat = evidence.reshape(-1, width)

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

    start = np.zeros(width)
    result = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 120})
    found: npt.NDArray[np.float64] = result.x
    return found
