"""The commands on the pictures of an entry: added, described, put in order, proposed, deleted."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from django.utils.translation import gettext as _, gettext_noop
from pydantic import Field

from chat.commands.base import Scope, SeenVersion
from chat.operations.changes import Change, Create, Delete, Update
from futura.errors import BadInput
from projects.portfolio.blocks import identified
from projects.portfolio.commands.base import PortfolioCommand, RowCommand, next_position
from projects.portfolio.commands.entries import EntryCommand, join_conversation, ordered
from projects.portfolio.entries import limits, publishing
from projects.portfolio.models import EntryImage, StoredImage
from projects.portfolio.queries import in_order
from projects.portfolio.schema.fields import Field as Row, line, values_model

IMAGE: Final = "portfolio_image"
TEXT_FIELDS: Final = (
    Row("alt", line(limits.ALT_CHARS)),
    Row("caption", line(limits.CAPTION_CHARS)),
)
ImageFields: Final = values_model("ImageFields", TEXT_FIELDS)


class AttachImages(ImageFields, EntryCommand):  # type: ignore[misc, valid-type]
    """Adds uploaded pictures to an entry; the first one of an entry leads it.

    Alternative text and caption have at most 300 characters.
    """

    name = "attach_images"
    done = (gettext_noop("Added picture"), gettext_noop("Added %(n)d pictures"))
    proposal = (
        gettext_noop("Add a picture to %(row)s"),
        gettext_noop("Add %(n)d pictures to %(row)s"),
    )
    counted = "files"

    files: tuple[uuid.UUID, ...] = Field(min_length=1, description="Ids of uploaded files.")

    def plan(self, scope: Scope) -> list[Change]:
        entry = self.row(scope)
        uploads = StoredImage.objects.filter(portfolio=entry.portfolio_id).in_bulk(self.files)
        if set(self.files) - set(uploads):
            raise BadInput(_("This picture does not belong to this portfolio."), field="files")
        publishing.lock(entry.portfolio_id)
        own = EntryImage.objects.filter(entry=entry, deleted_at=None)
        if own.count() + len(self.files) > limits.PICTURES_OF_ENTRY:
            most = {"n": limits.PICTURES_OF_ENTRY}
            raise BadInput(_("An entry has at most %(n)d pictures.") % most, field="files")
        first, has_hero = next_position(own), own.filter(is_hero=True).exists()
        values = {**self.given(), "entry": str(entry.pk)}
        return [
            Create(IMAGE, values | {"image": str(key), "position": first + n,
                                    "is_hero": not has_hero and n == 0})
            for n, key in enumerate(self.files)
        ]  # fmt: skip


class ArrangeImages(EntryCommand):
    """Puts the pictures of an entry in an order, and chooses the hero, which leads the page."""

    name = "arrange_images"
    done = gettext_noop("Reordered pictures")
    proposal = gettext_noop("Reorder pictures of %(row)s")

    order: tuple[uuid.UUID, ...] = Field((), max_length=200, description="Ids of pictures.")
    hero: uuid.UUID | None = Field(None, description="Id of the picture that leads.")

    def plan(self, scope: Scope) -> list[Change]:
        entry = self.row(scope)
        if not self.order and self.hero is None:
            raise BadInput(_("Give a hero image or an order of the pictures."), field="order")
        return [*arranged(in_order(entry), order=self.order, hero=self.hero)]


class ImageText(ImageFields):  # type: ignore[misc, valid-type]
    """What is to be seen on a picture, for those who cannot see it, and its caption; at most 300
    characters each, and empty takes it away.
    """

    id: uuid.UUID = Field(description="Id of the picture.")
    version: SeenVersion | None = Field(None, description="The version that was seen.")


class DescribeImages(PortfolioCommand):
    """Gives pictures their alternative texts and captions."""

    name = "describe_images"
    done = (gettext_noop("Described picture"), gettext_noop("Described %(n)d pictures"))
    proposal = (gettext_noop("Describe a picture"), gettext_noop("Describe %(n)d pictures"))
    counted = "images"

    images: tuple[ImageText, ...] = Field(min_length=1, max_length=60)

    def plan(self, scope: Scope) -> list[Change]:
        rows = scope.rows(EntryImage, [image.id for image in self.images])
        for entry in {row.entry for row in rows}:
            join_conversation(scope, entry)
        texts = {image.id: image for image in self.images}
        if not all(image.given() for image in self.images):
            raise BadInput(_("Give an alternative text or a caption."), field="images")
        return [
            Update(IMAGE, row.pk, texts[row.pk].given(), texts[row.pk].version or row.version)
            for row in rows
        ]


class ProposeImages(EntryCommand):
    """Lays words for the pictures of an entry before its owner, which picture may lead, and two
    that show what changed.
    """

    name = "propose_images"
    done = gettext_noop("Used picture suggestions")
    proposal = gettext_noop("Use picture suggestions for %(row)s")
    is_draft = True

    images: tuple[ImageText, ...] = Field((), max_length=60)
    hero: uuid.UUID | None = None
    pair: tuple[uuid.UUID, uuid.UUID] | None = None

    def plan(self, scope: Scope) -> list[Change]:
        entry = self.row(scope)
        rows = {row.pk: row for row in in_order(entry)}
        texts = {image.id: image.given() for image in self.images if image.id in rows}
        leads = arranged([*rows.values()], hero=self.hero) if self.hero else []
        for change in leads:  # in this order: the old hero steps down first
            texts[change.id] = {**texts.pop(change.id, {}), **change.values}
        planned: list[Change] = [
            Update(IMAGE, key, given, rows[key].version) for key, given in texts.items() if given
        ]
        if self.pair:
            pair = {"before": str(self.pair[0]), "after": str(self.pair[1])}
            block = {"type": "before_after", "caption": "", **pair}
            planned += self.edit(entry, {"blocks": identified([*entry.blocks, block])})
        return planned


class DeleteImage(RowCommand):
    """Takes a picture away from its entry; after a hero the next one leads. Undo brings it back."""

    name = "delete_image"
    done = gettext_noop("Deleted picture")
    proposal = gettext_noop("Delete picture “%(row)s”")
    model = EntryImage

    def plan(self, scope: Scope) -> list[Change]:
        image: EntryImage = self.row(scope)
        join_conversation(scope, image.entry)
        others = [other for other in in_order(image.entry) if other.pk != image.pk]
        planned: list[Change] = [Delete(IMAGE, image.pk)]
        if image.is_hero and others:
            planned.append(Update(IMAGE, others[0].pk, {"is_hero": True}))
        return planned


COMMANDS: Final = (AttachImages, ArrangeImages, DescribeImages, DeleteImage)


def arranged(
    images: Sequence[EntryImage], *, order: Sequence[uuid.UUID] = (), hero: uuid.UUID | None = None
) -> list[Update]:
    """Pictures of one entry in this order, those not named after them; `hero` leads the entry.

    Raises BadInput.
    """
    if hero is not None and hero not in {image.pk for image in images}:
        raise BadInput(_("This picture no longer exists."), field="hero")
    values: dict[uuid.UUID, dict[str, Any]] = defaultdict(dict)
    for place, image in enumerate(ordered(images, order)):
        if image.position != place:
            values[image.pk]["position"] = place
        if hero is not None and image.is_hero != (image.pk == hero):
            values[image.pk]["is_hero"] = image.pk == hero
    # the old hero steps down before the new one steps up: an entry has one at any moment
    stepping_up = sorted(values, key=lambda pk: bool(values[pk].get("is_hero")))
    return [Update(IMAGE, pk, values[pk]) for pk in stepping_up]
