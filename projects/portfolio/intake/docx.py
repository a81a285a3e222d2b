"""The text of a Word document, a paragraph a line; nothing of the file is run.

A document is a zip of XML: its paragraphs are read as they stand, list items as points, the cells
of a row beside each other. Called in a process of its own, see `apart`.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree as ET

from projects.portfolio.intake.failures import Code, PreprocessError
from projects.portfolio.intake.pdf import CHARS, tidied

BODY: Final = "word/document.xml"
LARGEST_XML_BYTES: Final = 20_000_000
_BROKEN: Final = (
    *(zipfile.BadZipFile, KeyError, OSError, ValueError, RuntimeError, ET.ParseError),
    *(EOFError, zlib.error),
)
_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def is_docx(content: bytes) -> bool:
    """Whether it is a zip with the body of a Word document."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            return BODY in file.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return False


def text_of(content: bytes, name: str = "the resume") -> str:
    """The words of a document. Raises PreprocessError: unreadable, or without text."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file, file.open(BODY) as body:
            xml = body.read(LARGEST_XML_BYTES + 1)
        if len(xml) > LARGEST_XML_BYTES or b"<!DOCTYPE" in xml or b"<!ENTITY" in xml:
            raise ValueError("too large, or with entities")
        root = ET.fromstring(xml)  # noqa: S314 - no entities, within limits, in a process apart
    except _BROKEN as error:
        raise PreprocessError(
            Code.PDF_UNREADABLE,
            f"{name} cannot be read as a Word document ({type(error).__name__}).",
        ) from error
    body_element = root.find(f"{_W}body")
    lines = _lines(body_element) if body_element is not None else iter(())
    text = tidied("\n".join(lines))[:CHARS]
    if not any(one.isalnum() for one in text):
        raise PreprocessError(Code.PDF_EMPTY, f"{name} holds no text; it may be pictures.")
    return text


def _lines(parent: ET.Element) -> Iterator[str]:
    """Paragraphs in order; a heading has a blank line above it."""
    for child in parent:
        if child.tag == f"{_W}p":
            words = _words(child)
            if words and _is_heading(child):
                yield ""
            is_point = child.find(f"{_W}pPr/{_W}numPr") is not None
            yield f"• {words}" if is_point and words else words
        elif child.tag == f"{_W}tbl":
            yield from _rows(child)
        elif child.tag == f"{_W}sdt":
            inner = child.find(f"{_W}sdtContent")
            if inner is not None:
                yield from _lines(inner)


def _rows(table: ET.Element) -> Iterator[str]:
    """A row of short cells is a line; cells of several lines stand below each other."""
    for row in table.iter(f"{_W}tr"):
        cells = [[line for line in _lines(cell) if line] for cell in row.findall(f"{_W}tc")]
        if all(len(one) <= 1 for one in cells):
            yield "  ".join(line for one in cells for line in one)
        else:
            for cell in cells:
                yield from ("", *cell)


def _words(paragraph: ET.Element) -> str:
    parts: list[str] = []
    for one in paragraph.iter():
        if one.tag == f"{_W}t":
            parts.append(one.text or "")
        elif one.tag == f"{_W}tab":
            parts.append("  ")
        elif one.tag in {f"{_W}br", f"{_W}cr"}:
            parts.append("\n")
    return "".join(parts).strip()


def _is_heading(paragraph: ET.Element) -> bool:
    style = paragraph.find(f"{_W}pPr/{_W}pStyle")
    name = style.get(f"{_W}val", "").casefold() if style is not None else ""
    return name.startswith(("heading", "title"))
