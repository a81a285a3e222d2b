"""What the commands of a portfolio have in common: how they are named, and the row they change."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping
from functools import partial
from typing import Any, ClassVar

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _
from pydantic import Field

from chat.commands.base import Command, Scope, SeenVersion
from chat.operations import registry
from chat.operations.changes import Change, Delete, Update, Values
from chat.operations.registry import OperableModel
from projects.portfolio import contact_review
from projects.portfolio.index import refresh

Texts = str | tuple[str, str]
"""A text, or one for a single thing and one for `%(n)d`."""


class PortfolioCommand(Command):
    """`done` is its title in the ledger, `proposal` says what it would do, with `placeholders`.

    `counted` is the field of the things that it is about, where they are counted.
    """

    area = "portfolio"
    done: ClassVar[Texts]
    proposal: ClassVar[Texts]
    counted: ClassVar[str] = ""

    @property
    def placeholders(self) -> Mapping[str, object]:
        return {}

    @property
    def ledger_title(self) -> str:
        return self._phrase(self.done)

    def sentence(self, scope: Scope) -> str:  # noqa: ARG002
        return self._phrase(self.proposal)

    def _phrase(self, texts: Texts, **more: object) -> str:
        count = len(getattr(self, self.counted)) if self.counted else 1
        text = _(texts if isinstance(texts, str) else texts[count != 1])
        return text % {"n": count, **self.placeholders, **more}


class RowCommand(PortfolioCommand):
    """A command on one row; `sets` are the fields that it puts to fixed values, where it does."""

    model: ClassVar[type[OperableModel]]
    sets: ClassVar[Mapping[str, Any]] = {}

    id: uuid.UUID
    version: SeenVersion | None = Field(None, description="The version that was seen.")

    def row(self, scope: Scope) -> Any:
        """The row that it is about. Raises NotInScope."""
        return scope.get(self.model, self.id)

    def sentence(self, scope: Scope) -> str:
        return self._phrase(self.proposal, row=self.row(scope))

    def plan(self, scope: Scope) -> list[Change]:
        """One update, none where it is like that already."""
        row = self.row(scope)
        changed = {name: value for name, value in self.sets.items() if getattr(row, name) != value}
        return self.put(row, changed) if changed else []

    def put(self, row: OperableModel, values: Values) -> list[Change]:
        """Other values for fields of the row, as it was seen."""
        return [Update(registry.named(type(row)), row.pk, values, self.version or row.version)]


class DeleteRow(RowCommand):
    """A command that takes one row away."""

    def plan(self, scope: Scope) -> list[Change]:
        row = self.row(scope)
        return [Delete(registry.named(type(row)), row.pk, self.version or row.version)]


def next_position(rows: QuerySet[Any]) -> int:
    """The place behind all of these rows."""
    last = rows.aggregate(last=Max("position"))["last"]
    return 0 if last is None else int(last) + 1


def settle_contacts(
    portfolio_id: uuid.UUID, rows: Iterable[OperableModel], leave: Collection[str]
) -> None:
    """Lets contact data in these rows be shown that were left out; `leave` are their keys."""
    with transaction.atomic():
        contact_review.clear(portfolio_id, contact_review.keys_in(rows) & set(leave))
        transaction.on_commit(partial(refresh.note, portfolio_id))  # no operation tells of it
