"""A profile in Markdown by rules: name, headline, where, now, about, skills, links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final
from urllib.parse import urlsplit

from projects.portfolio import vocabulary
from projects.portfolio.contact import find_contacts
from projects.portfolio.corpus import ProfileDoc, SocialLink
from projects.portfolio.preprocess.markdown import Link, Part, front_matter, parts_of

_FIELDS: Final = {
    "full_name": ("name", "full name", "who"),
    "headline": ("headline", "tagline", "title"),
    "location": ("location", "based in", "where", "city", "lives in"),
    "current_role": ("current role", "role", "position", "currently", "now", "current position"),
}
_LINE: Final = re.compile(r"^([A-Za-z ]{2,24}?)\s*[:–—]\s*(.+)$")
_BASED: Final = re.compile(
    r"\b(?:based in|living in|live in|lives in|located in)\s+([A-ZÀ-Þ][\w.'’-]+(?:[ ,]+[A-ZÀ-Þ][\w.'’-]+){0,3})"
)
_PLATFORMS: Final = {
    "github.com": "GitHub",
    "gitlab.com": "GitLab",
    "linkedin.com": "LinkedIn",
    "twitter.com": "Twitter",
    "x.com": "X",
    "bsky.app": "Bluesky",
    "behance.net": "Behance",
    "dribbble.com": "Dribbble",
    "instagram.com": "Instagram",
    "medium.com": "Medium",
    "youtube.com": "YouTube",
    "orcid.org": "ORCID",
    "scholar.google.com": "Google Scholar",
    "stackoverflow.com": "Stack Overflow",
}
_SKILLS: Final = re.compile(
    r"skill|tools|stack|expertise|technolog|competenc|works? with", re.IGNORECASE
)
_LINKS: Final = re.compile(r"link|social|find me|elsewhere|contact|connect|online", re.IGNORECASE)
_VOICE: Final = re.compile(
    r"voice|how i (?:talk|sound|speak)|example (?:exchanges|answers)", re.IGNORECASE
)
_EXCHANGE: Final = re.compile(r"USER:\s*\S.*?CHATBOT:\s*\S.*", re.DOTALL)
_WEB: Final = re.compile(
    r"(?:https?://|www\.)[^\s,;|)>\]]+|\b(?:github|linkedin)\.com/[^\s,;|)>\]]+", re.IGNORECASE
)
TOP_SKILLS: Final = 20


def profile_by_rules(text: str, fallback_name: str) -> ProfileDoc:
    """What a profile says; the portfolio's own name where it names nobody."""
    parts = parts_of(text)
    told = _fields({**front_matter(text)}, parts)
    opening = [one for part in parts[:2] for one in part.paragraphs]
    name = told.get("full_name") or next((p.heading for p in parts if p.level == 1), "")
    about = _about(parts)
    headline = told.get("headline", "")
    if not headline and opening and len(opening[0].split()) <= 14:
        headline = opening[0]
        about = [one for one in about if one != headline]
    based = _BASED.search(" ".join(about))
    return ProfileDoc(
        full_name=name.strip() or fallback_name,
        headline=headline or None,
        location=told.get("location") or (based[1].strip(" ,.") if based else None),
        current_role=told.get("current_role") or None,
        about=about,
        top_skills=_skills(parts, about),
        social_links=_links(parts),
    )


def contact_of(text: str) -> list[str]:
    """Addresses of mail and telephone numbers, which stay private."""
    return list(dict.fromkeys(one.text for one in find_contacts(text)))


def voice_in(text: str) -> list[str]:
    """Exchanges of a section on the owner's voice."""
    lines = (
        one
        for part in parts_of(text)
        if _VOICE.search(part.heading)
        for one in (*part.items, *part.paragraphs)
    )
    return [" ".join(one.split()) for one in lines if _EXCHANGE.fullmatch(one.strip())]


def _fields(told: dict[str, str], parts: Sequence[Part]) -> dict[str, str]:
    """Lines like “Location: Gothenburg” and sections that are called so."""
    found = {
        field: told[label] for field, labels in _FIELDS.items() for label in labels if label in told
    }
    for label, value in _labelled(parts):
        for field, labels in _FIELDS.items():
            if label.casefold().strip() in labels:
                found.setdefault(field, value.strip(" .*_"))
    return found


def _labelled(parts: Sequence[Part]) -> Iterable[tuple[str, str]]:
    for part in parts:
        if _VOICE.search(part.heading):
            continue
        for line in part.lines:
            if match := _LINE.match(line):
                yield match[1], match[2]
        if part.level > 1 and part.paragraphs and len(part.paragraphs[0].split()) <= 14:
            yield part.heading, part.paragraphs[0]


def _about(parts: Sequence[Part]) -> list[str]:
    """Paragraphs of the owner, without labels and contacts."""
    aside = (_SKILLS, _LINKS, _VOICE)
    wanted = [
        one
        for part in parts
        if not any(pattern.search(part.heading) for pattern in aside)
        and part.heading.casefold() not in {label for names in _FIELDS.values() for label in names}
        for one in part.paragraphs
    ]
    kept = (one for one in wanted if not _is_labels(one) and not find_contacts(one))
    return list(dict.fromkeys(kept))


def _is_labels(paragraph: str) -> bool:
    known = {label for labels in _FIELDS.values() for label in labels}
    matches = [_LINE.match(line) for line in paragraph.split("\n")]
    return all(one and one[1].casefold().strip() in known for one in matches)


def _skills(parts: Sequence[Part], about: Sequence[str]) -> list[str]:
    told: list[str] = []
    for part in parts:
        if _SKILLS.search(part.heading):
            for one in (*part.items, *part.paragraphs):
                words = one.partition(":")[2] or one
                told += [word.strip(" .") for word in re.split(r"[,;•·|\n]", words)]
    named = [one.name for one in vocabulary.terms_in("\n".join(about))]
    found = {one.casefold(): one for one in reversed([*told, *named]) if 0 < len(one.split()) <= 6}
    ordered = [one for one in [*told, *named] if found.get(one.casefold()) == one]
    return list(dict.fromkeys(ordered))[:TOP_SKILLS]


def _links(parts: Sequence[Part]) -> list[SocialLink]:
    links = [one for part in parts for one in part.links]
    bare = [
        Link(match[0], match[0], one)
        for part in parts
        for one in (*part.items, *part.paragraphs)
        for match in _WEB.finditer(one)
    ]
    found: dict[str, SocialLink] = {}
    for one in (*links, *bare):
        url = one.url if "://" in one.url else f"https://{one.url}"
        url = url.rstrip(".,)")
        if not one.url.startswith(("mailto:", "tel:", "#", "/")) and _is_web(url):
            label = one.text or url
            remark = one.context.replace(label, "").strip(" :–—-.,()") if one.context else ""
            remark = re.sub(re.escape(platform_of(url)), "", remark, flags=re.IGNORECASE).strip(
                " :–—-.,()"
            )
            found.setdefault(
                url,
                SocialLink(
                    platform=platform_of(url), label=label[:120], url=url[:500],
                    blurb=remark[:200] if len(remark.split()) > 1 and len(remark) < 200 else None,
                ),
            )  # fmt: skip
    return list(found.values())


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and "." in (parts.hostname or "")


def platform_of(url: str) -> str:
    """What a site is called; the host's name for one that is not known."""
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    return _PLATFORMS.get(host, host)
