"""What each verb about entries means to the ledger: checked changes to execute or to propose.

Commands plan with them.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.operations.changes import Change, Create, Delete, Update, Values
from futura.errors import BadInput
from projects.portfolio.entries import checks, limits, naming
from projects.portfolio.models import Entry, EntryImage, Portfolio, StoredImage


def created(portfolio: Portfolio, values: Values) -> Create:
    """A draft of an entry with names of its own, last in order. Within a transaction.

    Raises BadInput, TooLong.
    """
    told = checks.checked({name: one for name, one in values.items() if one is not None})
    naming.lock(portfolio.pk)
    own = Entry.objects.filter(portfolio=portfolio, deleted_at=None)
    if own.count() >= limits.ENTRIES:
        raise BadInput(_("A portfolio has at most %(n)d entries.") % {"n": limits.ENTRIES})
    doc_id, slug = naming.new_names(portfolio, str(told.get("title", "")))
    last = own.aggregate(last=Max("position"))["last"]
    place = {"position": 0 if last is None else last + 1}
    names = {"portfolio": str(portfolio.pk), "doc_id": doc_id, "slug": slug}
    return Create("portfolio_entry", {**told, **names, **place, "status": Entry.Status.DRAFT})


def updated(entry: Entry, values: Values, *, version: int | None = None) -> Update:
    """Other values for some fields. Reading the source again will leave them; the address follows
    the title until the entry was published.

    Raises BadInput, TooLong.
    """
    told = checks.checked(values, row=entry)
    if "blocks" in told:
        checks.check_pictures(entry, told["blocks"])
    told |= _readdressed(entry, told) | _kept(entry, told)
    return Update("portfolio_entry", entry.pk, told, version)


def _readdressed(entry: Entry, told: Mapping[str, Any]) -> dict[str, str]:
    title = told.get("title", entry.title)
    if not title or title == entry.title or entry.published_at is not None:
        return {}
    if not naming.is_made_of(entry.slug, entry.title):
        return {}  # somebody chose it
    return {"slug": naming.free_slug(entry, title)}


def _kept(entry: Entry, told: Mapping[str, Any]) -> dict[str, Any]:
    """Which fields a source may not overwrite any more, where there is a source."""
    changed = [name for name, value in told.items() if getattr(entry, name, None) != value]
    if entry.source_id is None or not set(changed) - set(entry.kept_fields):
        return {}
    return {"kept_fields": list(dict.fromkeys([*entry.kept_fields, *changed]))}


def readdressed(entry: Entry, slug: str, *, version: int | None = None) -> Update:
    """Another public address. Raises BadInput, Conflict."""
    return Update("portfolio_entry", entry.pk, {"slug": naming.slug_checked(entry, slug)}, version)


def published(entry: Entry, *, version: int | None = None) -> Update:
    """Visible to everybody. Whether it may be is asked when it is done (`publishing.refusal`)."""
    told: dict[str, Any] = {"status": Entry.Status.PUBLISHED}
    if entry.published_at is None:
        told["published_at"] = timezone.now()
    return Update("portfolio_entry", entry.pk, told, version)


def removed(entry: Entry, *, version: int | None = None) -> Delete:
    """Takes its pictures along; undo brings all of it back."""
    return Delete("portfolio_entry", entry.pk, version)


def placed(entries: Sequence[Entry], order: Sequence[uuid.UUID]) -> list[Change]:
    """Entries in this order; those not named follow as they stood. Raises BadInput."""
    return [
        Update("portfolio_entry", one.pk, {"position": place})
        for place, one in enumerate(_ordered(entries, order))
        if one.position != place
    ]


def _ordered(rows: Sequence[Any], order: Sequence[uuid.UUID]) -> list[Any]:
    by_id = {one.pk: one for one in rows}
    if set(order) - set(by_id):
        raise BadInput(_("Something in this order is not there any more."), field="order")
    named = list(dict.fromkeys(order))
    return [*(by_id[one] for one in named), *(one for one in rows if one.pk not in set(named))]


# Pictures -----------------------------------------------------------------------------------


def images_attached(
    entry: Entry, pictures: Sequence[StoredImage], *, alt: str = "", caption: str = ""
) -> list[Create]:
    """Pictures, last in order; the first of an entry is its hero. Within a transaction.

    Raises BadInput, TooLong.
    """
    if any(one.portfolio_id != entry.portfolio_id for one in pictures):
        raise BadInput(_("This picture is not of this portfolio."), field="image")
    naming.lock(entry.portfolio_id)
    own = EntryImage.objects.filter(entry=entry, deleted_at=None)
    if own.count() + len(pictures) > limits.PICTURES_OF_ENTRY:
        most = {"n": limits.PICTURES_OF_ENTRY}
        raise BadInput(_("An entry has at most %(n)d pictures.") % most, field="files")
    last = own.aggregate(last=Max("position"))["last"]
    has_hero = own.filter(is_hero=True).exists()
    told = checks.picture_checked({"alt": alt, "caption": caption})
    return [
        Create(
            "portfolio_image",
            {
                **told,
                "entry": str(entry.pk),
                "image": str(stored.pk),
                "position": place,
                "is_hero": not has_hero and number == 0,
            },
        )
        for number, (place, stored) in enumerate(
            enumerate(pictures, start=0 if last is None else last + 1)
        )
    ]


def image_edited(image: EntryImage, values: Values, *, version: int | None = None) -> Update:
    """Another alternative text or caption. Raises BadInput, TooLong."""
    return Update("portfolio_image", image.pk, checks.picture_checked(values), version)


def images_arranged(
    images: Sequence[EntryImage], *, order: Sequence[uuid.UUID] = (), hero: uuid.UUID | None = None
) -> list[Change]:
    """Pictures of one entry in this order, those not named after them; `hero` leads the entry.

    Raises BadInput.
    """
    if hero is not None and hero not in {one.pk for one in images}:
        raise BadInput(_("This picture is not there any more."), field="hero")
    wanted: dict[uuid.UUID, dict[str, Any]] = {}
    for place, one in enumerate(_ordered(images, order)):
        if one.position != place:
            wanted[one.pk] = {"position": place}
    for one in images:
        if hero is not None and one.is_hero != (one.pk == hero):
            wanted.setdefault(one.pk, {})["is_hero"] = one.pk == hero
    # the old hero steps down before the new one steps up: an entry has one at any moment
    stepping_up = sorted(wanted, key=lambda pk: bool(wanted[pk].get("is_hero")))
    return [Update("portfolio_image", pk, wanted[pk]) for pk in stepping_up]


def image_deleted(
    image: EntryImage, others: Sequence[EntryImage], *, version: int | None = None
) -> list[Change]:
    """Takes a picture away; after a hero, the next one leads. Blocks pass it over."""
    rest = [one for one in others if one.pk != image.pk]
    gone: list[Change] = [Delete("portfolio_image", image.pk, version)]
    if image.is_hero and rest:
        gone.append(Update("portfolio_image", rest[0].pk, {"is_hero": True}))
    return gone
