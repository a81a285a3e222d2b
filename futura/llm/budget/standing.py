"""How a budget stands: what a month has cost so far, and how near that is to its cap."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Literal

from django.conf import settings
from django.db.models import Sum
from django.utils import timezone

from futura.env import Cap
from futura.llm.models import BudgetMonth, BudgetReservation

Level = Literal["ok", "warn", "critical", "exceeded"]
LEVELS: tuple[Level, ...] = ("ok", "warn", "critical", "exceeded")  # by BudgetMonth.Level


@dataclass(frozen=True)
class BudgetState:
    """One budget in one calendar month (UTC); amounts in US dollars.

    `cap` and the thresholds are None for a budget without end. `spent` includes `estimated`: what
    broken-off calls are taken to have cost. `unknown_calls` cost something that nobody knows.
    """

    scope: str
    month: date
    cap: Decimal | None
    warn_at: Decimal | None
    critical_at: Decimal | None
    spent: Decimal
    reserved: Decimal
    level: Level
    estimated: Decimal = Decimal(0)
    unknown_calls: int = 0


def state(scope: str, month: date | None = None) -> BudgetState:
    """How a budget stands in the month of that day, this month by default. KeyError if unknown."""
    cap = cap_of(scope)
    first = (month or this_month()).replace(day=1)
    row = BudgetMonth.objects.filter(scope=scope, month=first).first()
    return state_of(row or BudgetMonth(scope=scope, month=first), cap, reserved=_reserved(row))


def states(month: date | None = None) -> list[BudgetState]:
    """Every budget of the settings, by name."""
    return [state(scope, month) for scope in sorted(settings.LLM_BUDGETS)]


def cap_of(scope: str) -> Cap:
    """The cap of a budget; KeyError for one that the settings do not name."""
    found: Cap = settings.LLM_BUDGETS[scope]
    return found


def this_month() -> date:
    """The first day of the present month, UTC."""
    return datetime.now(UTC).date().replace(day=1)


def state_of(row: BudgetMonth, cap: Cap, *, reserved: Decimal | None = None) -> BudgetState:
    """A row of the table read with its cap."""
    return BudgetState(
        scope=row.scope,
        month=row.month,
        cap=cap.cap,
        warn_at=cap.warn_at,
        critical_at=cap.critical_at,
        spent=Decimal(row.spent_usd),
        reserved=Decimal(row.reserved_usd) if reserved is None else reserved,
        level=LEVELS[level_of(row, cap)],
        estimated=Decimal(row.estimated_usd),
        unknown_calls=row.unknown_calls,
    )


def level_of(row: BudgetMonth, cap: Cap) -> int:
    """The index in LEVELS that a month has reached; full is also where no call fits any more."""
    if cap.cap is None:
        return 0
    if row.full_at_usd is not None and row.full_at_usd >= cap.cap:
        return len(LEVELS) - 1
    marks = [mark for mark in (cap.warn_at, cap.critical_at, cap.cap) if mark is not None]
    return sum(row.spent_usd >= mark for mark in marks)


def _reserved(row: BudgetMonth | None) -> Decimal:
    """What is held back now, expired reservations left out."""
    if row is None:
        return Decimal(0)
    held = BudgetReservation.objects.filter(month=row, expires_at__gt=timezone.now())
    return held.aggregate(total=Sum("amount_usd"))["total"] or Decimal(0)
