"""An entry as visitors read it, and its owner with the sources of each sentence; and texts whose
claims are links to the words they rest on.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from chat.presenters import to_html
from futura.text import shortened
from projects.portfolio import blocks, periods
from projects.portfolio.contact_review import Hide, unmasked
from projects.portfolio.models import Entry, EntryImage
from projects.portfolio.queries import images_of

ImageUrl = Callable[[EntryImage, int], str]
"""The address of a picture in its place, at most so many pixels wide."""
SMALL: Final = 480
MEDIUM: Final = 960
LARGE: Final = 1600
SEO_CHARS: Final = 300
# characters of a private area, which no text of a person or a model keeps
_OPEN: Final = "\ue000"
_SHUT: Final = "\ue001"
_END: Final = "\ue002"
_PRIVATE: Final = re.compile(r"[\ue000-\ue002]")
_WHOLE: Final = re.compile(
    rf"{_OPEN}(\d+){_END}((?:(?!</?(?:p|li|ul|ol|pre|a)\b)[^{_OPEN}{_SHUT}])*?){_SHUT}(\d+){_END}"
)
_SIGNS: Final = re.compile(r"[*_`~\[\]<]")


@dataclass(frozen=True)
class Picture:
    """A picture in its place; `alt` is what is to be seen, in words."""

    url: str
    alt: str
    caption: str
    width: int
    height: int


@dataclass(frozen=True)
class RenderedBlock:
    """One block as it is stored, with what a page needs beside it."""

    content: blocks.Block
    html: str = ""  # of a text; safe, made by chat.presenters
    pictures: Sequence[Picture] = ()
    sources: Sequence[Mapping[str, Any]] = ()  # of its marked sentences, for the owner


@dataclass(frozen=True)
class Article:
    """An entry, ready for the page: as visitors may see it, with what is made of its fields."""

    entry: Entry
    lead: SafeString
    hero: Picture | None
    blocks: Sequence[RenderedBlock]
    pictures: Sequence[Picture]
    facts: Sequence[tuple[str, str]]
    links: Sequence[tuple[str, str]]

    @property
    def kicker(self) -> str:
        return " · ".join(filter(None, (self.entry.entry_type, self.entry.location)))

    @property
    def seo_title(self) -> str:
        return self.entry.seo_title or str(self.entry)

    @property
    def seo_description(self) -> str:
        return self.entry.seo_description or self.entry.summary or _first_words(self.entry)


ShowText = Callable[[blocks.Text], RenderedBlock]


def article_of(
    entry: Entry, *, image_url: ImageUrl, hide: Hide = unmasked, show_text: ShowText | None = None
) -> Article:
    """The entry as a page. One query; pictures that are gone are left out.

    `show_text` shows texts otherwise than visitors see them.
    """
    entry = hide(entry)
    images = {str(image.pk): hide(image) for image in images_of(entry)}
    hero = next((image for image in images.values() if image.is_hero), None)
    used: set[str] = set()

    def pictures(*ids: str) -> list[Picture]:
        keys = [key for key in ids if key in images]
        used.update(keys)
        return [picture_of(images[key], image_url, MEDIUM) for key in keys]

    body: list[RenderedBlock] = []
    for block in blocks.read_blocks(entry.blocks):
        ids = blocks.pictures_in(block.model_dump())
        if isinstance(block, blocks.Text):
            text = RenderedBlock(block, html=to_html(block.text))
            body.append(show_text(block) if show_text else text)
        elif not ids or (displayed := pictures(*ids)):
            body.append(RenderedBlock(block, pictures=displayed if ids else ()))
    links = ((_("Live page"), entry.live_url), (_("Source code"), entry.repository_url))
    others = [key for key, image in images.items() if image is not hero and key not in used]
    return Article(
        entry=entry,
        lead=to_html(entry.description) if entry.description else SafeString(""),
        hero=picture_of(hero, image_url, LARGE) if hero else None,
        blocks=body,
        pictures=pictures(*others),
        facts=_facts(entry),
        links=[(label, url) for label, url in links if url.startswith(("https://", "http://"))],
    )


def picture_of(image: EntryImage, image_url: ImageUrl, width: int) -> Picture:
    """A picture, at most `width` pixels wide; its row of bytes is there."""
    stored = image.image
    return Picture(image_url(image, width), image.alt, image.caption, stored.width, stored.height)


def _facts(entry: Entry) -> list[tuple[str, str]]:
    facts = (
        (_("Period"), periods.period_of(entry)),
        (_("Role"), entry.role),
        (_("Organisation"), entry.organization),
        (_("Size"), entry.size_or_scope),
        (_("Outcome"), entry.impact),
        (_("Made with"), ", ".join(dict.fromkeys([*entry.tech_stack, *entry.languages]))),
        (_("Materials"), ", ".join(entry.materials)),
        (_("Techniques"), ", ".join(entry.techniques)),
    )
    return [(label, value) for label, value in facts if value]


def _first_words(entry: Entry) -> str:
    text = blocks.plain_text(entry.description) or blocks.text_of(entry.blocks)
    return shortened(text, SEO_CHARS)


# What the owner sees ----------------------------------------------------------------------------
def owner_url(image: EntryImage, width: int) -> str:
    entry = image.entry
    url = reverse("entries:picture", args=[entry.portfolio_id, entry.pk, image.pk])
    return f"{url}?w={width}"


def owner_article(entry: Entry) -> Article:
    """What visitors read, with each sentence marked that stands on words or records, or on nothing;
    with pictures that its owner may fetch.
    """
    return article_of(entry, image_url=owner_url, show_text=_with_sources)


def _with_sources(block: blocks.Text) -> RenderedBlock:
    """A text whose sentences link to what they stand on, as claims do on the visitors' page."""
    stored = block.model_dump(mode="json")
    key = str(blocks.identified([stored])[0]["id"])
    claims: list[dict[str, Any]] = []
    sources: list[dict[str, Any]] = []
    at = 0
    for number, source in enumerate(blocks.standing_sources(stored), start=1):
        start = block.text.find(source.sentence, at)
        if start < 0:
            continue
        at = start + len(source.sentence)
        claims.append({"start": start, "end": at, "evidence": [number]})
        anchor = source_id(key, number)
        sources.append({"anchor": anchor, "number": number, "source": source})
    html = str(cited_html(block.text, claims, key))
    for row in sources:
        if not row["source"].is_supported:
            link = f'class="claim" href="#{row["anchor"]}"'
            html = html.replace(link, link.replace("claim", "claim claim--unsupported", 1))
    return RenderedBlock(block, html=mark_safe(html), sources=sources)  # noqa: S308 - sanitised


