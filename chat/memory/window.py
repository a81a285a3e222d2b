"""Which of the last messages are sent: a run of newest ones within a budget of tokens.

Laws (tests/chat/memory/test_window.py): the result is never over its budget, keeps the order,
always ends in the newest message, and has a tool call exactly when it has the call's result.
A message too large for its place is shortened in the middle, never dropped for its size alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from chat.memory.parts import CALL, RESULT, calls_in, results_in
from chat.memory.shapes import Utterance
from chat.memory.tokens import MESSAGE_OVERHEAD, count, count_message

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
    counted = [_counted(one) for one in messages]
    starts = _clean_starts(counted)
    whole = _fitting(counted, starts, budget)
    wanted = max(1, min(least, len(counted), budget // SMALLEST))
    if len(counted) - whole >= wanted:
        return _nothing_alone(counted[whole:])
    kept = _nothing_alone(counted[_start_for(starts, len(counted), wanted) :])
    return _nothing_alone(_shortened_to(kept, budget))


def _counted(one: Utterance) -> Utterance:
    return one if one.tokens else replace(one, tokens=count_message(one.text, one.parts))


def _clean_starts(messages: Sequence[Utterance]) -> list[bool]:
    """For each place whether a window may begin there without cutting a call from its result."""
    begun = {call: at for at, one in enumerate(messages) for call in calls_in(one.parts)}
    clean = [True] * (len(messages) + 1)
    for at, one in enumerate(messages):
        for call in results_in(one.parts):
            for cut in range(begun.get(call, at) + 1, at + 1):
                clean[cut] = False
    return clean


def _fitting(messages: Sequence[Utterance], clean: Sequence[bool], budget: int) -> int:
    """The first clean start from which everything fits; `len(messages)` when nothing does."""
    best, used = len(messages), 0
    for at in range(len(messages) - 1, -1, -1):
        used += messages[at].tokens
        if used > budget:
            break
        if clean[at]:
            best = at
    return best


def _start_for(clean: Sequence[bool], length: int, wanted: int) -> int:
    """The latest clean start that leaves `wanted` messages."""
    at = length - wanted
    while not clean[at]:
        at -= 1
    return at


def _shortened_to(messages: Sequence[Utterance], budget: int) -> list[Utterance]:
    """All of them with the largest cut to one common size; the oldest go when that is too small."""
    while len(messages) > 1 and budget // len(messages) < SMALLEST:
        messages = messages[1:]
    cap = _common_cap([one.tokens for one in messages], budget)
    return [one if one.tokens <= cap else shortened(one, cap) for one in messages]


def _common_cap(sizes: Sequence[int], budget: int) -> int:
    """The largest size to which all can be cut so that together they fit."""
    left, waiting = budget, sorted(sizes)
    for done, size in enumerate(waiting):
        share = left // (len(waiting) - done)
        if size > share:
            return share
        left -= size
    return budget


def shortened(message: Utterance, tokens: int) -> Utterance:
    """The message within so many tokens: parts go first, then the middle of the text."""
    parts = list(message.parts)
    if count_message("", parts) + count(message.text) > tokens:
        parts = [_bare(part) for part in parts if part.get("type") in {CALL, RESULT}]
    if count_message("", parts) > tokens // 2:
        parts = []
    room = tokens - count_message("", parts)
    text = clipped(message.text, room)
    size = count_message(text, parts)
    return replace(message, text=text, parts=parts, tokens=min(tokens, size))


def _bare(part: Any) -> dict[str, Any]:
    """A call or result without its payload."""
    kept: dict[str, Any] = {k: part[k] for k in ("type", "id", "name", "status") if k in part}
    kept["arguments" if part["type"] == CALL else "content"] = {}
    return kept


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


def _nothing_alone(messages: Sequence[Utterance]) -> list[Utterance]:
    """Calls and results whose other half is not here are taken out; their words stay."""
    called: set[str] = set()
    answered: set[str] = set()
    for one in messages:
        called |= calls_in(one.parts)
        answered |= results_in(one.parts)
    alone = called ^ answered
    return [_without(one, alone) for one in messages] if alone else list(messages)


def _without(message: Utterance, calls: set[str]) -> Utterance:
    parts = [
        p for p in message.parts if str(p.get("id")) not in calls or p.get("type") not in _TOOL
    ]
    if len(parts) == len(message.parts):
        return message
    size = max(MESSAGE_OVERHEAD, count_message(message.text, parts))
    return replace(message, parts=parts, tokens=min(message.tokens, size))


_TOOL: Final = frozenset({CALL, RESULT})
