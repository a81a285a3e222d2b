"""Takes the text out of a PDF, a Word document or a web page, in a process with limits of time
and memory.

    python -m projects.portfolio.intake.extract < resume.pdf
    python -m projects.portfolio.intake.extract --page https://example.org/ < page.html

The libraries read what strangers made: a loop in one, or a file that unpacks without end, ends with
the child and touches nobody else. Nothing of a file is run, no picture is read.
"""

from __future__ import annotations

import io
import json
import logging
import re
import resource
import subprocess
import sys
import unicodedata
import zipfile
from collections.abc import Iterator
from itertools import pairwise
from statistics import median_low
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree as ET

from django.conf import settings
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from pypdf import PageObject

LARGEST_BYTES: Final = 10_000_000
LARGEST_XML_BYTES: Final = 20_000_000
PAGES: Final = 40
CHARS: Final = 200_000
DEADLINE_S: Final = 20.0
MEMORY_BYTES: Final = 768 * 1024 * 1024
BLANK: Final = 1.4
"""A step of so many usual lines leaves a blank one."""
BODY: Final = "word/document.xml"
# what our search knows as blanks and signs, in the many ways of type setting
_SIGNS: Final = {
    **dict.fromkeys(map(ord, "\u200b\ufeff\u00ad\x00"), ""),
    ord("\u00a0"): " ",
    ord("\u2028"): "\n",
    ord("\t"): "  ",
}
_PAGE_NUMBER: Final = re.compile(r"\s*(?:page\s+)?\d{1,3}(?:\s*(?:/|of)\s*\d+)?", re.IGNORECASE)
_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_BOX, _CELL = f"{_W}txbxContent", f"{_W}tc"
_AGAIN: Final = {
    f"{_W}rt",
    "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback",
}


