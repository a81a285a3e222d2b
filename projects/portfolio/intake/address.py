"""Web addresses that people type, and the text behind them: pages as Markdown, documents."""

from __future__ import annotations

import html
import re
from typing import Final
from urllib.parse import urlsplit

import nh3
from django.utils.text import slugify
from django.utils.translation import gettext as _

from futura.limits import storable
from projects.portfolio.intake import extract
from projects.portfolio.intake.failures import Code, PreprocessError
from projects.portfolio.intake.fetch import LARGEST_BYTES, CannotFetch, UrlPolicy, fetch

AT_ONCE: Final = 100
"""Addresses that a person gives."""
ADDRESS_CHARS: Final = 400
_SHORT: Final = re.compile(r"[A-Za-z0-9][\w.-]{0,99}/[A-Za-z0-9_][\w.-]{0,99}")
_PARTS_OF_A_PAGE: Final = re.compile(r"/(?:tree|blob|issues|pulls?|wiki|releases|-)(?:/.*)?$")
_HOST: Final = re.compile(r"[\w-]+(?:\.[\w-]+)+(?:/|$)")
_WEB: Final = re.compile(r"https://[\w.-]+(?::\d{1,5})?(?:[/?#]\S*)?")
_POINT: Final = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")
CHARS: Final = 100_000
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


def is_address(place: str) -> bool:
    """Whether a place is one of the web; others are files, folders or pasted texts."""
    return place.startswith(("https://", "http://"))


def addresses_in(typed: str) -> list[str]:
    """The addresses that a person gives, one on each line. Raises PreprocessError."""
    lines = (_POINT.sub("", line).strip().rstrip(",;") for line in typed.splitlines())
    addresses = list(dict.fromkeys(address_of(line) for line in lines if line))
    if len(addresses) > AT_ONCE:
        message = _("At most %(n)d repositories at once.") % {"n": AT_ONCE}
        raise PreprocessError(Code.TOO_MANY, message)
    return addresses


def address_of(typed: str) -> str:
    """Where git finds it, as https. Raises PreprocessError for what is no address of anything."""
    text = typed.strip().rstrip("/")
    if _SHORT.fullmatch(text):
        return f"https://github.com/{text.removesuffix('.git')}"
    parts = urlsplit(page_address(text))
    if len(parts.path) < 2:
        raise _no_address(
            typed, _("not the address of a repository. Enter https://… or owner/name.")
        )
    normalized = parts._replace(query="", path=_PARTS_OF_A_PAGE.sub("", parts.path))
    return normalized.geturl().removesuffix(".git")


def page_address(typed: str) -> str:
    """A web address as https, without the place on its page. Raises PreprocessError."""
    text = typed.strip()
    if "://" not in text and _HOST.match(text):
        text = f"https://{text}"
    text = re.sub(r"^http://", "https://", text)
    if not _WEB.fullmatch(text) or len(text) > ADDRESS_CHARS:
        raise _no_address(typed, _("not the address of a repository or a page. Enter https://…"))
    return text.partition("#")[0]


def _no_address(typed: str, why: str) -> PreprocessError:
    shown = _("“%(told)s” is %(why)s") % {"told": typed.strip()[:80], "why": why}
    return PreprocessError(Code.ADDRESS_REFUSED, shown)


def name_of(address: str) -> str:
    """The last part of an address, as an id: `https://…/mara/kiln` is `kiln`."""
    last = urlsplit(address).path.rstrip("/").rpartition("/")[2]
    return slugify(last)[:80].strip("-_") or "project"


# Pages -------------------------------------------------------------------------------------------
def read_address(url: str, policy: UrlPolicy) -> str:
    """The text of what lies there.

    Raises PreprocessError: out of policy, unreachable, unreadable, too large, or without text.
    """
    place = {"place": url}
    try:
        content = fetch(url, policy, largest_bytes=extract.LARGEST_BYTES)
        if extract.is_pdf(content) or extract.is_docx(content):
            return extract.text_apart(content, url.rpartition("/")[2] or url)
        if len(content) > LARGEST_BYTES:
            raise CannotFetch(_("%(place)s is larger than a page of text.") % place)
        text = markdown_of(storable(content.decode("utf-8")), url)
        if not re.search(r"\w{2}", text):
            raise CannotFetch(_("%(place)s holds no text to read.") % place)
    except CannotFetch as error:
        raise PreprocessError(Code.PAGE_UNAVAILABLE, str(error), retry_helps=True) from error
    except UnicodeDecodeError as error:
        message = _("What lies at %(place)s is neither a page nor a PDF nor a Word document.")
        raise PreprocessError(Code.PAGE_UNAVAILABLE, message % place) from error
    return text


def markdown_of(page: str, url: str = "") -> str:
    """The words of a page with its headings, points and links; text that is no HTML as it is.

    Nothing of it is run.
    """
    if "<" not in page:
        return page.strip()[:CHARS]
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
    text = re.sub(r"\n{3,}", "\n\n", text).strip()
    title = _TITLE.search(page)
    if title and not re.search(r"^# ", text, re.MULTILINE):
        text = f"# {' '.join(html.unescape(title[1]).split())}\n\n{text}"
    return text[:CHARS]


def _break(tag: re.Match[str]) -> str:
    """What stands in Markdown where a tag stood; blocks and headings end in a blank line."""
    sign = _BREAKS.get(tag[1], "")
    if tag[0].startswith("</"):
        return "\n\n" if sign.startswith("\n\n") else ""
    return sign
