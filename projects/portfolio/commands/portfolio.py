"""The commands of a portfolio as a whole: start, change, delete."""

from __future__ import annotations

from itertools import count
from typing import Any, ClassVar, Final, Literal

from django.db import connection
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop
from pydantic import Field

from chat.commands.base import Command, Scope
from chat.operations.base import OperableModel
from chat.operations.changes import Change, Create, Delete, Update
from futura.errors import BadInput
from projects.portfolio.commands.base import RowCommand
from projects.portfolio.models import Portfolio

PORTFOLIO: Final = "portfolio"
SLUG_CHARS: Final = 72
SLUG: Final = r"^[a-z0-9]+(?:-[a-z0-9]+)*$"
_LOCK: Final = 0x46757471  # any fixed number: addresses of portfolios are given one at a time


class PortfolioFields(Command):
    """Who speaks, in which field, under which address."""

    area: ClassVar[str] = "portfolio"

    owner_name: str | None = Field(None, min_length=1, max_length=200)
    domain_label: str | None = Field(None, min_length=1, max_length=120)
    pronouns: str | None = Field(None, max_length=60)
    kind: Literal["individual", "team", "organization"] | None = None
    slug: str | None = Field(None, pattern=SLUG, max_length=80, description="The public address.")
    private_notes: str | None = Field(None, max_length=20_000)

    def values(self) -> dict[str, Any]:
        """What is given, by field."""
        given = {name: getattr(self, name) for name in PortfolioFields.model_fields}
        return {name: value for name, value in given.items() if value is not None}


class CreatePortfolio(PortfolioFields):
    """Starts a portfolio, empty and not published."""

    name: ClassVar[str] = "create_portfolio"

    owner_name: str = Field(min_length=1, max_length=200)
    domain_label: str = Field(min_length=1, max_length=120, description="What its owner is.")

    def plan(self, scope: Scope) -> list[Change]:  # noqa: ARG002 - nothing is there yet
        """One new row. Raises BadInput when its address is taken."""
        values = self.values()
        if self.slug:
            _refuse_taken(self.slug)
        else:
            values["slug"] = _free_slug(self.owner_name)
        return [Create(PORTFOLIO, values)]

    @property
    def ledger_title(self) -> str:
        """“Started the portfolio”."""
        return _("Started the portfolio")

    def sentence(self, scope: Scope) -> str:  # noqa: ARG002 - nothing is there yet
        """“Start a portfolio of Mara”."""
        return _("Start a portfolio of %(name)s") % {"name": self.owner_name}


class ChangePortfolio(PortfolioFields, RowCommand):
    """Changes who speaks, in which field, or the public address."""

    name: ClassVar[str] = "change_portfolio"
    done: ClassVar[str] = noop("Changed the portfolio")
    wish: ClassVar[str] = noop("Change the portfolio of %(row)s")

    model: ClassVar[type[OperableModel]] = Portfolio

    version: int | None = Field(None, description="The version that was seen.")

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, BadInput when the address is taken."""
        portfolio = self.row(scope)
        if self.slug and self.slug != portfolio.slug:
            _refuse_taken(self.slug)
        version = self.version or portfolio.version
        return [Update(PORTFOLIO, portfolio.pk, self.values(), version)]


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


COMMANDS: Final = (CreatePortfolio, ChangePortfolio, DeletePortfolio)


def _alone() -> None:
    """Until the transaction ends nobody else is given an address."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


def _is_taken(slug: str) -> bool:
    return Portfolio.objects.filter(slug=slug, deleted_at=None).exists()


def _refuse_taken(slug: str) -> None:
    _alone()
    if _is_taken(slug):
        raise BadInput(_("Another portfolio has this address. Choose another one."), field="slug")


def _free_slug(name: str) -> str:
    _alone()
    stem = slugify(name).replace("_", "-")[:SLUG_CHARS].strip("-") or "portfolio"
    candidates = (f"{stem}-{n}" if n > 1 else stem for n in count(1))
    return next(slug for slug in candidates if not _is_taken(slug))
