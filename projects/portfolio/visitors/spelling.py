"""Questions as people type them: short forms written out, slips in words of asking put right."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Final

_SHORT: Final = {
    "u": "you", "ur": "your", "rn": "right now", "pls": "please", "plz": "please",
    "abt": "about", "wat": "what", "wut": "what", "wich": "which", "whihc": "which",
    "exp": "experience", "ppl": "people", "thru": "through", "cuz": "because",
    "dont": "don't", "didnt": "didn't", "havent": "haven't", "im": "i'm",
}  # fmt: skip
# words that tell what kind of question it is
_ASKING: Final = tuple(
    """which where projects project companies company experience experiences worked working
    education studied languages language frameworks technologies skills awards internship
    internships positions professional professionally everything university portfolio""".split()
)
_WORD: Final = re.compile(r"(?<![\w'’+#.-])[A-Za-z]+(?![\w'’+#]|[.-]\w)")
# elsewhere it may be the language
_ARE: Final = re.compile(r"(?<![\w'’])r(?= (?:u|you|there|they|these|those)\b)")
LONG_ENOUGH: Final = 5
_LIKE: Final = 0.88


def written_out(question: str) -> str:
    """The question in whole words. What begins with a capital, or is a word of its own, stays."""
    plain = _ARE.sub("are", " ".join(question.split()))
    return _WORD.sub(_replaced, plain)


def _replaced(match: re.Match[str]) -> str:
    word = match[0]
    if word != word.lower():
        return word
    if word in _SHORT:
        return _SHORT[word]
    if len(word) < LONG_ENOUGH or word in _ASKING:
        return word
    close = get_close_matches(word, _ASKING, n=1, cutoff=_LIKE)
    # an ending more or less is another form, not a slip
    if not close or close[0].startswith(word) or word.startswith(close[0][:-1]):
        return word
    return close[0]
