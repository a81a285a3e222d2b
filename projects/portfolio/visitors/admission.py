"""Who may ask a portfolio, how often and at what length: 5 a minute, 40 an hour, 120 a day."""

from __future__ import annotations

import uuid
from typing import Final

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from chat.identity import Identity
from chat.memory.tokens import count
from futura import limits
from futura.errors import TooLong, Unavailable
from futura.limits import rates, required_text
from futura.llm import budget
from futura.llm.client import Llm

BUDGET: Final = "portfolio"
QUESTION_TOKENS: Final = 500
QUESTION_CHARS: Final = 2_000


class OverBudget(Unavailable):
    """This month's budget for visitors' questions is used up."""

    code = "budget_exceeded"
    default_message = _("Experiencing technical issues, try again later.")


class Counted(Identity):
    """A visitor whose question has been counted already."""


def count_question(address: str, portfolio_id: uuid.UUID | str) -> None:
    """Counts one question from an address; nobody is let in when nobody can count.

    Raises TooMany, Unavailable.
    """
    rates.check(limits.PORTFOLIO, address=address, place=str(portfolio_id))


def question_of(text: object) -> str:
    """A question that is not too long. Raises BadInput, TooLong.

    500 tokens where they can be counted, else 2,000 characters (DECISIONS 22).
    """
    if not settings.TOKENISER:
        return required_text(text, limit=QUESTION_CHARS, field="messages")
    cleaned = required_text(text, limit=QUESTION_CHARS * 4, field="messages")
    if (length := count(cleaned)) > QUESTION_TOKENS:
        raise TooLong(limit=QUESTION_CHARS, length=len(cleaned) * length // QUESTION_TOKENS)
    return cleaned


def is_over_budget() -> bool:
    """Whether the month's budget is used up; basic mode costs nothing."""
    return Llm().is_configured and budget.state(BUDGET).level == "exceeded"


def refuse_without_money() -> None:
    """Raises OverBudget when the month's budget is used up."""
    if is_over_budget():
        raise OverBudget
