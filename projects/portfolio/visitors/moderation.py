"""Decency of questions and answers: the provider's moderation where there is one, words besides."""

from __future__ import annotations

import re
from typing import Final

from django.utils.translation import gettext as _

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
    """By words alone; needs no model."""
    return _INDECENT.search(text.replace("’", "'")) is not None


def is_flagged(text: str, llm: Llm) -> bool:
    """By words, then by the provider's moderation.

    Raises ModelUnavailable where that gives no verdict: what was not looked at goes neither to the
    model nor to the visitor, and rules answer in the portfolio's own words (DECISIONS 37). A model
    server that has no moderation at all is another thing: there the words decide.
    """
    if is_indecent(text):
        return True
    if not llm.is_configured:
        return False
    return llm.moderate(text).is_flagged
