"""Holds money back and settles it, race-free: each is one conditional statement in PostgreSQL."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from futura.llm.budget import thresholds
from futura.llm.budget.standing import cap_of, this_month
from futura.llm.models import BudgetMonth
from futura.statements import rows

CENT = Decimal("0.00000001")  # the tables keep eight decimal places

_OPEN = """
INSERT INTO llm_budgetmonth
    (scope, month, spent_usd, estimated_usd, reserved_usd, unknown_calls, told)
VALUES (%(scope)s, %(month)s, 0, 0, 0, 0, 0) ON CONFLICT (scope, month) DO NOTHING
"""
# All calls of a month meet on one row, so that its lock must be short: nobody waits for the disk
# (set_config, for this statement alone). A crash of PostgreSQL may forget the last half second.
# The condition is judged again under the row's lock: however many ask at once, no more is held
# back and spent than the cap. A budget whose cap is reached lets nothing more out, free or not.
_RESERVE = """
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
_RELEASE_EXPIRED = """
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
_SETTLE = """
WITH gone AS (DELETE FROM llm_budgetreservation WHERE id = %(key)s RETURNING amount_usd)
UPDATE llm_budgetmonth SET
    spent_usd = spent_usd + %(cost)s,
    estimated_usd = estimated_usd + %(estimated)s,
    unknown_calls = unknown_calls + %(unknown)s,
    reserved_usd = greatest(0, reserved_usd - coalesce((SELECT amount_usd FROM gone), 0))
WHERE scope = %(scope)s AND month = %(month)s
RETURNING id, scope, month, spent_usd, estimated_usd, reserved_usd, unknown_calls, full_at_usd,
    told, set_config('synchronous_commit', 'off', true)
"""
COLUMNS = (
    *("id", "scope", "month", "spent_usd", "estimated_usd", "reserved_usd"),
    *("unknown_calls", "full_at_usd", "told"),
)


@dataclass(frozen=True)
class Reservation:
    """Money held back for one attempt; `amount` is 0 where the price is not known."""

    scope: str
    month: Any
    key: uuid.UUID
    amount: Decimal


def reserve(scope: str, estimate: Decimal | None, *, seconds: float = 120) -> Reservation | None:
    """Holds `estimate` US dollars back for so many seconds; None when the budget is used up.

    An unknown estimate (None) holds nothing back, and is let out while the cap is not reached.
    Of a reservation that nobody settles nothing is left after its time. KeyError for an unknown
    budget.
    """
    cap = cap_of(scope).cap
    amount = _rounded(estimate or Decimal(0))
    made = Reservation(scope, this_month(), uuid.uuid4(), amount)
    if cap is None or not amount:
        return made if cap is None or _has_room(made, cap) else None
    if _held(made, cap, seconds):
        return made
    _run(_OPEN, scope=scope, month=made.month)
    _run(_RELEASE_EXPIRED, scope=scope)
    if _held(made, cap, seconds):
        return made
    _note_refusal(made, cap)
    return None


def settle(
    reservation: Reservation, cost: Decimal | None, *, estimated: Decimal | None = None
) -> None:
    """Books what an attempt really cost in place of what was held back, and tells of thresholds.

    `cost` None is unknown: then `estimated`, where there is one, stands in for it and the call is
    counted as unknown. Settling twice books twice: do it once.
    """
    guess = _rounded(estimated or Decimal(0)) if cost is None else Decimal(0)
    values = {
        "scope": reservation.scope,
        "month": reservation.month,
        "key": reservation.key,
        "cost": guess if cost is None else _rounded(cost),
        "estimated": guess,
        "unknown": int(cost is None),
    }
    found = _run(_SETTLE, **values)
    if not found:
        _run(_OPEN, scope=reservation.scope, month=reservation.month)
        found = _run(_SETTLE, **values)
    thresholds.tell(BudgetMonth(**dict(zip(COLUMNS, found[0][:-1], strict=True))))


def _has_room(wanted: Reservation, cap: Decimal) -> bool:
    """Whether the cap is not reached yet: for calls whose price is not known."""
    row = BudgetMonth.objects.filter(scope=wanted.scope, month=wanted.month).first()
    return (Decimal(0) if row is None else row.spent_usd) < cap


def _held(wanted: Reservation, cap: Decimal, seconds: float) -> bool:
    return bool(
        _run(
            _RESERVE,
            scope=wanted.scope,
            month=wanted.month,
            key=wanted.key,
            amount=wanted.amount,
            cap=cap,
            seconds=seconds,
        )
    )


def _note_refusal(wanted: Reservation, cap: Decimal) -> None:
    """A budget is used up as well when what is left of it is too little for the next call.

    What others hold back may come free again: that alone does not use a budget up.
    """
    row = BudgetMonth.objects.get(scope=wanted.scope, month=wanted.month)
    if row.full_at_usd != cap and row.spent_usd + wanted.amount > cap:
        row.full_at_usd = cap
        row.save(update_fields=["full_at_usd"])
    if row.full_at_usd == cap and cap:  # a cap of nothing is meant so: no news
        thresholds.tell(row)


def _rounded(amount: Decimal) -> Decimal:
    return amount.quantize(CENT)


def _run(statement: str, **values: Any) -> list[tuple[Any, ...]]:
    return rows(statement, values)
