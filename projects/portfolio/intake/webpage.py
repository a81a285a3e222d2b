"""A web page as Markdown: headings, paragraphs, points and links; nothing of it is run."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final
from urllib.parse import urljoin

from projects.portfolio.intake.failures import Code, PreprocessError
from projects.portfolio.intake.fetch import CannotFetch, UrlPolicy, fetch

CHARS: Final = 100_000
_LEFT_OUT: Final = frozenset(
    {"script", "style", "noscript", "template", "svg", "nav", "footer", "form", "head", "iframe"}
)
_BLOCKS: Final = frozenset(
    {"p", "div", "section", "article", "main", "header", "ul", "ol", "table", "tr", "blockquote"}
    | {"dl", "dt", "dd", "figure", "figcaption", "aside", "address", "pre", "hr", "body"}
)
_HEADINGS: Final = {f"h{level}": f"{'#' * level} " for level in range(1, 7)}


def read_page(url: str, policy: UrlPolicy) -> str:
    """The text of a page. Raises PreprocessError: out of policy, unreachable, or without text."""
    try:
        text = markdown_of(fetch(url, policy), url)
    except CannotFetch as error:
        raise PreprocessError(Code.PAGE_UNAVAILABLE, str(error), retry_helps=True) from error
    if not re.search(r"\w{2}", text):
        raise PreprocessError(Code.PAGE_UNAVAILABLE, f"{url} holds no text to read.")
    return text


def markdown_of(html: str, url: str = "") -> str:
    """The words of a page, a block a paragraph; text that is no HTML as it is."""
    if "<" not in html:
        return html.strip()[:CHARS]
    reader = _Page(url)
    reader.feed(html)
    reader.close()
    lines = (re.sub(r"[ \t]+", " ", line).strip() for line in "".join(reader.pieces).split("\n"))
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    if not re.search(r"^# ", text, re.MULTILINE) and reader.title.strip():
        text = f"# {' '.join(reader.title.split())}\n\n{text}"
    return text[:CHARS]


class _Page(HTMLParser):
    def __init__(self, url: str) -> None:
        super().__init__(convert_charrefs=True)
        self.url = url
        self.pieces: list[str] = []
        self.title = ""
        self._left_out: list[str] = []
        self._links: list[str] = []
        self._is_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._is_title = tag == "title"
        if tag in _LEFT_OUT:
            self._left_out.append(tag)
        elif self._left_out:
            return
        elif tag in _HEADINGS:
            self.pieces.append(f"\n\n{_HEADINGS[tag]}")
        elif tag == "li":
            self.pieces.append("\n- ")
        elif tag == "br":
            self.pieces.append("\n")
        elif tag in _BLOCKS:
            self.pieces.append("\n\n")
        elif tag == "a":
            address = urljoin(self.url, dict(attrs).get("href") or "")
            self._links.append(address if re.fullmatch(r"https?://[^\s()<>]+", address) else "")
            self.pieces.append("[" if self._links[-1] else "")

    def handle_endtag(self, tag: str) -> None:
        self._is_title = False
        if tag in self._left_out:
            del self._left_out[self._left_out.index(tag) :]
        elif self._left_out:
            return
        elif tag in _HEADINGS or tag in _BLOCKS:
            self.pieces.append("\n\n")
        elif tag == "a" and self._links:
            address = self._links.pop()
            self.pieces.append(f"]({address})" if address else "")

    def handle_data(self, data: str) -> None:
        if self._is_title:
            self.title += data
        elif not self._left_out:
            self.pieces.append(re.sub(r"\s+", " ", data))
