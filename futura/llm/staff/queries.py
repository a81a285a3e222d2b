"""What staff read of the ledger: sums by one thing, calls, one run, and checks of answers."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any, Final

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Aggregate, Count, F, Q, QuerySet, Sum
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
MILLISECOND: Final = timedelta(milliseconds=1)
BAD: Final = "bad"  # every outcome but the good one


class Grouping(models.TextChoices):
    STAGE = "stage", _("Stage")
    MODEL = "model", _("Model")
    DAY = "day", _("Day")
    SESSION = "session", _("Conversation")


class _Percentiles(Aggregate):
    """The 50th and the 95th."""

    function = "percentile_cont"
    template = "%(function)s(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = ArrayField(models.FloatField())


_KEYS: Final[Mapping[str, Combinable]] = {
    Grouping.STAGE: F("stage"),
    Grouping.MODEL: F("model_asked"),
    Grouping.DAY: TruncDate("created_at"),
    Grouping.SESSION: F("session_id"),
}
_FAILURES: Final = [outcome for outcome in Outcome if outcome != Outcome.OK]
_SUMS: Final[Mapping[str, Aggregate]] = {
    "calls": Count("pk"),
    "answered": Count("pk", filter=Q(outcome=Outcome.OK)),
    "read": Sum("input_tokens"),
    "cached": Sum("cached_input_tokens"),
    "written": Sum("output_tokens"),
    "reasoned": Sum("reasoning_tokens"),
    "cost": Sum("cost_usd"),
    "unpriced": Count("pk", filter=Q(cost_usd=None)),
    "latency": _Percentiles("latency_ms"),
    "first_text": _Percentiles("ttft_ms"),
    **{item.value: Count("pk", filter=Q(outcome=item)) for item in _FAILURES},
}


def summary(
    calls: QuerySet[ModelCall], grouping: str, *, page: int = 1, limit: int = GROUPS_A_PAGE
) -> dict[str, Any]:
    """The sums of these calls, `limit` `lines` a page: days newest first, all else dearest first;
    their `total`, the `most_calls` of a line, and whether it `has_more`. What is unknown is None.

    Raises KeyError for an unknown grouping.
    """
    lines = calls.order_by().annotate(key=_KEYS[grouping]).values("key").annotate(**_SUMS)
    dearest = (F("cost").desc(nulls_last=True), "-calls", "key")
    first = (page - 1) * limit
    ordered = lines.order_by(*(("-key",) if grouping == Grouping.DAY else dearest))
    rows = [_with_shares(row) for row in ordered[first : first + limit + 1]]
    return {
        "lines": rows[:limit],
        "total": _with_shares(calls.order_by().aggregate(**_SUMS)),
        "most_calls": max((row["calls"] for row in rows), default=0),
        "has_more": len(rows) > limit,
    }


def _with_shares(sums: Mapping[str, Any]) -> dict[str, Any]:
    """With the `share` of answered attempts, and the other outcomes, most frequent first."""
    failures = [(outcome, sums[outcome.value]) for outcome in _FAILURES if sums[outcome.value]]
    failures.sort(key=lambda pair: (-pair[1], pair[0]))
    share = sums["answered"] / sums["calls"] if sums["calls"] else None
    return {**sums, "share": share, "failures": failures}


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

    The highest `rate` of refusals (0 to 1) first; `reasons` are label and count of each.
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
    reasons = [(str(labels.get(code, code)), number) for code, number in counts.items()]
    reasons.sort(key=lambda reason: (-reason[1], reason[0]))
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
    starts_ms = [(call.created_at - calls[0].created_at) // MILLISECOND for call in calls]
    costs = [call.cost_usd for call in calls if call.cost_usd is not None]
    ends_ms = [start + call.latency_ms for start, call in zip(starts_ms, calls, strict=True)]
    return {
        "attempts": list(zip(calls, starts_ms, strict=True)),
        "first": calls[0],
        "lasted_ms": max(1, *ends_ms),
        "failed": sum(call.outcome != Outcome.OK for call in calls),
        "unpriced": len(calls) - len(costs),
        "cost_usd": sum(costs, Decimal(0)) if costs else None,
        "tokens": [
            sum(call.input_tokens or 0 for call in calls),
            sum(call.output_tokens or 0 for call in calls),
        ],
    }