class _Unreadable(Exception):
    """What is wrong with a document: a key of `_FAULTS`, told by a process without settings."""

    def message_for(self, name: str, deadline_s: float) -> str:
        """What a person reads of it."""
        limits = {"megabytes": LARGEST_BYTES // 10**6, "pages": PAGES, "seconds": deadline_s}
        return _FAULTS[str(self)] % {"name": name, **limits}


_FAULTS: Final = {
    "broken": _("%(name)s cannot be read. Save it again, or paste its text."),
    "large": _("%(name)s is larger than %(megabytes)d MB."),
    "slow": _("%(name)s took longer than %(seconds)d seconds to read. Paste its text instead."),
    "other": _("%(name)s is no PDF."),
    "empty": _("%(name)s holds no text; it may be a scan. Export it from your word processor."),
    "locked": _("%(name)s asks for a password. Save it without one."),
    "long": _("%(name)s has more than %(pages)d pages."),
    "page": _("%(name)s cannot be read as a web page. Paste its text instead."),
    "packed": _("%(name)s unpacks to far more than a resume holds."),
}


def is_pdf(content: bytes) -> bool:
    return content.lstrip()[:5].startswith(b"%PDF")


def is_docx(content: bytes) -> bool:
    """Whether it is a zip with the body of a Word document."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            return BODY in file.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return False


def text_apart(content: bytes, name: str, *, deadline_s: float = DEADLINE_S) -> str:
    """The words of a document. Raises PreprocessError: unreadable, too slow, without text."""
    # the child need not load it: that takes a third of its start
    from projects.portfolio.intake.failures import Code, PreprocessError

    try:
        if len(content) > LARGEST_BYTES:
            raise _Unreadable("large")
        return _in_child(content, deadline_s=deadline_s)
    except _Unreadable as error:
        code = Code.PDF_EMPTY if str(error) == "empty" else Code.PDF_UNREADABLE
        raise PreprocessError(code, error.message_for(name, deadline_s)) from error


def page_apart(page: str, url: str, *, deadline_s: float = DEADLINE_S) -> str:
    """The words of a web page as Markdown. Raises PreprocessError: too slow, unreadable.

    Its reader takes the longer the deeper a page is nested: a hostile one would take half an hour.
    """
    from projects.portfolio.intake.failures import Code, PreprocessError

    try:
        return _in_child(page.encode(), "--page", url, deadline_s=deadline_s)
    except _Unreadable as error:
        # what is wrong with documents is worded for files that can be saved again
        fault = error if str(error) == "slow" else _Unreadable("page")
        raise PreprocessError(Code.PAGE_UNAVAILABLE, fault.message_for(url, deadline_s)) from error


def _in_child(content: bytes, *arguments: str, deadline_s: float) -> str:
    """What the process apart reads. Raises _Unreadable."""
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and module
            [sys.executable, "-m", __name__, *arguments],
            input=content,
            capture_output=True,
            timeout=deadline_s,
            check=False,
            cwd=settings.BASE_DIR,
            env={"PYTHONIOENCODING": "utf-8", "DJANGO_SETTINGS_MODULE": ""},
        )
    except subprocess.TimeoutExpired as error:
        raise _Unreadable("slow") from error
    answer = json.loads(done.stdout) if done.returncode == 0 else {"fault": "broken"}
    if "fault" in answer:
        raise _Unreadable(answer["fault"])
    return str(answer["text"])


def text_of(content: bytes) -> str:
    """The words of a document, told by what is in it. Raises _Unreadable, and for a broken file
    whatever the libraries raise: that ends the process.
    """
    is_word = content.startswith(b"PK")
    if not is_word and not is_pdf(content):
        raise _Unreadable("other")
    lines = _docx_lines(content) if is_word else _pdf_lines(content)
    text = tidied("\n".join(lines))[:CHARS]
    if not re.search(r"\w{2}", text):
        raise _Unreadable("empty")
    return text


def tidied(text: str) -> str:
    """Ligatures taken apart, blanks made plain, trailing blanks and page numbers gone."""
    normalized = unicodedata.normalize("NFKC", text.translate(_SIGNS))
    lines = (line.rstrip() for line in normalized.splitlines())
    return "\n".join(line for line in lines if not _PAGE_NUMBER.fullmatch(line)).strip()


# PDF ---------------------------------------------------------------------------------------------
def _pdf_lines(content: bytes) -> Iterator[str]:
    from pypdf import PdfReader  # only the child needs it

    logging.getLogger("pypdf").setLevel(logging.ERROR)
    reader = PdfReader(io.BytesIO(content), strict=False)
    if reader.is_encrypted and not reader.decrypt(""):
        raise _Unreadable("locked")
    if len(reader.pages) > PAGES:
        raise _Unreadable("long")
    for page in reader.pages:
        yield from _lines_of_page(page)


def _lines_of_page(page: PageObject) -> Iterator[str]:
    """The lines of a page; where more than a line's height is left free, a blank line."""
    pieces: list[tuple[float, str]] = []

    def hear(text: str, matrix: list[float], place: list[float], *_: Any) -> None:
        pieces.append((place[5] * matrix[3] + matrix[5], text))

    page.extract_text(visitor_text=hear)
    lines: list[tuple[float | None, str]] = [(None, "")]
    for height, text in pieces:
        first, *following = text.split("\n")
        above, words = lines[-1]
        lines[-1] = (height if above is None and first.strip() else above, words + first)
        lines += [(None, line) for line in following]
    filled = [(height, line) for height, line in lines if height is not None and line.strip()]
    steps = [above - below for (above, _a), (below, _b) in pairwise(filled) if above >= below]
    usual = median_low(steps) if steps else 0.0
    last: float | None = None
    for height, line in filled:
        if last is None or not 0 <= last - height < usual * BLANK:
            yield ""
        yield line
        last = height


# Word --------------------------------------------------------------------------------------------
def _docx_lines(content: bytes) -> Iterator[str]:
    with zipfile.ZipFile(io.BytesIO(content)) as file, file.open(BODY) as body:
        xml = body.read(LARGEST_XML_BYTES + 1)
    if len(xml) > LARGEST_XML_BYTES or b"<!DOCTYPE" in xml or b"<!ENTITY" in xml:
        raise ValueError("too large, or with entities")
    root = ET.fromstring(xml)  # noqa: S314 - no entities, within limits, in a process apart
    element = root.find(f"{_W}body")
    if element is not None:
        yield from _paragraphs(element)


def _paragraphs(parent: ET.Element) -> Iterator[str]:
    """A paragraph a line, list items as points; a heading has a blank line above it."""
    for child in parent:
        if child.tag == f"{_W}p":
            words = _words(child)
            style = child.find(f"{_W}pPr/{_W}pStyle")
            name = style.get(f"{_W}val", "").casefold() if style is not None else ""
            if words and name.startswith(("heading", "title")):
                yield ""
            is_point = child.find(f"{_W}pPr/{_W}numPr") is not None
            yield f"• {words}" if is_point and words else words
            for box in (piece for piece in _inside(child) if piece.tag == _BOX):
                yield from ("", *_paragraphs(box), "")
        elif child.tag == f"{_W}tbl":
            yield from _rows(child)
        elif child.tag == f"{_W}sdt":
            for inner in child.iterfind(f"{_W}sdtContent"):
                yield from _paragraphs(inner)


def _rows(table: ET.Element) -> Iterator[str]:
    """A row of short cells is a line; cells of several lines stand below each other."""
    for row in (piece for piece in _inside(table) if piece.tag == f"{_W}tr"):
        parts = (piece for piece in _inside(row) if piece.tag == _CELL)
        cells = [[line for line in _paragraphs(cell) if line] for cell in parts]
        if all(len(cell) <= 1 for cell in cells):
            yield "  ".join(line for cell in cells for line in cell)
        else:
            for cell in cells:
                yield from ("", *cell)


def _words(paragraph: ET.Element) -> str:
    signs = {f"{_W}tab": "  ", f"{_W}br": "\n", f"{_W}cr": "\n"}
    return "".join(
        (piece.text or "") if piece.tag == f"{_W}t" else signs.get(piece.tag, "")
        for piece in _inside(paragraph)
    ).strip()


def _inside(parent: ET.Element) -> Iterator[ET.Element]:
    """What is in it, boxes and cells closed, as they have lines of their own; nothing of what says
    the same once more: readings above words, and boxes for programs that do not know the new ones.
    """
    for child in parent:
        if child.tag not in _AGAIN:
            yield child
            if child.tag not in {_BOX, _CELL}:
                yield from _inside(child)


def _page(content: bytes, url: str) -> str:
    from projects.portfolio.intake.web_page import markdown_of  # documents need no nh3

    return markdown_of(content.decode(), url)


# The process apart -------------------------------------------------------------------------------
def main() -> None:
    """Reads standard input, writes `{"text"}` or `{"fault"}`; limits first."""
    seconds = int(DEADLINE_S) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        content = sys.stdin.buffer.read(LARGEST_BYTES + 1)
        answer = {"text": _page(content, *sys.argv[2:]) if sys.argv[1:] else text_of(content)}
    except _Unreadable as error:
        answer = {"fault": str(error)}
    except MemoryError:
        answer = {"fault": "packed"}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
