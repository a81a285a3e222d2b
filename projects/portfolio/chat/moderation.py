"""Decency of questions and answers: the provider's moderation where there is one, words besides."""

from __future__ import annotations

import logging
import re
from typing import Final

from django.utils.translation import gettext as _

from futura.errors import ModelUnavailable
from futura.llm.client import Llm

log = logging.getLogger(__name__)

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
    """By words, then by the provider's moderation. Where that fails, the words decide."""
    if is_indecent(text):
        return True
    if not llm.is_configured:
        return False
    try:
        return llm.moderate(text).is_flagged
    except ModelUnavailable as error:
        log.warning("text not moderated: %s", error.reason)
        return False
