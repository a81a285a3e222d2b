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
    r"some|lots? of|a lot of|a bit of|the odd|am|'m|i'm|we're|responsible for|in charge of|"
    r"to)\s+)+",
    re.IGNORECASE,
)
_BREAKS: Final = frozenset(
    "and or but because so which that when where while who as if since after before until once "
    "through via using including from by into about during without".split()
)
_WEAK_ENDS: Final = frozenset(
    "a an the and or but to of for in on at by with from your their his her its this that these "
    "those some any every each about into than when is are was who which as if up out very "
    "new".split()
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
        ends = at >= 3 and word.lower().strip(",") in _BREAKS
        if ends or (at and words[at - 1].endswith((",", ";"))):
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


_DETERMINERS: Final = frozenset(
    "the a an my our their his her your its this that these those them it him up out some all "
    "every any new each people with to for on at in from what who how whether".split()
)
_OBJECTS: Final = frozenset("the a an my our their his her your".split())
_NOUNS_TOO: Final = frozenset(
    "staff code test report research design plan board stock project site shift contract market "
    "budget book train team order invoice project study case phone paper time work care sales "
    "support service account office control process product program mail email return "
    "record google".split()
)
_BEFORE_A_VERB: Final = frozenset(
    "i we to and also then usually often sometimes always mostly mainly or can must".split()
)


def echo(activity: str, *, before: str = "") -> str:
    """A short noun phrase made of the person's words, empty where none can be made.

    "I write up the weekly sheet for our office" → "writing up the weekly sheet for your office".
    `before` is what stood before those words; after "I" a word is a verb, after "have" it is not.
    """
    plain = re.sub(r"[\"“”<>*_`#\[\]{}|]", " ", activity)
    plain = re.sub(r"\s+", " ", plain).strip(" .,;:!?-–—()")
    bare = _OPENERS.sub("", plain)
    words = _shortened(bare.split())
    if not words or not content_stems(" ".join(words)) or _has_subject(words):
        return ""
    lead = plain[: len(plain) - len(bare)] or before
    if len(words) > 1 and _is_verb(words, lead):
        words[0] = gerund(words[0].lower())
    elif len(words) > 2 and "s" in forms_of(words[0].lower()) and words[1].lower() in _OBJECTS:
        words[0] = gerund(forms_of(words[0].lower())["s"])
    else:
        words[0] = _lowered(words[0])
    return second_person(" ".join(words)).strip(" .,;:!?-–—")


def _has_subject(words: list[str]) -> bool:
    """ "Kids fight": somebody else does it; cannot be said back as a thing done."""
    if len(words) < 2 or not words[0].endswith("s") or is_base(words[0].lower()):
        return False
    verb = words[1].lower()
    return is_base(verb) and verb not in _NOUNS_TOO and verb not in _BREAKS


def _is_verb(words: list[str], before: str) -> bool:
    """Whether the first of the words is a verb in its base form here."""
    first, second = words[0].lower(), words[1].lower()
    if first.endswith(("ing", "ed", "s")) and not is_base(first):
        return False
    follows = re.findall(r"[a-z']+", before.lower())[-1:]
    after_subject = bool(follows) and follows[0] in _BEFORE_A_VERB
    if second in _DETERMINERS:
        return first.isalpha() and (
            is_base(first) or after_subject or second in {"the", "their", "them", "my", "our"}
        )
    return is_base(first) and (after_subject or first not in _NOUNS_TOO)


def capitalised(text: str) -> str:
    """First letter upper case, the rest untouched."""
    return text[:1].upper() + text[1:]
