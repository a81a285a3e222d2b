"""Words of documents: sentences that may be quoted, and whether a quote stands where it should."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from projects.portfolio.documents import Doc
from projects.portfolio.index.terms import terms_of
from projects.portfolio.visitors.lexicon import key_of

QUOTE_CHARS: Final = 300
_SENTENCES: Final = re.compile(r"(?<=[.!?…])[\"”’)]*\s+(?=[A-ZÀ-Þ0-9\"“‘(])")
_LEAD: Final = re.compile(r"^\s*(?:[-*•·–]|\d+[.)])\s+")
_SAME_SIGNS: Final = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " ", "…": "..."}
)


def normalised(text: str) -> str:
    """A text as quotes are compared: case, blanks, quotation marks and dashes made alike."""
    plain = " ".join(text.translate(_SAME_SIGNS).casefold().split())
    return plain.strip(" .\"'")


def stands_in(quote: str, doc: Doc) -> bool:
    """Whether a quote stands in the text or the title of a document."""
    wanted = normalised(quote)
    return len(wanted) > 1 and (wanted in _plain(doc.text) or wanted in _plain(doc.title))


@lru_cache(maxsize=2048)
def _plain(text: str) -> str:
    return normalised(text)


@lru_cache(maxsize=2048)
def sentences_of(text: str) -> tuple[str, ...]:
    """Sentences and lines of a document, in order."""
    found = []
    for line in text.splitlines():
        plain = _LEAD.sub("", line).strip()
        said = (one.strip() for one in _SENTENCES.split(plain))
        found += [one for one in said if one]
    return tuple(found)


@lru_cache(maxsize=4096)
def keys_of(text: str) -> frozenset[str]:
    """What a text says, as stems and names (see `lexicon.key_of` and `index.terms`)."""
    stems = terms_of(text)
    words = re.findall(r"[^\W_]+(?:['’][^\W_]+)?", text.lower())
    return frozenset(stems) | {key_of(one) for one in words}


def said_by(doc: Doc) -> frozenset[str]:
    """All that a document says: title, text, and other spellings of its names."""
    return keys_of(f"{doc.title}\n{doc.text}\n{doc.keywords}")


def shortened(quote: str, limit: int = QUOTE_CHARS) -> str:
    """A quote that is not too long, cut at a word; what is left still stands in the document."""
    if len(quote) <= limit:
        return quote
    return quote[:limit].rsplit(" ", 1)[0].rstrip(" ,;:-–—")


def best_quote(doc: Doc, wanted: Iterable[frozenset[str]], *, labels: Sequence[str] = ()) -> str:
    """The sentence that says most of what is wanted; the earliest among equals.

    `labels` are beginnings of lines that are preferred (“Location”). Empty where a document has
    nothing that may be quoted.
    """
    told = sentences_of(doc.text)
    for label in labels:
        line = next((one for one in told if one.startswith(f"{label}:")), "")
        if line:
            return shortened(line)
    groups, span = list(wanted), month_span(doc)

    def weight(one: str) -> tuple[int, bool, bool]:
        keys = keys_of(one)
        is_told = not _is_label(one) and one != span
        return sum(bool(keys & group) for group in groups), is_told, len(one) > 25

    best = max(told, key=weight, default="")
    if not best:
        return ""
    return shortened(best)


def _is_label(line: str) -> bool:
    return re.match(r"^[A-Z][a-z ]{2,18}: ", line) is not None


def month_span(doc: Doc) -> str:
    """When something was, as people write it: “2021-03 to present”."""
    if doc.is_current and doc.started:
        return f"{doc.started} to present"
    return " to ".join(filter(None, (doc.started, doc.ended)))
