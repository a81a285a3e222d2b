"""Turns a reply's Markdown into HTML that may stand on a page: rendered, then sanitised."""

from __future__ import annotations

from typing import Final

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

_TAGS: Final = frozenset(
    "p br strong em del ul ol li code pre blockquote a hr table thead tbody tr th td".split()
)
_renderer = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(
    ["table", "strikethrough"]
)
# a reply is a turn of a conversation: its headings are emphasised lines
_renderer.add_render_rule("heading_open", lambda *_: "<p><strong>")
_renderer.add_render_rule("heading_close", lambda *_: "</strong></p>\n")
_cleaner = nh3.Cleaner(
    tags=set(_TAGS),
    attributes={"a": {"href"}, "ol": {"start"}},
    url_schemes={"http", "https", "mailto"},
    link_rel="noopener noreferrer nofollow",
)


def to_html(text: str) -> SafeString:
    """HTML of untrusted Markdown: an allow-list of tags, links only to the web and to mail."""
    return mark_safe(_cleaner.clean(_renderer.render(text)))  # noqa: S308 - sanitised right here
