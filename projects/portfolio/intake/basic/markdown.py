"""Takes Markdown apart: headings with what stands below them, as plain text; links kept aside."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from futura.limits import storable

_FRONT: Final = re.compile(r"\A---\s*\n(.*?)\n---\s*(?:\n|\Z)", re.DOTALL)
_TAGS: Final = re.compile(r"<!--.*?-->|</?[a-zA-Z][^>\n]*>", re.DOTALL)


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
    quotes: list[str] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": True}).enable("table")


def parts_of(text: str) -> list[Part]:
    """The parts of a document in order; code blocks and raw HTML are left out."""
    found = [Part()]
    tokens = _parser().parse(_FRONT.sub("", storable(text)))
    depth_of_lists = depth_of_quotes = 0
    heading: Part | None = None
    for token in tokens:
        if token.type == "heading_open":
            heading = Part(level=int(token.tag[1]))
            found.append(heading)
        elif token.type == "heading_close":
            heading = None
        elif token.type in {"list_item_open", "list_item_close"}:
            depth_of_lists += token.nesting
        elif token.type in {"blockquote_open", "blockquote_close"}:
            depth_of_quotes += token.nesting
        elif token.type == "inline":
            _take(
                token, found[-1], heading, is_item=depth_of_lists > 0, is_quote=depth_of_quotes > 0
            )
    return found


def _take(token: Token, part: Part, heading: Part | None, *, is_item: bool, is_quote: bool) -> None:
    broken, links = _plain(token)
    words = " ".join(broken.split("\n")).replace("\v", "\n")
    part.links += [Link(text, url, words) for text, url in links]
    if not words:
        return
    if heading is not None:
        heading.heading = words
        return
    part.lines += broken.replace("\v", "\n").split("\n")
    if is_quote:
        part.quotes.append(words)
    elif is_item:
        part.items.append(words)
    else:
        part.paragraphs.append(words)


def _plain(token: Token) -> tuple[str, list[tuple[str, str]]]:
    """Words of a line of tokens, pictures and tags left out, and its links.

    A line break of the source is \\n, one that was meant \\v.
    """
    words: list[str] = []
    links: list[tuple[str, str]] = []
    urls: list[tuple[str, int]] = []
    for one in token.children or []:
        if one.type == "text" or one.type == "code_inline":
            words.append(one.content)
        elif one.type in {"softbreak", "hardbreak"}:
            words.append("\v" if one.type == "hardbreak" else "\n")
        elif one.type == "link_open":
            urls.append((str(one.attrGet("href") or ""), len(words)))
        elif one.type == "link_close" and urls:
            url, begin = urls.pop()
            links.append(("".join(words[begin:]).strip(), url))
    text = _TAGS.sub("", "".join(words))
    return re.sub(r"[ \t]+", " ", text).strip(" \t\n\v|·•–—"), links


def front_matter(text: str) -> dict[str, str]:
    """The plain `key: value` lines between --- at the top, keys in lower case."""
    match = _FRONT.match(text)
    if match is None:
        return {}
    pairs = (line.partition(":") for line in match[1].splitlines())
    return {key.strip().lower(): value.strip().strip("\"'") for key, mark, value in pairs if mark}
