"""The gate: every attempt is let in here and settled here, whatever becomes of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings

from futura.errors import ModelUnavailable
from futura.llm import database, ledger, quirks
from futura.llm.cancel import Cancelled
from futura.llm.ledger import Origin
from futura.llm.models import ModelCall
from futura.llm.outcomes import CallFailed, Outcome
from futura.llm.transport import Exchange


@dataclass
class Ticket:
    """One admitted attempt; `row` is its ledger entry once it is settled."""

    row: ModelCall | None = None

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
    """
    refuse_misuse()
    database.release_connections()
    ticket = Ticket()
    try:
        yield ticket
    except CallFailed as failure:
        if quirks.learn(failure, exchange.body):
            failure.outcome = Outcome.UNSUPPORTED
        ticket.row = ledger.record(
            exchange, origin, attempt=attempt, outcome=failure.outcome, error=failure.detail
        )
        raise
    except (Cancelled, GeneratorExit):
        ticket.row = ledger.record(exchange, origin, attempt=attempt, outcome=Outcome.CANCELLED)
        raise
    else:
        ticket.row = ledger.record(exchange, origin, attempt=attempt, outcome=Outcome.OK)
