"""What staff read of the ledger: sums by one thing, calls, one run, and checks of answers."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Final

from django.db import connection, models
from django.db.models import F, Q, QuerySet, Sum
from django.db.models.expressions import Combinable
from django.db.models.functions import TruncDate
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from futura.errors import NotFound
from futura.llm.checks import Reason
from futura.llm.models import AnswerCheck, ModelCall
from futura.llm.outcomes import Outcome
from futura.llm.staff.periods import Period

GROUPS_A_PAGE: Final = 100
CALLS_A_PAGE: Final = 50
BAD: Final = "bad"  # every outcome but the good one


class Grouping(models.TextChoices):
    STAGE = "stage", _("Stage")
    MODEL = "model", _("Model")
    DAY = "day", _("Day")
    SESSION = "session", _("Conversation")


@dataclass(frozen=True)
class Sums:
    """One line: counts of attempts, sums of what is known; None where nothing is known.

    `latency_ms` and `ttft_ms` are the 50th and the 95th percentile, `counts` those of each outcome.
    The fields stand in the order of the statement's columns.
    """

    key: str | date | uuid.UUID | None
    calls: int
    answered: int
    counts: Sequence[int]
    input_tokens: int | None
    cached_input_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None
    cost_usd: Decimal | None
    unpriced: int
    latency_ms: Sequence[float] | None
    ttft_ms: Sequence[float] | None

    @property
    def share(self) -> float | None:
        """Answered of all attempts, 0 to 1; None without attempts."""
        return self.answered / self.calls if self.calls else None

    @property
    def failures(self) -> list[tuple[Outcome, int]]:
        """The other outcomes, most frequent first."""
        counts = zip(Outcome, self.counts, strict=True)
        others = [(outcome, number) for outcome, number in counts if number]
        others = [pair for pair in others if pair[0] != Outcome.OK]
        return sorted(others, key=lambda pair: (-pair[1], pair[0]))


@dataclass(frozen=True)
class Summary:
    """One page of lines, the sum of all lines, how many there are, and the longest of them."""

    lines: Sequence[Sums]
    total: Sums
    groups: int
    most_calls: int


_KEYS: Final[Mapping[str, Combinable]] = {
    Grouping.STAGE: F("stage"),
    Grouping.MODEL: F("model_asked"),
    Grouping.DAY: TruncDate("created_at"),
    Grouping.SESSION: F("session_id"),
}
_TOKENS: Final = ("input_tokens", "cached_input_tokens", "output_tokens", "reasoning_tokens")
_MEASURED: Final = (*_TOKENS, "cost_usd", "latency_ms", "ttft_ms", "outcome")
_COUNTS: Final = ", ".join(f"count(*) FILTER (WHERE outcome = '{item}')" for item in Outcome.values)
_SUMS: Final = ", ".join(f"sum({name}) AS {name}" for name in _TOKENS)
# The sum of all lines is one more grouping set of the same pass, and stands first.
_STATEMENT: Final = f"""
WITH lines AS (
    SELECT key, grouping(key) = 1 AS is_total, count(*) AS calls,
        count(*) FILTER (WHERE outcome = '{Outcome.OK.value}') AS answered,
        ARRAY[{_COUNTS}] AS counts, {_SUMS},
        sum(cost_usd) AS cost_usd, count(*) FILTER (WHERE cost_usd IS NULL) AS unpriced,
        percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY latency_ms) AS latency_ms,
        percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY ttft_ms) AS ttft_ms
    FROM (%(calls)s) AS calls GROUP BY GROUPING SETS ((key), ())
), placed AS (
    SELECT lines.*,
        row_number() OVER (ORDER BY is_total DESC, %(order)s, key) AS place,
        count(*) OVER () - 1 AS groups,
        coalesce(max(calls) FILTER (WHERE NOT is_total) OVER (), 0) AS most_calls
    FROM lines
)
SELECT groups, most_calls, key, calls, answered, counts, {", ".join(_TOKENS)}, cost_usd, unpriced,
    latency_ms, ttft_ms
