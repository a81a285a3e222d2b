"""The words that a web page shows, as Markdown: headings, points and links; nothing is run."""

from __future__ import annotations

import html
import re
from typing import Final

import nh3

_LEFT_OUT: Final = {
    *("script", "style", "noscript", "template", "svg", "nav", "footer", "form", "iframe", "title"),
    *("noframes", "noembed", "xmp", "plaintext", "math"),
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
_TAG: Final = re.compile(r'<(/?)([^\s/>]+)((?: [^\s=>]+="[^"]*")*)>')  # as the cleaner writes it
_NAME: Final = re.compile(r"<([a-z][^\s/>]*)", re.IGNORECASE)
_VOID: Final = {
    *("area", "base", "br", "col", "embed", "frame", "hr", "image", "img", "input", "link", "meta"),
    *("basefont", "bgsound", "keygen", "param", "source", "track", "wbr"),
}
_HIDING: Final = {"hidden", "aria-hidden", "style"}
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
# what a point or a heading says may stand in a block of its own
_ALONE: Final = re.compile(r"^(-|#{1,6})\n+(?=[^\s#-])", re.MULTILINE)


def markdown_of(page: str, url: str = "") -> str:
    """The words of a page with its headings, points and links; text that is no HTML as it is.

    Nothing of it is run. What it hides is left out: nobody who looked at the page has seen it.
    """
    if "<" not in page:
        return page.strip()
    cleaned = nh3.clean(
        page,
        # all that there are: any of them may be hidden
        tags={name.lower() for name in _NAME.findall(page)} - _LEFT_OUT - _VOID | {"br", "hr"},
        clean_content_tags=_LEFT_OUT,
        attributes={"a": {"href"}, "*": _HIDING},
        attribute_filter=_hiding,
        link_rel=None,
        url_schemes={"http", "https"},
        url_relative=("rewrite_with_base", url) if url else "deny",
    )
    linked = _LINK.sub(r"[\2](\1)", re.sub(r"\s+", " ", _shown(cleaned)))
    lines = html.unescape(_TAG.sub(_break, linked)).split("\n")
    text = "\n".join(" ".join(line.split()) for line in lines)
    text = _ALONE.sub(r"\1 ", re.sub(r"\n{3,}", "\n\n", text)).strip()
    title = _TITLE.search(page)
    if title and not re.search(r"^# ", text, re.MULTILINE):
        text = f"# {' '.join(html.unescape(title[1]).split())}\n\n{text}"
    return text


def _hiding(_tag: str, name: str, value: str) -> str | None:
    """Keeps addresses, and of the other attributes those that hide their element."""
    value = value if name == "href" else value.strip().lower()
    if name == "style":
        pairs = [item.partition(":") for item in _COMMENT.sub("", value).split(";")]
        pairs.sort(key=lambda pair: "!important" in pair[2])  # which holds, wherever it stands
        css = {key.strip(): set_to.replace("!important", "").strip() for key, _, set_to in pairs}
        hides = css.get("display") == "none" or css.get("visibility") in {"hidden", "collapse"}
        return "" if hides else None
    return None if name == "aria-hidden" and value != "true" else value


def _shown(cleaned: str) -> str:
    """HTML of the cleaner, in which what is opened is closed, without elements that are hidden."""
    pieces, start, depth = list[str](), 0, 0
    for tag in _TAG.finditer(cleaned):
        if tag[2] in _VOID:
            continue
        if depth:
            depth += -1 if tag[1] else 1
            start = tag.end()
        elif any(f' {name}="' in tag[3] for name in _HIDING):
            pieces.append(cleaned[start : tag.start()])
            depth = 1
    return "".join([*pieces, "" if depth else cleaned[start:]])


def _break(tag: re.Match[str]) -> str:
    """What stands in Markdown where a tag stood; blocks and headings end in a blank line."""
    sign = _BREAKS.get(tag[2], "")
    if tag[1]:
        return "\n\n" if sign.startswith("\n\n") else ""
    return sign
