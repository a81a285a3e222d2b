"""A profile in Markdown without a model: labels, headings, paragraphs and links as they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

from projects.portfolio.contact import find_contacts
from projects.portfolio.intake.basic.headings import word_lists
from projects.portfolio.intake.basic.markdown import Link, Part, front_matter, parts_of
from projects.portfolio.intake.drafts import Draft
from projects.portfolio.intake.voice import exchanges_in
from projects.portfolio.schema.shapes import platform_of

TOP_SKILLS: Final = 20
HEADLINE_WORDS: Final = 14
FIELDS: Final = ("full_name", "headline", "location", "current_role")
_LABEL: Final = re.compile(r"^([A-Za-z ]{2,24}?)\s*[:–—]\s*(.+)$")
_WEB: Final = re.compile(r"https?://[^\s,;|)>\]]+")


def draft_of(text: str) -> Draft:
    """What a profile says, where its labels and headings say what it is."""
    parts = parts_of(text)
    values: dict[str, Any] = dict(_told(text, parts))
    about = [one for part in parts if not _kind(part.heading) for one in part.paragraphs]
    about = [one for one in dict.fromkeys(about) if not _field(one) and not find_contacts(one)]
    opening = next((one for part in parts[:2] for one in part.paragraphs), "")
    if "headline" not in values and opening in about and len(opening.split()) <= HEADLINE_WORDS:
        values["headline"] = opening
        about.remove(opening)
    named = next((one.heading for one in parts if one.level == 1), "")
    values.setdefault("full_name", named.strip())
    values |= {
        "about": about,
        "top_skills": list(dict.fromkeys(_skills(parts)))[:TOP_SKILLS],
        "social_links": list({one["url"]: one for one in _links(parts)}.values()),
    }
    return Draft("profile", 0, len(text), values, [] if about else ["about"])


def contacts_of(text: str) -> list[str]:
    """Addresses of mail and telephone numbers, which stay private."""
    return list(dict.fromkeys(one.text for one in find_contacts(text)))


def voice_in(text: str) -> list[str]:
    """Exchanges of a section on the owner's voice."""
    found: list[str] = []
    for part in parts_of(text):
        for words in (*part.items, *part.paragraphs) if _kind(part.heading) == "voice" else ():
            with suppress(ValueError):
                found += exchanges_in(words)
    return found


def _kind(words: str) -> str:
    """The list on which a heading or a label stands; empty for none."""
    plain = words.casefold().strip()
    return next((name for name, listed in word_lists()["profile"].items() if plain in listed), "")


def _field(line: str) -> tuple[str, str] | None:
    """The field that a line labels, and its value."""
    match = _LABEL.match(line)
    name = _kind(match[1]) if match else ""
    return (name, match[2].strip(" .*_")) if match and name in FIELDS else None


def _told(text: str, parts: Sequence[Part]) -> dict[str, str]:
    """Front matter, lines like “Location: Gothenburg”, and sections that are called so."""
    values = {_kind(name): value for name, value in front_matter(text).items() if _kind(name)}
    for part in parts:
        for name, value in filter(None, map(_field, part.lines)):
            values.setdefault(name, value)
        if part.level > 1 and _kind(part.heading) in FIELDS and part.paragraphs:
            values.setdefault(_kind(part.heading), part.paragraphs[0])
    return values


def _skills(parts: Sequence[Part]) -> Iterator[str]:
    for part in parts:
        if _kind(part.heading) == "skills":
            for one in (*part.items, *part.paragraphs):
                words = one.partition(":")[2] or one
                yield from filter(None, (w.strip(" .") for w in re.split(r"[,;•·|\n]", words)))


def _links(parts: Sequence[Part]) -> Iterator[dict[str, Any]]:
    for part in parts:
        bare = (
            Link(match[0], match[0], one)
            for one in (*part.items, *part.paragraphs)
            for match in _WEB.finditer(one)
        )
        for link in (*part.links, *bare):
            url = link.url.rstrip(".,)")
            if not url.startswith(("http://", "https://")) or not urlsplit(url).hostname:
                continue
            remark = link.context.replace(link.text, "").strip(" :–—-.,()")
            yield {
                "platform": platform_of(url),
                "label": (link.text or url)[:120],
                "url": url[:500],
                "blurb": remark if 0 < len(remark) < 200 else None,
            }
