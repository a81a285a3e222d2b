"""Rows of the call ledger, as calls would have left them, and a browser of the staff."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from futura.llm.models import ModelCall

Called = Callable[..., ModelCall]


def called(*, ago: timedelta = timedelta(minutes=5), **given: Any) -> ModelCall:
    """One attempt in the ledger: answered by gpt-4o unless told otherwise."""
    row = {
        "created_at": timezone.now() - ago,
        "session_id": uuid.UUID(int=1),
        "run_id": uuid.UUID(int=2),
        "stage": "response",
        "attempt": 1,
        "wire": "responses",
        "model_asked": "gpt-4o",
        "input_tokens": 1000,
        "cached_input_tokens": 200,
        "output_tokens": 100,
        "reasoning_tokens": 0,
        "cost_usd": Decimal("0.003"),
        "latency_ms": 1000,
        "ttft_ms": 400,
        "outcome": "ok",
    }
    return ModelCall.objects.create(**{**row, **given})


def failed(outcome: str, **given: Any) -> ModelCall:
    """One attempt of which nothing is known but how it ended."""
    unknown = ("input_tokens", "cached_input_tokens", "output_tokens", "reasoning_tokens")
    nothing = dict.fromkeys([*unknown, "cost_usd", "ttft_ms"])
    return called(**{**nothing, "outcome": outcome, "error": "HTTP 500", **given})


@pytest.fixture
def desk(browser, stan):
    """A browser in which a staff member is signed in."""
    return browser(stan)
