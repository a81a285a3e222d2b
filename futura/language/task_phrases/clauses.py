"""Where one clause of a sentence ends and the next begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from futura.language.lexicon import NOUN_LIKE, PARTICLES
from futura.language.task_phrases.patterns import (
    AUXILIARIES,
    CONDITIONS,
    DETERMINERS,
    OTHER_PRONOUNS,
    OWN_SUBJECTS,
    PREPOSITIONS,
    is_person,
)
from futura.language.tokens import Token
from futura.language.verbs import forms_of, is_base

MIN_RUN: Final = 12
"""Words without a mark from which a message counts as written without punctuation."""
_JOINERS: Final = frozenset("and or plus then nor".split())
_BREAKERS: Final = frozenset("but though although whereas".split())
_SAYING: Final = frozenset(
    "think thinks believe believes assume assumes say says suppose imagine expect wish hope".split()
)
_SEPARATORS: Final = {"comma": ",", "colon": ":", "stop": "?"}
_NO_CLAUSE_AFTER: Final = (
    (PREPOSITIONS - CONDITIONS)
    | frozenset("not do did am have that which what who whom how than why whatever".split())
    | (DETERMINERS - {"this"})
)
_NO_VERB_AFTER: Final = (
    PREPOSITIONS
    | DETERMINERS
    | AUXILIARIES
    | OWN_SUBJECTS
    | OTHER_PRONOUNS
    | frozenset("to not and or never me us him them who which that what how please".split())
) - {"it", "over", "off"}
_CAUSING: Final = frozenset(
    "help helping let letting make making watch see seeing have having ensure ensuring get keep "
    "teach teaching train training".split()
)


@dataclass(frozen=True)
class Piece:
    """Tokens between two separators.

    `separator` is what stood before them: "", ",", "and", "or", "but", "|" (another mark), "own"
    (a new subject). `comma`: a comma stood there too; `is_heading`: a colon follows.
    """

    tokens: tuple[Token, ...]
    separator: str = ""
    comma: bool = False
    is_heading: bool = False


def pieces_of(sentence: Sequence[Token]) -> list[Piece]:
    """The sentence cut at commas, conjunctions and new subjects."""
    pieces: list[Piece] = []
    current: list[Token] = []
    separator, comma = "", False
    openings = _openings_in(sentence)
    for index, token in enumerate(sentence):
        cut = _separator(sentence, index) or ("then" if index in openings else "")
        if not cut:
            current.append(token)
            continue
        if current:
            pieces.append(Piece(tuple(current), separator, comma, is_heading=cut == ":"))
            current, separator, comma = [], "", False
        comma = comma or cut == ","
        separator = cut if cut != "," or not separator else separator
        if cut in {"own", "other"} or index in openings:
            current.append(token)
    if current:
        pieces.append(Piece(tuple(current), separator, comma))
    return pieces


def _separator(sentence: Sequence[Token], index: int) -> str:
    token = sentence[index]
    if token.lower == "/":
        return "and"
    if token.kind != "word":
        return _SEPARATORS.get(token.kind, "|")
    if token.lower in _BREAKERS:
        return "but"
    if token.lower in _JOINERS:
        return token.lower
    if index == 0 or sentence[index - 1].kind != "word" or sentence[index - 1].lower in _JOINERS:
        return ""
    if token.lower in OWN_SUBJECTS and _opens_own_clause(sentence, index):
        return "own"
    after = [later.lower for later in sentence[index + 1 : index + 4]]
    if token.lower in {"my", "our", "the"} and len(after) == 3 and is_person(after[0]):
        before = sentence[index - 1].lower
        is_object = before in _NO_VERB_AFTER or is_base(before)
        return "other" if "s" in forms_of(after[1]) and not is_object else ""
    return ""


def _opens_own_clause(sentence: Sequence[Token], index: int) -> bool:
    """Whether a pronoun without a mark before it opens a clause ("… i check temps i order …")."""
    before = sentence[index - 1].lower
    earlier = sentence[index - 2].lower if index > 1 else ""
    if before == "that" and earlier in {"after", "before", "besides"}:
        return True
    if before in CONDITIONS:
        return before in {"while", "whereas", "where"} and index > 1
    if before in _NO_CLAUSE_AFTER or (before in _SAYING and earlier not in OWN_SUBJECTS):
        return False
    if sentence[index].lower == "you" and before not in {"so", "day"}:
        return False
    words = 0
    for later in sentence[index + 1 : index + 5]:
        if later.kind != "word" or later.lower in _JOINERS | _BREAKERS | OWN_SUBJECTS:
            break
        words += 1
    return words >= 2


def _openings_in(sentence: Sequence[Token]) -> frozenset[int]:
    """Places where a verb opens a clause in a run without marks ("… check tires | fuel …")."""
    openings: set[int] = set()
    start = clause = 0
    run: list[int] = []
    for index, token in enumerate([*sentence, Token("", 0, 0, "stop")]):
        if token.kind != "word":
            if index - start >= MIN_RUN and len(run) > 1:
                openings.update(run)
            start, clause, run = index + 1, index + 1, []
        elif token.lower in _JOINERS | _BREAKERS:
            clause = index + 1
        elif index > clause and _opens_with_verb(sentence, clause, index):
            clause = index
            run.append(index)
    return frozenset(openings)


def _opens_with_verb(sentence: Sequence[Token], clause: int, index: int) -> bool:
    word, before = sentence[index].lower, sentence[index - 1].lower
    after = sentence[index + 1].lower if index + 1 < len(sentence) else ""
    if not is_base(word) or not after or before in _NO_VERB_AFTER or is_person(before):
        return False
    if any(token.lower in _CAUSING for token in sentence[max(clause, index - 4) : index - 1]):
        return False
    if is_base(before) and index - 1 == clause:
        return False
    is_clear = after in DETERMINERS | PARTICLES | {"it", "them"}
    if word in NOUN_LIKE:
        return is_clear or not (is_base(before) or is_base(after) or after in PREPOSITIONS)
    return is_clear or after not in PREPOSITIONS
