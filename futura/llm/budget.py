"""Monthly budgets: money is held back before a call and settled after it, never spent twice.

Each step is one conditional statement in PostgreSQL, so that it holds however many call at once.
"""

from __future__ import annotations

import logging
import uuid
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Final, Literal

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from futura.celery import send_job
from futura.env import Cap
from futura.llm.models import BudgetMonth, BudgetNotice, BudgetReservation
from futura.statements import rows

log = logging.getLogger(__name__)

Level = Literal["ok", "warn", "critical", "exceeded"]
LEVELS: Final[tuple[Level, ...]] = ("ok", "warn", "critical", "exceeded")  # by BudgetMonth.Level
MAIL_DUE: Final = "llm.mail_budget_notices"
CENT: Final = Decimal("0.00000001")  # the tables keep eight decimal places

_OPEN: Final = """
INSERT INTO llm_budgetmonth
    (scope, month, spent_usd, estimated_usd, reserved_usd, unknown_calls, told)
VALUES (%(scope)s, %(month)s, 0, 0, 0, 0, 0) ON CONFLICT (scope, month) DO NOTHING
"""
# All calls of a month meet on one row, so that its lock must be short: nobody waits for the disk
# (set_config, for this statement alone). A crash of PostgreSQL may forget the last half second.
# The condition is judged again under the row's lock: however many ask at once, no more is held
# back and spent than the cap. A budget whose cap is reached lets nothing more out, free or not.
_RESERVE: Final = """
WITH held AS (
    UPDATE llm_budgetmonth SET reserved_usd = reserved_usd + %(amount)s
    WHERE scope = %(scope)s AND month = %(month)s
      AND (%(cap)s::numeric IS NULL OR (
           spent_usd < %(cap)s::numeric
           AND spent_usd + reserved_usd + %(amount)s <= %(cap)s::numeric))
    RETURNING id)
INSERT INTO llm_budgetreservation (id, month_id, amount_usd, expires_at)
SELECT %(key)s, id, %(amount)s, now() + make_interval(secs => %(seconds)s) FROM held
RETURNING month_id, set_config('synchronous_commit', 'off', true)
"""
_RELEASE_EXPIRED: Final = """
WITH late AS (
    SELECT r.id FROM llm_budgetreservation r JOIN llm_budgetmonth m ON r.month_id = m.id
    WHERE m.scope = %(scope)s AND r.expires_at < now() FOR UPDATE OF r SKIP LOCKED),
gone AS (
    DELETE FROM llm_budgetreservation WHERE id IN (SELECT id FROM late)
    RETURNING month_id, amount_usd),
sums AS (SELECT month_id, sum(amount_usd) AS amount FROM gone GROUP BY month_id)
UPDATE llm_budgetmonth m SET reserved_usd = greatest(0, reserved_usd - sums.amount)
FROM sums WHERE m.id = sums.month_id
"""
_SETTLE: Final = """
WITH gone AS (DELETE FROM llm_budgetreservation WHERE id = %(key)s RETURNING amount_usd)
UPDATE llm_budgetmonth SET
    spent_usd = spent_usd + %(cost)s,
    estimated_usd = estimated_usd + %(estimated)s,
    unknown_calls = unknown_calls + %(unknown)s,
    reserved_usd = greatest(0, reserved_usd - coalesce((SELECT amount_usd FROM gone), 0))
WHERE scope = %(scope)s AND month = %(month)s
RETURNING id, scope, month, spent_usd, full_at_usd, told,
    set_config('synchronous_commit', 'off', true)
"""
_SETTLED: Final = ("id", "scope", "month", "spent_usd", "full_at_usd", "told")


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
    estimated: Decimal
    unknown_calls: int

    @property
    def level_label(self) -> str:
        return str(BudgetMonth.Level(LEVELS.index(self.level)).label)

    @property
    def used(self) -> float | None:
        """Spent of the cap, 0 to 1 and above; None without a cap."""
        return float(self.spent / self.cap) if self.cap else None

    @property
    def left(self) -> Decimal | None:
        """What may still be spent; None without a cap."""
        return None if self.cap is None else max(Decimal(0), self.cap - self.spent - self.reserved)

    @property
    def full(self) -> Decimal:
        """What the whole width of a drawing stands for."""
        return max(self.spent + self.reserved, self.cap or Decimal(0)) or Decimal(1)


@dataclass(frozen=True)
class Reservation:
    """Money held back for one attempt; `amount` is 0 where the price is not known."""

    scope: str
    month: date
    key: uuid.UUID
    amount: Decimal


