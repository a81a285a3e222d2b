"""Writes each attempt to the call ledger and to the log, without a word of what was said."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from uuid import UUID

from django.utils import timezone

from futura.llm import database
from futura.llm.models import ModelCall
from futura.llm.outcomes import Outcome
from futura.llm.prices import cost_usd
from futura.llm.transport import Exchange
from futura.statements import insert
from futura.telemetry import calls

logger = logging.getLogger("futura.llm")


@dataclass(frozen=True)
class Origin:
    """Whose call it is."""

    session_id: UUID | None
    run_id: UUID | None
    prompt_version: str


def record(
    exchange: Exchange, origin: Origin, *, attempt: int, outcome: Outcome, error: str = ""
) -> ModelCall:
    """Keeps one attempt with what is known of it.

    With the database away for long, the log has it and the table does not: the row given back is
    unsaved then, and nobody loses an answer for it.
    """
    answer, usage = exchange.answer, exchange.answer.usage
    took_s = time.monotonic() - exchange.began_at
    first = exchange.first_text_at
    asked = str(exchange.body.get("model", ""))
    call = ModelCall(
        created_at=timezone.now() - timedelta(seconds=took_s),
        session_id=origin.session_id,
        run_id=origin.run_id,
        stage=exchange.stage.name,
        prompt_version=origin.prompt_version[:60],
        attempt=attempt,
        wire=exchange.endpoint.name,
        model_asked=asked[:120],
        model_returned=answer.model[:120],
        input_tokens=None if usage is None else usage.input_tokens,
        cached_input_tokens=None if usage is None else usage.cached_input_tokens,
        output_tokens=None if usage is None else usage.output_tokens,
        reasoning_tokens=None if usage is None else usage.reasoning_tokens,
        cost_usd=cost_usd(answer.model or asked, usage),
        latency_ms=round(took_s * 1000),
        ttft_ms=None if first is None else round((first - exchange.began_at) * 1000),
        outcome=outcome,
        error=error[:300],
        request_id=answer.request_id[:120],
    )
    _keep(call)
    _log(call)
    calls.traced(call, exchange.body, answer.text)
    return call


def amend(call: ModelCall, *, outcome: Outcome, error: str) -> None:
    """Notes what was found on reading an answer that had come in good order."""
    call.outcome, call.error = outcome, error[:300]
    if call.pk is not None:
        call.save(update_fields=["outcome", "error"])
    _log(call)
    calls.reread(call)


def _keep(call: ModelCall) -> None:
    try:
        database.insisting(partial(insert, call, soon=True))
    except database.AWAY as error:
        logger.error("a model call is not in the ledger: %s", error)


def _log(call: ModelCall) -> None:
    logger.log(
        logging.INFO if call.outcome == Outcome.OK else logging.WARNING,
        "model call stage=%s attempt=%d outcome=%s model=%s latency_ms=%d ttft_ms=%s tokens=%s/%s"
        " session=%s run=%s request=%s error=%s",
        call.stage,
        call.attempt,
        call.outcome,
        call.model_asked,
        call.latency_ms,
        "-" if call.ttft_ms is None else call.ttft_ms,
        "-" if call.input_tokens is None else call.input_tokens,
        "-" if call.output_tokens is None else call.output_tokens,
        call.session_id or "-",
        call.run_id or "-",
        call.request_id or "-",
        call.error or "-",
    )
