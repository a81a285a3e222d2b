"""The figures of an evaluation, the floors that they must reach, and what was missed."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from typing import Any, Final

from projects.portfolio.evaluation.judging import ABSTAINED, AXES, Judged

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


def figures_of(judged: Sequence[Judged]) -> dict[str, Any]:
    """All figures; None where no case says anything of one."""
    named = {"enumeration": "enumeration_mode"}
    planner = {
        named.get(axis, axis): _share(one.axes[axis] for one in judged if axis in one.axes)
        for axis in AXES
    }
    unanswerable = [one for one in judged if one.expected_verdict == "unknown"]
    answerable = [one for one in judged if one.expected_verdict in {"yes", "no", "partial"}]
    recalls = [one.recall for one in judged if one.recall is not None]
    return {
        "n": len(judged),
        **planner,
        "all_axes": _share(all(one.axes.values()) for one in judged),
        "verdict": _share(one.is_verdict_right for one in judged),
        "recall_at_10": round(sum(recalls) / len(recalls), 4) if recalls else None,
        **_enumeration(judged),
        "abstention_recall": _share(one.verdict in ABSTAINED for one in unanswerable),
        "false_abstention": _share(one.verdict in ABSTAINED for one in answerable),
        "false_denial": _share(
            one.verdict == "no" for one in judged if one.expected_verdict != "no"
        ),
        "false_claim": _share(one.verdict == "yes" for one in unanswerable),
        "citation_validity": _share(not one.citations for one in judged),
        "card_text_agreement": _share(not one.agreement for one in judged),
        "expected_cards": _share(not one.cards for one in judged),
        "expected_text": _share(not one.text for one in judged),
        "fidelity": _fidelity(judged),
        "lost": sum(bool(one.lost) for one in judged),
        "calls_before_first_word": max((one.calls_before_word for one in judged), default=0),
        "ms_before_first_word": _median(one.ms_before_word for one in judged),
        "everything_right": _share(one.is_right for one in judged),
    }


def below(figures: dict[str, Any], mode: str = "model") -> list[str]:
    """Names of the figures that do not reach their floor, of those that the mode is held to."""
    found = [
        name
        for name, floor in FLOORS.items()
        if mode == "model" or name in BASIC
        if (value := figures[name]) is not None and value < floor
    ]
    if (figures["false_abstention"] or 0) > MOST_FALSE_ABSTENTION:
        found.append("false_abstention")
    return found


def missed(judged: Sequence[Judged]) -> list[dict[str, Any]]:
    """What went wrong, case by case, in few words."""
    return [_told(one) for one in judged if not one.is_right or one.missed_documents]


def _told(one: Judged) -> dict[str, Any]:
    told: dict[str, Any] = {"id": one.id, "question": one.question}
    if not one.is_verdict_right:
        told["verdict"] = f"{one.verdict} for {one.expected_verdict}"
    if wrong := [axis for axis, is_right in one.axes.items() if not is_right]:
        told["planned"] = {axis: one.planned[axis] for axis in wrong}
    for name in ("citations", "agreement", "cards", "text", "lost", "missed_documents"):
        if faults := getattr(one, name):
            told[name] = faults
    return {**told, "answer": one.answer}


def _enumeration(judged: Sequence[Judged]) -> dict[str, Any]:
    """F1 of cards where everything relevant is wanted, over all such cases together."""
    found = [one.enumerated for one in judged if one.enumerated is not None]
    right = sum(one.right for one in found)
    wanted, shown = sum(one.wanted for one in found), sum(one.shown for one in found)
    return {
        "enumeration": round(2 * right / (wanted + shown), 4) if wanted else None,
        "enumeration_recall": round(right / wanted, 4) if wanted else None,
        "enumeration_precision": round(right / shown, 4) if shown else None,
    }


def _fidelity(judged: Sequence[Judged]) -> float | None:
    """Claims with a true sentence, of all claims."""
    claims = sum(one.claims for one in judged)
    return round(sum(one.true_claims for one in judged) / claims, 4) if claims else None


def _median(of: Iterable[float]) -> float | None:
    values = [*of]
    return round(statistics.median(values), 1) if values else None


def _share(of: Iterable[bool]) -> float | None:
    told = list(of)
    return round(sum(told) / len(told), 4) if told else None
