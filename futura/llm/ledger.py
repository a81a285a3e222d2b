"""The gate of the gateway: every attempt is let in here, settled, and written to the ledger.

Neither ledger nor log holds a word of what was said.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext

from futura.errors import ModelUnavailable
from futura.llm import breaker, budget, database, prices, quirks, stages
from futura.llm.budget import Reservation
from futura.llm.cancel import Cancelled
from futura.llm.models import ModelCall
from futura.llm.outcomes import CallFailed, Outcome
from futura.llm.transport import Exchange
from futura.statements import SOON, rows
from futura.telemetry import calls

log = logging.getLogger("futura.llm")


def refuse_misuse() -> None:
    """Raises ModelUnavailable without a configuration, CalledInsideTransaction inside `atomic`."""
    database.refuse_inside_transaction()
    if not stages.is_configured():
        raise ModelUnavailable(reason="not_configured")


@contextmanager
def admitted(exchange: Exchange) -> Iterator[None]:
    """Admits one attempt and settles it: what happens inside decides the outcome.

    A refusal that taught something about the server is settled, and raised, as UNSUPPORTED.
    Raises CallFailed(CIRCUIT_OPEN) where the server is left alone, ModelUnavailable("budget")
    where the month's money is used up; nothing has been sent then.
    """
    refuse_misuse()
    exchange.began_at = time.monotonic()
    reserved, entry = _let_in(exchange)
    database.release_connections()
    try:
        yield
    except CallFailed as failure:
        if quirks.learn(failure, exchange.body):
            failure.outcome = Outcome.UNSUPPORTED
        _settle(exchange, reserved, entry, failure.outcome, failure.detail)
        raise
    except (Cancelled, GeneratorExit):
        _settle(exchange, reserved, entry, Outcome.CANCELLED)
        raise
    else:
        _settle(exchange, reserved, entry, Outcome.OK)


def amend(exchange: Exchange, outcome: Outcome, error: str) -> None:
    """Notes what was found on reading an answer that had come in good order."""
    row = exchange.row
    if row is None:
        raise RuntimeError("This attempt has not been settled yet.")
    row.outcome, row.error = outcome, error[:300]
    if row.pk is not None:
        row.save(update_fields=["outcome", "error"])
    _log(row)


def _let_in(exchange: Exchange) -> tuple[Reservation, str]:
    """Money held back and the breaker's token, in this order; a refusal is a row of the ledger."""
    longest_s = max(1.0, exchange.plan.ends_at - time.monotonic())
    most_usd = prices.most_usd(exchange.body)
    reserved = database.outlasting(
        partial(budget.reserve, exchange.plan.stage.budget, most_usd, seconds=longest_s + 60)
    )
    if reserved is None:
        _record(exchange, Outcome.OVER_BUDGET)
        raise ModelUnavailable(
            gettext("This month's budget for the language model is used up."), reason="budget"
        )
    entry = breaker.enter(exchange.model, longest_s=longest_s)
    if entry is None:
        budget.settle(reserved, Decimal(0))
        _record(exchange, Outcome.CIRCUIT_OPEN)
        raise CallFailed(Outcome.CIRCUIT_OPEN)
    return reserved, entry


def _settle(
    exchange: Exchange, reserved: Reservation, entry: str, outcome: Outcome, error: str = ""
) -> None:
    breaker.leave(exchange.model, entry, outcome)
    cost, estimated = prices.spent_usd(exchange.body, exchange.answer, outcome)
    try:
        database.outlasting(partial(budget.settle, reserved, cost, estimated=estimated))
    except database.AWAY as away:
        log.error("%s USD were not booked: %s", cost, away)
    _record(exchange, outcome, error)


def _record(exchange: Exchange, outcome: Outcome, error: str = "") -> None:
    """Makes the ledger entry.

    With the database away for long, the log has it and the table does not: the row is unsaved
    then, and nobody loses an answer for it.
    """
    plan, answer, usage = exchange.plan, exchange.answer, exchange.answer.usage
    took_s = time.monotonic() - exchange.began_at
    first = exchange.first_text_at
    exchange.row = row = ModelCall(
        created_at=timezone.now() - timedelta(seconds=took_s),
        session_id=plan.session_id,
        run_id=plan.run_id,
        stage=plan.stage.name,
        prompt_version=plan.prompt_version[:60],
        attempt=plan.number,
        wire=exchange.endpoint.name,
        model_asked=exchange.model[:120],
        model_returned=answer.model[:120],
        cost_usd=prices.cost_usd(answer.model or exchange.model, usage),
        latency_ms=round(took_s * 1000),
        ttft_ms=None if first is None else round((first - exchange.began_at) * 1000),
        outcome=outcome,
        error=error[:300],
        request_id=answer.request_id[:120],
        **({} if usage is None else asdict(usage)),
    )
    try:
        database.outlasting(partial(_insert, row))
    except database.AWAY as away:
        log.error("a model call is not in the ledger: %s", away)
    _log(row)
    calls.traced(row, exchange.body, answer.text)


# Written out like the statements of a turn (chat/hot.py): every call of a model makes one, and some
# are made before the first word.
_FIELDS: Final = tuple(field for field in ModelCall._meta.concrete_fields if not field.primary_key)
_INSERT: Final = (
    f"INSERT INTO llm_modelcall ({', '.join(str(field.column) for field in _FIELDS)})"  # noqa: S608
    f" VALUES ({', '.join('%s' for _field in _FIELDS)}) RETURNING id, {SOON}"
)


def _insert(row: ModelCall) -> None:
    values = [getattr(row, field.attname) for field in _FIELDS]
    values = [str(value) if isinstance(value, Outcome) else value for value in values]
    ((row.pk, _soon),) = rows(_INSERT, values)
    row._state.adding = False  # noqa: SLF001 (what the ORM does)


def _log(call: ModelCall) -> None:
    log.log(
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
