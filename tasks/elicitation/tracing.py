"""Finds where in a message an activity was said, although a model worded it anew."""

from __future__ import annotations

from typing import Final

from rapidfuzz import fuzz

from futura.text import WORD, content_stems

TRACED: Final = 82.0
"""rapidfuzz partial ratio from which a stretch of the message is where an activity was said."""


def place_of(text: str, message: str) -> tuple[int, int] | tuple[None, None]:
    """Start and end in characters: the words themselves, a stretch that holds them, or alike."""
    exact = message.lower().find(text.lower())
    if exact >= 0:
        return exact, exact + len(text)
    window = _window(text, message)
    if window is not None:
        return window
    found = fuzz.partial_ratio_alignment(text.lower(), message.lower(), score_cutoff=TRACED)
    if found is None or len(message) < len(text) / 2:
        return None, None
    return _whole_words(message, found.dest_start, found.dest_end)


def _window(text: str, message: str) -> tuple[int, int] | None:
    """The shortest stretch of the message that holds all content words of the activity."""
    wanted = content_stems(text)
    places = [
        (found.start(), found.end(), stem)
        for found in WORD.finditer(message)
        for stem in content_stems(found.group()) & wanted
    ]
    longest = len(text) * 2 + 12
    best: tuple[int, int] | None = None
    for at, (start, _, _) in enumerate(places):
        seen: set[str] = set()
        for _, end, stem in places[at:]:
            seen.add(stem)
            if seen == wanted:
                if end - start <= longest and (best is None or end - start < best[1] - best[0]):
                    best = (start, end)
                break
    return best


def _whole_words(message: str, start: int, end: int) -> tuple[int, int]:
    """The stretch grown to word boundaries and freed of blanks at its ends."""
    while 0 < start < len(message) and message[start - 1].isalnum() and message[start].isalnum():
        start -= 1
    while 0 < end < len(message) and message[end].isalnum() and message[end - 1].isalnum():
        end += 1
    stretch = message[start:end]
    start += len(stretch) - len(stretch.lstrip(" ,.;"))
    return start, end - (len(stretch) - len(stretch.rstrip(" ,.;")))
