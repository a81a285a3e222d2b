"""Cards: the pieces of work and the positions that a page shows, as links with a line each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from projects.portfolio import spans
from projects.portfolio.article import SMALL, ImageUrl, Picture, picture_of
from projects.portfolio.models import Entry, EntryImage, Experience
from projects.portfolio.public.addresses import Addresses
from projects.portfolio.undecided import Hide, as_it_is


@dataclass(frozen=True)
class Card:
    """A piece of work; without a picture a plate is drawn, one of a few by `plate`."""

    doc_id: str
    title: str
    line: str
    note: str
    url: str
    picture: Picture | None = None
    plate: int = 0


@dataclass(frozen=True)
class Position:
    """A position somebody held, told in full; `works` are the pieces of work made there."""

    doc_id: str
    title: str
    company: str
    when: str
    place: str
    summary: str
    bullets: Sequence[str]
    skills: Sequence[str]
    works: Sequence[tuple[str, str]]


def cards_of(entries: Iterable[Entry], addresses: Addresses, hide: Hide = as_it_is) -> list[Card]:
    """Cards in the order of the entries, which come as `hide` shows them. One query for their
    pictures."""
    rows = list(entries)
    heroes = _heroes(rows, addresses.image, hide)
    return [
        Card(
            doc_id=one.doc_id,
            title=one.title or one.doc_id,
            line=one.summary,
            note=_note(one),
            url=addresses.entry(one.slug),
            picture=heroes.get(one.pk),
            plate=sum(one.doc_id.encode()) % 4,
        )
        for one in rows
    ]


def _note(entry: Entry) -> str:
    named = entry.entry_type or ", ".join([*entry.tech_stack, *entry.languages, *entry.tags][:3])
    return " · ".join(filter(None, (spans.told(entry.started, entry.ended), named)))


def _heroes(entries: Sequence[Entry], image_url: ImageUrl, hide: Hide) -> dict[object, Picture]:
    """The picture of each entry: its hero, else its first."""
    living = EntryImage.objects.filter(entry__in=entries, deleted_at=None, image__isnull=False)
    found: dict[object, Picture] = {}
    for one in living.select_related("image").order_by("entry", "-is_hero", "position"):
        if one.entry_id not in found:
            found[one.entry_id] = picture_of(hide(one), image_url, SMALL)
    return found


def positions_of(
    rows: Iterable[Experience], public_entries: Sequence[Entry], addresses: Addresses
) -> list[Position]:
    """Positions as they are told; rows come with `linked_entries` prefetched."""
    shown = {one.pk: one for one in public_entries}
    return [
        Position(
            doc_id=one.doc_id,
            title=one.title or one.company,
            company=one.company if one.title else "",
            when=spans.told(one.started, one.ended, is_current=one.is_current),
            place=one.location,
            summary=one.summary,
            bullets=one.bullets,
            skills=one.skills,
            works=[
                (entry.title or entry.doc_id, addresses.entry(entry.slug))
                for entry in one.linked_entries.all()
                if entry.pk in shown
            ],
        )
        for one in rows
    ]
