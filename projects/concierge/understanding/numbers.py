"""Things that go by numbers: “chapter 3 and 4”, “chapters 3-5”, “the first two” of a list."""

from __future__ import annotations

import re
from typing import Final

MOST: Final = 30
_JOINT: Final = r"\s*(?:-|–|—|,\s*(?:and\s+)?|&|\b(?:to|through|thru|till|until|and)\b)\s*"
_RANGES: Final = re.compile(r"^(?:-|–|—|to|through|thru|till|until)$", re.IGNORECASE)
_NUMBERS: Final = rf"\d{{1,3}}(?:{_JOINT}\d{{1,3}})+"
_NUMBERED: Final = re.compile(
    rf"^(?P<lead>(?:.*?[^\W\d_][\s#]*)?)(?P<numbers>{_NUMBERS})$", re.IGNORECASE | re.DOTALL
)
_OWN_LIST: Final = re.compile(
    r"^(?:the\s+)?(?:numbers?|nos?\.?|tasks?|items?|to-?dos?|options?|#)?\s*$", re.IGNORECASE
)
_SOME: Final = {
    word: number
    for number, named in enumerate(("two 2", "three 3", "four 4", "five 5", "six 6"), start=2)
    for word in named.split()
}
_END: Final = re.compile(
    rf"^(?:the\s+)?(?P<which>first|last)\s+(?P<n>{'|'.join(_SOME)})"
    r"(?:\s+(?:ones|tasks|to-?dos|items|things|of\s+(?:them|these|those)))?$",
    re.IGNORECASE,
)
_SPOKEN: Final = re.compile(
    r"(?<!from\s)(?<!between\s)(?<=[a-z]\s)(?P<first>\d{1,3})\s+(?:to|through|thru)\s+"
    r"(?P<last>\d{1,3})(?=\s+(?:to|until|on|by|for|as|off|are|is|have|has|done|due|complete)\b|$)",
    re.IGNORECASE,
)
_NEW: Final = re.compile(
    rf"^(?P<lead>.*?\b)(?P<noun>[^\W\d_]{{2,}})\s+(?P<numbers>{_NUMBERS})(?P<rest>(?:\W.*)?)$",
    re.IGNORECASE | re.DOTALL,
)


_FOR: Final = re.compile(r"^(?:for|about|on)\s+(?:each\s+of\s+|all\s+)?(?:the\s+)?", re.IGNORECASE)


def numbers_in(said: str) -> list[int]:
    """The numbers of “3 and 4”, “3-5”, “3, 5 to 7”; empty when they are too many or fall."""
    found: list[int] = []
    reach = False
    for piece in re.split(rf"({_JOINT})", said.strip(), flags=re.IGNORECASE):
        word = piece.strip().lower()
        if not word:
            continue
        if not word.isdigit():
            reach = bool(_RANGES.match(word))
            continue
        number = int(word)
        if reach and found:
            if not 0 < number - found[-1] < MOST:
                return []
            found += range(found[-1] + 1, number + 1)
        else:
            found.append(number)
        reach = False
    return list(dict.fromkeys(found)) if len(found) <= MOST else []


def spread(said: str) -> list[str]:
    """One reference for each number: “chapters 3-5” is “chapters 3”, “chapters 4”, “chapters 5”.

    Places in a list shown are bare numbers. Empty when no numbers are counted up.
    """
    found = _NUMBERED.match(said.strip())
    if found is None:
        return []
    lead = "" if _OWN_LIST.match(found["lead"]) else found["lead"]
    return [f"{lead}{number}" for number in numbers_in(found["numbers"])]


def places(said: str, length: int) -> list[int]:
    """The places of “the first two”, “the last three” in a list of a length; empty for others."""
    found = _END.match(said.strip())
    number = _SOME[found["n"].lower()] if found else 0
    if found is None or number > length:
        return []
    is_first = found["which"].lower() == "first"
    return list(range(number) if is_first else range(length - number, length))


def dashed(text: str) -> str:
    """Ranges as one word, so that “move chapters 3 to 5 to Friday” has one “to”."""
    return _SPOKEN.sub(lambda one: f"{one['first']}-{one['last']}", text)


def each_new(words: str) -> list[str]:
    """What to call a to-do for each number: “read chapters 6 to 8” is three; empty for others."""
    found = _NEW.match(_FOR.sub("", words.strip()))
    if found is None:
        return []
    noun = found["noun"]
    singular = noun[:-1] if len(noun) > 3 and noun.endswith("s") and noun[-2] != "s" else noun
    counted = numbers_in(found["numbers"])
    return [f"{found['lead']}{singular} {number}{found['rest']}".strip() for number in counted]
