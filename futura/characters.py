"""Characters that no database and no page can hold, and texts in which there is nothing to see."""

from __future__ import annotations

import json
import re
from typing import Any, Final

_UNFIT: Final = re.compile("[\x00\ud800-\udfff]")
# As JSON writes them; a pair, which is a character, looks the same and comes back whole.
_ESCAPED: Final = re.compile(r"\\u(?:0000|d[89a-f])", re.IGNORECASE)


def clean(text: str) -> str:
    """The text without NUL; half a surrogate pair becomes U+FFFD, two halves their character."""
    if _UNFIT.search(text) is None:
        return text
    halves = text.replace("\x00", "").encode("utf-16-le", "surrogatepass")
    return halves.decode("utf-16-le", "replace")


def is_blank(text: str) -> bool:
    """Whether there is nothing to see: blanks, and marks without width or direction."""
    return not any(letter.isprintable() and letter != " " for letter in text)


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
