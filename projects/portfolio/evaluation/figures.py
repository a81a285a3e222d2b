"""The figures of an evaluation, and the floors that they must reach."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from typing import Any, Final

from projects.portfolio.evaluation.judging import AXES, Judged

FLOORS: Final[dict[str, float]] = {
    "question_type": 0.85,
    "enumeration_mode": 0.85,
    "scope": 0.85,
    "verdict": 0.85,
    "recall_at_10": 0.95,
    "enumeration": 0.90,
    "abstention_recall": 0.95,
    "citation_validity": 1.0,
    "card_text_agreement": 1.0,
}
BASIC: Final = frozenset({"recall_at_10", "citation_validity", "card_text_agreement"})
"""What basic mode is held to: a search gives no verdict and does not plan."""
MOST_FALSE_ABSTENTION: Final = 0.10
ABSTAINED: Final = frozenset({"unknown", "n/a"})


def figures_of(judged: Sequence[Judged]) -> dict[str, Any]:
    """All figures; None where no case says anything of one."""
    expected = [(row, row.case.expected.verdict) for row in judged]
    unanswerable = [row for row, verdict in expected if verdict == "unknown"]
    answerable = [row for row, verdict in expected if verdict in {"yes", "no", "partial"}]
    recalls = [row.recall for row in judged if row.recall is not None]
    claims = sum(len(row.turn.record.claims) for row in judged)
    planner = {axis: _share(row.axes[axis] for row in judged if axis in row.axes) for axis in AXES}
    return {
        "n": len(judged),
        "question_type": planner["question_type"],
        "enumeration_mode": planner["enumeration"],
        "scope": planner["scope"],
        "all_axes": _share(all(row.axes.values()) for row in judged),
        "verdict": _share(row.is_verdict_right for row in judged),
        "recall_at_10": round(statistics.fmean(recalls), 4) if recalls else None,
        **_enumeration(judged),
        "abstention_recall": _share(row.verdict in ABSTAINED for row in unanswerable),
        "false_abstention": _share(row.verdict in ABSTAINED for row in answerable),
        "false_denial": _share(row.verdict == "no" for row, verdict in expected if verdict != "no"),
        "false_claim": _share(row.verdict == "yes" for row in unanswerable),
        "citation_validity": _share(not row.faults["citations"] for row in judged),
        "card_text_agreement": _share(not row.faults["agreement"] for row in judged),
        "expected_cards": _share(not row.faults["cards"] for row in judged),
        "expected_text": _share(not row.faults["text"] for row in judged),
        "fidelity": _ratio(sum(row.true_claims for row in judged), claims),
        "lost": sum(bool(row.faults["lost"]) for row in judged),
        "calls_before_first_word": max((row.calls for row in judged), default=0),
        "ms_before_first_word": round(statistics.median([row.ms for row in judged] or [0]), 1),
        "everything_right": _share(row.is_right for row in judged),
    }


def below(figures: dict[str, Any], mode: str = "model") -> list[str]:
    """Names of the figures that do not reach their floor, of those that the mode is held to."""
    names = [
        name
        for name, floor in FLOORS.items()
        if mode == "model" or name in BASIC
        if (value := figures[name]) is not None and value < floor
    ]
    if (figures["false_abstention"] or 0) > MOST_FALSE_ABSTENTION:
        names.append("false_abstention")
    return names


def missed(judged: Sequence[Judged]) -> list[dict[str, Any]]:
    """What went wrong, case by case."""
    return [row.summary for row in judged if not row.is_right or row.missed_documents]


def _enumeration(judged: Sequence[Judged]) -> dict[str, Any]:
    """F1 of cards where everything relevant is wanted, over all such cases together."""
    cards = [row.cards for row in judged if row.case.is_enumeration]
    wanted, shown, right = (sum(row[place] for row in cards) for place in range(3))
    return {
        "enumeration": _ratio(2 * right, wanted + shown) if wanted else None,
        "enumeration_recall": _ratio(right, wanted),
        "enumeration_precision": _ratio(right, shown),
    }


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _share(of: Iterable[bool]) -> float | None:
    values = list(of)
    return _ratio(sum(values), len(values))
