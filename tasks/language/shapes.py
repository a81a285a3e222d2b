"""What a run of words is by its shape: a verb with its object, or nouns that stand for work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from tasks.language import phrases
from tasks.language.lexicon import BASES, LIGHT_BASES, NOUN_LIKE, PARTICLES
from tasks.language.phrases import (
    DETERMINERS,
    PREPOSITIONS,
    STATIVES,
    TOOLS,
    VAGUE,
    is_person,
    without_tail,
)
from tasks.language.tokens import Token
from tasks.language.verbs import Form, forms_of, gerund_base, is_work_noun

_PRONOUNS: Final = frozenset("it them this that these those him her one ones".split(" "))
_OUTRIGHT: Final = frozenset("off up out down".split())
_POINTERS: Final = phrases.OTHER_PRONOUNS - {"others", "people"}
_BEFORE_MORE: Final = PREPOSITIONS | {"that", "who", "which"}


def is_all_of_it(tokens: Sequence[Token]) -> bool:
    words = [token.lower for token in without_tail(tokens)]
    return words[:1] == ["all"] and words[-1] in _POINTERS | {"them"} and len(words) < 4


def subject_of(tokens: Sequence[Token]) -> list[Token]:
    """The nouns that a condition opens with: "the machine" in "if the machine jams"."""
    found: list[Token] = []
    for token in tokens[:5]:
        if token.lower in phrases.AUXILIARIES or (len(found) > 1 and forms_of(token.lower)):
            break
        found.append(token)
    return found if len(found) > 1 and found[0].lower in DETERMINERS else []


def object_at_end(tokens: Sequence[Token]) -> list[Token]:
    """What others do something with, where they end on it: "the scaffolding"."""
    found = without_tail(tokens)[-4:]
    for index, token in enumerate(found[:-1]):
        is_verb = index and {"base", "s"} & set(forms_of(token.lower))
        if token.lower in {"the", "their"} and not is_person(found[-1].lower):
            return found[index:]
        if is_verb and not any(t.lower in PREPOSITIONS for t in found[index + 1 :]):
            return found[index + 1 :]
    return []


def before_preposition(tokens: Iterable[Token]) -> list[Token]:
    found: list[Token] = []
    for token in tokens:
        if found and token.lower in _BEFORE_MORE:
            break
        found.append(token)
    return found


def head_of(tokens: Sequence[Token]) -> str:
    return before_preposition(tokens)[-1].lower


def verb_form(rest: Sequence[Token], before: Form | None, *, is_next: bool = False) -> Form | None:
    """The form in which a piece opens with a verb, judged beside the verb of the task before."""
    word = rest[0].lower
    after = rest[1].lower if len(rest) > 1 else ""
    if gerund_base(word):
        return "ing"
    forms = forms_of(word)
    if before == "s" and "s" in forms and after:
        return "s"
    if before == "past" and "past" in forms and after:
        return "past"
    if word == "look" and after in PARTICLES | {"at", "into", "for", "after"} - {"forward"}:
        return "base"
    if not forms and before == "base" and after in _OUTRIGHT and len(rest) > 2:
        return "base"  # an unknown verb in a list of verbs: "…, rip off old tiles"
    if "base" not in forms or word in STATIVES - {"see", "find", "care", "wait", "drink"}:
        return None
    if word in LIGHT_BASES:
        return "base" if after else None
    if word not in NOUN_LIKE or word not in BASES or is_next:
        return "base"
    opens = (
        after in DETERMINERS or after in PARTICLES or after in _PRONOUNS or after == "everything"
    )
    if opens or (before == "base" and after and after not in PREPOSITIONS):
        return "base"
    if before == "base" and after in PREPOSITIONS - {"of"}:
        return "base"
    if not before and after and after not in PREPOSITIONS and not is_work_noun(after):
        return "base"
    return None


def _is_in_meetings(rest: Sequence[Token]) -> bool:
    """ "in meetings", "on calls with clients": a preposition before a bare noun of work."""
    return rest[0].lower in {"in", "on"} and len(rest) > 1 and is_work_noun(rest[1].lower)


def is_plausible(rest: Sequence[Token], *, lenient: bool) -> bool:
    """Whether nouns alone can stand for a task; not so people, tools, places, numbers, remarks."""
    trimmed = without_tail(rest)
    head = head_of(trimmed or rest)
    words = [token.lower for token in trimmed]
    if (
        not words
        or head in VAGUE
        or head in TOOLS
        or {head, words[0]} & _POINTERS
        or head[:1].isdigit()
    ):
        return False
    if rest[0].lower in PREPOSITIONS and not _is_in_meetings(rest):
        return False
    if {"me", "us"} & set(words):
        return False
    if len(words) > 12 or (
        head.endswith(("ly", "ed", "ful", "ous", "able")) and not is_work_noun(head)
    ):
        return False
    if lenient:
        return len(words) > 1 or is_work_noun(head) or not is_person(head)
    if is_person(head) or any(word in TOOLS for word in words):
        return False
    if words[0][0].isdigit() and not is_work_noun(head):
        return False
    singular_thing = words[0] in {"a", "an", "the", "my", "our"} and not head.endswith("s")
    return not singular_thing and not any(t.lower in phrases.AUXILIARIES for t in rest[1:])
