"""The text of a PDF, line by line; nothing of the file is run, no picture is read."""

from __future__ import annotations

import io
import logging
import re
import struct
import unicodedata
import zlib
from itertools import pairwise
from pathlib import Path
from statistics import median_low
from typing import Any, Final

from pypdf import PageObject, PdfReader
from pypdf.errors import PyPdfError

from projects.portfolio.intake.failures import Code, PreprocessError

LARGEST_BYTES: Final = 10_000_000
PAGES: Final = 40
CHARS: Final = 200_000
BLANK: Final = 1.4
"""A step of so many usual lines leaves a blank one."""
# what a broken or hostile file can raise inside the library, besides its own errors
_BROKEN: Final = (
    *(PyPdfError, OSError, ValueError, KeyError, IndexError, TypeError, AttributeError),
    *(RecursionError, OverflowError, NotImplementedError, ZeroDivisionError, AssertionError),
    *(zlib.error, struct.error),
)
# what our search knows as blanks and signs, in the many ways of type setting
_SIGNS: Final = str.maketrans(
    {
        "\u00a0": " ",
        "\u200b": "",
        "\ufeff": "",
        "\u00ad": "",
        "\u2028": "\n",
        "\x00": "",
        "\t": "  ",
    }
)


def read_pdf(file: Path) -> bytes:
    """The bytes of a resume. Raises PreprocessError."""
    try:
        if file.stat().st_size > LARGEST_BYTES:
            raise PreprocessError(
                Code.PDF_UNREADABLE, f"{file.name} is larger than {LARGEST_BYTES // 10**6} MB."
            )
        return file.read_bytes()
    except OSError as error:
        raise PreprocessError(
            Code.PDF_UNREADABLE, f"the resume {file} cannot be read ({error.strerror})."
        ) from error


def is_pdf(content: bytes) -> bool:
    """Whether it begins as a PDF does."""
    return content.lstrip()[:5].startswith(b"%PDF")


def text_of(content: bytes, name: str = "the resume") -> str:
    """The words of a PDF, a line a line. Raises PreprocessError: unreadable, or without text."""
    if not is_pdf(content):
        raise PreprocessError(Code.PDF_UNREADABLE, f"{name} is no PDF.")
    logging.getLogger("pypdf").setLevel(logging.ERROR)
    try:
        reader = PdfReader(io.BytesIO(content), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise PreprocessError(
                Code.PDF_UNREADABLE, f"{name} asks for a password. Save it without one."
            )
        if len(reader.pages) > PAGES:
            raise PreprocessError(Code.PDF_UNREADABLE, f"{name} has more than {PAGES} pages.")
        pages = [_lines_of(page) for page in reader.pages]
    except PreprocessError:
        raise
    except _BROKEN as error:
        raise PreprocessError(
            Code.PDF_UNREADABLE, f"{name} cannot be read as a PDF ({type(error).__name__})."
        ) from error
    text = tidied("\n".join(pages))[:CHARS]
    if not re.search(r"\w{2}", text):
        raise PreprocessError(
            Code.PDF_EMPTY,
            f"{name} holds no text; it may be a scan. Export it from your word processor.",
        )
    return text


def _lines_of(page: PageObject) -> str:
    """The text of a page; where more than a line's height is left free, a blank line."""
    pieces: list[tuple[float, str]] = []

    def hear(text: str, matrix: list[float], place: list[float], *_: Any) -> None:
        pieces.append((place[5] * matrix[3] + matrix[5], text))

    page.extract_text(visitor_text=hear)
    lines: list[str] = [""]
    heights: list[float | None] = [None]
    for height, text in pieces:
        first, *rest = text.split("\n")
        lines[-1] += first
        if first.strip() and heights[-1] is None:
            heights[-1] = height
        lines += rest
        heights += [None] * len(rest)
    filled = [
        (height, line)
        for height, line in zip(heights, lines, strict=True)
        if line.strip() and height is not None
    ]
    steps = [above - below for (above, _a), (below, _b) in pairwise(filled) if above >= below]
    usual = median_low(steps) if steps else 0.0
    result: list[str] = []
    last: float | None = None
    for height, line in filled:
        is_next = last is not None and 0 <= last - height < usual * BLANK
        result += [line] if is_next else ["", line]
        last = height
    return "\n".join(result)


def tidied(text: str) -> str:
    """Ligatures taken apart, blanks made plain, trailing blanks and page numbers gone."""
    plain = unicodedata.normalize("NFKC", text.translate(_SIGNS))
    lines = (line.rstrip() for line in plain.splitlines())
    remaining = (
        line
        for line in lines
        if not re.fullmatch(r"\s*(?:page\s+)?\d{1,3}(?:\s*(?:/|of)\s*\d+)?", line, re.IGNORECASE)
    )
    return "\n".join(remaining).strip()
