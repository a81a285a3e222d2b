"""One run's calls as staff read them: when each began, what it was a second try of."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from decimal import Decimal

from futura.errors import NotFound
from futura.llm.models import ModelCall
from futura.llm.outcomes import Outcome


@dataclass(frozen=True)
class Attempt:
    """One attempt; times in ms after the run's first call."""

    call: ModelCall
    starts_ms: int
    is_fallback: bool

    @property
    def first_text_ms(self) -> int | None:
        """When its first text came."""
        return None if self.call.ttft_ms is None else self.starts_ms + self.call.ttft_ms


@dataclass(frozen=True)
class RunCalls:
    """A run's attempts in the order in which they began, at least one, and their sums."""

    attempts: list[Attempt]

    @property
    def first(self) -> ModelCall:
        """The call that began first."""
        return self.attempts[0].call

    @property
    def lasted_ms(self) -> int:
        """From the first call's beginning to the last one's end."""
        return max(1, *(one.starts_ms + one.call.latency_ms for one in self.attempts))

    @property
    def failed(self) -> int:
        """Attempts that gave no answer."""
        return sum(one.call.outcome != Outcome.OK for one in self.attempts)

    @property
    def unpriced(self) -> int:
        """Attempts of unknown cost."""
        return sum(one.call.cost_usd is None for one in self.attempts)

    @property
    def cost_usd(self) -> Decimal | None:
        """The known cost; None where that of no attempt is known."""
        costs = [one.call.cost_usd for one in self.attempts if one.call.cost_usd is not None]
        return sum(costs, Decimal(0)) if costs else None

    @property
    def tokens(self) -> tuple[int, int]:
        """Input and output."""
        calls = [one.call for one in self.attempts]
        return sum(c.input_tokens or 0 for c in calls), sum(c.output_tokens or 0 for c in calls)


def calls_of_run(run_id: uuid.UUID) -> RunCalls:
    """The attempts of a run. Raises NotFound without any."""
    calls = list(ModelCall.objects.filter(run_id=run_id).order_by("created_at", "id"))
    if not calls:
        raise NotFound
    attempts, models = [], dict[str, str]()
    for call in calls:
        before = models.get(call.stage, call.model_asked) if call.attempt > 1 else call.model_asked
        models[call.stage] = call.model_asked
        starts_ms = round((call.created_at - calls[0].created_at).total_seconds() * 1000)
        attempts.append(Attempt(call, starts_ms, before != call.model_asked))
    return RunCalls(attempts)
