"""Where a month's budget is heading: spent, held back, and what the month comes to at this pace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Final

from django.utils import timezone

from futura.llm import budget
from futura.llm.budget import BudgetState
from futura.llm.budget.standing import LEVELS
from futura.llm.models import BudgetMonth, BudgetNotice
from futura.llm.staff.periods import next_month

WIDTH: Final = 1000  # units of the drawing
TOO_EARLY: Final = timedelta(days=1)
MONTHS_SHOWN: Final = 12


@dataclass(frozen=True)
class Mark:
    """One threshold: its place in the drawing, and when the month's spending reached it."""

    name: str
    label: str
    at_usd: Decimal
    x: int
    notice: BudgetNotice | None


@dataclass(frozen=True)
class Outlook:
    """One budget's month. `forecast_usd` is what the month comes to at its pace so far; None in
    its first day, for other months, and without anything spent. `empty_on` is the day on which
    the cap is reached at that pace, None when it is not.
    """

    state: BudgetState
    forecast_usd: Decimal | None
    empty_on: date | None
    marks: Sequence[Mark]
    spent_width: int
    reserved_width: int

    @property
    def level_label(self) -> str:
        """The level in words."""
        return str(BudgetMonth.Level(LEVELS.index(self.state.level)).label)

    @property
    def used(self) -> float | None:
        """Spent of the cap, 0 to 1 and above; None without a cap."""
        return float(self.state.spent / self.state.cap) if self.state.cap else None

    @property
    def left_usd(self) -> Decimal | None:
        """What may still be spent; None without a cap."""
        cap = self.state.cap
        return (
            None if cap is None else max(Decimal(0), cap - self.state.spent - self.state.reserved)
        )


def outlooks(now: datetime | None = None) -> list[Outlook]:
    """This month of every budget, by name."""
    return [outlook(state, now) for state in budget.states()]


def outlook(state: BudgetState, now: datetime | None = None) -> Outlook:
    """Where one budget is heading."""
    forecast, empty_on = _forecast(state, now or timezone.now())
    full = max(state.spent + state.reserved, state.cap or Decimal(0)) or Decimal(1)
    notices = {
        notice.level: notice
        for notice in BudgetNotice.objects.filter(
            month__scope=state.scope, month__month=state.month
        )
    }
    return Outlook(
        state=state,
        forecast_usd=forecast,
        empty_on=empty_on,
        marks=_marks(state, full, notices),
        spent_width=_place(state.spent, full),
        reserved_width=_place(state.reserved, full),
    )


def past_months() -> list[BudgetMonth]:
    """Earlier months that cost something, newest first, with their notices."""
    first = timezone.now().astimezone(UTC).date().replace(day=1)
    earlier = BudgetMonth.objects.filter(month__lt=first).prefetch_related("notices")
    return list(earlier.order_by("-month", "scope")[:MONTHS_SHOWN])


def _forecast(state: BudgetState, now: datetime) -> tuple[Decimal | None, date | None]:
    begin, end = _midnight(state.month), _midnight(next_month(state.month))
    gone = now - begin
    if not state.spent or gone < TOO_EARLY or now >= end:
        return None, None
    pace = state.spent / Decimal(gone.total_seconds())
    forecast = pace * Decimal((end - begin).total_seconds())
    if state.cap is None or forecast <= state.cap or state.spent >= state.cap:
        return forecast, None
    empty_at = now + timedelta(seconds=float((state.cap - state.spent) / pace))
    return forecast, empty_at.date()


def _marks(state: BudgetState, full: Decimal, notices: dict[int, BudgetNotice]) -> list[Mark]:
    levels = BudgetMonth.Level
    amounts = (
        (levels.WARN, "warn", state.warn_at),
        (levels.CRITICAL, "critical", state.critical_at),
        (levels.EXCEEDED, "exceeded", state.cap),
    )
    return [
        Mark(name, str(level.label), amount, _place(amount, full), notices.get(int(level)))
        for level, name, amount in amounts
        if amount is not None
    ]


def _place(amount: Decimal, full: Decimal) -> int:
    return min(WIDTH, round(amount / full * WIDTH))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)
