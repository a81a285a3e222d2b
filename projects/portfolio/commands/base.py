"""What the commands of one row of a portfolio have in common: the row, and how they are named."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.utils.translation import gettext as _

from chat.commands.base import Command, Scope
from chat.operations.base import OperableModel


class RowCommand(Command):
    """`done` is its title in the ledger, `wish` says what it would do to `%(row)s`."""

    area: ClassVar[str] = "portfolio"
    model: ClassVar[type[OperableModel]]
    done: ClassVar[str]
    wish: ClassVar[str]

    id: uuid.UUID

    def row(self, scope: Scope) -> Any:
        """The row. Raises NotInScope."""
        return scope.get(self.model, self.id)

    @property
    def ledger_title(self) -> str:
        """“Deleted the entry”."""
        return _(self.done)

    def sentence(self, scope: Scope) -> str:
        """“Delete Reading app”."""
        return _(self.wish) % {"row": self.row(scope)}
