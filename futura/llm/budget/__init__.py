"""Monthly budgets: money is held back before a call and settled after it, never spent twice."""

from futura.llm.budget.accounts import Reservation, reserve, settle
from futura.llm.budget.standing import BudgetState, state, states
from futura.llm.budget.thresholds import on_threshold

__all__ = [
    "BudgetState",
    "Reservation",
    "on_threshold",
    "reserve",
    "settle",
    "state",
    "states",
]
