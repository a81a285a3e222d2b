"""Corrections of what was said before: “no, the budget is 5k, not 8k”, “I meant March”."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from futura.text import content_stems
from projects.language.sentences import sentences

_NOT_OLD: Final = re.compile(
    r"(?P<new>[^,.;\n]{1,120}?)\s*,?\s*(?:(?:and\s+|but\s+)?not|rather\s+than|instead\s+of|no\s+longer)"
    r"\s+(?P<old>[^,.;!?\n]{1,80})",
    re.IGNORECASE,
)
_FROM_TO: Final = re.compile(
    r"\b(?:change|replace|correct|make)\s+(?:the\s+)?(?P<old>[^,.;\n]{1,80}?)\s+(?:to|with|into|by)\s+"
    r"(?P<new>[^,.;!?\n]{1,120})",
    re.IGNORECASE,
)
_MARK: Final = re.compile(
    r"^\W*(?:(?:oh|ah|wait|sorry|hmm|hold on|no)\b[\s,!.:;-]*)*"
    r"(?:no\b|actually|correction|sorry|wait|i\s+meant|i\s+mean|scratch\s+that|let\s+me\s+correct"
    r"|to\s+correct|on\s+second\s+thought|i\s+was\s+wrong|that(?:'s|’s|\s+is|\s+was)\s+(?:wrong|not\s+right))"
    r"[\s,:;.–-]*(?:that\s+)?",
    re.IGNORECASE,
)
_IS: Final = re.compile(
    r"^(?:the\s+|our\s+|my\s+)?(?P<what>[\w' -]{2,40}?)\s+(?:is|are|was|will\s+be|should\s+be|should\s+say"
    r"|becomes?|ends?\s+up)\s+(?:now\s+|actually\s+|really\s+|rather\s+|only\s+)?(?P<value>.+)$",
    re.IGNORECASE | re.DOTALL,
)  # fmt: skip


@dataclass(frozen=True)
class Amendment:
    """One dimension with its text corrected; `old` and `new` are what was exchanged."""

    field: str
    text: str
    old: str
    new: str


def is_correction(text: str) -> bool:
    """Whether a message sounds like taking something back."""
    marked = _MARK.match(text)
    return (marked is not None and marked.end() > 0 and not _is_bare_no(text)) or bool(
        re.search(r",?\s+not\s+\S+\W*$", text) and _IS.match(text.strip())
    )


def _is_bare_no(text: str) -> bool:
    return bool(re.match(r"^\W*no\b[\W]*(?:one|body)?\W*$", text, re.IGNORECASE)) or bool(
        re.match(r"^\W*no\s+(?!,)\w", text, re.IGNORECASE)
        and not re.match(
            r"^\W*no\s+(?:the|it|its|it's|that|i|we|my|our|wait)\b", text, re.IGNORECASE
        )
    )


def amendment(text: str, dimensions: Mapping[str, str]) -> Amendment | None:
    """What a correction changes among these texts; None when nothing there is meant.

    Where both values are named, the old one is looked for; else the sentence that speaks of the
    same thing is replaced.
    """
    said = _MARK.sub("", text.strip()).strip(" .!")
    for pattern in (_NOT_OLD, _FROM_TO):
        found = pattern.search(said)
        if found:
            old, new = _bare(found["old"]), found["new"].strip()
            return _exchanged(old, new, dimensions)
    return _restated(said, dimensions)


def _exchanged(old: str, new: str, dimensions: Mapping[str, str]) -> Amendment | None:
    for field, content in dimensions.items():
        place = re.search(rf"(?<!\w){re.escape(old)}(?!\w)", content, re.IGNORECASE)
        if place is None:
            continue
        value = _joining(content[: place.start()], _value(new, old))
        value = _running_on(value, content[place.end() :])
        text = content[: place.start()] + value + content[place.end() :]
        return Amendment(field, text, place.group(0), value)
    return None


def _joining(before: str, value: str) -> str:
    """The value without words at its beginning that stand before its place already."""
    last, words = before.lower().split(), value.split()
    for count in range(min(len(last), len(words) - 1, 4), 0, -1):
        if last[-count:] == [word.lower() for word in words[:count]]:
            return " ".join(words[count:])
    return value


def _running_on(value: str, after: str) -> str:
    """The value without words at its end that stand behind its place already."""
    words, following = value.split(), after.lower().split()
    for count in range(min(len(following), len(words) - 1, 4), 0, -1):
        if [word.lower() for word in words[-count:]] == [
            word.strip(".,;!?") for word in following[:count]
        ]:
            return " ".join(words[:-count])
    return value


def _value(new: str, old: str) -> str:
    """The bare new value of “the budget is 5k” where the old one was bare, too."""
    stated = _IS.match(new)
    value = _bare(stated["value"] if stated else new)
    if len(value.split()) > len(old.split()) + 4:
        return " ".join(value.split()[-max(1, len(old.split())) :])
    return value


def _restated(said: str, dimensions: Mapping[str, str]) -> Amendment | None:
    stated = _IS.match(said)
    if stated is None:
        return None
    subject = content_stems(stated["what"])
    if not subject:
        return None
    for field, content in dimensions.items():
        for one in sentences(content):
            if subject <= content_stems(one.text):
                new = said[:1].upper() + said[1:]
                new += "" if new.endswith((".", "!", "?")) else "."
                text = content[: one.start] + new + content[one.end :]
                return Amendment(field, text, one.text, new)
    return None


def _bare(value: str) -> str:
    return re.sub(r"^(?:the|a|an|it'?s|it\s+is|about)\s+", "", value.strip(" .,!?\"'“”"),
                  flags=re.IGNORECASE)  # fmt: skip
