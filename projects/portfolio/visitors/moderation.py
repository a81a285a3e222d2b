"""Decency of questions and answers: the provider's moderation where there is one, words else."""

from __future__ import annotations

import re
from typing import Final

from django.utils.translation import gettext as _

from futura.errors import ModelUnavailable
from futura.llm.client import Llm

# what no portfolio is asked in earnest: threats, instructions for harm, sexual demands
_INDECENT: Final = re.compile(
    r"\b(?:kill yourself|kys|"
    r"i(?:'ll| will| am going to|'m going to) (?:kill|rape|stab|shoot|hurt) you|"
    r"(?:how (?:do i|can i|to)|help me|teach me(?: how)? to) (?:\w+ )?(?:make|build|assemble) "
    r"(?:a |an )?(?:pipe )?(?:bomb|explosives?|nerve agent|molotov)|child porn\w*|"
    r"(?:send|show) (?:me )?(?:your )?(?:nudes|naked)|sex with you|fuck you|gas the \w+|"
    r"(?:how (?:do i|can i|to)|help me) (?:kill|poison|hurt|harm) "
    r"(?:myself|someone|somebody|people|my \w+))\b",
    re.IGNORECASE,
)


def refusal() -> str:
    """What a visitor reads whose question is not answered."""
    return _("I cannot answer that here. Ask me about my work, and I gladly will.")


def is_indecent(text: str) -> bool:
    """By words alone: a question that no provider looks at."""
    return _INDECENT.search(text.replace("’", "'")) is not None


def is_flagged(question: str, llm: Llm) -> bool:
    """Whether a question is refused: by the provider's moderation; by words where there is none.

    Raises ModelUnavailable where the provider gives no verdict: what was not looked at goes no
    further to the model, and the visitor gets a search (DECISIONS 37).
    """
    if not llm.is_configured:
        return is_indecent(question)
    moderation = llm.moderate(question)
    return moderation.is_flagged or (not moderation.is_checked and is_indecent(question))


def is_answer_flagged(text: str, llm: Llm) -> bool:
    """Whether the provider refuses an answer; one that it cannot look at stands."""
    try:
        return bool(text.strip()) and llm.moderate(text).is_flagged
    except ModelUnavailable:
        return False
