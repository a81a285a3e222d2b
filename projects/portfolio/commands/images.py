"""Commands on the pictures of an entry: added, described, put in order, deleted."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop
from django.utils.translation import ngettext
from pydantic import BaseModel, ConfigDict, Field

from chat.commands.base import Command, Scope
from chat.operations.base import OperableModel
from chat.operations.changes import Change, Create, Delete, Update
from futura.errors import BadInput
from projects.portfolio.blocks import identified
from projects.portfolio.commands.base import RowCommand
from projects.portfolio.commands.entries import EntryCommand, follow, ordered
from projects.portfolio.entries import limits, naming
from projects.portfolio.entries.queries import in_order
from projects.portfolio.models import Entry, EntryImage, StoredImage
from projects.portfolio.schema.shapes import line
from projects.portfolio.schema.tables import Field as Row
from projects.portfolio.schema.tables import tidied, values_model

IMAGE: Final = "portfolio_image"
ImageFields: Final = values_model(
    "ImageFields",
    (Row("alt", line(limits.ALT_CHARS), ""), Row("caption", line(limits.CAPTION_CHARS), "")),
)


class AttachImages(EntryCommand):
    """Adds uploaded pictures to an entry; the first one of an entry leads it."""

    name: ClassVar[str] = "attach_images"

    files: tuple[uuid.UUID, ...] = Field(min_length=1, description="Ids of uploaded files.")
    alt: str = Field("", description="Alternative text, at most 300 characters.")
    caption: str = Field("", description="At most 300 characters.")

    def plan(self, scope: Scope) -> list[Change]:
        """A new row for each. Raises NotInScope, BadInput."""
        entry = self.entry(scope)
        uploads = StoredImage.objects.filter(portfolio=entry.portfolio_id).in_bulk(self.files)
        if set(self.files) - set(uploads):
            raise BadInput(_("This picture is not of this portfolio."), field="files")
        pictures = [uploads[key] for key in self.files]
        return [*_attached(entry, pictures, {"alt": self.alt, "caption": self.caption})]

    @property
    def ledger_title(self) -> str:
        """“Added 2 pictures”."""
        n = len(self.files)
        return ngettext("Added a picture", "Added %(n)d pictures", n) % {"n": n}

    def sentence(self, scope: Scope) -> str:
        """“Add 2 pictures to Reading app”."""
        n = len(self.files)
        text = ngettext("Add a picture to %(entry)s", "Add %(n)d pictures to %(entry)s", n)
        return text % {"n": n, "entry": self.row(scope)}


class ArrangeImages(EntryCommand):
    """Puts the pictures of an entry in an order, and chooses the hero, which leads the page."""

    name: ClassVar[str] = "arrange_images"
    done: ClassVar[str] = noop("Arranged the pictures")
    wish: ClassVar[str] = noop("Arrange the pictures of %(row)s")

    order: tuple[uuid.UUID, ...] = Field((), max_length=200, description="Ids of pictures.")
    hero: uuid.UUID | None = Field(None, description="Id of the picture that leads.")

    def plan(self, scope: Scope) -> list[Change]:
        """An update for each picture that moves. Raises NotInScope, BadInput."""
        entry = self.entry(scope)
        if not self.order and self.hero is None:
            raise BadInput(_("Say which picture leads, or their order."), field="order")
        return arranged(in_order(entry), order=self.order, hero=self.hero)


class ImageText(BaseModel):
    """What is to be seen on a picture, for those who cannot see it, and its caption."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: uuid.UUID = Field(description="Id of the picture.")
    alt: str | None = Field(None, description="Alternative text, at most 300 characters.")
    caption: str | None = Field(None, description="At most 300 characters; empty takes it away.")
    version: int | None = Field(None, description="The version that was seen.")


class DescribeImages(Command):
    """Gives pictures their alternative texts and captions."""

    name: ClassVar[str] = "describe_images"
    area: ClassVar[str] = "portfolio"

    images: tuple[ImageText, ...] = Field(min_length=1, max_length=60)

    def plan(self, scope: Scope) -> list[Change]:
        """An update for each picture. Raises NotInScope, BadInput, TooLong."""
        rows = scope.rows(EntryImage, [image.id for image in self.images])
        _follow_entries(scope, rows)
        texts = {image.id: image for image in self.images}
        return [self._change(row, texts[row.pk]) for row in rows]

    def _change(self, row: EntryImage, image: ImageText) -> Change:
        values = image.model_dump(exclude_none=True, include={"alt", "caption"})
        if not values:
            raise BadInput(_("Say what is to be seen, or the caption."), field="images")
        return Update(IMAGE, row.pk, tidied(ImageFields, values), image.version or row.version)

    @property
    def ledger_title(self) -> str:
        """“Described 2 pictures”."""
        n = len(self.images)
        return ngettext("Described a picture", "Described %(n)d pictures", n) % {"n": n}

    def sentence(self, scope: Scope) -> str:  # noqa: ARG002 - all are of the caller's
        """“Describe 2 pictures”."""
        n = len(self.images)
        return ngettext("Describe a picture", "Describe %(n)d pictures", n) % {"n": n}


