"""Who may ask a portfolio, how often, at what length (5 a minute, 40 an hour, 120 a day), and what
the provider refuses to have asked or answered.
"""

from __future__ import annotations

import uuid
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _, gettext_lazy

from chat.identity import Identity
from chat.memory.tokens import count
from futura import limits
from futura.errors import ModelUnavailable, TooLong, Unavailable
from futura.limits import rates, required_text
from futura.llm import budget
from futura.llm.client import Llm
from projects.portfolio.visitors.contract import QUESTION_CHARS

BUDGET: Final = "portfolio"
QUESTION_TOKENS: Final = 500


class OverBudget(Unavailable):
    code = "budget_exceeded"
    default_message = gettext_lazy("Experiencing technical issues, try again later.")


class CountedVisitor(Identity):
    """A visitor whose question has been counted already."""


def count_question(address: str, portfolio_id: uuid.UUID | str) -> None:
    """Counts one question from an address; nobody is let in when nobody can count.

    Raises TooMany, Unavailable.
    """
    rates.check(limits.PORTFOLIO, address=address, place=str(portfolio_id))


def checked_question(text: object) -> str:
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


def refusal() -> str:
    """What a visitor reads whose question is not answered."""
    return _("I cannot answer that here. Ask me about my work.")


def is_flagged(question: str, llm: Llm) -> bool:
    """Whether the provider refuses a question; without one nothing is kept or made of it.

    Raises ModelUnavailable where the provider gives no verdict: what was not looked at goes no
    further to the model, and the visitor gets a search (DECISIONS 37).
    """
    return llm.is_configured and llm.moderate(question)


def is_answer_flagged(text: str, llm: Llm) -> bool:
    """Whether the provider refuses an answer; one that it cannot look at stands."""
    try:
        return bool(text.strip()) and llm.moderate(text)
    except ModelUnavailable:
        return False
