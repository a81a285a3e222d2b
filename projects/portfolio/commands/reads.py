"""What can be read of portfolios: the list of them, and one whole."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any, ClassVar, Final, Literal

from pydantic import BaseModel, ConfigDict, RootModel

from chat.commands.base import Command, Query, Scope
from projects.portfolio import queries
from projects.portfolio.home.export import exported


class PortfolioLine(BaseModel):
    """A portfolio in a list; `slug` is the end of its public address."""

    model_config = ConfigDict(from_attributes=True)

    id: uuid.UUID
    slug: str
    status: Literal["draft", "published"]
    owner_name: str
    domain_label: str
    version: int
    updated_at: datetime
    published_at: datetime | None


class PortfoliosOut(BaseModel):
    """A person's portfolios, last changed first."""

    portfolios: list[PortfolioLine]


class PortfolioOut(RootModel[dict[str, Any]]):
    """A portfolio as its export file has it: fields, records, entries, pictures, answers."""


class ListPortfolios(Query):
    """Lists portfolios, whether they are published or not."""

    name: ClassVar[str] = "list_portfolios"
    area: ClassVar[str] = "portfolio"

    def read(self, scope: Scope) -> PortfoliosOut:
        rows = queries.portfolios_of(scope.identity)
        return PortfoliosOut(portfolios=list(map(PortfolioLine.model_validate, rows)))


class ReadPortfolio(Query):
    """Reads a portfolio whole, with the ids of its records, entries and pictures."""

    name: ClassVar[str] = "read_portfolio"
    area: ClassVar[str] = "portfolio"

    id: uuid.UUID

    def read(self, scope: Scope) -> PortfolioOut:
        return PortfolioOut(exported(queries.portfolio_for(scope.identity, self.id)))


COMMANDS: Final[tuple[type[Command], ...]] = (ListPortfolios, ReadPortfolio)
