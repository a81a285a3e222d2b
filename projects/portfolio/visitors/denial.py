"""Counter-evidence by rules: sentences that say that something is not so, or that others did it.

Only such a sentence makes a “no”; that nothing is said makes `unknown` (DECISIONS 36).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from futura.text import STOP_WORDS, WORD
from projects.portfolio.documents import Doc
from projects.portfolio.index.terms import ASKING
from projects.portfolio.visitors.judged import Case, Judged, Pick
from projects.portfolio.visitors.lexicon import is_soft, key_of
from projects.portfolio.visitors.quotes import keys_of, sentences_of, shortened
from projects.portfolio.visitors.sought import names_of

ENOUGH: Final = 0.6
"""Share of what is asked that a sentence must speak of to decide it."""
NAME, WORD_WEIGHT, SOFT = 2.0, 1.0, 0.34
"""How much of a question a name, a word, and a word of every question are."""
LEAST: Final = 0.6
"""What a sentence must have of a question at least: one soft word is nothing."""
_NOT: Final = re.compile(
    r"\b(?:not(?! (?:only|just|least))|never|none|nobody|nothing|neither|nor|cannot|without|"
    r"no(?! (?:matter|doubt|(?:fewer|less|more) than))|\w+n['’]t)\b",
    re.IGNORECASE,
)
_CLAUSES: Final = re.compile(r"[;,:]\s+|\s+[—–-]\s+|\s+(?:but|and|so|because|while|although)\s+")
# “Did you design …?”: the owner's own doing is asked after
_DOING: Final = re.compile(
    r"\b(?:did|have|had|were) (?:you|your \w+) (?:ever |actually |also |really )*(?P<verb>[a-z]+)",
    re.IGNORECASE,
)
_BY: Final = re.compile(
    r"\b(?:is|are|was|were|been|being)\s+(?:\w+ly\s+)?(\w+)\s+(?:\w+\s+)?by\s+"
    r"(?!(?:me|us|myself|ourselves|hand|default|design|post|mail|\d)\b)\w",
    re.IGNORECASE,
)
_MAKING: Final = frozenset(
    key_of(one) for one in "do make build create design develop write produce draw".split()
) | {key_of("done"), key_of("made"), key_of("drawn"), key_of("written")}


@dataclass(frozen=True)
class _Asked:
    """A part of the question: what says it, and how much it is of the whole."""

    keys: frozenset[str]
    weight: float


def denial(case: Case) -> Judged | None:
    """“No” where a sentence denies what is asked, and none says as much of it otherwise."""
    if case.plan.question_type != "binary":
        return None
    asked = _asked(case)
    whole = sum(one.weight for one in asked)
    if whole < LEAST:
        return None
    best: tuple[float, Pick] | None = None
    most_said = 0.0
    for doc in _docs(case):
        title = keys_of(doc.title)
        rest = [one for one in asked if not one.keys & title]
        for sentence in sentences_of(doc.text):
            keys = keys_of(sentence)
            if _weight(keys, rest) < LEAST:
                continue
            said = _weight(keys | title, asked)
            if not _denies(sentence, rest, case.question):
                most_said = max(most_said, said)
            elif best is None or said > best[0]:
                best = said, Pick(doc, shortened(sentence))
    if best is None or best[0] <= most_said or best[0] < max(LEAST, ENOUGH * whole):
        return None
    return Judged("no", "high", [best[1]], why="A document says that it is not so.")


def _docs(case: Case) -> list[Doc]:
    """What the question is about; where it names nothing, the profile too."""
    if case.looks_for.entities:
        return case.pool
    return [*case.pool, *(one for one in case.documents if one.facet == "profile")]


def _asked(case: Case) -> list[_Asked]:
    """The question in parts, without the names of the documents that it is about."""
    topics = case.looks_for.topics
    found = [
        _Asked(one.keys, NAME if one.is_name or one.is_tool else WORD_WEIGHT) for one in topics
    ]
    known = {key for one in topics for key in one.keys}
    known |= {key_of(word) for one in topics for word in WORD.findall(one.text.lower())}
    known |= {key_of(word) for doc in case.named for name in names_of(doc) for word in name.split()}
    for word in dict.fromkeys(WORD.findall(case.question.lower())):
        key = key_of(word)
        if key in known or word in STOP_WORDS - {"own"} or word in ASKING or not is_soft(word):
            continue
        known.add(key)
        found.append(_Asked(frozenset({key}), SOFT))
    return found


def _weight(keys: Iterable[str], asked: Sequence[_Asked]) -> float:
    there = frozenset(keys)
    return sum(one.weight for one in asked if one.keys & there)


def _denies(sentence: str, asked: Sequence[_Asked], question: str) -> bool:
    if _is_by_others(sentence, asked, question):
        return True
    if not _NOT.search(sentence):
        return False
    for clause in _CLAUSES.split(sentence):
        if not _NOT.search(clause):
            continue
        # “…; I did not”: what goes before is meant
        is_elliptic = not [one for one in WORD.findall(_NOT.sub("", clause).lower())
                           if one not in STOP_WORDS]  # fmt: skip
        if is_elliptic or _weight(keys_of(clause), asked):
            return True
    return False


def _is_by_others(sentence: str, asked: Sequence[_Asked], question: str) -> bool:
    """Whether somebody else did what the question asks the owner to have done."""
    doing = _DOING.search(question)
    if doing is None:
        return False
    for clause in re.split(r"[;:]\s+", sentence):
        found = _BY.search(clause)
        if found is None:
            continue
        done, wanted = key_of(found[1]), key_of(doing["verb"])
        is_same = done == wanted or {done, wanted} <= _MAKING
        if is_same and _weight(keys_of(clause) - {done}, asked) >= LEAST:
            return True
    return False
