"""Characters that no database and no page can hold, and texts in which there is nothing to see."""

from __future__ import annotations

import json
import re
from typing import Any, Final

_UNFIT: Final = re.compile("[\x00\ud800-\udfff]")
# As JSON writes them; a pair, which is a character, looks the same and comes back whole.
_ESCAPED: Final = re.compile(r"\\u(?:0000|d[89a-f])", re.IGNORECASE)

_DIRECTIONS: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")
_ISOLATE_END: Final = "\u2069"
_ENDS: Final = {
    **dict.fromkeys("\u202a\u202b\u202d\u202e", "\u202c"),
    **dict.fromkeys("\u2066\u2067\u2068", _ISOLATE_END),
}


def clean(text: str) -> str:
    """The text without NUL; half a surrogate pair becomes U+FFFD, two halves their character."""
    if _UNFIT.search(text) is None:
        return text
    halves = text.replace("\x00", "").encode("utf-16-le", "surrogatepass")
    return halves.decode("utf-16-le", "replace")


def is_blank(text: str) -> bool:
    """Whether there is nothing to see: blanks, and marks without width or direction."""
    return not any(letter.isprintable() and letter != " " for letter in text)


def closed(text: str) -> str:
    """A line with an end to every direction that it begins, so that it turns no words behind it."""
    ends: list[str] = []
    for mark in _DIRECTIONS.findall(text):
        if mark in _ENDS:
            ends.append(_ENDS[mark])
        elif mark == _ISOLATE_END and mark in ends:  # ends what is open within, too
            while ends.pop() != mark:
                pass
        elif ends and mark == ends[-1]:
            ends.pop()
    return text + "".join(reversed(ends))


def cleaned(value: Any) -> Any:
    """What JSON holds, with every text in it clean, names of fields included."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {cleaned(name): cleaned(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [cleaned(part) for part in value]
    return value


def clean_json(text: str) -> str:
    """JSON that holds clean texts once it is read; what is no JSON stays as it is."""
    if _ESCAPED.search(text) is None:
        return text
    try:
        return json.dumps(cleaned(json.loads(text)))
    except (ValueError, RecursionError):
        return text
