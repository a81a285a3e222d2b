"""Whose uses are counted in conversations, and how many runs one person may have waiting."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _

from chat import hot
from chat.identity import Identity
from chat.models import Session
from futura import limits
from futura.errors import TooMany
from futura.limits import rates

BUSY_RETRY_S: Final = 10


def check(rate: rates.Rate, identity: Identity) -> None:
    """Counts one use by this caller and their address. Raises TooMany, Unavailable."""
    rates.check(rate, person=person(identity), address=identity.address)


def person(identity: Identity) -> str:
    """A name for the caller that lasts: the account, else the cookie; "" for a first visit."""
    if identity.user_id is not None:
        return f"user {identity.user_id}"
    existing = identity.cookie_participant_id
    return f"participant {existing}" if existing else ""


def refuse_too_many_runs(session: Session) -> bool:
    """Whether this session is at work already. Raises TooMany when its person has enough waiting.

    Call it in the transaction that adds a run, under `hot.locked_to_send`.
    """
    at_work = hot.sessions_at_work(session.participant_id)
    if len(at_work) >= limits.RUNS_PER_PERSON:
        refusal = TooMany(
            _("Several messages are already waiting for a reply. Send this one a little later."),
            retry_after_s=BUSY_RETRY_S,
        )
        refusal.code = "too_many_waiting"  # by no rate: said in its own words
        raise refusal
    return session.pk in at_work
