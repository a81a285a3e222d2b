"""The commands of a portfolio as a whole: start, change, delete."""

from __future__ import annotations

import uuid
from itertools import count
from typing import Any, ClassVar, Final

from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop
from pydantic import Field

from chat.commands.base import Command, Scope
from chat.operations.base import OperableModel
from chat.operations.changes import Change, Create, Delete, Update
from futura import locks
from futura.errors import BadInput
from projects.portfolio.commands.base import RowCommand
from projects.portfolio.models import Portfolio, StoredImage
from projects.portfolio.schema.portfolio import PortfolioFields
from projects.portfolio.schema.tables import Values

PORTFOLIO: Final = "portfolio"
SLUG_CHARS: Final = 72
_ADDRESSES: Final = "addresses of portfolios"  # they are given one at a time


class CreatePortfolio(PortfolioFields, Command):  # type: ignore[misc, valid-type]
    """Starts a portfolio, empty and not published: whose it is, and what they are."""

    name: ClassVar[str] = "create_portfolio"
    area: ClassVar[str] = "portfolio"

    def plan(self, scope: Scope) -> list[Change]:  # noqa: ARG002 - nothing is there yet
        """One new row. Raises BadInput when its address is taken."""
        values = _values(self)
        for name in ("owner_name", "domain_label"):
            if not values.get(name):
                raise BadInput(_("Say whose it is, and what they are."), field=name)
        if "slug" in values:
            _refuse_taken(values["slug"])
        else:
            values["slug"] = _free_slug(values["owner_name"])
        return [Create(PORTFOLIO, values)]

    @property
    def ledger_title(self) -> str:
        """“Started the portfolio”."""
        return _("Started the portfolio")

    def sentence(self, scope: Scope) -> str:  # noqa: ARG002 - nothing is there yet
        """“Start a portfolio of Mara”."""
        return _("Start a portfolio of %(name)s") % {"name": self.given().get("owner_name", "")}


class ChangePortfolio(PortfolioFields, RowCommand):  # type: ignore[misc, valid-type]
    """Changes who speaks, in which field, or the public address."""

    name: ClassVar[str] = "change_portfolio"
    done: ClassVar[str] = noop("Changed the portfolio")
    wish: ClassVar[str] = noop("Change the portfolio of %(row)s")
    model: ClassVar[type[OperableModel]] = Portfolio

    version: int | None = Field(None, description="The version that was seen.")

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, BadInput when the address is taken."""
        portfolio: Portfolio = self.row(scope)
        values = _values(self)
        if values.get("slug", portfolio.slug) != portfolio.slug:
            _refuse_taken(values["slug"])
        return [Update(PORTFOLIO, portfolio.pk, values, self.version or portfolio.version)]


class SetPhoto(RowCommand):
    """Puts a photo of the person, or a mark of the team, on the public page; or takes it away.

    A photo needs an alternative text: whom it shows.
    """

    name: ClassVar[str] = "set_photo"
    done: ClassVar[str] = noop("Changed the photo")
    wish: ClassVar[str] = noop("Change the photo of %(row)s")
    model: ClassVar[type[OperableModel]] = Portfolio

    file: uuid.UUID | None = Field(
        None, description="Id of an uploaded picture; null leaves the one there is."
    )
    alt: str = Field("", max_length=300, description="Whom it shows, in words.")
    remove: bool = False

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, BadInput."""
        portfolio: Portfolio = self.row(scope)
        values: dict[str, Any] = {"photo": None, "photo_alt": ""}
        if not self.remove:
            key, alt = self.file or portfolio.photo_id, " ".join(self.alt.split())
            own = StoredImage.objects.filter(portfolio=portfolio)
            # which keeps its file for an undo
            if key is None or not own.filter(pk=key).update(is_photo=True):
                raise BadInput(_("Choose a picture."), field="file")
            if not alt:
                raise BadInput(_("Say whom it shows, for those who cannot see it."), field="alt")
            values = {"photo": str(key), "photo_alt": alt}
        return [Update(PORTFOLIO, portfolio.pk, values, portfolio.version)]


class DeletePortfolio(RowCommand):
    """Deletes a portfolio with everything in it; undo brings all of it back."""

    name: ClassVar[str] = "delete_portfolio"
    done: ClassVar[str] = noop("Deleted the portfolio")
    wish: ClassVar[str] = noop("Delete the portfolio of %(row)s")

    model: ClassVar[type[OperableModel]] = Portfolio

    def plan(self, scope: Scope) -> list[Change]:
        """One deletion. Raises NotInScope."""
        portfolio = self.row(scope)
        return [Delete(PORTFOLIO, portfolio.pk, portfolio.version)]


COMMANDS: Final = (CreatePortfolio, ChangePortfolio, SetPhoto, DeletePortfolio)


def _values(command: Values) -> dict[str, Any]:
    """What is given; an address only where one was written."""
    values = command.given()
    return {name: value for name, value in values.items() if value or name != "slug"}


def _is_taken(slug: str) -> bool:
    return Portfolio.objects.filter(slug=slug, deleted_at=None).exists()


def _refuse_taken(slug: str) -> None:
    locks.wait_for(_ADDRESSES)
    if _is_taken(slug):
        raise BadInput(_("Another portfolio has this address. Choose another one."), field="slug")


def _free_slug(name: str) -> str:
    locks.wait_for(_ADDRESSES)
    stem = slugify(name).replace("_", "-")[:SLUG_CHARS].strip("-") or "portfolio"
    candidates = (f"{stem}-{n}" if n > 1 else stem for n in count(1))
    return next(slug for slug in candidates if not _is_taken(slug))
