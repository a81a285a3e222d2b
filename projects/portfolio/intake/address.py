"""The text behind a web address: a page as Markdown, a PDF or Word document like a file."""

from __future__ import annotations

import html
import re
from typing import Final

import nh3
from django.utils.translation import gettext as _

from futura.limits import storable
from projects.portfolio.intake import extract
from projects.portfolio.intake.failures import Code, PreprocessError
from projects.portfolio.intake.fetch import LARGEST_BYTES, CannotFetch, UrlPolicy, fetch

CHARS: Final = 100_000
_LEFT_OUT: Final = frozenset(
    {"script", "style", "noscript", "template", "svg", "nav", "footer", "form", "iframe", "title"}
)
_BLOCKS: Final = frozenset(
    {"p", "div", "section", "article", "main", "header", "ul", "ol", "table", "tr", "blockquote"}
    | {"dl", "dt", "dd", "figure", "figcaption", "aside", "address", "pre", "hr"}
)
_HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))
_TITLE: Final = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL | re.IGNORECASE)
_LINK: Final = re.compile(r'<a href="([^"\s()<>]+)">(.*?)</a>')
_TAG: Final = re.compile(r"</?(\w+)[^>]*>")


def read_address(url: str, policy: UrlPolicy) -> str:
    """The text of what lies there.

    Raises PreprocessError: out of policy, unreachable, unreadable, too large, or without text.
    """
    try:
        content = fetch(url, policy, largest_bytes=extract.LARGEST_BYTES)
        if extract.is_pdf(content) or extract.is_docx(content):
            return extract.text_apart(content, url.rpartition("/")[2] or url)
        if len(content) > LARGEST_BYTES:
            raise CannotFetch(_("%(place)s is larger than a page of text.") % {"place": url})
        text = markdown_of(storable(content.decode("utf-8")), url)
    except CannotFetch as error:
        raise PreprocessError(Code.PAGE_UNAVAILABLE, str(error), retry_helps=True) from error
    except UnicodeDecodeError as error:
        message = _("What lies at %(place)s is neither a page nor a PDF nor a Word document.")
        raise PreprocessError(Code.PAGE_UNAVAILABLE, message % {"place": url}) from error
    if not re.search(r"\w{2}", text):
        message = _("%(place)s holds no text to read.") % {"place": url}
        raise PreprocessError(Code.PAGE_UNAVAILABLE, message)
    return text


def markdown_of(page: str, url: str = "") -> str:
    """The words of a page with its headings, points and links; text that is no HTML as it is.

    Nothing of it is run.
    """
    if "<" not in page:
        return page.strip()[:CHARS]
    cleaned = nh3.clean(
        page,
        tags={*_BLOCKS, *_HEADINGS, "a", "li", "br", "td", "th"},
        clean_content_tags=set(_LEFT_OUT),
        attributes={"a": {"href"}},
        link_rel=None,
        url_schemes={"http", "https"},
        url_relative=("rewrite_with_base", url) if url else "deny",
    )
    linked = _LINK.sub(r"[\2](\1)", re.sub(r"\s+", " ", cleaned))
    lines = html.unescape(_TAG.sub(_break, linked)).split("\n")
    text = "\n".join(re.sub(r"[ \t]+", " ", line).strip() for line in lines)
    text = re.sub(r"\n{3,}", "\n\n", text).strip()
    title = _TITLE.search(page)
    if title and not re.search(r"^# ", text, re.MULTILINE):
        text = f"# {' '.join(html.unescape(title[1]).split())}\n\n{text}"
    return text[:CHARS]


def _break(tag: re.Match[str]) -> str:
    """What stands in Markdown where a tag stood."""
    name, is_end = tag[1], tag[0].startswith("</")
    if name in _HEADINGS and not is_end:
        return f"\n\n{'#' * int(name[1])} "
    if name == "li" and not is_end:
        return "\n- "
    if name == "br":
        return "\n"
    if name in {"td", "th"}:
        return " "
    return "\n\n" if name in _BLOCKS or name in _HEADINGS else ""
