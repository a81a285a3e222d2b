"""Fits the weights of the statement search, and how its findings are judged.

Weights: O*NET's own statements, some left out of the index; a left-out statement is the query,
and statements that share a detailed activity with it are right. Judgement: pairs judged by hand.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from onet.lexical.postings import Floats
from onet.search.evidence import EVIDENCE, SUPPORT, evidence_of
from onet.search.index import StatementIndex, StatementSource, build

RIDGE = 1e-3

Truth = npt.NDArray[np.bool_]
Weights = npt.NDArray[np.float64]


@dataclass
class Cases:
    """Tables of evidence, one per query, with which of their rows are right."""

    tables: list[Floats] = field(default_factory=list)
    truths: list[Any] = field(default_factory=list)

    def add(self, table: Floats, truth: Truth) -> None:
        """Takes a query that has a right row."""
        if truth.any():
            self.tables.append(table)
            self.truths.append(truth)


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
    everywhere, doing = Cases(), Cases()
    nobody = [np.empty(0, np.int64)] * len(asked)
    findings = evidence_of(index, [one.text for one in asked], nobody)
    for one, evidence in zip(asked, findings, strict=True):
        everywhere.add(evidence.table, _right(one, rest, evidence.places))
        is_meant = [name in one.activities for name in index.activities]
        doing.add(evidence.activities, np.array(is_meant))
    return {
        "statements": dict(zip(EVIDENCE, softmax_fit(everywhere), strict=True)),
        "activities": dict(zip(SUPPORT, softmax_fit(doing), strict=True)),
    }


def fit_judgement(tables: Sequence[Floats], judged: Sequence[npt.NDArray[Any]]) -> list[float]:
    """Weights of `onet.search.evidence.TRAITS` from hand-judged pairs.

    `tables`: one `(pairs, traits)` per query; `judged`: how nearly each says the same, 0 to 1.
    """
    design = np.concatenate(tables).astype(np.float64)
    related = np.concatenate(judged)
    ridge = np.full(design.shape[1], RIDGE)
    ridge[0] = 0.0  # the intercept is free

    def loss(weights: Weights) -> tuple[float, Weights]:
        logit = design @ weights
        value = (np.logaddexp(0, logit) - related * logit).mean()
        slope = (1 / (1 + np.exp(-logit)) - related) @ design / len(design)
        return float(value + (ridge * weights**2).sum() / 2), slope + ridge * weights

    result = minimize(loss, np.zeros(design.shape[1]), jac=True, method="L-BFGS-B")
    return [float(value) for value in result.x.round(3)]


def softmax_fit(cases: Cases) -> list[float]:
    """Weights under which the right rows of each table are most likely."""
    flat = np.concatenate(cases.tables)
    truth = np.concatenate(cases.truths)
    lengths = np.array([len(table) for table in cases.tables])
    starts = np.cumsum(lengths) - lengths
    scale = flat.std(axis=0) + 1e-9
    scaled = flat / scale

    def loss(weights: Weights) -> tuple[float, Any]:
        scores = (scaled @ weights.astype(np.float32)).astype(np.float64)
        scores = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), lengths))
        chances = scores / np.repeat(np.add.reduceat(scores, starts), lengths)
        right = chances * truth
        total = np.add.reduceat(right, starts) + 1e-30
        slope = (chances - right / np.repeat(total, lengths)).astype(np.float32) @ scaled
        value = -float(np.log(total).mean()) + RIDGE * float(weights @ weights) / 2
        return value, slope.astype(np.float64) / len(lengths) + RIDGE * weights

    start = np.zeros(flat.shape[1])
    result = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 120})
    return [float(value) for value in (result.x / scale).round(4)]


def _right(one: StatementSource, rest: Sequence[StatementSource], places: Any) -> Truth:
    wanted = set(one.detailed)
    return np.array([bool(wanted & set(rest[place].detailed)) for place in places], dtype=bool)
