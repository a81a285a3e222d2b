"""Which of the last messages are sent: a run of newest ones within a budget of tokens.

The result is never over its budget, keeps the order, and always ends in the newest message. A
message too large for its place is shortened, never dropped for its size alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from chat.memory.shapes import Utterance
from chat.memory.tokens import count, count_message
from futura.text import sentences

SMALLEST: Final = 24
"""Tokens below which a shortened message says nothing any more."""

GAP: Final = " […] "


def newest(messages: Sequence[Utterance], budget: int, *, least: int = 0) -> list[Utterance]:
    """The newest messages that fit into `budget` tokens, in order.

    `least` messages are kept even if each then has to be shortened to its share of the budget.
    A budget under SMALLEST tokens gives nothing.
    """
    if budget < SMALLEST or not messages:
        return []
    counted = [_counted(message) for message in messages]
    used = number = 0
    for message in reversed(counted):
        used += message.tokens
        if used > budget:
            break
        number += 1
    required = max(1, min(least, len(counted), budget // SMALLEST))
    if number >= required:
        return counted[-number:]
    kept = counted[-required:]
    cap = _common_cap([message.tokens for message in kept], budget)
    return [one if one.tokens <= cap else _shortened(one, cap) for one in kept]


def _counted(message: Utterance) -> Utterance:
    if message.tokens:
        return message
    return replace(message, tokens=count_message(message.text, message.parts))


def _common_cap(sizes: Sequence[int], budget: int) -> int:
    """The largest size to which all can be cut so that together they fit."""
    remaining, ascending = budget, sorted(sizes)
    for done, size in enumerate(ascending):
        share = remaining // (len(ascending) - done)
        if size > share:
            return share
        remaining -= size
    return budget


def _shortened(message: Utterance, tokens: int) -> Utterance:
    """The message within so many tokens: its parts go where they take more than half of them."""
    size = count_message("", message.parts)
    parts = message.parts if size <= tokens // 2 else ()
    text = clipped(message.text, tokens - count_message("", parts))
    return replace(message, text=text, parts=parts, tokens=min(tokens, count_message(text, parts)))


def clipped(text: str, tokens: int) -> str:
    """Beginning and end of a text within so many tokens, two thirds to the beginning."""
    size = count(text)
    if size <= tokens:
        return text
    keep = len(text) * max(0, tokens - count(GAP)) // max(1, size)
    while keep > 0:
        head, tail = keep * 2 // 3, keep // 3
        cut = f"{text[:head].rstrip()}{GAP}{text[len(text) - tail :].lstrip()}"
        if count(cut) <= tokens:
            return cut
        keep = keep * 9 // 10 - 1
    return ""


def opening(text: str, tokens: int) -> str:
    """The first sentences of a text within so many tokens; of a longer one beginning and end."""
    if count(text) <= tokens:
        return text.strip()
    end = used = 0
    for sentence in sentences(text):
        used += count(sentence.text) + 1
        if used > tokens:
            return text[:end].strip() or clipped(sentence.text, tokens)
        end = sentence.end
    return text[:end].strip()
