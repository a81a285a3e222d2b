"""The words of a web page as Markdown: headings, points and links; nothing of it is run."""

from __future__ import annotations

import html
import re
from typing import Final

import nh3

PAGE_CHARS: Final = 100_000
_LEFT_OUT: Final = {
    *("script", "style", "noscript", "template", "svg", "nav", "footer", "form", "iframe", "title")
}
# what stands in Markdown where a tag begins
_BREAKS: Final = {
    **dict.fromkeys(
        ("p div section article main header ul ol table tr blockquote dl dt dd figure figcaption "
         "aside address pre hr").split(),
        "\n\n",
    ),
    **{f"h{level}": f"\n\n{'#' * level} " for level in range(1, 7)},
    "li": "\n- ", "br": "\n", "td": " ", "th": " ",
}  # fmt: skip
_TITLE: Final = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL | re.IGNORECASE)
_LINK: Final = re.compile(r'<a href="([^"\s()<>]+)">(.*?)</a>')
_TAG: Final = re.compile(r"</?(\w+)[^>]*>")
# what a point or a heading says may stand in a block of its own
_ALONE: Final = re.compile(r"^(-|#{1,6})\n+(?=[^\s#-])", re.MULTILINE)


def markdown_of(page: str, url: str = "") -> str:
    """The words of a page with its headings, points and links; text that is no HTML as it is.

    Nothing of it is run.
    """
    if "<" not in page:
        return page.strip()[:PAGE_CHARS]
    cleaned = nh3.clean(
        page,
        tags={*_BREAKS, "a"},
        clean_content_tags=_LEFT_OUT,
        attributes={"a": {"href"}},
        link_rel=None,
        url_schemes={"http", "https"},
        url_relative=("rewrite_with_base", url) if url else "deny",
    )
    linked = _LINK.sub(r"[\2](\1)", re.sub(r"\s+", " ", cleaned))
    lines = html.unescape(_TAG.sub(_break, linked)).split("\n")
    text = "\n".join(" ".join(line.split()) for line in lines)
    text = _ALONE.sub(r"\1 ", re.sub(r"\n{3,}", "\n\n", text)).strip()
    title = _TITLE.search(page)
    if title and not re.search(r"^# ", text, re.MULTILINE):
        text = f"# {' '.join(html.unescape(title[1]).split())}\n\n{text}"
    return text[:PAGE_CHARS]


def _break(tag: re.Match[str]) -> str:
    """What stands in Markdown where a tag stood; blocks and headings end in a blank line."""
    sign = _BREAKS.get(tag[1], "")
    if tag[0].startswith("</"):
        return "\n\n" if sign.startswith("\n\n") else ""
    return sign
