"""Sentences of a text, quotation marks; comparison of texts: quote and source, stems, overlap."""

from __future__ import annotations

import math
import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import Stemmer
from django.utils.text import slugify
from django.utils.translation import gettext as _
from rapidfuzz import fuzz

LIKENESS: Final = 85.0
"""Likeness (0 to 100) from which a misquoted stretch counts as the one meant (DECISIONS 45)."""
SHORT_QUOTE: Final = 4
"""A quote of fewer letters must stand as a word of its own: "no" is not in "know"."""
# kinds of one mark, and what fences of prompts put in the place of angle brackets
_MARKS: Final = str.maketrans(
    dict.fromkeys("’‘‚‛´`", "'")
    | dict.fromkeys("“”„‟«»", '"')
    | dict.fromkeys("–—‐‑−", "-")
    | {"‹": "<", "›": ">"}
)
# letters that are no other letter with a mark, as passports write them (ICAO 9303), but ø as ö is
_LATIN: Final = str.maketrans(
    dict(zip("łøđðħŧıŋəɓɗƙƴɛɔ", "loddhtinebdkyeo", strict=True))
    | {"æ": "ae", "œ": "oe", "þ": "th", "ĸ": "q"}
)

WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?", re.UNICODE)

UNSPACED: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""A letter of a script that parts no words by blanks: Thai to Khmer, Japanese, Chinese."""

STOP_WORDS: Final = frozenset(
    """a about after all also am an and any are as at be been being both but by can could did do
    does doing done each else etc few for from get gets getting got had has have having he her hers
    him his how i if in into is it its just kind like lot lots many may me might mine more most
    much my myself of off on one onto or other others our ours out over own really she should so
    some something sort stuff such than that the their theirs them then there these they thing
    things this those through to too under up upon us very was we were what when where which while
    who whom whose why will with within without would you your yours""".split()
)

# A mark that ends a sentence where a blank follows; marks of scripts without blanks; a line's end.
_SENTENCE_END: Final = re.compile(
    r"""[.!?…‥؟۔।॥։።။]+["'”“’‘»«)\]]*(?=\s|$)|[。！？｡]+[」』”’）)\]]*|[\r\n]+"""
)
# A day or a number of a list, and a short word without a vowel ("Dr.", "St."), which ends nothing.
_CONTINUES: Final = re.compile(
    r"(?<![\w.,:])\d{1,2}\.$|(?<!\w)(?:[B-DF-HJ-NP-TV-Z][b-df-hj-np-tv-z]{1,2}|Prof)\.$"
)
_ONLY_NUMBER: Final = re.compile(r"\d+\s?[a-z]?(?=[.,;:!?)]|\s*$)")

_local = threading.local()


def _stemmer() -> Stemmer.Stemmer:
    """PyStemmer objects are not safe to share between threads."""
    if not hasattr(_local, "stemmer"):
        _local.stemmer = Stemmer.Stemmer("english")
    return _local.stemmer


@dataclass(frozen=True)
class Sentence:
    """A sentence without the blanks around it, and its place in the text."""

    text: str
    start: int
    end: int


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences and lines of a text, in order, in any language.

    A full stop before a small letter, before a number that stands alone ("Canal St. 8.") or after
    one or two digits ("12. Juni", "1. Flour") ends none, nor after a title ("Dr. Meyer"). Another
    abbreviation before a capital letter does: only a language would know.
    """
    start = 0
    for mark in _SENTENCE_END.finditer(text):
        if _ends_sentence(text, start, mark):
            yield from _sentence(text, start, mark.end())
            start = mark.end()
    yield from _sentence(text, start, len(text))


def repeats(part: str, text: str) -> bool:
    """Whether a part says nothing new: each of its sentences is one of the text."""
    stored = {sentence.text for sentence in sentences(text)}
    return all(sentence.text in stored for sentence in sentences(part))


def _ends_sentence(text: str, start: int, mark: re.Match[str]) -> bool:
    if mark[0][0] not in ".…":
        return True
    following = text[mark.end() : mark.end() + 80].lstrip(" \t")
    is_within = following[:1].islower() or _ONLY_NUMBER.match(following)
    return not (is_within or _CONTINUES.search(text, start, mark.start() + 1))


def _sentence(text: str, start: int, end: int) -> Iterator[Sentence]:
    stripped = text[start:end].strip()
    if stripped:
        start = text.index(stripped, start)
        yield Sentence(stripped, start, start + len(stripped))


def locate(quote: str, source: str) -> tuple[int, int] | None:
    """Start and end of a quote in its source: letter by letter, else of the stretch most like it.

    Case, width and composition of letters, runs of blanks and kinds of quotation marks make no
    difference, nor do marks around the quote. Knows no language. None when nothing in the source
    has a likeness of `LIKENESS`, or when the quote has neither letter nor digit.
    """
    letters, places = _folded(source)
    text = _folded(quote)[0].strip()
    bare = _bare(text)
    if not bare:
        return None
    for needle in (text, bare):
        for start in _occurrences(needle, letters):
            return places[start][0], places[start + len(needle) - 1][1]
    span = _alike(bare, letters)
    return None if span is None else (places[span[0]][0], places[span[1] - 1][1])


def _folded(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text in one case, width and composition, and for each letter its place in the text."""
    letters: list[str] = []
    places: list[tuple[int, int]] = []
    start = 0
    while start < len(text):
        end = start + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        composed = unicodedata.normalize("NFKC", text[start:end]).translate(_MARKS)
        for letter in composed.casefold():
            if not letter.isspace():
                letters.append(letter)
                places.append((start, end))
            elif letters and letters[-1] != " ":
                letters.append(" ")
                places.append((start, end))
        start = end
    return "".join(letters), places