class ProposeImages(EntryCommand):
    """Lays words for the pictures of an entry before its owner, which picture may lead, and two
    that show what changed.
    """

    name: ClassVar[str] = "propose_images"
    done: ClassVar[str] = noop("Used the proposal for the pictures")
    wish: ClassVar[str] = noop("Use the proposal for the pictures of %(row)s")
    is_draft: ClassVar[bool] = True

    images: tuple[ImageText, ...] = Field((), max_length=60)
    hero: uuid.UUID | None = None
    pair: tuple[uuid.UUID, uuid.UUID] | None = None

    def plan(self, scope: Scope) -> list[Change]:
        """One update for each picture, and one of the story. Raises NotInScope, BadInput."""
        entry = self.entry(scope)
        rows = in_order(entry)
        leading = arranged(rows, hero=self.hero) if self.hero else []
        values: dict[uuid.UUID, dict[str, Any]] = {
            image.id: image.model_dump(exclude_none=True, include={"alt", "caption"})
            for image in self.images
        }
        for change in leading:  # in this order: the old hero steps down first
            if isinstance(change, Update):
                values[change.id] = values.pop(change.id, {}) | dict(change.values)
        known = {row.pk: row for row in rows}
        planned: list[Change] = [
            Update(IMAGE, key, tidied(ImageFields, texts) | lead, known[key].version)
            for key, given in values.items()
            for texts, lead in [_texts_and_lead(given)]
            if key in known and given
        ]
        if self.pair:
            block = {"type": "before_after", "caption": ""}
            pair = {"before": str(self.pair[0]), "after": str(self.pair[1])}
            story = identified([*entry.blocks, {**block, **pair}])
            planned += self.edit(entry, {"blocks": story})
        return planned


def _texts_and_lead(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The words of a picture, and the rest."""
    texts = {name: value for name, value in given.items() if name in {"alt", "caption"}}
    return texts, {name: value for name, value in given.items() if name not in texts}


class DeleteImage(RowCommand):
    """Takes a picture away from its entry; after a hero the next one leads. Undo brings it back."""

    name: ClassVar[str] = "delete_image"
    done: ClassVar[str] = noop("Deleted a picture")
    wish: ClassVar[str] = noop("Delete the picture “%(row)s”")

    model: ClassVar[type[OperableModel]] = EntryImage

    def plan(self, scope: Scope) -> list[Change]:
        """One deletion, and an update of the next hero. Raises NotInScope."""
        image: EntryImage = self.row(scope)
        _follow_entries(scope, [image])
        rest = [one for one in in_order(image.entry) if one.pk != image.pk]
        planned: list[Change] = [Delete(IMAGE, image.pk)]
        if image.is_hero and rest:
            planned.append(Update(IMAGE, rest[0].pk, {"is_hero": True}))
        return planned


COMMANDS: Final = (AttachImages, ArrangeImages, DescribeImages, DeleteImage)


def _follow_entries(scope: Scope, images: Sequence[EntryImage]) -> None:
    for entry in {image.entry for image in images}:
        follow(scope, entry)


def _attached(
    entry: Entry, pictures: Sequence[StoredImage], texts: Mapping[str, str]
) -> list[Create]:
    """Pictures, last in order; the first of an entry is its hero. Raises BadInput, TooLong."""
    naming.lock(entry.portfolio_id)
    own = EntryImage.objects.filter(entry=entry, deleted_at=None)
    if own.count() + len(pictures) > limits.PICTURES_OF_ENTRY:
        most = {"n": limits.PICTURES_OF_ENTRY}
        raise BadInput(_("An entry has at most %(n)d pictures.") % most, field="files")
    last = own.aggregate(last=Max("position"))["last"]
    has_hero = own.filter(is_hero=True).exists()
    values = {**tidied(ImageFields, texts), "entry": str(entry.pk)}
    return [
        Create(
            IMAGE,
            {
                **values,
                "image": str(stored.pk),
                "position": number if last is None else last + 1 + number,
                "is_hero": not has_hero and number == 0,
            },
        )
        for number, stored in enumerate(pictures)
    ]


def arranged(
    images: Sequence[EntryImage], *, order: Sequence[uuid.UUID] = (), hero: uuid.UUID | None = None
) -> list[Change]:
    """Pictures of one entry in this order, those not named after them; `hero` leads the entry.

    Raises BadInput.
    """
    if hero is not None and hero not in {image.pk for image in images}:
        raise BadInput(_("This picture is not there any more."), field="hero")
    values: dict[uuid.UUID, dict[str, Any]] = {}
    for place, image in enumerate(ordered(images, order)):
        if image.position != place:
            values[image.pk] = {"position": place}
    for image in images:
        if hero is not None and image.is_hero != (image.pk == hero):
            values.setdefault(image.pk, {})["is_hero"] = image.pk == hero
    # the old hero steps down before the new one steps up: an entry has one at any moment
    stepping_up = sorted(values, key=lambda pk: bool(values[pk].get("is_hero")))
    return [Update(IMAGE, pk, values[pk]) for pk in stepping_up]
