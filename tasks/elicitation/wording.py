"""Turns a person's own words round so that the guide can say them back: "my" becomes "your"."""

from __future__ import annotations

import re
from typing import Final

from futura.text import content_stems
from tasks.language.verbs import forms_of, is_base

ECHO_WORDS: Final = 8
"""Longest stretch of a person's words that is said back."""

_PERSON: Final = {
    "i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself", "we": "you",
    "us": "you", "our": "your", "ours": "yours", "ourselves": "yourselves", "i'm": "you're",
    "im": "you're", "am": "are", "i've": "you've", "we're": "you're", "we've": "you've",
    "i'll": "you'll", "we'll": "you'll", "i'd": "you'd",
}  # fmt: skip
_OPENERS: Final = re.compile(
    r"^(?:(?:and|also|then|so|well|yeah|yes|yep|mostly|mainly|usually|sometimes|often|generally|"
    r"basically|maybe|probably|just|i|we|do|doing|does|have to|need to|get to|try to|used to|like|"
    r"some|lots? of|a lot of|a bit of|the odd|am|'m|i'm|we're|responsible for|in charge of|to)\s+)+",
    re.IGNORECASE,
)
_BREAKS: Final = frozenset(
    "and or but because so which that when where while who as if since after before until once "
    "through via using including from by into about during without".split()
)
_WEAK_ENDS: Final = frozenset(
    "a an the and or but to of for in on at by with from your their his her its this that these "
    "those some any every each about into than when is are was who which as if up out very new".split()
)
_DOUBLING: Final = frozenset(
    "refer submit control program commit permit prefer admit compel format unplug transfer".split()
)


def gerund(base: str) -> str:
    """The -ing form of a base verb: write → writing, plan → planning, tie → tying."""
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "ye", "oe")) and len(base) > 2:
        return base[:-1] + "ing"
    short = re.fullmatch(r"[^aeiou]*[aeiou][bdglmnprtk]", base) and not base.endswith("w")
    if (short and len(base) > 2) or base in _DOUBLING:
        return base + base[-1] + "ing"
    return base + "ing"


def second_person(text: str) -> str:
    """The same words said to the person: I and my become you and your."""
    return re.sub(
        r"[A-Za-z']+",
        lambda found: _PERSON.get(found.group().lower(), found.group()),
        text.replace("’", "'"),
    )


def _shortened(words: list[str]) -> list[str]:
    """At most ECHO_WORDS words, cut where a phrase ends."""
    for at, word in enumerate(words):
        if at >= 3 and word.lower().strip(",") in _BREAKS:
            words = words[:at]
            break
    if len(words) > ECHO_WORDS:
        words = words[:ECHO_WORDS]
    while len(words) > 1 and words[-1].lower().strip(",") in _WEAK_ENDS:
        words = words[:-1]
    return words


def _lowered(word: str) -> str:
    keep = len(word) > 1 and (word[1:] != word[1:].lower() or any(c.isdigit() for c in word))
    return word if keep else word.lower()


def echo(activity: str) -> str:
    """A short noun phrase made of the person's words, empty where none can be made.

    "I write up the weekly sheet for our office" → "writing up the weekly sheet for your office".
    """
    plain = re.sub(r"[\"“”<>*_`#\[\]{}|]", " ", activity)
    plain = re.sub(r"\s+", " ", plain).strip(" .,;:!?-–—()")
    plain = _OPENERS.sub("", plain)
    words = _shortened(plain.split())
    if not words or not content_stems(" ".join(words)):
        return ""
    first = words[0].lower()
    if is_base(first) and len(words) > 1:
        words[0] = gerund(first)
    elif (
        "s" in forms_of(first) and len(words) > 2 and words[1].lower() in {"the", "my", "our", "a"}
    ):
        words[0] = gerund(forms_of(first)["s"])
    else:
        words[0] = _lowered(words[0])
    said = second_person(" ".join(words)).strip(" .,;:!?-–—")
    return re.sub(r"\b(\w+ing) you (?=to\b)", r"\1 ", said)


def capitalised(text: str) -> str:
    """First letter upper case, the rest untouched."""
    return text[:1].upper() + text[1:]
