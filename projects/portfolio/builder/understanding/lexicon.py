"""Names of materials, techniques, kinds of work and clients that rules recognise in a text."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal

Group = Literal["materials", "techniques", "types", "clients"]
_FILE: Final = Path(__file__).with_suffix(".toml")


@cache
def names(group: Group) -> frozenset[str]:
    """The names of a group, lower case."""
    listed = tomllib.loads(_FILE.read_text(encoding="utf-8"))[group]
    return frozenset(one.strip() for one in " ".join(listed.split()).split(";") if one.strip())


@cache
def _pattern(group: Group) -> re.Pattern[str]:
    longest_first = sorted(names(group), key=len, reverse=True)
    return re.compile(
        rf"(?<![\w-])(?:{'|'.join(re.escape(one) for one in longest_first)})(?![\w-])",
        re.IGNORECASE,
    )


def found(group: Group, text: str) -> list[str]:
    """The names of a group in a text, lower case, each once, in order; longer ones win."""
    return list(dict.fromkeys(hit.group(0).casefold() for hit in _pattern(group).finditer(text)))


def is_one(group: Group, text: str) -> bool:
    """Whether a text is one of the names, in singular or plural."""
    plain = text.casefold().strip()
    return plain in names(group) or plain.removesuffix("s") in names(group)


def kind_in(phrase: str) -> str:
    """The kind of work that a noun phrase ends in: “a reading app” is an “app”; empty for none."""
    words = [one.strip(".,;:!?\"'”’)") for one in phrase.split()]
    for end in range(len(words), 0, -1):
        for size in (3, 2, 1):
            told = " ".join(words[max(0, end - size) : end]).casefold()
            if told in names("types"):
                return told
    return ""


def split_items(text: str) -> Sequence[str]:
    """“oak, brass and a bit of felt” as its items."""
    bare = re.sub(r"\([^)]*\)", "", text)
    pieces = re.split(r"\s*(?:[,;\n•]|(?<!\w)(?:and|plus|as well as|&)(?!\w))\s*", bare)
    return [one for piece in pieces if (one := _bare(piece))]


_DRESS: Final = re.compile(
    r"^(?:(?:(?:i|we)\s+(?:also\s+)?(?:used|worked\s+with|work\s+with|made\s+it\s+(?:with|from|of|out\s+of)"
    r"|built\s+it\s+(?:with|from|in)|wrote\s+it\s+in)|it(?:'s|’s|\s+is|\s+was)?\s+(?:all\s+)?(?:made\s+(?:of|with|from)"
    r"|built\s+(?:with|in|on))|made\s+(?:of|with|from)|mostly|mainly|some|a\s+(?:bit|little|lot)\s+of|lots\s+of|also"
    r"|with|using|from|in|only|just|of|a|an|the|then|both|plain|various|about|things\s+like|materials?:?|techniques?:?"
    r"|tools?:?|everything)\s+)+",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(
    r"\s+(?:for|to|on|by|because|which|that|so|where|when|from|throughout|mostly|mainly|of course"
    r"|as\s+well|too|etc)\b.*$",
    re.IGNORECASE,
)


def _bare(piece: str) -> str:
    plain = _DRESS.sub("", piece.strip(" .!?\t")).strip(" .!?")
    plain = _TAIL.sub("", plain).strip(" .!?")
    if not plain or len(plain.split()) > 5 or not re.search(r"\w", plain):
        return ""
    return plain
