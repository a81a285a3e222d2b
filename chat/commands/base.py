"""What a command is: typed wishes that plan changes, in a scope where other people's rows are not.

A field left at None stays as it is; `clear` names fields to empty. So one schema serves forms,
programs and models, whose strict schemas have no absent fields.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol, TypeVar, runtime_checkable

from pydantic import BaseModel, ConfigDict, ValidationError

from chat.models import Session
from chat.operations.base import OperableModel
from chat.operations.changes import Actor, Cause, Change
from chat.operations.models import OperationBatch
from futura.errors import BadInput, Conflict, NotFound
from futura.faults import sentence

RowT = TypeVar("RowT", bound=OperableModel)
CommandT = TypeVar("CommandT", bound="Command")


class NotInScope(NotFound):
    """A row that is not there for this caller: deleted, unknown, or somebody else's."""


class Rejected(Conflict):
    """A command that cannot be carried out on the rows as they stand."""


class Scope(Protocol):
    """Whose rows a command may touch, and how its changes reach the ledger."""

    @property
    def actor(self) -> Actor:
        """Who acts for whom: the owner of the rows named so far, else the caller."""

    @property
    def owner_ids(self) -> Sequence[uuid.UUID]:
        """The participants whose rows the caller may touch."""

    @property
    def today(self) -> dt.date:
        """The person's day."""

    def get(self, model: type[RowT], key: uuid.UUID) -> RowT:
        """The caller's own living row. Raises NotInScope."""

    def rows(self, model: type[RowT], keys: Sequence[uuid.UUID]) -> list[RowT]:
        """The same for several, in this order, each once; one query. Raises NotInScope, BadInput
        when they have different owners.
        """

    def commit(
        self, command: Command, changes: Sequence[Change], cause: Cause | None = None
    ) -> OperationBatch:
        """Executes the changes, or proposes them where the caller's policy says so."""


@runtime_checkable
class ConversationScope(Protocol):
    """A scope in which the rows of one conversation can be changed together."""

    def conversation(self, key: uuid.UUID) -> Session:
        """The caller's own conversation, which the changes belong to from then on.

        Without changes nothing is recorded there: the batch is not stored.
        Raises NotFound, BadInput when its owner is another one than that of the rows.
        """


class Command(BaseModel):
    """One thing that can be done. Subclasses are registered under `name`.

    `area` is what an access token must be allowed to write (or read) for it: `todos`, `projects`.
    What an assistant makes with a command that `is_draft` waits until the person uses it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: ClassVar[str]
    area: ClassVar[str]
    schema_version: ClassVar[int] = 1
    writes: ClassVar[bool] = True
    is_draft: ClassVar[bool] = False
    clearable: ClassVar[frozenset[str]] = frozenset()

    def plan(self, scope: Scope) -> list[Change]:
        """The changes that carry it out now. Raises NotInScope, Rejected, BadInput, TooLong."""
        raise NotImplementedError

    def carry_out(self, scope: Scope, cause: Cause | None = None) -> OperationBatch:
        """Plans and commits. Within a transaction. Raises what planning and the ledger raise."""
        return scope.commit(self, self.plan(scope), cause)

    @classmethod
    def token_scope(cls) -> str:
        """What an access token needs for it: `todos:write`."""
        return f"{cls.area}:{'write' if cls.writes else 'read'}"

    def scopes(self) -> frozenset[str]:
        """What an access token needs for exactly this one."""
        return frozenset({self.token_scope()})

    @property
    def ledger_title(self) -> str:
        """What the ledger calls it once it is done, without anybody's content."""
        raise NotImplementedError

    def sentence(self, scope: Scope) -> str:
        """What it would do, for previews and cards: “Move 3 to-dos to Monday”."""
        raise NotImplementedError


class Query(Command):
    """One thing that can be read."""

    writes: ClassVar[bool] = False

    def read(self, scope: Scope) -> BaseModel:
        """What was asked for."""
        raise NotImplementedError


class Act(Command):
    """One thing whose effect is no change of rows: a conversation that opens."""

    def act(self, scope: Scope) -> BaseModel:
        """Does it; what came of it. Raises NotInScope, BadInput, TooLong."""
        raise NotImplementedError


def build(kind: type[CommandT], values: Mapping[str, Any], **more: Any) -> CommandT:
    """A command from the values of a form or body, where None empties a field.

    Raises BadInput that names the first field that does not fit.
    """
    given = {**values, **more}
    emptied = [name for name, value in given.items() if value is None and name in kind.clearable]
    if emptied:
        given = {name: value for name, value in given.items() if name not in emptied}
        given["clear"] = [*given.get("clear", ()), *emptied]
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        raise bad_input(error) from error


def bad_input(error: ValidationError) -> BadInput:
    """The first thing that is wrong with a command, as every door tells it."""
    first = error.errors(include_url=False)[0]
    field = ".".join(str(step) for step in first["loc"])
    return BadInput(sentence(first), field=field or None)
