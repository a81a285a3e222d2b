"""Markdown as the words that visitors read: what is quoted has no signs of markup in it."""

from __future__ import annotations

from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

_parser: Final = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_BREAKS: Final = frozenset({"softbreak", "hardbreak"})


def plain(markdown: str) -> str:
    """The words, a line for each paragraph, heading, item and line of code."""
    lines = [_words(token) for token in _parser.parse(markdown)]
    return "\n".join(line for line in lines if line.strip())


def _words(token: Token) -> str:
    if token.type in {"fence", "code_block"}:
        return token.content.rstrip()
    if token.type != "inline":
        return ""
    parts = ("\n" if one.type in _BREAKS else one.content for one in token.children or ())
    return "".join(parts).strip()
