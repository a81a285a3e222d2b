"""Short replies as the buttons that they stand for: what a message is when it is nothing more.

A button sends its own part with its words. Without a model the words typed out do the same, as a
whole message (DECISIONS 48); with one they are the model's to understand.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from chat.guides import Utterance
from projects import replies

PART: Final = "tap"


class Tap(StrEnum):
    """What a button says."""

    YES = "yes"
    NO = "no"
    LATER = "later"
    FINISH = "finish"


_REPLIES: Final = {
    Tap.YES: replies.is_yes,
    Tap.NO: replies.is_no,
    Tap.FINISH: replies.is_finish,
    Tap.LATER: replies.is_later,
}


def taps_of(message: Utterance, *, has_model: bool) -> frozenset[Tap]:
    """The buttons that a message stands for; some words stand for two of them.

    A message that was reworded is no button any more.
    """
    tapped = {
        str(part.get("tap"))
        for part in message.parts
        if part.get("type") == PART and str(part.get("text", "")).strip() == message.text.strip()
    }
    if tapped or has_model:
        return frozenset(tap for tap in Tap if tap in tapped)
    return taps_in(message.text)


def taps_in(text: str) -> frozenset[Tap]:
    """The buttons whose words a text is as a whole."""
    return frozenset(tap for tap, is_meant in _REPLIES.items() if is_meant(text))
