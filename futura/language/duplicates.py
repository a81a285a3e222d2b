"""Which task statements say the same, and in one sentence why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from futura.language.lexicon import PARTICLES
from futura.language.task_phrases.patterns import DETERMINERS, PREPOSITIONS
from futura.text import content_stems, jaccard, stems, words

JACCARD: Final = 0.5
"""Above it two statements share enough (spec 1, deduplication)."""
CONTAINMENT: Final = 0.7
"""Above it the shorter statement is inside the longer one (spec 1, deduplication)."""
_SYNONYMS: Final = (
    frozenset({"prepare", "write", "draft", "create", "make"}),
    frozenset({"check", "inspect", "examine", "verify"}),
    frozenset({"schedule", "organize", "organise", "arrange", "plan"}),
    frozenset({"fix", "repair", "mend"}),
    frozenset({"clean", "wash"}),
    frozenset({"answer", "reply", "respond"}),
)


@dataclass(frozen=True)
class Merged:
    """One result: the statement that stays, the places (from 0) of those in it, and why."""

    statement: str
    members: tuple[int, ...]
    reason: str = ""


def is_duplicate(left: str, right: str, *, language: str = "en") -> bool:
    """Whether two statements name one activity: by verbs equal or synonymous, by the same thing at
    the heart of both, and by enough words shared; in another language by the same words only.
    """
    if words(left) == words(right):
        return True
    if not language.lower().startswith("en"):
        return False
    verbs = {_verb(left), _verb(right)}
    if len(verbs) > 1 and not any(verbs <= group for group in _SYNONYMS):
        return False
    core = _core(left)
    if not core or core != _core(right):
        return False
    a, b = ({"", *_content(statement)} for statement in (left, right))  # the verb counts as one
    contained = len(a & b) / min(len(a), len(b))
    return jaccard(a, b) > JACCARD or contained > CONTAINMENT


def deduplicated(statements: Sequence[str], *, language: str = "en") -> list[Merged]:
    """Every statement in exactly one result, in the order of first mention.

    Doing it again with the resulting statements changes nothing.
    """
    results = [Merged(statement, (index,)) for index, statement in enumerate(statements)]
    while len(merged := _one_round(results, language)) < len(results):
        results = merged
    return results


def _one_round(results: Sequence[Merged], language: str) -> list[Merged]:
    merged: list[Merged] = []
    for result in results:
        for place, earlier in enumerate(merged):
            if is_duplicate(earlier.statement, result.statement, language=language):
                merged[place] = _together(earlier, result)
                break
        else:
            merged.append(result)
    return merged


def _together(earlier: Merged, later: Merged) -> Merged:
    is_fuller = len(content_stems(later.statement)) > len(content_stems(earlier.statement))
    is_same = words(earlier.statement) == words(later.statement)
    return Merged(
        (later if is_fuller else earlier).statement,
        tuple(sorted((*earlier.members, *later.members))),
        _("Both say the same.") if is_same else _("Both mean the same activity."),
    )


def _verb(statement: str) -> str:
    return words(statement)[0] if words(statement) else ""


def _content(statement: str) -> frozenset[str]:
    """The stems of all content words after the verb and its particle."""
    remaining = words(statement)[1:]
    while remaining and remaining[0] in PARTICLES - {"in", "on"}:
        remaining = remaining[1:]
    return frozenset(content_stems(" ".join(remaining)))


def _core(statement: str) -> str:
    """Stem of the noun that the action is done to or with: "code" in "Review the code of …"."""
    remaining = [word for word in words(statement)[1:] if word not in DETERMINERS]
    while remaining and remaining[0] in PREPOSITIONS | PARTICLES:
        remaining = remaining[1:]
    for index, word in enumerate(remaining):
        if word in PREPOSITIONS | {"and", "or"}:
            return stems(remaining[index - 1 : index])[0]
    return stems(remaining[-1:])[0] if remaining else ""
