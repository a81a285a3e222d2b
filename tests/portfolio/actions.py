"""What tests do to entries: the product's commands, in one call each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from chat.commands.base import Command, Scope, build
from chat.commands.run import run
from chat.operations.changes import Actor
from chat.operations.models import OperationBatch
from projects.portfolio.commands import entries, images, story
from projects.portfolio.models import Entry, EntryImage, Portfolio, StoredImage


@dataclass(frozen=True)
class Done:
    """The row as it stands now, and the batch."""

    row: Any
    batch: OperationBatch


def do(actor: Actor, kind: type[Command], **values: Any) -> OperationBatch:
    return run(build(kind, values), Scope.of_actor(actor)).batch


def _on_entry(actor: Actor, kind: type[Command], entry: Entry, **values: Any) -> Done:
    batch = do(actor, kind, id=entry.pk, **values)
    return Done(Entry.objects.select_related("portfolio").get(pk=entry.pk), batch)


def create(actor: Actor, portfolio: Portfolio, **values: Any) -> Done:
    batch = do(actor, entries.CreateEntry, portfolio=portfolio.pk, **values)
    key = batch.operations.get().entity_id
    return Done(Entry.objects.select_related("portfolio").get(pk=key), batch)


def update(actor: Actor, entry: Entry, values: dict[str, Any], version: int | None = None) -> Done:
    fields = {name: value for name, value in values.items() if name != "blocks"}
    if fields:
        done = _on_entry(actor, entries.ChangeEntry, entry, version=version, **fields)
        entry = done.row
    return set_blocks(actor, entry, values["blocks"]) if "blocks" in values else done


def set_blocks(actor: Actor, entry: Entry, blocks: Sequence[Any], version: Any = None) -> Done:
    return _on_entry(actor, story.RewriteEntry, entry, blocks=blocks, version=version)


def readdress(actor: Actor, entry: Entry, slug: str) -> Done:
    return _on_entry(actor, entries.ReaddressEntry, entry, slug=slug)


def publish(actor: Actor, entry: Entry) -> Done:
    return _on_entry(actor, entries.PublishEntry, entry)


def unpublish(actor: Actor, entry: Entry) -> Done:
    return _on_entry(actor, entries.UnpublishEntry, entry)


def delete(actor: Actor, entry: Entry) -> Done:
    return _on_entry(actor, entries.DeleteEntry, entry)


def arrange_entries(actor: Actor, portfolio: Portfolio, order: Sequence[Any]) -> OperationBatch:
    return do(actor, entries.PlaceEntries, id=portfolio.pk, order=order)


def attach_image(actor: Actor, entry: Entry, stored: StoredImage, alt: str = "") -> Done:
    batch = do(actor, images.AttachImages, id=entry.pk, files=[stored.pk], alt=alt)
    return Done(EntryImage.objects.get(pk=batch.operations.get().entity_id), batch)


def describe_image(actor: Actor, image: EntryImage, values: dict[str, str]) -> OperationBatch:
    return do(actor, images.DescribeImages, images=[{"id": image.pk, **values}])


def arrange_images(actor: Actor, entry: Entry, **values: Any) -> OperationBatch:
    return do(actor, images.ArrangeImages, id=entry.pk, **values)


def delete_image(actor: Actor, image: EntryImage) -> OperationBatch:
    return do(actor, images.DeleteImage, id=image.pk)
