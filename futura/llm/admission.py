"""The gate: every attempt is let in here and settled here, whatever becomes of it."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from functools import partial

from django.conf import settings
from django.utils.translation import gettext

from futura.errors import ModelUnavailable
from futura.llm import breaker, budget, database, ledger, quirks
from futura.llm.breaker import Pass
from futura.llm.budget import Reservation, estimates
from futura.llm.cancel import Cancelled
from futura.llm.ledger import Origin
from futura.llm.models import ModelCall
from futura.llm.outcomes import CallFailed, Outcome
from futura.llm.transport import Exchange

log = logging.getLogger("futura.llm")


@dataclass
class Ticket:
    """One admitted attempt; `row` is its ledger entry once it is settled."""

    exchange: Exchange
    origin: Origin
    attempt: int
    row: ModelCall | None = None

    def write(self, outcome: Outcome, error: str = "") -> None:
        """Makes the ledger entry."""
        self.row = ledger.record(
            self.exchange, self.origin, attempt=self.attempt, outcome=outcome, error=error
        )

    @property
    def settled(self) -> ModelCall:
        """The ledger entry; a programming error inside the admitted block."""
        if self.row is None:
            raise RuntimeError("This attempt has not been settled yet.")
        return self.row


def is_configured() -> bool:
    """Whether a key or an address of a server is set at all."""
    return bool(settings.OPENAI_API_KEY or settings.OPENAI_BASE_URL)


def refuse_misuse() -> None:
    """Raises ModelUnavailable without a configuration, CalledInsideTransaction inside `atomic`."""
    database.refuse_inside_transaction()
    if not is_configured():
        raise ModelUnavailable(reason="not_configured")


@contextmanager
def admitted(exchange: Exchange, origin: Origin, *, attempt: int) -> Iterator[Ticket]:
    """Admits one attempt and settles it: what happens inside decides the outcome.

    A refusal that taught something about the server is settled, and raised, as UNSUPPORTED.
    Raises CallFailed(CIRCUIT_OPEN) where the server is left alone, ModelUnavailable("budget")
    where the month's money is used up; nothing has been sent then.
    """
    refuse_misuse()
    exchange.began_at = time.monotonic()
    ticket = Ticket(exchange, origin, attempt)
    held, entry = _let_in(exchange, ticket)
    database.release_connections()
    try:
        yield ticket
    except CallFailed as failure:
        if quirks.learn(failure, exchange.body):
            failure.outcome = Outcome.UNSUPPORTED
        _let_out(held, entry, ticket, failure.outcome, failure.detail)
        raise
    except (Cancelled, GeneratorExit):
        _let_out(held, entry, ticket, Outcome.CANCELLED)
        raise
    else:
        _let_out(held, entry, ticket, Outcome.OK)


def _let_in(exchange: Exchange, ticket: Ticket) -> tuple[Reservation, Pass]:
    """Money held back and the breaker's leave, in this order; a refusal is a row of the ledger."""
    longest_s = max(1.0, exchange.ends_at - time.monotonic())
    estimate = estimates.beforehand(exchange.body)
    held = database.insisting(
        partial(budget.reserve, exchange.stage.budget, estimate, seconds=longest_s + 60)
    )
    if held is None:
        ticket.write(Outcome.OVER_BUDGET)
        raise ModelUnavailable(
            gettext("This month's budget for the language model is used up."), reason="budget"
        )
    entry = breaker.enter(str(exchange.body.get("model", "")), longest_s=longest_s)
    if entry is None:
        budget.settle(held, Decimal(0))
        ticket.write(Outcome.CIRCUIT_OPEN)
        raise CallFailed(Outcome.CIRCUIT_OPEN)
    return held, entry


def _let_out(
    held: Reservation, entry: Pass, ticket: Ticket, outcome: Outcome, error: str = ""
) -> None:
    """Books the cost, tells the breaker, writes the ledger."""
    breaker.leave(entry, outcome)
    cost, estimated = estimates.afterwards(ticket.exchange, outcome)
    try:
        database.insisting(partial(budget.settle, held, cost, estimated=estimated))
    except database.AWAY as away:
        log.error("%s USD were not booked: %s", cost, away)
    ticket.write(outcome, error)
