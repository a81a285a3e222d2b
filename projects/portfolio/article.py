"""An entry as visitors read it: pictures, blocks, facts, and what search engines are told.

The public page, the owner's preview and the live preview beside the builder show the same.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from pydantic import ValidationError

from chat.presenters import to_html
from projects.portfolio import blocks, spans
from projects.portfolio.contact_review import Hide, as_it_is
from projects.portfolio.models import Entry, EntryImage, StoredImage

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
class Shown:
    """One block; only what its `kind` needs is filled."""

    kind: str
    text: str = ""
    html: str = ""  # safe, made by chat.presenters
    level: int = 2
    caption: str = ""
    pictures: Sequence[Picture] = ()
    facts: Sequence[tuple[str, str]] = ()
    sources: Sequence[Mapping[str, Any]] = ()  # of its marked sentences, for the owner


@dataclass(frozen=True)
class Article:
    """An entry, ready for the page."""

    title: str
    kicker: str
    summary: str
    lead: SafeString
    hero: Picture | None
    blocks: Sequence[Shown]
    bullets: Sequence[str]
    pictures: Sequence[Picture]
    facts: Sequence[tuple[str, str]]
    tags: Sequence[str]
    links: Sequence[tuple[str, str]]
    seo_title: str
    seo_description: str


ShowText = Callable[[blocks.Text], Shown]


def article_of(
    entry: Entry, *, image_url: ImageUrl, hide: Hide = as_it_is, show_text: ShowText | None = None
) -> Article:
    """The entry as a page. One query; pictures that are gone are left out.

    `show_text` shows texts otherwise than visitors see them.
    """
    entry = hide(entry)
    living = entry.images.filter(deleted_at=None).select_related("image")
    images = [hide(one) for one in living if _is_there(one)]
    shown = {one.pk: picture_of(one, image_url, MEDIUM) for one in images}
    hero = next((one for one in images if one.is_hero), None)
    body, used = _body(entry, images, shown, show_text or _text)
    rest = [shown[one.pk] for one in images if one is not hero and one.pk not in used]
    return Article(
        title=entry.title or _("Untitled entry"),
        kicker=" · ".join(filter(None, (entry.entry_type, entry.location))),
        summary=entry.summary,
        lead=to_html(entry.description) if entry.description else SafeString(""),
        hero=picture_of(hero, image_url, LARGE) if hero else None,
        blocks=body,
        bullets=entry.bullets,
        pictures=rest,
        facts=_facts(entry),
        tags=entry.tags,
        links=_links(entry),
        seo_title=entry.seo_title or entry.title or _("Untitled entry"),
        seo_description=entry.seo_description or entry.summary or _first_words(entry),
    )


def _is_there(one: EntryImage) -> bool:
    """The reference is not held by the database: a picture may have gone for good."""
    try:
        return bool(one.image.file)
    except StoredImage.DoesNotExist:
        return False


def picture_of(one: EntryImage, image_url: ImageUrl, width: int) -> Picture:
    """A picture, at most `width` pixels wide; its row of bytes is there."""
    stored = one.image
    return Picture(image_url(one, width), one.alt, one.caption, stored.width, stored.height)


def _body(
    entry: Entry,
    images: Iterable[EntryImage],
    shown: Mapping[uuid.UUID, Picture],
    show_text: ShowText,
) -> tuple[list[Shown], set[uuid.UUID]]:
    by_id = {str(one.pk): one.pk for one in images}
    used: set[uuid.UUID] = set()

    def pictures(ids: Sequence[str]) -> list[Picture]:
        keys = [by_id[one] for one in ids if one in by_id]
        used.update(keys)
        return [shown[key] for key in keys]

    try:
        stored = blocks.read_blocks(entry.blocks)
    except ValidationError:  # written before its form was known
        return [], used
    return [one for one in (_shown(block, pictures, show_text) for block in stored) if one], used


def _text(block: blocks.Text) -> Shown:
    return Shown("text", html=to_html(block.text))


def _shown(
    block: blocks.Block,
    pictures: Callable[[Sequence[str]], list[Picture]],
    show_text: ShowText,
) -> Shown | None:
    match block:
        case blocks.Heading(text=text, level=level):
            return Shown("heading", text=text, level=level)
        case blocks.Text():
            return show_text(block)
        case blocks.Quote(text=text, said_by=said_by):
            return Shown("quote", text=text, caption=said_by)
        case blocks.Facts(facts=facts):
            return Shown("facts", facts=[(one.label, one.value) for one in facts])
        case blocks.Gallery(images=ids, caption=caption):
            found = pictures(ids)
            return Shown("gallery", pictures=found, caption=caption) if found else None
        case blocks.BeforeAfter(before=before, after=after, caption=caption):
            found = pictures([before, after])
            return Shown("before_after", pictures=found, caption=caption) if found else None


def _facts(entry: Entry) -> list[tuple[str, str]]:
    told = (
        (_("Period"), spans.told(entry.started, entry.ended)),
        (_("Role"), entry.role),
        (_("Organisation"), entry.organization),
        (_("Size"), entry.size_or_scope),
        (_("Outcome"), entry.impact),
        (_("Made with"), ", ".join(dict.fromkeys([*entry.tech_stack, *entry.languages]))),
        (_("Materials"), ", ".join(entry.materials)),
        (_("Techniques"), ", ".join(entry.techniques)),
    )
    return [(label, value) for label, value in told if value]


def _links(entry: Entry) -> list[tuple[str, str]]:
    told = ((_("Live page"), entry.live_url), (_("Source code"), entry.repository_url))
    return [(label, url) for label, url in told if url.startswith(("https://", "http://"))]


def _first_words(entry: Entry) -> str:
    try:
        text = entry.description or blocks.text_of(entry.blocks)
    except ValidationError:
        return ""
    words = " ".join(_MARKUP.sub(" ", text).split())
    return words if len(words) <= SEO_CHARS else f"{words[: SEO_CHARS - 1].rsplit(' ', 1)[0]}…"
