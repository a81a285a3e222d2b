"""English verb forms: which words are verbs, in which form, and what their base form is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal

from futura.language.lexicon import (
    BASES,
    IRREGULAR,
    LIGHT_BASES,
    NOT_ACTIONS,
    NOT_GERUNDS,
    WORK_NOUNS,
)

Form = Literal["base", "s", "ing", "past"]

_DOUBLING: Final = re.compile(r".*[^aeiou][aeiou][bdgklmnprt]")
"""Bases that may double their last letter ("planning", "labelling")."""


def _stems(base: str) -> list[str]:
    """What -ing and -ed are added to."""
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")):
        return [base[:-1]]
    return [base, base + base[-1]] if _DOUBLING.fullmatch(base) else [base]


def _inflected(base: str) -> Iterator[tuple[str, Form]]:
    yields_y = base.endswith("y") and base[-2:-1] not in "aeiou"
    for stem in _stems(base):
        yield (base[:-2] + "ying" if base.endswith("ie") else stem + "ing"), "ing"
        if base not in IRREGULAR:
            yield (base[:-1] + "ied" if yields_y else stem + "ed"), "past"
    for form in IRREGULAR.get(base, ()):
        yield form, "past"
    if base == "have":
        yield "has", "s"
    elif yields_y:
        yield base[:-1] + "ies", "s"
    else:
        is_hissing = base.endswith(("s", "x", "z", "ch", "sh", "do", "go"))
        yield base + ("es" if is_hissing else "s"), "s"


def _table() -> dict[str, dict[Form, str]]:
    british = (re.sub(r"(i|y)ze$", r"\1se", base) for base in BASES)
    table: dict[str, dict[Form, str]] = {}
    bases = sorted(BASES | LIGHT_BASES | frozenset(british))
    for base in bases:
        for word, form in _inflected(base):
            table.setdefault(word, {}).setdefault(form, base)
    for base in bases:
        table.setdefault(base, {})["base"] = base
    return table


_FORMS: Final = _table()


def forms_of(word: str) -> dict[Form, str]:
    """Which known verb forms a lower-case word can be → its base; empty when it is no verb."""
    return _FORMS.get(word, {})


def is_base(word: str) -> bool:
    """Whether the word is the base form of a known verb, light ones included."""
    return "base" in forms_of(word)


@lru_cache(maxsize=4096)
def gerund_base(word: str) -> str:
    """Base form of a word in -ing that can be an action ("filing" → "file"), else empty."""
    if word in NOT_GERUNDS:
        return ""
    base = forms_of(word).get("ing", "")
    if base:
        return base
    if not word.endswith("ing") or len(word) < 6:
        return ""
    return _guessed_base(word[:-3])


def _guessed_base(stem: str) -> str:
    """The likeliest base of an unknown gerund without its -ing."""
    if is_base(stem):
        return stem
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "lsfz":
        return stem[:-1]
    return stem + "e" if stem[-1] in "cvuz" or stem.endswith(("at", "dg", "is")) else stem


def singular(word: str) -> str:
    """Singular of a regular plural; other words unchanged."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


_ACTION_ENDINGS: Final = ("tion", "tions", "ment")


@lru_cache(maxsize=4096)
def is_work_noun(word: str) -> bool:
    """Whether the noun names something a person does or makes at work."""
    noun = singular(word)
    if word in WORK_NOUNS or noun in WORK_NOUNS:
        return True
    if word.endswith(_ACTION_ENDINGS) and len(word) > 7 and noun not in NOT_ACTIONS:
        return True
    return bool(gerund_base(word) or gerund_base(noun))
