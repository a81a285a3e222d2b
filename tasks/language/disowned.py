"""Sentences that give their work away at the end: "dispatch plans the routes, not me"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tasks.language.tokens import Token, plain

_OWN: Final = re.compile(r"\b(?:i|i'm|i've|we|we're|we've|my job is)\b")
_NOT_MINE: Final = re.compile(
    r"(?:(?:that's|that is|it's|it is|this is|is|are|was|but|so|definitely|certainly|by) ?)*"
    r"(?:not|isn't|aren't|never) (?:by |for |up to |down to )?"
    r"(?:me|us|mine|ours|(?:my|our) (?:job|task|work|role|thing|department|side|area|problem))"
    r"(?: (?:though|anymore|any more|at all|really|sadly|luckily|thankfully))*\W*$"
)


def is_disowned(sentence: Sequence[Token]) -> bool:
    """Whether the end says that all of it is somebody else's.

    With a first person before it ("I do invoices, the books are not mine") the end speaks of its
    own part only; that is for the clauses to tell.
    """
    line = plain(sentence)
    found = _NOT_MINE.search(line)
    return found is not None and found.start() > 0 and not _OWN.search(line[: found.start()])
