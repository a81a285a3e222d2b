"""Writes entries and their pictures through the ledger: one verb each, whole or not at all.

Each returns what was done: the row as it stands now, and the batch that undo takes.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.operations.changes import Actor, Cause, Change, Values
from chat.operations.models import OperationBatch
from projects.portfolio import undecided
from projects.portfolio.entries import changes, queries
from projects.portfolio.entries.publishing import FailedRule, NotReady, check
from projects.portfolio.index import refresh
from projects.portfolio.models import Entry, EntryImage, Portfolio, StoredImage
from projects.portfolio.writing import Done, perform

__all__ = [
    "FailedRule",
    "NotReady",
    "archive",
    "arrange_entries",
    "arrange_images",
    "attach_image",
    "attach_images",
    "check",
    "create",
    "decide",
    "delete",
    "delete_image",
    "describe_image",
    "describe_images",
    "publish",
    "readdress",
    "set_blocks",
    "unpublish",
    "update",
]


def create(
    actor: Actor, portfolio: Portfolio, *, cause: Cause | None = None, **fields: Any
) -> Done[Entry]:
    """A draft of an entry, last in order. Raises BadInput, TooLong."""
    with transaction.atomic():
        made = changes.created(portfolio, fields)
        batch = perform([made], actor=actor, title=_("Added an entry"), cause=cause)
    return Done(_entry(made.id), batch)


def update(
    actor: Actor,
    entry: Entry,
    values: Values,
    *,
    base_version: int | None = None,
    cause: Cause | None = None,
) -> Done[Entry]:
    """Other values for some fields (`checks.CHANGEABLE`).

    Raises BadInput, TooLong, Conflict when `base_version` is not the one that stands.
    """
    change = changes.updated(entry, values, version=base_version)
    return _did(entry, [change], actor, _("Edited the entry"), cause)


def set_blocks(
    actor: Actor,
    entry: Entry,
    blocks: Sequence[Any],
    *,
    base_version: int | None = None,
    cause: Cause | None = None,
) -> Done[Entry]:
    """The whole story, block by block. Raises BadInput, Conflict for a stale version."""
    change = changes.updated(entry, {"blocks": list(blocks)}, version=base_version)
    return _did(entry, [change], actor, _("Edited the story"), cause)


def readdress(
    actor: Actor,
    entry: Entry,
    slug: str,
    *,
    base_version: int | None = None,
    cause: Cause | None = None,
) -> Done[Entry]:
    """Another public address. Raises BadInput, Conflict when it is taken."""
    with transaction.atomic():
        change = changes.readdressed(entry, slug, version=base_version)
        return _did(entry, [change], actor, _("Changed the address"), cause)


def publish(
    actor: Actor,
    entry: Entry,
    *,
    base_version: int | None = None,
    cause: Cause | None = None,
    left: Collection[str] = (),
) -> Done[Entry]:
    """Shows an entry to everybody. Raises NotReady that names each failed rule, Conflict.

    `left` are keys of the contact data in it that may be shown, too.
    """
    with transaction.atomic():
        undecided.settle(entry.portfolio_id, [entry, *queries.images_of(entry)], left)
        if failed := check(entry):
            raise NotReady(failed)
        change = changes.published(entry, version=base_version)
        return _did(entry, [change], actor, _("Published the entry"), cause)


def decide(entry: Entry, left: Collection[str]) -> None:
    """Lets contact data of an entry be shown that were left out of it; `left` names them."""
    with transaction.atomic():
        undecided.settle(entry.portfolio_id, [entry, *queries.images_of(entry)], left)
        refresh.wanted(entry.portfolio_id)


def unpublish(
    actor: Actor, entry: Entry, *, base_version: int | None = None, cause: Cause | None = None
) -> Done[Entry]:
    """Takes an entry off the public page, or out of the archive. Raises Conflict."""
    change = changes.unpublished(entry, version=base_version)
    return _did(entry, [change], actor, _("Made the entry a draft again"), cause)


def archive(
    actor: Actor, entry: Entry, *, base_version: int | None = None, cause: Cause | None = None
) -> Done[Entry]:
    """Puts an entry away. Raises Conflict."""
    change = changes.archived(entry, version=base_version)
    return _did(entry, [change], actor, _("Archived the entry"), cause)


def delete(
    actor: Actor, entry: Entry, *, base_version: int | None = None, cause: Cause | None = None
) -> Done[Entry]:
    """Takes an entry away with its pictures; undo brings them back. Raises Conflict."""
    change = changes.removed(entry, version=base_version)
    return _did(entry, [change], actor, _("Deleted the entry"), cause)


def arrange_entries(
    actor: Actor, portfolio: Portfolio, order: Sequence[uuid.UUID]
) -> OperationBatch:
    """Entries in this order; those not named follow. Raises BadInput."""
    with transaction.atomic():
        moved = changes.placed(queries.entries_of(portfolio), order)
        return perform(moved, actor=actor, title=_("Changed the order of entries"))


def attach_image(
    actor: Actor,
    entry: Entry,
    stored: StoredImage,
    *,
    alt: str = "",
    caption: str = "",
    cause: Cause | None = None,
) -> Done[EntryImage]:
    """A picture for an entry; the first one leads it. Raises BadInput, TooLong."""
    with transaction.atomic():
        made = changes.images_attached(entry, [stored], alt=alt, caption=caption)
        batch = perform(made, actor=actor, title=_("Added a picture"), cause=cause)
    return Done(EntryImage.objects.get(pk=made[0].id), batch)


def attach_images(
    actor: Actor, entry: Entry, pictures: Sequence[StoredImage], *, cause: Cause | None = None
) -> OperationBatch:
    """Several pictures in one go. Raises BadInput."""
    count = len(pictures)
    told = ngettext("Added a picture", "Added %(n)d pictures", count) % {"n": count}
    with transaction.atomic():
        made = changes.images_attached(entry, pictures)
        return perform(made, actor=actor, title=told, cause=cause)


def describe_images(
    actor: Actor, told: Sequence[tuple[EntryImage, Values]], *, cause: Cause | None = None
) -> OperationBatch | None:
    """Words of several pictures in one go; None when nothing is new. Raises BadInput, TooLong."""
    wanted = [
        changes.image_edited(image, values, version=image.version)
        for image, values in told
        if any(getattr(image, name) != value for name, value in values.items())
    ]
    title = _("Described the pictures")
    return perform(wanted, actor=actor, title=title, cause=cause) if wanted else None


def describe_image(
    actor: Actor,
    image: EntryImage,
    values: Values,
    *,
    base_version: int | None = None,
    cause: Cause | None = None,
) -> Done[EntryImage]:
    """Another alternative text or caption. Raises BadInput, TooLong, Conflict."""
    change = changes.image_edited(image, values, version=base_version)
    batch = perform([change], actor=actor, title=_("Described a picture"), cause=cause)
    return Done(EntryImage.objects.get(pk=image.pk), batch)


def arrange_images(
    actor: Actor,
    entry: Entry,
    *,
    order: Sequence[uuid.UUID] = (),
    hero: uuid.UUID | None = None,
    cause: Cause | None = None,
) -> OperationBatch:
    """Pictures in this order, and which one leads. Raises BadInput, Conflict."""
    with transaction.atomic():
        moved = changes.images_arranged(queries.in_order(entry), order=order, hero=hero)
        return perform(moved, actor=actor, title=_("Arranged the pictures"), cause=cause)


def delete_image(actor: Actor, image: EntryImage, *, cause: Cause | None = None) -> OperationBatch:
    """Takes a picture away; undo brings it back. Raises Conflict."""
    with transaction.atomic():
        gone = changes.image_deleted(image, queries.in_order(image.entry))
        return perform(gone, actor=actor, title=_("Deleted a picture"), cause=cause)


def _did(
    entry: Entry, wanted: Sequence[Change], actor: Actor, title: str, cause: Cause | None
) -> Done[Entry]:
    batch = perform(wanted, actor=actor, title=title, cause=cause)
    return Done(_entry(entry.pk), batch)


def _entry(entry_id: uuid.UUID) -> Entry:
    return Entry.objects.select_related("portfolio").get(pk=entry_id)
