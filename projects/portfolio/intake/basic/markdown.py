"""Takes Markdown apart by its lines: headings with what stands below them as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

_FRONT: Final = re.compile(r"\A---\s*\n(.*?)\n---\s*(?:\n|\Z)", re.DOTALL)
_LEFT_OUT: Final = re.compile(
    r"<!--.*?-->|^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*$|\Z)", re.DOTALL | re.MULTILINE
)
_HEADING: Final = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*$")
_UNDERLINE: Final = re.compile(r"^(?:=+|-{3,})\s*$")
_ITEM: Final = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+(.*)$")
_PICTURE: Final = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK: Final = re.compile(r"\[([^\[\]]*)\]\(<?([^\s)>]+)>?(?:\s+[\"'][^)]*)?\)")
_TAGS: Final = re.compile(r"</?[a-zA-Z][^>\n]*>")
_MARKS: Final = re.compile(r"\*\*|__|`+|~~|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)")


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

    def take(self, block: list[str], *, is_item: bool) -> None:
        """A paragraph or an item of these lines."""
        told = [_plain(line) for line in block]
        words = " ".join(filter(None, told))
        for text, url in _LINK.findall(_PICTURE.sub("", " ".join(block))):
            if text.strip():
                self.links.append(Link(_plain(text), url, words))
        if words:
            self.lines += filter(None, told)
            (self.items if is_item else self.paragraphs).append(words)


def parts_of(text: str) -> list[Part]:
    """The parts of a document in order; code blocks, pictures and raw HTML are left out."""
    parts = [Part()]
    block: list[str] = []
    is_item = False
    for line in (*_lines(text), ""):
        heading, item = _HEADING.match(line), _ITEM.match(line)
        if block and not is_item and _UNDERLINE.match(line):
            parts.append(Part(_plain(" ".join(block)), 1 if line[0] == "=" else 2))
            block = []
            continue
        if block and (heading or item or not line.strip()):
            parts[-1].take(block, is_item=is_item)
            block = []
        if heading:
            parts.append(Part(_plain(heading[2]), len(heading[1])))
        elif line.strip():
            is_item = bool(item) or (is_item and bool(block))
            block.append(item[1] if item else line.strip())
    return parts


def _lines(text: str) -> Iterator[str]:
    body = _LEFT_OUT.sub("", _FRONT.sub("", text.replace("\x00", "")))
    for line in body.splitlines():
        yield re.sub(r"^\s*>\s?", "", line)


def _plain(line: str) -> str:
    """Words of a line: links by their text, without pictures, tags and marks."""
    words = _LINK.sub(r"\1", _PICTURE.sub("", line))
    words = _MARKS.sub("", _TAGS.sub("", words))
    return re.sub(r"[ \t]+", " ", words).strip(" \t|·•–—")


def front_matter(text: str) -> dict[str, str]:
    """The plain `key: value` lines between --- at the top, keys in lower case."""
    match = _FRONT.match(text)
    if match is None:
        return {}
    pairs = (line.partition(":") for line in match[1].splitlines())
    return {key.strip().lower(): value.strip().strip("\"'") for key, mark, value in pairs if mark}
