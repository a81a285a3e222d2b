"""English verb forms: which words are verbs, in which form, and what their base form is."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal

from tasks.language.lexicon import (
    ACTION_NOUNS,
    BASES,
    DOUBLING,
    IRREGULAR,
    LIGHT_BASES,
    NOT_ACTIONS,
    NOT_GERUNDS,
    WORK_NOUNS,
)

Form = Literal["base", "s", "ing", "past"]

_VOWELS: Final = "aeiou"


def _gerunds(base: str) -> list[str]:
    if base.endswith("ie"):
        return [base[:-2] + "ying"]
    forms = [base + "ing"]
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")):
        forms = [base[:-1] + "ing"]
    if base in DOUBLING:
        forms.append(base + base[-1] + "ing")
    return forms


def _pasts(base: str) -> list[str]:
    if base in IRREGULAR:
        return IRREGULAR[base].split()
    if base.endswith("e"):
        return [base + "d"]
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return [base[:-1] + "ied"]
    forms = [base + "ed"]
    if base in DOUBLING:
        forms.append(base + base[-1] + "ed")
    return forms


def _third(base: str) -> str:
    if base in {"do", "go"}:
        return base + "es"
    if base == "have":
        return "has"
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return base[:-1] + "ies"
    if base.endswith(("s", "x", "z", "ch", "sh")):
        return base + "es"
    return base + "s"


def _table() -> dict[str, dict[Form, str]]:
    table: dict[str, dict[Form, str]] = {}
    for base in sorted(BASES | LIGHT_BASES):
        for form in _pasts(base):
            table.setdefault(form, {}).setdefault("past", base)
        for form in _gerunds(base):
            table.setdefault(form, {}).setdefault("ing", base)
        table.setdefault(_third(base), {}).setdefault("s", base)
    for base in sorted(BASES | LIGHT_BASES):
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
    known = forms_of(word).get("ing")
    if known:
        return known
    if word.endswith(("in", "in'")) and len(word) > 4:
        return forms_of(word.rstrip("'") + "g").get("ing", "")
    if not word.endswith("ing") or len(word) < 6:
        return ""
    return _guessed_base(word[:-3])


def _guessed_base(stem: str) -> str:
    """The likeliest base of an unknown gerund without its -ing."""
    if is_base(stem):
        return stem
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "lsfz":
        return stem[:-1]
    if stem[-1] in "cvuz" or stem.endswith(("at", "ag", "dg", "ng", "rs", "ys")):
        return stem + "e"
    return stem


def singular(word: str) -> str:
    """Singular of a regular plural; other words unchanged."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@lru_cache(maxsize=4096)
def is_work_noun(word: str) -> bool:
    """Whether the noun names something a person does or makes at work."""
    one = singular(word)
    return (
        word in ACTION_NOUNS
        or one in WORK_NOUNS
        or (word.endswith(("tion", "tions", "ment")) and len(word) > 7 and one not in NOT_ACTIONS)
        or bool(gerund_base(word) or gerund_base(one))
    )
