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
from projects.portfolio.schema.fields import platform_of

TOP_SKILLS: Final = 20
HEADLINE_WORDS: Final = 14
FIELDS: Final = ("full_name", "headline", "location", "current_role")
_LABEL: Final = re.compile(r"^([A-Za-z ]{2,24}?)\s*[:–—]\s*(.+)$")
_WEB: Final = re.compile(r"https?://[^\s,;|)>\]]+")


def draft_of(text: str) -> Draft:
    """What a profile says, where its labels and headings say what it is."""
    parts = parts_of(text)
    labelled = dict(reversed([*_labelled(text, parts)]))
    told = [words for part in parts if not _kind(part.heading) for words in part.paragraphs]
    about = [
        words for words in dict.fromkeys(told) if not _field(words) and not find_contacts(words)
    ]
    opening = next((words for part in parts[:2] for words in part.paragraphs), "")
    is_short = opening in about and len(opening.split()) <= HEADLINE_WORDS
    if "headline" not in labelled and is_short:
        labelled["headline"] = opening
        about.remove(opening)
    values: dict[str, Any] = {
        "full_name": next((part.heading for part in parts if part.level == 1), ""),
        **labelled,
        "about": about,
        "top_skills": list(dict.fromkeys(_skills(parts)))[:TOP_SKILLS],
        "social_links": list({link["url"]: link for link in _links(parts)}.values()),
    }
    return Draft("profile", 0, len(text), values, [] if about else ["about"])


def contacts_of(text: str) -> list[str]:
    """Addresses of mail and telephone numbers, which stay private."""
    return list(dict.fromkeys(contact.text for contact in find_contacts(text)))


def voice_in(text: str) -> list[str]:
    """Exchanges of a section on the owner's voice."""
    examples: list[str] = []
    for part in parts_of(text):
        for words in (*part.items, *part.paragraphs) if _kind(part.heading) == "voice" else ():
            with suppress(ValueError):
                examples += exchanges_in(words)
    return examples


def _kind(words: str) -> str:
    """The list on which a heading or a label stands; empty for none."""
    normalized = words.casefold().strip()
    lists = word_lists()["profile"].items()
    return next((name for name, listed in lists if normalized in listed), "")


def _field(line: str) -> tuple[str, str] | None:
    """The field that a line labels, and its value."""
    match = _LABEL.match(line)
    name = _kind(match[1]) if match else ""
    return (name, match[2].strip(" .*_")) if match and name in FIELDS else None


def _labelled(text: str, parts: Sequence[Part]) -> Iterator[tuple[str, str]]:
    """Front matter, lines like “Location: Gothenburg”, and sections that are called so."""
    for label, value in front_matter(text).items():
        if _kind(label) in FIELDS:
            yield _kind(label), value
    for part in parts:
        yield from filter(None, map(_field, part.lines))
        if part.level > 1 and _kind(part.heading) in FIELDS and part.paragraphs:
            yield _kind(part.heading), part.paragraphs[0]


def _skills(parts: Sequence[Part]) -> Iterator[str]:
    for part in parts:
        if _kind(part.heading) == "skills":
            for words in (*part.items, *part.paragraphs):
                listed = words.partition(":")[2] or words
                yield from (
                    name for raw in re.split(r"[,;•·|\n]", listed) if (name := raw.strip(" ."))
                )


def _links(parts: Sequence[Part]) -> Iterator[dict[str, Any]]:
    for part in parts:
        bare = (
            Link(match[0], match[0], words)
            for words in (*part.items, *part.paragraphs)
            for match in _WEB.finditer(words)
        )
        for link in (*part.links, *bare):
            url = link.url.rstrip(".,)")[:500]
            if not url.startswith(("http://", "https://")) or not urlsplit(url).hostname:
                continue
            shown = {"platform": platform_of(url), "label": link.text[:120], "url": url}
            remark = link.context.replace(link.text, "").strip(" :–—-.,()")
            yield {**shown, "blurb": remark} if 0 < len(remark) < 200 else shown
