"""Which task statements say the same, by rules, and in one sentence why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from futura.text import content_stems, jaccard, stems, words
from tasks.language.lexicon import PARTICLES
from tasks.language.phrases import DETERMINERS, PREPOSITIONS

JACCARD: Final = 0.5
"""Above it two statements share enough (spec 1, deduplication)."""
CONTAINMENT: Final = 0.7
"""Above it the shorter statement is inside the longer one (spec 1, deduplication)."""

_SYNONYMS: Final = tuple(
    frozenset(line.split())
    for line in (
        "prepare write draft create produce compile make",
        "review check inspect examine verify",
        "analyze analyse evaluate assess study examine",
        "schedule organize organise arrange coordinate plan",
        "fix repair mend",
        "clean wash",
        "help assist support",
        "talk speak discuss communicate liaise confer",
        "supervise oversee lead manage",
        "train teach instruct coach mentor",
        "buy purchase procure order",
        "collect gather",
        "answer reply respond",
        "install fit",
        "deliver transport",
        "record log document enter",
        "monitor watch track observe",
        "attend join",
        "build develop construct create",
        "handle process manage",
        "keep maintain",
        "conduct perform do carry run",
        "show demonstrate present",
        "greet welcome",
        "fill refill restock",
        "prepare cook",
        "fix resolve solve",
        "give deliver present",
        "give administer",
    )
)


@dataclass(frozen=True)
class Merged:
    """One result: the statement that stays, the places (from 0) of those in it, and why."""

    statement: str
    members: tuple[int, ...]
    reason: str = ""


def are_synonyms(left: str, right: str) -> bool:
    """Whether two verbs in their base form say the same at the head of a statement."""
    return left == right or any(left in group and right in group for group in _SYNONYMS)


def is_duplicate(left: str, right: str) -> bool:
    """Whether two statements name one activity.

    Verbs equal or synonymous, the same thing at the heart of both, and enough words shared.
    """
    verb_left, rest_left = _parts(left)
    verb_right, rest_right = _parts(right)
    if not are_synonyms(verb_left, verb_right):
        return False
    if words(left) == words(right):
        return True
    if not rest_left or not rest_right or _heart(left) != _heart(right):
        return False
    a, b = {"", *rest_left}, {"", *rest_right}  # the verb counts as one shared word
    contained = len(a & b) / min(len(a), len(b))
    return jaccard(a, b) > JACCARD or contained > CONTAINMENT


def deduplicated(statements: Sequence[str]) -> list[Merged]:
    """Every statement in exactly one result, in the order of first mention.

    Doing it again with the resulting statements changes nothing.
    """
    results = [Merged(statement, (index,)) for index, statement in enumerate(statements)]
    while True:
        merged = _one_round(results)
        if len(merged) == len(results):
            return merged
        results = merged


def _one_round(results: Sequence[Merged]) -> list[Merged]:
    kept: list[Merged] = []
    for result in results:
        for place, earlier in enumerate(kept):
            if is_duplicate(earlier.statement, result.statement):
                kept[place] = _together(earlier, result)
                break
        else:
            kept.append(result)
    return kept


def _together(earlier: Merged, later: Merged) -> Merged:
    fuller = (
        later
        if len(content_stems(later.statement)) > len(content_stems(earlier.statement))
        else earlier
    )
    return Merged(
        fuller.statement,
        tuple(sorted((*earlier.members, *later.members))),
        reason_for(earlier.statement, later.statement),
    )


def reason_for(left: str, right: str) -> str:
    """One sentence on why two statements were put together."""
    if words(left) == words(right):
        return _("Both say the same.")
    verbs = (_parts(left)[0], _parts(right)[0])
    if verbs[0] == verbs[1]:
        return _("“%(one)s” is the same activity, only worded more fully once.") % {
            "one": min(left, right, key=len)
        }
    return _("“%(one)s” and “%(two)s” mean the same here, and both concern the same thing.") % {
        "one": verbs[0],
        "two": verbs[1],
    }


def _parts(statement: str) -> tuple[str, frozenset[str]]:
    """Leading verb and the stems of all other content words."""
    all_words = words(statement)
    verb = all_words[0] if all_words else ""
    rest = all_words[1:]
    while rest and rest[0] in PARTICLES - {"in", "on"}:
        rest = rest[1:]
    return verb, frozenset(content_stems(" ".join(rest)))


def _heart(statement: str) -> str:
    """Stem of the noun that the action is done to or with: "code" in "Review the code of …"."""
    rest = [word for word in words(statement)[1:] if word not in DETERMINERS]
    while rest and (rest[0] in PREPOSITIONS or rest[0] in PARTICLES):
        rest = rest[1:]
    phrase: list[str] = []
    for word in rest:
        if word in PREPOSITIONS or word in {"and", "or"}:
            break
        phrase.append(word)
    return stems(phrase[-1:])[0] if phrase else ""
