"""One run's calls on a line of time: when each began, what it was a second try of, how it ended."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from futura.llm.models import ModelCall
from futura.llm.outcomes import Outcome

WIDTH: Final = 1000  # units of the drawing
THINNEST: Final = 4


@dataclass(frozen=True)
class Bar:
    """One attempt as drawn: places in units of WIDTH, times in ms after the run's first call."""

    call: ModelCall
    starts_ms: int
    x: int
    width: int
    first_text_x: int | None
    is_retry: bool
    is_fallback: bool

    @property
    def is_good(self) -> bool:
        """Whether it was answered."""
        return self.call.outcome == Outcome.OK


@dataclass(frozen=True)
class Timeline:
    """A run's attempts and what they came to."""

    run_id: uuid.UUID | None
    session_id: uuid.UUID | None
    began_at: datetime
    lasted_ms: int
    bars: Sequence[Bar]
    cost_usd: Decimal | None
    unpriced: int
    input_tokens: int
    output_tokens: int

    @property
    def failed(self) -> int:
        """Attempts that gave no answer."""
        return sum(not bar.is_good for bar in self.bars)


def timeline(calls: Sequence[ModelCall]) -> Timeline:
    """The line of time of a run's attempts, given in the order in which they began."""
    began = calls[0].created_at
    ends = [_ms(call.created_at - began) + call.latency_ms for call in calls]
    lasted = max(*ends, 1)
    prices = [call.cost_usd for call in calls if call.cost_usd is not None]
    return Timeline(
        run_id=calls[0].run_id,
        session_id=calls[0].session_id,
        began_at=began,
        lasted_ms=lasted,
        bars=_bars(calls, began, lasted),
        cost_usd=sum(prices, Decimal(0)) if prices else None,
        unpriced=len(calls) - len(prices),
        input_tokens=sum(call.input_tokens or 0 for call in calls),
        output_tokens=sum(call.output_tokens or 0 for call in calls),
    )


def _bars(calls: Sequence[ModelCall], began: datetime, lasted: int) -> list[Bar]:
    before: dict[str, ModelCall] = {}
    bars = []
    for call in calls:
        earlier = before.get(call.stage) if call.attempt > 1 else None
        before[call.stage] = call
        bars.append(_bar(call, _ms(call.created_at - began), lasted, earlier))
    return bars


def _bar(call: ModelCall, starts_ms: int, lasted: int, earlier: ModelCall | None) -> Bar:
    x = round(starts_ms / lasted * WIDTH)
    width = max(THINNEST, round(call.latency_ms / lasted * WIDTH))
    first = None if call.ttft_ms is None else x + round(call.ttft_ms / lasted * WIDTH)
    return Bar(
        call=call,
        starts_ms=starts_ms,
        x=min(x, WIDTH - THINNEST),
        width=min(width, WIDTH - min(x, WIDTH - THINNEST)),
        first_text_x=first,
        is_retry=call.attempt > 1,
        is_fallback=earlier is not None and earlier.model_asked != call.model_asked,
    )


def _ms(length: timedelta) -> int:
    return max(0, round(length.total_seconds() * 1000))
