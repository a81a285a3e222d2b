"""A person's words as a task statement: what can be worded safely, else the words themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from futura.language.lexicon import NOUN_LIKE
from futura.language.task_phrases.patterns import DETERMINERS, PREPOSITIONS
from futura.language.tokens import Token, tokens_of
from futura.language.verbs import forms_of, gerund_base, is_base

_FILLERS: Final = frozenset(
    "basically actually really literally obviously obvs honestly just kinda lol haha um uh usually "
    "mostly mainly sometimes often always also tbh sorta etc etc. own".split()
)
_OWNERS: Final = frozenset({"my", "our", "your"})
_FIRST_PERSONS: Final = frozenset("i we me us mine ours myself ourselves".split())
_COMPOUNDS: Final = frozenset(
    "training coaching cooking drawing painting marketing advertising briefing staff".split()
)
"""Words in -ing that are as often a noun before another: "training sessions"."""
_WRITTEN: Final = {"&": "and", "+": "and", "w/": "with", "n": "and", "em": "them", "'em": "them"}
_SPACES: Final = re.compile(r"\s+")


def statement_of(raw: str, *, language: str = "en") -> str:
    """The task as a statement: its verb in the base form, impersonal, a capital, no full stop.

    Nothing is added and no word but fillers is left out; nouns without a verb stay nouns. In
    another language than English only the capital is set. Empty for no words.
    """
    if not language.lower().startswith("en"):
        line = _SPACES.sub(" ", raw).strip(" ,;:.-–—")
        return line[:1].upper() + line[1:]
    tokens = [token for token in tokens_of(raw) if token.kind in {"word", "comma"}]
    words = _impersonal(tokens, raw)
    base = _base_of(tokens) if words else ""
    if base:
        words[0] = base
    line = " ".join(words).replace(" ,", ",").strip(" ,;:-–—")
    return line[:1].upper() + line[1:]


def _impersonal(tokens: Sequence[Token], raw: str) -> list[str]:
    """The words without fillers and the first person."""
    words: list[str] = []
    for token in tokens:
        text = raw[token.start : token.end]
        if token.lower in _FILLERS | _FIRST_PERSONS or (token.kind == "comma" and not words):
            continue
        if token.lower in _OWNERS:
            if words:
                words.append("the")
        elif text.lower() in _WRITTEN or token.lower != text.lower().strip("'’"):
            words.append(_WRITTEN.get(text.lower(), token.lower))
        elif not words and not any(letter.isupper() for letter in text[1:]):
            words.append(text.lower())
        else:
            words.append(text)
    return words


def _base_of(tokens: Sequence[Token]) -> str:
    """The base form of the verb that the words open with; empty where they open with a noun."""
    words = [
        t.lower for t in tokens if t.lower not in _FILLERS | _FIRST_PERSONS and t.kind == "word"
    ]
    first, after = words[0], words[1] if len(words) > 1 else ""
    forms = forms_of(first)
    if is_base(first):
        return first
    if gerund_base(first):
        is_noun = not after or after in {"of", "and", "or"} or first in _COMPOUNDS
        return "" if is_noun else gerund_base(first)
    if "s" in forms and forms["s"] not in NOUN_LIKE and after in DETERMINERS:
        return forms["s"]
    is_told = "past" in forms and after and after not in PREPOSITIONS
    return forms["past"] if is_told else ""