def state(scope: str, month: date | None = None) -> BudgetState:
    """How a budget stands in the month of that day, this month by default. KeyError if unknown."""
    cap = _cap_of(scope)
    first = (month or this_month()).replace(day=1)
    row = BudgetMonth.objects.filter(scope=scope, month=first).first()
    row = row or BudgetMonth(scope=scope, month=first)
    return BudgetState(
        scope=scope,
        month=first,
        cap=cap.cap,
        warn_at=cap.warn_at,
        critical_at=cap.critical_at,
        spent=Decimal(row.spent_usd),
        reserved=_reserved(row),
        level=LEVELS[_level_of(row, cap)],
        estimated=Decimal(row.estimated_usd),
        unknown_calls=row.unknown_calls,
    )


def states() -> list[BudgetState]:
    return [state(scope) for scope in sorted(settings.LLM_BUDGETS)]


def this_month() -> date:
    return datetime.now(UTC).date().replace(day=1)


def reserve(scope: str, estimate: Decimal | None, *, seconds: float = 120) -> Reservation | None:
    """Holds `estimate` US dollars back for so many seconds; None when the budget is used up.

    An unknown estimate (None) holds nothing back, and is let out while the cap is not reached.
    Of a reservation that nobody settles nothing is left after its time. KeyError for an unknown
    budget.
    """
    cap = _cap_of(scope).cap
    amount = (estimate or Decimal(0)).quantize(CENT)
    reservation = Reservation(scope, this_month(), uuid.uuid4(), amount)
    if cap is None:
        return reservation
    if not amount:
        row = BudgetMonth.objects.filter(scope=scope, month=reservation.month).first()
        return reservation if (row.spent_usd if row else 0) < cap else None
    values = {**_place(reservation), "amount": amount, "cap": cap, "seconds": seconds}
    if rows(_RESERVE, values):
        return reservation
    rows(_OPEN, _place(reservation))
    rows(_RELEASE_EXPIRED, {"scope": scope})
    if rows(_RESERVE, values):
        return reservation
    _note_refusal(reservation, cap)
    return None


def settle(
    reservation: Reservation, cost: Decimal | None, *, estimated: Decimal | None = None
) -> None:
    """Books what an attempt really cost in place of what was held back, and notes thresholds.

    `cost` None is unknown: then `estimated`, where there is one, stands in for it and the call is
    counted as unknown. Settling twice books twice: do it once.
    """
    guess = (estimated or Decimal(0)).quantize(CENT) if cost is None else Decimal(0)
    values = {
        **_place(reservation),
        "cost": guess if cost is None else cost.quantize(CENT),
        "estimated": guess,
        "unknown": int(cost is None),
    }
    settled = rows(_SETTLE, values)
    if not settled:
        rows(_OPEN, _place(reservation))
        settled = rows(_SETTLE, values)
    _note_levels(BudgetMonth(**dict(zip(_SETTLED, settled[0][:-1], strict=True))))


def _place(reservation: Reservation) -> dict[str, Any]:
    return {"scope": reservation.scope, "month": reservation.month, "key": reservation.key}


def _note_refusal(wanted: Reservation, cap: Decimal) -> None:
    """A budget is used up as well when what is left of it is too little for the next call.

    What others hold back may come free again: that alone does not use a budget up.
    """
    row = BudgetMonth.objects.get(scope=wanted.scope, month=wanted.month)
    if row.full_at_usd != cap and row.spent_usd + wanted.amount > cap:
        row.full_at_usd = cap
        row.save(update_fields=["full_at_usd"])
    if row.full_at_usd == cap and cap:  # a cap of nothing is meant so: no news
        _note_levels(row)


def _note_levels(row: BudgetMonth) -> None:
    """Notes every level up to the one the row has reached, each once among all processes.

    A worker mails them; one that no broker took is found by the clock (`staff.jobs`).
    """
    reached = _level_of(row, _cap_of(row.scope))
    for level in range(row.told + 1, reached + 1):
        with transaction.atomic():
            is_first = BudgetMonth.objects.filter(pk=row.pk, told=level - 1).update(told=level)
            if is_first:
                BudgetNotice.objects.create(month_id=row.pk, level=level, spent_usd=row.spent_usd)
                log.warning(
                    "budget %s is at level %s: %s USD spent",
                    row.scope,
                    LEVELS[level],
                    row.spent_usd,
                )
    if reached > row.told:
        send_job(MAIL_DUE)


def _cap_of(scope: str) -> Cap:
    cap: Cap = settings.LLM_BUDGETS[scope]
    return cap


def _level_of(row: BudgetMonth, cap: Cap) -> int:
    """The index in LEVELS that a month has reached; full is also where no call fits any more."""
    if cap.cap is None:
        return 0
    if row.full_at_usd is not None and row.full_at_usd >= cap.cap:
        return len(LEVELS) - 1
    marks = [mark for mark in (cap.warn_at, cap.critical_at, cap.cap) if mark is not None]
    return sum(row.spent_usd >= mark for mark in marks)


def _reserved(row: BudgetMonth) -> Decimal:
    held = BudgetReservation.objects.filter(month_id=row.pk, expires_at__gt=timezone.now())
    return held.aggregate(total=Sum("amount_usd"))["total"] or Decimal(0)