FROM placed WHERE is_total OR place BETWEEN %%s AND %%s ORDER BY place
"""  # noqa: S608 (only names from the tables above)


def summary(
    calls: QuerySet[ModelCall], grouping: str, *, page: int = 1, limit: int = GROUPS_A_PAGE
) -> Summary:
    """The sums of these calls, in one query, `limit` lines a page: days newest first, all else
    dearest first. Raises KeyError for an unknown grouping.
    """
    inner = calls.annotate(key=_KEYS[grouping]).order_by().values("key", *_MEASURED)
    sql, parameters = inner.query.sql_with_params()
    order = "key DESC" if grouping == Grouping.DAY else "cost_usd DESC NULLS LAST, calls DESC"
    statement = _STATEMENT % {"calls": sql, "order": order}
    first = 2 + (page - 1) * limit
    with connection.cursor() as cursor:
        cursor.execute(statement, [*parameters, first, first + limit - 1])
        rows = cursor.fetchall()
    total, *lines = (Sums(*row[2:]) for row in rows)
    groups, most_calls = rows[0][:2]
    return Summary(lines, total, groups, most_calls)


def calls_in(period: Period, *, outcome: str = "", **exact: object) -> QuerySet[ModelCall]:
    """The attempts of a period, newest first; empty values narrow nothing."""
    calls = ModelCall.objects.order_by("-created_at", "-id")
    if period.since:
        calls = calls.filter(created_at__gte=period.since)
    if period.until:
        calls = calls.filter(created_at__lt=period.until)
    if outcome == BAD:
        calls = calls.exclude(outcome=Outcome.OK)
    elif outcome:
        calls = calls.filter(outcome=outcome)
    return calls.filter(Q(**{name: value for name, value in exact.items() if value}))


def calls_page(calls: QuerySet[ModelCall], *, page: int) -> tuple[list[ModelCall], bool]:
    """One page of attempts, and whether there are more; one query."""
    first = (page - 1) * CALLS_A_PAGE
    rows = list(calls[first : first + CALLS_A_PAGE + 1])
    return rows[:CALLS_A_PAGE], len(rows) > CALLS_A_PAGE


def checks_by_stage(period: Period, stage: str) -> list[dict[str, Any]]:
    """Items of answers by stage (one, or every one for "") in a period, and how many were refused.

    The highest `rate` of refusals (0 to 1) first; `reasons` are code, label and count of each.
    """
    checks = AnswerCheck.objects.order_by()
    if stage:
        checks = checks.filter(stage=stage)
    if period.since:
        checks = checks.filter(day__gte=timezone.localdate(period.since))
    if period.until:
        checks = checks.filter(day__lt=timezone.localdate(period.until))
    counts: dict[str, dict[str, int]] = {}
    for stage, reason, items in checks.values_list("stage", "reason").annotate(Sum("items")):
        counts.setdefault(stage, {})[reason] = items
    lines = [_checks_of(stage, refused) for stage, refused in counts.items()]
    return sorted(lines, key=lambda line: (-line["rate"], line["stage"]))


def _checks_of(stage: str, counts: dict[str, int]) -> dict[str, Any]:
    items = sum(counts.values())
    refused = items - counts.pop(AnswerCheck.USED, 0)
    labels = dict(Reason.choices)
    reasons = [(code, str(labels.get(code, code)), number) for code, number in counts.items()]
    reasons.sort(key=lambda reason: (-reason[2], reason[0]))
    rate = refused / items if items else 0.0
    return {"stage": stage, "items": items, "refused": refused, "rate": rate, "reasons": reasons}


def calls_of_run(run_id: uuid.UUID) -> dict[str, Any]:
    """The attempts of a run as they began, in ms after the first, and their sums.

    `cost_usd` is None where that of no attempt is known; `tokens` are input and output. Raises
    NotFound without any.
    """
    calls = list(ModelCall.objects.filter(run_id=run_id).order_by("created_at", "id"))
    if not calls:
        raise NotFound
    attempts: list[dict[str, Any]] = []
    models: dict[str, str] = {}
    for call in calls:
        before = models.get(call.stage, call.model_asked) if call.attempt > 1 else call.model_asked
        models[call.stage] = call.model_asked
        starts_ms = round((call.created_at - calls[0].created_at).total_seconds() * 1000)
        attempts.append(
            {
                "call": call,
                "starts_ms": starts_ms,
                "first_text_ms": None if call.ttft_ms is None else starts_ms + call.ttft_ms,
                "ends_ms": starts_ms + call.latency_ms,
                "is_fallback": before != call.model_asked,
            }
        )
    costs = [call.cost_usd for call in calls if call.cost_usd is not None]
    return {
        "attempts": attempts,
        "first": calls[0],
        "lasted_ms": max(1, *(attempt["ends_ms"] for attempt in attempts)),
        "failed": sum(call.outcome != Outcome.OK for call in calls),
        "unpriced": len(calls) - len(costs),
        "cost_usd": sum(costs, Decimal(0)) if costs else None,
        "tokens": [
            sum(call.input_tokens or 0 for call in calls),
            sum(call.output_tokens or 0 for call in calls),
        ],
    }
