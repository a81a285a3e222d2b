"""What staff read of the ledger: sums by stage, model, day or session; calls; checks of answers."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Final

from django.db import connection, models
from django.db.models import F, Q, QuerySet, Sum
from django.db.models.expressions import Combinable
from django.db.models.functions import TruncDate
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from futura.llm.checks import Reason
from futura.llm.models import AnswerCheck, ModelCall
from futura.llm.outcomes import Outcome
from futura.llm.staff.periods import Period

GROUPS_A_PAGE: Final = 100
CALLS_A_PAGE: Final = 50
BAD: Final = "bad"  # every outcome but the good one


class Grouping(models.TextChoices):
    """What one line of the sums stands for."""

    STAGE = "stage", _("Stage")
    MODEL = "model", _("Model")
    DAY = "day", _("Day")
    SESSION = "session", _("Conversation")


@dataclass(frozen=True)
class Filters:
    """What is counted; empty values narrow nothing."""

    period: Period = field(default_factory=Period)
    stage: str = ""
    model: str = ""
    outcome: str = ""
    session_id: uuid.UUID | None = None


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
SORTS: Final[Mapping[str, str]] = {
    "key": "key",
    "calls": "calls",
    "share": "answered::float / nullif(calls, 0)",
    "input": "input_tokens",
    "cached": "cached_input_tokens",
    "output": "output_tokens",
    "reasoning": "reasoning_tokens",
    "cost": "cost_usd",
    "latency": "latency_ms[2]",
    "ttft": "ttft_ms[2]",
}
_TOKENS: Final = ("input_tokens", "cached_input_tokens", "output_tokens", "reasoning_tokens")
_MEASURED: Final = (*_TOKENS, "cost_usd", "latency_ms", "ttft_ms", "outcome")
_COUNTS: Final = ", ".join(f"count(*) FILTER (WHERE outcome = '{one}')" for one in Outcome.values)
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
    filters: Filters,
    grouping: str,
    *,
    sort: str = "-calls",
    page: int = 1,
    limit: int = GROUPS_A_PAGE,
) -> Summary:
    """The sums of a period, in one query; `limit` lines a page, unknown sortings are refused.

    Raises KeyError for a grouping or sorting that is not in the tables above.
    """
    inner = calls_of(filters).annotate(key=_KEYS[grouping]).order_by().values("key", *_MEASURED)
    sql, parameters = inner.query.sql_with_params()
    order = f"{SORTS[sort.removeprefix('-')]} {'DESC' if sort.startswith('-') else 'ASC'}"
    statement = _STATEMENT % {"calls": sql, "order": f"{order} NULLS LAST"}
    first = 2 + (page - 1) * limit
    with connection.cursor() as cursor:
        cursor.execute(statement, [*parameters, first, first + limit - 1])
        rows = cursor.fetchall()
    total, *lines = (Sums(*row[2:]) for row in rows)
    groups, most_calls = rows[0][:2]
    return Summary(lines, total, groups, most_calls)


def calls_of(filters: Filters) -> QuerySet[ModelCall]:
    """The attempts that the filters leave, newest first."""
    calls = ModelCall.objects.order_by("-created_at", "-id")
    if filters.period.since:
        calls = calls.filter(created_at__gte=filters.period.since)
    if filters.period.until:
        calls = calls.filter(created_at__lt=filters.period.until)
    if filters.outcome == BAD:
        calls = calls.exclude(outcome=Outcome.OK)
    elif filters.outcome:
        calls = calls.filter(outcome=filters.outcome)
    exact = {
        "stage": filters.stage,
        "model_asked": filters.model,
        "session_id": filters.session_id,
    }
    return calls.filter(Q(**{name: value for name, value in exact.items() if value}))


def calls_page(filters: Filters, *, page: int) -> tuple[list[ModelCall], bool]:
    """One page of attempts, newest first, and whether there are older ones; one query."""
    first = (page - 1) * CALLS_A_PAGE
    calls = list(calls_of(filters)[first : first + CALLS_A_PAGE + 1])
    return calls[:CALLS_A_PAGE], len(calls) > CALLS_A_PAGE


@dataclass(frozen=True)
class StageChecks:
    """Items of one stage's answers: how many were used, how many refused for which reason."""

    stage: str
    used: int
    refused: Mapping[str, int]

    @property
    def refused_items(self) -> int:
        """All that were refused."""
        return sum(self.refused.values())

    @property
    def items(self) -> int:
        """All items that were checked."""
        return self.used + self.refused_items

    @property
    def rate(self) -> float:
        """Refused of all, 0 to 1."""
        return self.refused_items / self.items if self.items else 0.0

    @property
    def reasons(self) -> list[tuple[str, str, int]]:
        """Code, label and count of each reason, most frequent first."""
        labels = dict(Reason.choices)
        counts = sorted(self.refused.items(), key=lambda pair: (-pair[1], pair[0]))
        return [(code, str(labels.get(code, code)), number) for code, number in counts]


def checks_by_stage(filters: Filters) -> list[StageChecks]:
    """The sums of a period and stage, highest rate first; other filters do not apply."""
    checks = AnswerCheck.objects.order_by()
    if filters.stage:
        checks = checks.filter(stage=filters.stage)
    if since := filters.period.since:
        checks = checks.filter(day__gte=timezone.localdate(since))
    if until := filters.period.until:
        checks = checks.filter(day__lt=timezone.localdate(until))
    counts: dict[str, dict[str, int]] = {}
    for stage, reason, items in checks.values_list("stage", "reason").annotate(Sum("items")):
        counts.setdefault(stage, {})[reason] = items
    lines = [
        StageChecks(stage, refused.pop(AnswerCheck.USED, 0), refused)
        for stage, refused in counts.items()
    ]
    return sorted(lines, key=lambda line: (-line.rate, line.stage))
