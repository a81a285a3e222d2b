"""Words and marks of a message with their places, contractions taken apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["word", "comma", "colon", "break", "stop"]


@dataclass(frozen=True, slots=True)
class Token:
    """One word or mark: `lower` is its normalized form, `text[start:end]` what was written."""

    lower: str
    start: int
    end: int
    kind: Kind = "word"
    capital: bool = False


_TOKEN: Final = re.compile(
    r"""(?P<hidden><(?:script|style)\b[^<>]{0,200}>[^<]{0,2000}</(?:script|style)>
        |</?(?:b|i|u|em|strong|a|span|font|small|mark|code)\b[^<>\n]{0,200}>)
    |(?P<tag><[^<>\n]{1,200}>)
    |(?P<abbr>\b(?:e\.g\.?|i\.e\.?|a\.m\.|p\.m\.|approx\.|incl\.)|\bw/)
    |(?P<word>\d+(?:[.:,]\d+)+|[^\W_]+(?:['’\-&.@_][^\W_]+)*'?)
    |(?P<amp>&|\+)
    |(?P<stop>[.!?…]+|[\n\r]+)
    |(?P<break>[;()\[\]{}|•–—*"“”/>]|-{1,3}(?=\s)|->|→)
    |(?P<colon>[:=])
    |(?P<comma>,)""",
    re.VERBOSE | re.IGNORECASE,
)

_PARTS: Final = {
    "im": (("i", 1), ("am", 1)),
    "ive": (("i", 1), ("have", 2)),
    "youre": (("you", 3), ("are", 2)),
    "theyre": (("they", 4), ("are", 2)),
    "weve": (("we", 2), ("have", 2)),
    "theres": (("there", 5), ("is", 1)),
    "thats": (("that", 4), ("is", 1)),
    "whats": (("what", 4), ("is", 1)),
    "hes": (("he", 2), ("is", 1)),
    "shes": (("she", 3), ("is", 1)),
    "cannot": (("can", 3), ("not", 3)),
    "gotta": (("got", 3), ("to", 2)),
    "gonna": (("going", 3), ("to", 2)),
    "wanna": (("want", 3), ("to", 2)),
    "wont": (("will", 2), ("not", 2)),
    "cant": (("can", 2), ("not", 2)),
    "won't": (("will", 2), ("not", 3)),
    "can't": (("can", 2), ("not", 3)),
    **{
        f"{verb}nt": ((verb, len(verb)), ("not", 2))
        for verb in "do does did is are was were has have should would could".split(" ")
    },
}
_CLITICS: Final = {"m": "am", "re": "are", "ll": "will", "ve": "have", "d": "would"}
_IS_AFTER: Final = frozenset(
    "it he she that there here what who where how everything someone everyone this".split(" ")
)
_WRITTEN: Final = {"&": "and", "+": "and", "w/": "with", "n": "and", "em": "them", "'em": "them"}


def _word_tokens(word: str, start: int) -> Iterator[Token]:
    lower = word.lower().replace("’", "'").strip("'")
    end = start + len(word)
    capital = word[0].isupper()
    if lower in _PARTS and len(lower) == len(word):
        at = start
        for part, length in _PARTS[lower]:
            yield Token(part, at, at + length, capital=capital and at == start)
            at += length
        return
    head, mark, tail = lower.partition("'")
    split = 0
    normalized = ""
    if lower.endswith("n't") and len(lower) == len(word):
        split, normalized = 3, "not"
    elif mark and tail in _CLITICS and len(lower) == len(word):
        split, normalized = len(tail) + 1, _CLITICS[tail]
    elif mark and tail == "s" and head in _IS_AFTER and len(lower) == len(word):
        split, normalized = 2, "is"
    if split:
        yield Token(lower[: len(lower) - split], start, end - split, capital=capital)
        yield Token(normalized, end - split, end)
        return
    yield Token(_WRITTEN.get(lower, lower), start, end, capital=capital)


def tokens_of(text: str) -> list[Token]:
    """All words and marks in order; places index into `text`."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        group, piece, start, end = match.lastgroup, match.group(), match.start(), match.end()
        if group == "hidden":
            continue
        if group == "word":
            tokens.extend(_word_tokens(piece, start))
        elif group in {"abbr", "amp"}:
            tokens.append(Token(_WRITTEN.get(piece.lower(), piece.lower()), start, end))
        elif group == "comma":
            tokens.append(Token(",", start, end, "comma"))
        elif group == "colon":
            tokens.append(Token(":", start, end, "colon"))
        elif group == "stop":
            tokens.append(Token("?" if piece[0] == "?" else ".", start, end, "stop"))
        else:
            tokens.append(Token("/" if piece == "/" else "|", start, end, "break"))
    return tokens


def sentences_of(tokens: Sequence[Token]) -> list[list[Token]]:
    """Runs of tokens between full stops, question marks and line ends."""
    sentences: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind == "stop":
            if token.lower == "?" and sentences[-1]:
                sentences[-1].append(token)
            sentences.append([])
        else:
            sentences[-1].append(token)
    return [sentence for sentence in sentences if sentence]


def line_of(tokens: Sequence[Token]) -> str:
    """The lower-case words of some tokens as one line, for patterns."""
    return " ".join(token.lower for token in tokens)
