"""What the visitors of a portfolio cost, by month, from the ledger of model calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final

from django.db.models import Count, Q, Sum
from django.db.models.functions import TruncMonth

from chat.models import Message
from futura.llm import budget
from futura.llm.budget import BudgetState
from futura.llm.models import ModelCall
from projects.portfolio.desk.queries import visits_of
from projects.portfolio.models import Portfolio

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
    """Four queries. The budget is shared by all portfolios of this installation."""
    visits = visits_of(portfolio)
    asked = Message.objects.filter(session__in=visits, role=Message.Role.PERSON, superseded_at=None)
    questions = dict(
        asked.annotate(month=TruncMonth("created_at")).values_list("month").annotate(n=Count("pk"))
    )
    calls = (
        ModelCall.objects.filter(session_id__in=visits.values("pk"))
        .annotate(month=TruncMonth("created_at"))
        .order_by()
        .values_list("month")
        .annotate(n=Count("pk"), cost=Sum("cost_usd"), free=Count("pk", filter=Q(cost_usd=None)))
    )
    spent = {month: (n, cost, unknown) for month, n, cost, unknown in calls}
    months = sorted({*questions, *spent}, reverse=True)[:MONTHS]
    return Costs(
        months=[
            Month(month.date(), questions.get(month, 0), *spent.get(month, (0, None, 0)))
            for month in months
        ],
        budget=budget.state(SCOPE),
    )
