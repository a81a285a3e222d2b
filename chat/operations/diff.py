"""Two texts beside each other, with the words that differ; plain pieces, escaped by templates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

WORDS_AT_ONCE: Final = 1_500  # beyond that a changed paragraph is shown as replaced whole
_WORD: Final = re.compile(r"\s*\S+|\s+$")


@dataclass(frozen=True)
class Piece:
    """A stretch of text that stayed, went or came."""

    text: str
    is_changed: bool = False


Line = Sequence[Piece]


@dataclass(frozen=True)
class Sides:
    """Both texts, line by line."""

    before: Sequence[Line]
    after: Sequence[Line]


def sides(before: str, after: str) -> Sides:
    """Compares by lines first, then by words within what changed."""
    old, new = before.split("\n") if before else [], after.split("\n") if after else []
    left: list[Line] = []
    right: list[Line] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            left += [[Piece(line)] for line in old[a:b]]
            right += [[Piece(line)] for line in new[c:d]]
            continue
        went, came = _words("\n".join(old[a:b]), "\n".join(new[c:d]))
        left += _lines(went) if b > a else []
        right += _lines(came) if d > c else []
    return Sides(left, right)


def _words(old: str, new: str) -> tuple[list[Piece], list[Piece]]:
    olds, news = _WORD.findall(old), _WORD.findall(new)
    if not olds or not news or max(len(olds), len(news)) > WORDS_AT_ONCE:
        return [Piece(old, True)] if old else [], [Piece(new, True)] if new else []
    went: list[Piece] = []
    came: list[Piece] = []
    matcher = SequenceMatcher(None, olds, news, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        changed = tag != "equal"
        _add(went, "".join(olds[a:b]), changed)
        _add(came, "".join(news[c:d]), changed)
    return went, came


def _add(pieces: list[Piece], text: str, changed: bool) -> None:
    """The blanks before a changed stretch are nobody's change."""
    if not text:
        return
    blanks = text[: len(text) - len(text.lstrip(" "))] if changed else ""
    if blanks:
        pieces.append(Piece(blanks))
    pieces.append(Piece(text[len(blanks) :], changed))


def _lines(pieces: Sequence[Piece]) -> list[Line]:
    lines: list[list[Piece]] = [[]]
    for piece in pieces:
        first, *more = piece.text.split("\n")
        lines[-1].append(Piece(first, piece.is_changed))
        lines += [[Piece(text, piece.is_changed)] for text in more]
    return [[piece for piece in line if piece.text] for line in lines]
