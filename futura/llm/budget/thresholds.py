"""Tells, once a month and threshold, that a budget is getting short, nearly or wholly used up."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from futura.llm.budget.standing import LEVELS, BudgetState, cap_of, level_of, state_of
from futura.llm.models import BudgetMonth

log = logging.getLogger(__name__)

Callback = Callable[[BudgetState], None]
_callbacks: list[Callback] = []


def on_threshold(callback: Callback) -> None:
    """Has `callback` called when a budget first reaches a threshold in a month.

    Among all processes exactly one calls, with the state whose `level` was reached, for each
    level once and in order. It runs in the thread of a model call: be quick, enqueue what is slow.
    """
    if callback not in _callbacks:
        _callbacks.append(callback)


def tell(row: BudgetMonth) -> None:
    """Tells of every level up to the one the row has reached and nobody was told of yet."""
    cap = cap_of(row.scope)
    for step in range(row.told + 1, level_of(row, cap) + 1):
        mine = BudgetMonth.objects.filter(pk=row.pk, told=step - 1).update(told=step)
        if mine:
            _call(replace(state_of(row, cap), level=LEVELS[step]))


def _call(state: BudgetState) -> None:
    log.warning(
        "budget %s is at level %s: %s of %s USD spent in %s",
        state.scope,
        state.level,
        state.spent,
        state.cap,
        f"{state.month:%Y-%m}",
    )
    for callback in _callbacks:
        try:
            callback(state)
        except Exception:  # whoever listens must not cost a person their answer
            log.exception("a listener to budgets failed")
