"""An entry as visitors read it: pictures, blocks, facts, and what search engines are told.

The public page, the owner's preview and the live preview beside the builder show the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from chat.presenters import to_html
from projects.portfolio import blocks, periods
from projects.portfolio.contact_review import Hide, unmasked
from projects.portfolio.models import Entry, EntryImage
from projects.portfolio.queries import images_of

ImageUrl = Callable[[EntryImage, int], str]
"""The address of a picture in its place, at most so many pixels wide."""
SMALL: Final = 480
MEDIUM: Final = 960
LARGE: Final = 1600
_MARKUP: Final = re.compile(r"[*_`#>\[\]]+|\(https?://\S+\)")
SEO_CHARS: Final = 300


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
    """An entry, ready for the page."""

    title: str
    kicker: str
    summary: str
    lead: SafeString
    hero: Picture | None
    blocks: Sequence[RenderedBlock]
    bullets: Sequence[str]
    pictures: Sequence[Picture]
    facts: Sequence[tuple[str, str]]
    tags: Sequence[str]
    links: Sequence[tuple[str, str]]
    seo_title: str
    seo_description: str


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
        title=entry.title or _("Untitled entry"),
        kicker=" · ".join(filter(None, (entry.entry_type, entry.location))),
        summary=entry.summary,
        lead=to_html(entry.description) if entry.description else SafeString(""),
        hero=picture_of(hero, image_url, LARGE) if hero else None,
        blocks=body,
        bullets=entry.bullets,
        pictures=pictures(*others),
        facts=_facts(entry),
        tags=entry.tags,
        links=[(label, url) for label, url in links if url.startswith(("https://", "http://"))],
        seo_title=entry.seo_title or entry.title or _("Untitled entry"),
        seo_description=entry.seo_description or entry.summary or _first_words(entry),
    )


def picture_of(image: EntryImage, image_url: ImageUrl, width: int) -> Picture:
    """A picture, at most `width` pixels wide; its row of bytes is there."""
    stored = image.image
    return Picture(image_url(image, width), image.alt, image.caption, stored.width, stored.height)


def _facts(entry: Entry) -> list[tuple[str, str]]:
    facts = (
        (_("Period"), periods.period_text(entry.started, entry.ended)),
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
    text = entry.description or "\n\n".join(map(blocks.words_of, blocks.read_blocks(entry.blocks)))
    words = " ".join(_MARKUP.sub(" ", text).split())
    return words if len(words) <= SEO_CHARS else f"{words[: SEO_CHARS - 1].rsplit(' ', 1)[0]}…"
