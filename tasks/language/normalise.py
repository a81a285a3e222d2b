"""A person's words as a task statement by rules: base verb first, no first person, 20 words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tasks.language.lexicon import ACTION_NOUNS, BASES, NOUN_LIKE, PARTICLES, WORK_NOUNS
from tasks.language.phrases import (
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    without_leads,
    without_tail,
)
from tasks.language.tokens import Token, tokens_of
from tasks.language.verbs import forms_of, gerund_base, is_base, singular

MAX_WORDS: Final = 20
_FILLERS: Final = frozenset(
    "basically actually really literally obviously obvs honestly just stuff kinda lol haha um uh "
    "usually mostly mainly sometimes often always also tbh sorta etc etc.".split(" ")
)
_OWNERS: Final = {"my": "the", "our": "the", "your": "the"}
_FIRST_PERSONS: Final = frozenset("i we me us mine ours myself ourselves im".split(" "))
_LOOSE_ENDS: Final = (PREPOSITIONS - PARTICLES) | frozenset(
    "and or nor the a an to , that which who what".split(" ")
)
_NOUNS_BEFORE_NOUNS: Final = frozenset(
    "phone project staff group field site board email market stock account machine office team "
    "client customer sales safety budget lab shift status progress risk test project".split(" ")
)
_AFTER_NOUNS: Final = frozenset({"of", "for"})
_DONE_FOR: Final = frozenset(
    "care check look plan prep screen search shop test wait order hunt account cover".split()
)
_VERBS_OFTENER: Final = frozenset(
    "check review process handle schedule order plan count test track answer file load".split()
)
_COMPOUND_GERUNDS: Final = frozenset(
    "training coaching cooking drawing painting briefing onboarding marketing advertising writing "
    "fundraising networking brainstorming tutoring mentoring".split()
)
_NOUN_VERBS: Final = frozenset({"conduct", "perform", "make", "give", "write"})
_NOUN_HEADS: Final = frozenset(
    "session class course workshop material campaign program meeting event".split(" ")
)
_SPELLING: Final = {
    "colour": "color",
    "colours": "colors",
    "labour": "labor",
    "behaviour": "behavior",
    "programme": "program",
    "programmes": "programs",
    "centre": "center",
    "analyse": "analyze",
    "catalogue": "catalog",
    "neighbours": "neighbors",
    "favour": "favor",
    "tyres": "tires",
    "tyre": "tire",
    "enrol": "enroll",
    "cheque": "check",
    "cheques": "checks",
    "practise": "practice",
    "licence": "license",
    "licences": "licenses",
    "mould": "mold",
    "plough": "plow",
    "jewellery": "jewelry",
    "grey": "gray",
    "manoeuvre": "maneuver",
    "pyjamas": "pajamas",
    "moulds": "molds",
}
_ISE: Final = re.compile(r"^([a-z]{3,})(is)(e|es|ed|ing|ation|ations)$")
_WRITTEN: Final = {"&": "and", "+": "and", "w/": "with", "n": "and", "em": "them", "'em": "them"}


@dataclass(frozen=True)
class _Word:
    """A word of the statement to be: as written, and its plain form."""

    text: str
    lower: str


def statement_of(raw: str) -> str:
    """The raw task as a statement: a verb in its base form first, a capital, no full stop.

    American spelling, as O*NET writes; nothing is added but a plain verb where the person named
    only a noun ("stakeholder meetings" → "Attend stakeholder meetings"). Empty for no words.
    """
    words = _words(raw)
    words = _with_verb(words) if words else []
    words = [_Word(_american(word.text), word.lower) for word in words][:MAX_WORDS]
    while len(words) > 1 and words[-1].lower in _LOOSE_ENDS:
        words.pop()
    line = " ".join(word.text for word in words).replace(" ,", ",").strip(" ,;:-–—")
    return line[:1].upper() + line[1:]


def _words(raw: str) -> list[_Word]:
    tokens = [token for token in tokens_of(raw) if token.kind in {"word", "comma"}]
    trimmed = without_tail(without_leads(tokens)) or without_leads(tokens) or tokens
    found: list[_Word] = []
    for at, token in enumerate(trimmed):
        if token.lower in _OWNERS and _owns_many(trimmed[at + 1 :]):
            continue
        if token.lower == "own" and at and trimmed[at - 1].lower in _OWNERS:
            continue
        if token.lower in _FIRST_PERSONS:
            if token.lower in {"i", "we"} and found:
                break
            continue
        if token.lower in _FILLERS or (token.lower in _OWNERS and not found):
            continue
        if token.kind == "comma":
            if found and found[-1].lower != ",":
                found.append(_Word(",", ","))
            continue
        found.append(_as_written(token, raw, is_first=not found))
    while found and found[-1].lower in {",", "that", "which", "who", "what"}:
        found.pop()
    return found


def _owns_many(rest: Sequence[Token]) -> bool:
    """Whether "my" may fall away: "check (my) emails", "do (my) own invoicing"."""
    phrase: list[Token] = []
    for token in rest:
        if token.kind != "word" or token.lower in PREPOSITIONS | {"and", "or"}:
            break
        phrase.append(token)
    if not phrase:
        return False
    head = phrase[-1].lower if phrase[-1].lower not in PARTICLES else phrase[0].lower
    is_many = head.endswith("s") and not head.endswith(("ss", "us", "is"))
    return phrase[0].lower == "own" or is_many


def _as_written(token: Token, raw: str, *, is_first: bool) -> _Word:
    text = raw[token.start : token.end]
    if text.lower() in _WRITTEN:
        return _Word(_WRITTEN[text.lower()], token.lower)
    if token.lower in _OWNERS:
        return _Word(_OWNERS[token.lower], "the")
    if token.lower == text.lower().rstrip("'’"):
        keeps_case = any(char.isupper() for char in text[1:]) or (token.capital and not is_first)
        return _Word(text if keeps_case else text.lower(), token.lower)
    if token.lower != text.lower():
        return _Word(token.lower, token.lower)
    keeps_case = any(char.isupper() for char in text[1:]) or (token.capital and not is_first)
    return _Word(text if keeps_case else token.lower, token.lower)


def _with_verb(words: list[_Word]) -> list[_Word]:
    """The words with a base-form verb in front."""
    had_article = words[0].lower == "the"
    while words and words[0].lower in DETERMINERS | {"of", "to", "some"} and len(words) > 1:
        words = words[1:]
    first = words[0].lower
    if had_article and len(words) == 1 and gerund_base(first):
        return [_Word(WORK_NOUNS.get(first, "do"), ""), _Word("the", "the"), *words]
    is_turned = len(words) > 2 and words[-2].lower == "to" and is_base(words[-1].lower)
    if is_turned and not _leading_base(words):  # "emails to answer"
        return [words[-1], *words[:-2]]
    if first in {"do", "does", "doing"} and len(words) > 1:
        return _from_light(words)
    if _is_compound(words):
        return _from_noun(words)
    base = _leading_base(words)
    if base:
        rest = words[1:]
        if gerund_base(first) and rest[:1] and rest[0].lower == "of":
            rest = rest[1:]
        return [_Word(base, base), *rest]
    return _from_noun(words)


def _leading_base(words: Sequence[_Word]) -> str:
    first = words[0].lower
    forms = forms_of(first)
    after = words[1].lower if len(words) > 1 else ""
    if "base" in forms and len(words) == 1:
        return first
    if "base" in forms and not (first in NOUN_LIKE and after in _AFTER_NOUNS):
        return first
    if "base" in forms and after == "for" and first in _DONE_FOR:
        return first
    if gerund_base(first):
        return gerund_base(first)
    if first in {"key", "step", "pop"} and after in PARTICLES:
        return first
    if "s" in forms and forms["s"] in BASES and (after in DETERMINERS or first == "makes"):
        return forms["s"]
    if "past" in forms and "base" not in forms and after:
        return forms["past"]
    return ""


def _is_compound(words: Sequence[_Word]) -> bool:
    """ "report writing", "phone calls", "training sessions": nouns, though the first is a verb."""
    if len(words) < 2:
        return False
    head = _noun_phrase(words)[-1].lower
    size = len(_noun_phrase(words))
    first = words[0].lower
    if gerund_base(first):
        return size == 2 and singular(head) in _NOUN_HEADS and first in _COMPOUND_GERUNDS
    if first not in NOUN_LIKE:
        return False
    if size == 2 and (gerund_base(head) or (head in ACTION_NOUNS and first not in _VERBS_OFTENER)):
        return True
    return size == 2 and first in _NOUNS_BEFORE_NOUNS and singular(head) in WORK_NOUNS


def _noun_phrase(words: Sequence[_Word]) -> list[_Word]:
    found: list[_Word] = []
    for word in words:
        if found and (
            word.lower in PREPOSITIONS
            or word.lower in AUXILIARIES
            or word.lower in {",", "and", "or"}
        ):
            break
        found.append(word)
    return found


def _from_light(words: list[_Word]) -> list[_Word]:
    """ "do data analysis" says it with a noun; "do the rota" keeps its verb."""
    rest = words[1:]
    article = [rest[0]] if rest[0].lower == "the" else []
    while len(rest) > 1 and rest[0].lower in DETERMINERS:
        rest = rest[1:]
    phrase = _noun_phrase(rest)
    head = phrase[-1].lower
    if head in ACTION_NOUNS or gerund_base(rest[0].lower) or singular(head) in WORK_NOUNS:
        if gerund_base(rest[0].lower):
            is_alone = bool(article) or len(rest) == 1
            return [_Word("do", "do"), *article, *rest] if is_alone else _with_verb(rest)
        verb_and_rest = _from_noun(rest)
        kept = verb_and_rest[-len(rest) :] == rest  # the noun stays, and so may its article
        return [*verb_and_rest[: -len(rest)], *article, *rest] if kept else verb_and_rest
    return [_Word("do", "do"), *words[1:]]


def _from_noun(words: list[_Word]) -> list[_Word]:
    """A verb for nouns: of the action they name, else the plainest one."""
    phrase = _noun_phrase(words)
    head, tail = phrase[-1].lower, words[len(phrase) :]
    before = phrase[:-1]
    if len(phrase) == 2 and not tail and gerund_base(head) and _is_count(before[0].lower):
        base = gerund_base(head)
        many = before[0].text if before[0].lower.endswith("s") else before[0].text + "s"
        return [_Word(base, base), _Word(many, many)]
    if head in ACTION_NOUNS and ACTION_NOUNS[head] not in _NOUN_VERBS:
        verb = _Word(ACTION_NOUNS[head], ACTION_NOUNS[head])
        if before:
            return [verb, *before, *tail]
        if tail[:1] and tail[0].lower == "of":
            return [verb, *tail[1:]]
    if ACTION_NOUNS.get(head) in _NOUN_VERBS:
        verb_text: str | None = ACTION_NOUNS[head]
    else:
        verb_text = "perform" if head in ACTION_NOUNS else None
    verb_text = verb_text or WORK_NOUNS.get(singular(head)) or WORK_NOUNS.get(head)
    if verb_text is None:
        verb_text = "perform" if gerund_base(head) or head in ACTION_NOUNS else _default_verb(words)
    return [*(_Word(part, part) for part in verb_text.split()), *words]


def _is_count(noun: str) -> bool:
    """A noun that stands for many when it is done in a row: "report writing"."""
    return noun in WORK_NOUNS and not noun.endswith(("ing", "y")) and noun not in _MASS


_MASS: Final = frozenset("admin logistics marketing paperwork payroll safety packaging".split())


def _default_verb(words: Sequence[_Word]) -> str:
    return "work on" if not is_base(words[0].lower) or words[0].lower in NOUN_LIKE else ""


def _american(word: str) -> str:
    lower = word.lower()
    if lower in _SPELLING:
        return _SPELLING[lower]
    if lower == "analysing":
        return "analyzing"
    found = _ISE.match(lower)
    if found and word == lower and found[1] + "ize" in BASES:
        return f"{found[1]}iz{found[3]}"
    return word
