"""One run's calls as staff read them: when each began, what it was a second try of."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from futura.errors import NotFound
from futura.llm.models import ModelCall
from futura.llm.outcomes import Outcome


@dataclass(frozen=True)
class Attempt:
    """One attempt; `starts_ms` counts from the run's first call."""

    call: ModelCall
    starts_ms: int
    is_fallback: bool

    @property
    def is_good(self) -> bool:
        """Whether it was answered."""
        return self.call.outcome == Outcome.OK

    @property
    def first_text_ms(self) -> int | None:
        """When its first text came, after the run's first call."""
        return None if self.call.ttft_ms is None else self.starts_ms + self.call.ttft_ms


@dataclass(frozen=True)
class RunCalls:
    """A run's attempts in the order in which they began, and what they came to."""

    session_id: uuid.UUID | None
    began_at: datetime
    lasted_ms: int
    attempts: Sequence[Attempt]
    cost_usd: Decimal | None
    unpriced: int
    input_tokens: int
    output_tokens: int

    @property
    def failed(self) -> int:
        """Attempts that gave no answer."""
        return sum(not attempt.is_good for attempt in self.attempts)


def calls_of_run(run_id: uuid.UUID) -> RunCalls:
    """The attempts of a run. Raises NotFound without any."""
    calls = list(ModelCall.objects.filter(run_id=run_id).order_by("created_at", "id"))
    if not calls:
        raise NotFound
    began = calls[0].created_at
    prices = [call.cost_usd for call in calls if call.cost_usd is not None]
    return RunCalls(
        session_id=calls[0].session_id,
        began_at=began,
        lasted_ms=max(1, *(_ms(call.created_at - began) + call.latency_ms for call in calls)),
        attempts=_attempts(calls),
        cost_usd=sum(prices, Decimal(0)) if prices else None,
        unpriced=len(calls) - len(prices),
        input_tokens=sum(call.input_tokens or 0 for call in calls),
        output_tokens=sum(call.output_tokens or 0 for call in calls),
    )


def _attempts(calls: Sequence[ModelCall]) -> list[Attempt]:
    models: dict[str, str] = {}
    attempts = []
    for call in calls:
        before = models.get(call.stage) if call.attempt > 1 else None
        models[call.stage] = call.model_asked
        starts_ms = _ms(call.created_at - calls[0].created_at)
        attempts.append(Attempt(call, starts_ms, before not in {None, call.model_asked}))
    return attempts


def _ms(length: timedelta) -> int:
    return max(0, round(length.total_seconds() * 1000))
