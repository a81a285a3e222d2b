"""Takes Markdown apart: headings with what stands below them as plain text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

_MARKDOWN: Final = MarkdownIt("commonmark")
_FRONT: Final = re.compile(r"\A---\s*\n(.*?)\n---\s*(?:\n|\Z)", re.DOTALL)
_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)
_TAG: Final = re.compile(r"</?[a-zA-Z][^>\n]*>")
_POINT: Final = re.compile(r"^(\s*)•\s+", re.MULTILINE)


@dataclass(frozen=True)
class Link:
    """A link, with the words around it in its paragraph or list item."""

    text: str
    url: str
    context: str


@dataclass
class Part:
    """A heading (level 0 above the first) and what stands below it, up to the next.

    `lines` are those of paragraphs and items as they were broken in the source.
    """

    heading: str = ""
    level: int = 0
    paragraphs: list[str] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def take(self, text: str, links: Sequence[tuple[str, str]] = (), *, is_item: bool) -> None:
        """A paragraph or an item with its links, each by its text and address."""
        lines = [line for line in map(_normalized, text.splitlines()) if line]
        words = " ".join(lines)
        self.links += [Link(label, url, words) for label, url in links if label]
        if words:
            self.lines += lines
            (self.items if is_item else self.paragraphs).append(words)


def parts_of(text: str) -> list[Part]:
    """The parts of a document in order; code, pictures and tags are left out."""
    body = _COMMENT.sub("", _FRONT.sub("", text.replace("\x00", "")))
    parts = [Part()]
    depth, is_heading = 0, False
    for token in _MARKDOWN.parse(_POINT.sub(r"\1- ", body)):
        if token.type in {"list_item_open", "list_item_close"}:
            depth += token.nesting
        elif token.type in {"heading_open", "heading_close"}:
            is_heading = token.nesting == 1
            parts += [Part(level=int(token.tag[1]))] if is_heading else []
        elif token.type == "html_block":
            parts[-1].take(_TAG.sub("", token.content), is_item=False)
        elif token.type == "inline":
            words, links = _inline(token.children or ())
            if is_heading:
                parts[-1].heading = _normalized(words)
            else:
                parts[-1].take(words, links, is_item=depth > 0)
    return parts


def _inline(tokens: Sequence[Token]) -> tuple[str, list[tuple[str, str]]]:
    """The words of a line or paragraph, and its links."""
    words = ""
    links: list[tuple[str, str]] = []
    opened: list[tuple[int, str]] = []
    for token in tokens:
        if token.type in {"text", "code_inline"}:
            words += token.content
        elif token.type in {"softbreak", "hardbreak"}:
            words += "\n"
        elif token.type == "link_open":
            opened.append((len(words), str(token.attrs.get("href", ""))))
        elif token.type == "link_close":
            start, url = opened.pop()
            links.append((_normalized(words[start:]), url))
    return words, links


def _normalized(line: str) -> str:
    return " ".join(line.split()).strip(" |·•–—")


def front_matter(text: str) -> dict[str, str]:
    """The plain `key: value` lines between --- at the top, keys in lower case."""
    match = _FRONT.match(text)
    if match is None:
        return {}
    pairs = (line.partition(":") for line in match[1].splitlines())
    return {key.strip().lower(): value.strip().strip("\"'") for key, mark, value in pairs if mark}
