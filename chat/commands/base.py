"""What a command is, and its scope: typed wishes that plan changes of one caller's own rows.

A field left at None stays as it is; `clear` names fields to empty. So one schema serves forms,
programs and models, whose strict schemas have no absent fields.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, TypeVar

from django.utils import timezone
from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from chat import queries
from chat.identity import Identity
from chat.models import Session
from chat.operations.changes import Actor, Cause, Change, Kind
from chat.operations.execute import execute, raise_if_failed
from chat.operations.models import OperationBatch
from chat.operations.policy import reasons_to_wait
from chat.operations.registry import OperableModel
from chat.operations.review import propose
from futura.errors import BadInput, Conflict, NotFound
from futura.faults import sentence

RowT = TypeVar("RowT", bound=OperableModel)
CommandT = TypeVar("CommandT", bound="Command")
SeenVersion = Annotated[int, Field(ge=1, le=2**31 - 1)]
"""The version of a row that the caller saw, as far as a row can have one."""


@dataclass
class Scope:
    """The rows of one caller. All that one command touches belongs to one of their participants.

    What is new belongs to `participant_id`, else to the caller's participant, who gets one then
    (see `Identity.participant`). With `has_policy` changes pass the policy that the product's own
    agent passes; `has_untrusted_text` marks a command that was made of somebody else's text. Under
    the same `key` a program's command is carried out once.
    """

    identity: Identity
    kind: str = Kind.PERSON
    participant_id: uuid.UUID | None = None
    has_policy: bool = False
    has_untrusted_text: bool = False
    key: str = ""
    _owner_id: uuid.UUID | None = field(default=None, init=False)
    _session: Session | None = field(default=None, init=False)

    @classmethod
    def of_actor(cls, actor: Actor) -> Scope:
        """For work in the background, which has an actor and no caller."""
        identity = Identity(user_id=actor.user_id, user_participant_ids=(actor.owner_id,))
        scope = cls(identity, actor.kind)
        scope._owner_id = actor.owner_id
        return scope

    @property
    def actor(self) -> Actor:
        owner_id = self._owner_id or self.participant_id or self.identity.participant().pk
        return Actor(owner_id, self.kind, self.identity.user_id)

    @property
    def owner_ids(self) -> Sequence[uuid.UUID]:
        return self.identity.participant_ids

    @property
    def today(self) -> dt.date:
        return timezone.localdate()

    def get(self, model: type[RowT], key: uuid.UUID) -> RowT:
        """The caller's own living row. Raises NotInScope, BadInput."""
        return self.rows(model, [key])[0]

    def rows(self, model: type[RowT], keys: Sequence[uuid.UUID]) -> list[RowT]:
        """The caller's own living rows in this order. Raises NotInScope, BadInput."""
        own = model._default_manager.filter(
            pk__in=keys, owner_id__in=self.identity.participant_ids, deleted_at=None
        )
        matches = {row.pk: row for row in own}
        if missing := set(keys) - matches.keys():
            raise NotInScope(missing=missing)
        self._act_for({row.owner_id for row in matches.values()})
        return [matches[key] for key in dict.fromkeys(keys)]

    def conversation(self, key: uuid.UUID) -> Session:
        """The caller's own conversation, which the changes belong to from then on; without changes
        nothing is recorded there. Raises NotFound, BadInput.
        """
        session = queries.session_for(self.identity, key)
        self._act_for({session.participant_id})
        self._session = session
        return session

    def _act_for(self, owners: set[uuid.UUID]) -> None:
        """Names the owner for whom the caller acts; all rows must be of one. Raises BadInput."""
        if len(owners | ({self._owner_id} if self._owner_id else set())) > 1:
            raise BadInput(_("These belong to different accounts; change them one by one."))
        self._owner_id = self._owner_id or next(iter(owners), None)

    def commit(
        self, command: Command, changes: Sequence[Change], cause: Cause | None = None
    ) -> OperationBatch:
        """Executes the changes whole or not at all, or proposes them. Raises Conflict.

        Within a transaction, which what is raised ends: a person's failed try leaves no trace.
        Neither does one that changes nothing of a conversation.
        """
        if not changes and self._session is not None:
            return OperationBatch(
                owner_id=self.actor.owner_id, status=OperationBatch.Status.COMPLETED
            )
        cause = cause or Cause(reason=self.identity.reason)
        cause = replace(cause, session=cause.session or self._session)
        untrusted = self.has_untrusted_text
        reasons = (
            reasons_to_wait("", changes, has_untrusted_text=untrusted) if self.has_policy else []
        )
        if reasons:
            return propose(
                actor=self.actor, changes=changes, reasons=reasons, cause=cause, is_atomic=True,
                title=command.sentence(self),
            )  # fmt: skip
        batch = execute(
            actor=self.actor, changes=changes, cause=cause, title=command.ledger_title,
            is_atomic=True,
        )  # fmt: skip
        return raise_if_failed(batch)


class NotInScope(NotFound):
    """Rows that are not there for this caller: deleted, unknown, or somebody else's."""

    def __init__(self, message: str = "", *, missing: Collection[uuid.UUID] = ()) -> None:
        super().__init__(message)
        self.missing = [*missing]


class Rejected(Conflict):
    """A command that cannot be carried out on the rows as they stand."""


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
    fields = {**values, **more}
    emptied = [name for name, value in fields.items() if value is None and name in kind.clearable]
    if emptied:
        fields = {name: value for name, value in fields.items() if name not in emptied}
        fields["clear"] = [*fields.get("clear", ()), *emptied]
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        raise bad_input(error) from error


def bad_input(error: ValidationError) -> BadInput:
    """The first thing that is wrong with a command, as every door tells it."""
    first = error.errors(include_url=False)[0]
    field = ".".join(str(step) for step in first["loc"])
    return BadInput(sentence(first), field=field or None)
