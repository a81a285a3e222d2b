"""The buttons of a conversation about a project, as the short messages that they send.

Typed out they do the same; nothing longer is one of them (DECISIONS 48).
"""

from __future__ import annotations

from enum import StrEnum

from projects.language import replies


class Tap(StrEnum):
    """What a button says."""

    YES = "yes"
    NO = "no"
    LATER = "later"
    FINISH = "finish"


_TABLE = {
    Tap.YES: replies.is_yes,
    Tap.NO: replies.is_no,
    Tap.LATER: replies.is_later,
    Tap.FINISH: replies.is_finish,
}


def taps_in(text: str) -> frozenset[Tap]:
    """The buttons whose words a message is as a whole; some words stand for two of them."""
    return frozenset(tap for tap, is_meant in _TABLE.items() if is_meant(text))