# Claims -----------------------------------------------------------------------------------------
def source_id(message_id: uuid.UUID | str, number: int) -> str:
    return f"source-{message_id}-{number}"


def cited_html(
    text: str, claims: Sequence[Mapping[str, Any]], message_id: uuid.UUID | str
) -> SafeString:
    """The rendered text; each claim is a link to its first source, with its number."""
    if _PRIVATE.search(text):
        return to_html(_PRIVATE.sub("", text))
    marked, at = "", 0
    for item in sorted(claims, key=lambda claim: int(claim["start"])):
        start, end, numbers = int(item["start"]), int(item["end"]), item.get("evidence") or []
        if not numbers or not at <= start < end <= len(text):
            continue
        # list signs and bold titles stay outside of the link
        head = re.match(r"\s*(?:[-*]\s+)?(?:\*\*[^*\n]+\*\*)?", text[start:end])
        begin = start + (head.end() if head else 0)
        words = text[begin:end]
        if _SIGNS.search(words) or "\n" in words.strip():
            begin, words = end, ""
        blanks = len(words) - len(words.lstrip())
        number = f"{int(numbers[0])}{_END}"
        marked += f"{text[at : begin + blanks]}{_OPEN}{number}{words.strip()}{_SHUT}{number}"
        at = end
    html = str(to_html(marked + text[at:]))
    linked = _WHOLE.sub(lambda match: _link(match[2], int(match[1]), message_id), html)
    # what is left stood where no link may be
    return mark_safe(re.sub(rf"[{_OPEN}{_SHUT}]\d+{_END}", "", linked))  # noqa: S308 - sanitised


def _link(words: str, number: int, message_id: uuid.UUID | str) -> str:
    return format_html(
        '<a class="claim" href="#{}" aria-expanded="false">{}<sup>{}</sup></a>',
        source_id(message_id, number),
        mark_safe(words),  # noqa: S308 - a piece of sanitised HTML without block tags
        number,
    )
