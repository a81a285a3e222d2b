"""Decency of questions and answers, as the provider's moderation sees it."""

from __future__ import annotations

from django.utils.translation import gettext as _

from futura.errors import ModelUnavailable
from futura.llm.client import Llm
from projects.portfolio.visitors import basic


def refusal() -> str:
    """What a visitor reads whose question is not answered."""
    return _("I cannot answer that here. Ask me about my work.")


def is_flagged(question: str, llm: Llm) -> bool:
    """Whether a question is refused: by the provider; in basic mode by words.

    Raises ModelUnavailable where the provider gives no verdict: what was not looked at goes no
    further to the model, and the visitor gets a search (DECISIONS 37).
    """
    return llm.moderate(question).is_flagged if llm.is_configured else basic.is_indecent(question)


def is_answer_flagged(text: str, llm: Llm) -> bool:
    """Whether the provider refuses an answer; one that it cannot look at stands."""
    try:
        return bool(text.strip()) and llm.moderate(text).is_flagged
    except ModelUnavailable:
        return False
