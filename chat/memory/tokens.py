"""How many tokens a text costs, and which of the last messages a budget of them leaves."""

from __future__ import annotations

import base64
import importlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol

import orjson
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from chat.memory.shapes import Utterance
from futura.text import sentences

MESSAGE_OVERHEAD: Final = 4
"""Tokens that a message costs beside its words: role and separators."""

_PIECES: Final = re.compile(
    r"(?P<blob>[A-Za-z0-9+/_=]{24,})"  # ids, hashes, encoded bytes
    r"|(?P<word>[A-Z]?[a-z]+)"
    r"|(?P<capitals>[A-Z]+)"
    r"|(?P<digits>\d+)"
    r"|(?P<blank>[ \t\r\n]+)"
    r"|(?P<signs>[!-/:-@\[-`{-~]+)"
    r"|(?P<latin>[\u00c0-\u024f]+)"
    r"|(?P<marked>[\u0300-\u036f\u1e00-\u1eff]+)"  # as in Vietnamese
    r"|(?P<cased>[\u0370-\u052f]+)"  # Greek, Cyrillic
    r"|(?P<abjad>[\u0590-\u06ff]+)"  # Hebrew, Arabic
    r"|(?P<indic>[\u0900-\u0e7f\u10a0-\u10ff]+)"  # Devanagari to Thai, Georgian
    r"|(?P<cjk>[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]+)"
    r"|(?P<hangul>[\uac00-\ud7af]+)"
    r"|(?P<typography>[\u2010-\u2044\u00a0-\u00bf]+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
# Tokens per character beyond what a run costs at least, by kind of run.
_PER_CHARACTER: Final[Mapping[str, float]] = {
    "blob": 0.62,
    "capitals": 0.42,
    "digits": 0.44,
    "signs": 0.58,
    "latin": 1.0,
    "marked": 0.3,
    "cased": 0.45,
    "abjad": 0.49,
    "indic": 0.46,
    "cjk": 0.86,
    "hangul": 0.74,
    "typography": 0.7,
    "other": 2.3,
}


class _Encoding(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...


def count(text: str) -> int:
    encoding = _encoding(settings.TOKENISER)
    return len(encoding.encode_ordinary(text)) if encoding else estimate(text)


def count_message(text: str, parts: Sequence[Mapping[str, Any]] = ()) -> int:
    """Tokens of a message with everything that is kept in its parts, tool payloads included."""
    payload = orjson.dumps(list(parts), default=str).decode() if parts else ""
    return MESSAGE_OVERHEAD + count(text) + (count(payload) if payload else 0)


def estimate(text: str) -> int:
    """Tokens of a text without a tokeniser: on average a quarter more than it has."""
    total = 0.0
    for piece in _PIECES.finditer(text):
        kind = piece.lastgroup or "other"
        length = piece.end() - piece.start()
        if kind == "word":
            total += 1.0 if length <= 5 else length / 3.75
        elif kind == "blank":
            total += 0.0 if length == 1 and text[piece.start()] == " " else 1.0
        else:
            total += max(0.95, length * _PER_CHARACTER[kind])
    return round(total) + (1 if text else 0)


@cache
def _encoding(file: str) -> _Encoding | None:
    if not file:
        return None
    try:
        tiktoken = importlib.import_module("tiktoken")
    except ImportError as error:
        raise ImproperlyConfigured(
            "FUTURA_TOKENISER is set, but the extra 'tokeniser' is not installed."
        ) from error
    encoding: _Encoding = tiktoken.Encoding(
        name="o200k_base", pat_str=_WORDS, mergeable_ranks=_ranks(Path(file)), special_tokens={}
    )
    return encoding


def _ranks(file: Path) -> dict[bytes, int]:
    """Reads lines of a base64 token and its rank."""
    try:
        rows = (line.split() for line in file.read_bytes().splitlines() if line)
        return {base64.b64decode(token): int(rank) for token, rank in rows}
    except (OSError, ValueError) as error:
        raise ImproperlyConfigured(f"FUTURA_TOKENISER: {file} cannot be read: {error}.") from error


# How the o200k encodings cut a text before they look for tokens; part of the encoding.
_UPPER: Final = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
_LOWER: Final = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_SHORT: Final = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_WORDS: Final = "|".join(
    (
        rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_SHORT}",
        rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_SHORT}",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    )
)


SMALLEST: Final = 24
"""Tokens below which a shortened message says nothing any more."""

GAP: Final = " […] "


def newest(messages: Sequence[Utterance], budget: int, *, least: int = 0) -> list[Utterance]:
    """The newest messages that fit into `budget` tokens, in order.

    `least` messages are kept even if each then has to be shortened to its share of the budget.
    A budget under SMALLEST tokens gives nothing.
    """
    if budget < SMALLEST or not messages:
        return []
    counted = [_counted(message) for message in messages]
    used = number = 0
    for message in reversed(counted):
        used += message.tokens
        if used > budget:
            break
        number += 1
    required = max(1, min(least, len(counted), budget // SMALLEST))
    if number >= required:
        return counted[-number:]
    stored = counted[-required:]
    cap = common_cap([message.tokens for message in stored], budget)
    return [item if item.tokens <= cap else _shortened(item, cap) for item in stored]


def _counted(message: Utterance) -> Utterance:
    if message.tokens:
        return message
    return replace(message, tokens=count_message(message.text, message.parts))


def common_cap(sizes: Sequence[int], budget: int) -> int:
    """The largest size to which all can be cut so that together they fit."""
    remaining, ascending = budget, sorted(sizes)
    for done, size in enumerate(ascending):
        share = remaining // (len(ascending) - done)
        if size > share:
            return share
        remaining -= size
    return budget


def _shortened(message: Utterance, tokens: int) -> Utterance:
    """The message within so many tokens: its parts go where they take more than half of them."""
    size = count_message("", message.parts)
    parts = message.parts if size <= tokens // 2 else ()
    text = clipped(message.text, tokens - count_message("", parts))
    return replace(message, text=text, parts=parts, tokens=min(tokens, count_message(text, parts)))


def clipped(text: str, tokens: int) -> str:
    """Beginning and end of a text within so many tokens, two thirds to the beginning."""
    size = count(text)
    if size <= tokens:
        return text
    keep = len(text) * max(0, tokens - count(GAP)) // max(1, size)
    while keep > 0:
        head, tail = keep * 2 // 3, keep // 3
        cut = f"{text[:head].rstrip()}{GAP}{text[len(text) - tail :].lstrip()}"
        if count(cut) <= tokens:
            return cut
        keep = keep * 9 // 10 - 1
    return ""


def opening(text: str, tokens: int) -> str:
    """The first sentences of a text within so many tokens; of a longer one beginning and end."""
    if count(text) <= tokens:
        return text.strip()
    end = used = 0
    for sentence in sentences(text):
        used += count(text[end : sentence.end]) + 1
        if used > tokens:
            return text[:end].strip() or clipped(sentence.text, tokens)
        end = sentence.end
    return text[:end].strip()
