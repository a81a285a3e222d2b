"""How dates are written in other languages, by the patterns that pages name (`"j F Y"`).

Django looks a pattern up in `<language>/formats.py` before it is used as it is; a language without
a file of its own writes dates like English.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

PATTERNS: Final = (
    "j F", "j M", "j F Y", "j M Y", "l j F", "l, j F", "l j F Y", "D j M", "D j M Y", "F Y",
    "j M, H:i", "j M, H:i:s", "j F Y, H:i", "j F Y, H:i:s", "j M Y, H:i", "j M Y, H:i:s",
    "j F Y, H:i T",
)  # fmt: skip
"""Every pattern with the name of a month that the product uses."""


def by_language(written: Callable[[str], str]) -> Mapping[str, str]:
    """What a language writes for each pattern."""
    return {pattern: written(pattern) for pattern in PATTERNS}