def _bare(text: str) -> str:
    """Without the marks and blanks around it."""
    inside = [at for at, letter in enumerate(text) if letter.isalnum()]
    return text[inside[0] : inside[-1] + 1] if inside else ""


def _occurrences(needle: str, letters: str) -> Iterator[int]:
    """Where it stands letter by letter: as whole words first, short ones only so."""
    starts: list[int] = []
    start = letters.find(needle)
    while start >= 0:
        starts.append(start)
        start = letters.find(needle, start + 1)
    yield from (at for at in starts if _is_whole(letters, at, at + len(needle)))
    if len(needle) >= SHORT_QUOTE:
        yield from starts


def _is_whole(letters: str, start: int, end: int) -> bool:
    """Whether neither edge cuts a word; scripts of wide letters have no blanks between words."""
    return not any(
        0 < at < len(letters)
        and letters[at - 1].isalnum()
        and letters[at].isalnum()
        and unicodedata.east_asian_width(letters[at]) not in "WF"
        for at in (start, end)
    )


def _alike(needle: str, letters: str) -> tuple[int, int] | None:
    """The stretch most like it, up to the edges of words that it cuts by a letter or so."""
    if len(needle) < SHORT_QUOTE:
        return None
    if len(needle) > len(letters):  # the whole source, never a part of the quote
        whole = (0, len(letters)) if fuzz.ratio(needle, letters) >= LIKENESS else None
        return whole if letters else None
    result = fuzz.partial_ratio_alignment(needle, letters, score_cutoff=LIKENESS)
    if result is None or result.dest_end <= result.dest_start:
        return None
    start, end = result.dest_start, result.dest_end
    slack = math.ceil(len(needle) * (1 - LIKENESS / 100))
    before = range(start, max(start - slack, 0) - 1, -1)
    after = range(end, min(end + slack, len(letters)) + 1)
    start = next((at for at in before if _is_edge(letters, at)), start)
    end = next((at for at in after if _is_edge(letters, at)), end)
    inside = _bare(letters[start:end])
    start = letters.index(inside, start)
    return (start, start + len(inside)) if inside else None


def _is_edge(letters: str, at: int) -> bool:
    """Whether a word ends or begins there."""
    return at in (0, len(letters)) or not (letters[at - 1].isalnum() and letters[at].isalnum())


def words(text: str) -> list[str]:
    """Lower-case words of a text, apostrophes normalised, in order."""
    return [word.replace("’", "'") for word in WORD.findall(text.lower())]


def stems(tokens: Sequence[str]) -> list[str]:
    """Snowball (English) stems of lower-case words, in order."""
    return list(_stemmer().stemWords(list(tokens)))


@lru_cache(maxsize=8192)
def content_stems(text: str) -> frozenset[str]:
    """Stems of the words that carry meaning: neither stop words nor single letters."""
    return frozenset(stems([w for w in words(text) if len(w) > 1 and w not in STOP_WORDS]))


def jaccard(left: Iterable[str], right: Iterable[str]) -> float:
    """Shared share of two sets, 0.0 to 1.0; two empty sets share nothing."""
    return _shared(frozenset(left), frozenset(right))


def content_overlap(left: str, right: str) -> float:
    """Jaccard overlap of the content stems of two texts, 0.0 to 1.0."""
    return _shared(content_stems(left), content_stems(right))


def _shared(a: frozenset[str], b: frozenset[str]) -> float:
    # called for every pair of many texts, most of which share nothing
    if a.isdisjoint(b):
        return 0.0
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared)


def latin_slug(text: str) -> str:
    """A text for an address: a-z, digits, hyphens, `_`; empty where nothing in it is Latin."""
    return slugify(text.casefold().translate(_LATIN))


def shortened(text: str, limit: int = 160) -> str:
    """One line of at most `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def quoted(text: object) -> str:
    """Between the quotation marks of the active language."""
    return _("“%(text)s”") % {"text": text}
