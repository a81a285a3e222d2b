"""Commands on the pictures of an entry: their order, the hero, what is to be seen on them."""

from __future__ import annotations

import uuid
from typing import ClassVar, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import BaseModel, ConfigDict, Field

from chat.commands.base import Command, Scope
from chat.operations.changes import Change
from futura.errors import BadInput
from projects.portfolio.entries import changes
from projects.portfolio.entries.queries import in_order
from projects.portfolio.models import Entry, EntryImage


class ArrangeImages(Command):
    """Puts the pictures of an entry in an order, and chooses the hero, which leads the page."""

    name: ClassVar[str] = "arrange_images"
    area: ClassVar[str] = "portfolio"

    id: uuid.UUID = Field(description="Id of the entry.")
    order: tuple[uuid.UUID, ...] = Field((), max_length=200, description="Ids of pictures.")
    hero: uuid.UUID | None = Field(None, description="Id of the picture that leads.")

    def plan(self, scope: Scope) -> list[Change]:
        """An update for each picture that moves. Raises NotInScope, BadInput."""
        entry = scope.get(Entry, self.id)
        if not self.order and self.hero is None:
            raise BadInput(_("Say which picture leads, or their order."), field="order")
        return changes.images_arranged(in_order(entry), order=self.order, hero=self.hero)

    @property
    def ledger_title(self) -> str:
        """“Arranged the pictures”."""
        return _("Arranged the pictures")

    def sentence(self, scope: Scope) -> str:
        """“Arrange the pictures of Reading app”."""
        return _("Arrange the pictures of %(entry)s") % {"entry": scope.get(Entry, self.id)}


class ImageText(BaseModel):
    """What is to be seen on a picture, for those who cannot see it, and its caption."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: uuid.UUID = Field(description="Id of the picture.")
    alt: str | None = Field(None, description="Alternative text, at most 300 characters.")
    caption: str | None = Field(None, description="At most 300 characters; empty takes it away.")


class DescribeImages(Command):
    """Gives pictures their alternative texts and captions."""

    name: ClassVar[str] = "describe_images"
    area: ClassVar[str] = "portfolio"

    images: tuple[ImageText, ...] = Field(min_length=1, max_length=60)

    def plan(self, scope: Scope) -> list[Change]:
        """An update for each picture. Raises NotInScope, BadInput, TooLong."""
        rows = {row.pk: row for row in scope.rows(EntryImage, [one.id for one in self.images])}
        planned: list[Change] = []
        for one in self.images:
            values = one.model_dump(exclude_none=True, exclude={"id"})
            if not values:
                raise BadInput(_("Say what is to be seen, or the caption."), field="images")
            row = rows[one.id]
            planned.append(changes.image_edited(row, values, version=row.version))
        return planned

    @property
    def ledger_title(self) -> str:
        """“Described 2 pictures”."""
        n = len(self.images)
        return ngettext("Described a picture", "Described %(n)d pictures", n) % {"n": n}

    def sentence(self, scope: Scope) -> str:  # noqa: ARG002 - all are of the caller's
        """“Describe 2 pictures”."""
        n = len(self.images)
        return ngettext("Describe a picture", "Describe %(n)d pictures", n) % {"n": n}


COMMANDS: Final = (ArrangeImages, DescribeImages)
