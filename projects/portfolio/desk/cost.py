"""What the visitors of a portfolio cost, by month, from the ledger of model calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final

from chat.models import Session
from futura.llm import budget
from futura.llm.budget import BudgetState
from projects.portfolio.models import Portfolio, VisitMonth
from projects.portfolio.visitors.contract import KIND
from projects.portfolio.visitors.retention import NUMBERS, numbers_of

SCOPE: Final = "portfolio"
MONTHS: Final = 12


@dataclass(frozen=True)
class Month:
    """One calendar month (UTC). `cost` is None where no price is known."""

    month: date
    questions: int
    calls: int
    cost: Decimal | None
    unknown_calls: int

    @property
    def per_question(self) -> Decimal | None:
        """What a question cost, on average."""
        return self.cost / self.questions if self.cost is not None and self.questions else None


@dataclass(frozen=True)
class Costs:
    """The last twelve months of a portfolio, and how the budget stands that pays for it."""

    months: Sequence[Month]
    budget: BudgetState


def costs_of(portfolio: Portfolio) -> Costs:
    """Four queries. The budget is shared by all portfolios of this installation.

    Of conversations that are erased by now, or lie in a visitor's bin, the numbers count on.
    """
    visits = Session.objects.filter(kind=KIND, state__portfolio_id=str(portfolio.pk))
    found = {month.date(): Counter(told) for month, told in numbers_of(visits).items()}
    for one in VisitMonth.objects.filter(portfolio=portfolio):
        kept = {name: getattr(one, name) for name in NUMBERS}
        found[one.month] = found.get(one.month, Counter()) + Counter(kept)
    return Costs(
        months=[_month(month, found[month]) for month in sorted(found, reverse=True)[:MONTHS]],
        budget=budget.state(SCOPE),
    )


def _month(month: date, told: Counter[str]) -> Month:
    calls, unknown = told["calls"], told["unknown_calls"]
    cost = Decimal(told["cost_usd"]) if calls > unknown else None
    return Month(month, told["questions"], calls, cost, unknown)
