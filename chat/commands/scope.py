"""The scope of people and programs: their own rows, changed at once."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat import queries
from chat.commands.base import Command, NotInScope, RowT
from chat.identity import Identity
from chat.models import Session
from chat.operations.changes import Actor, Cause, Change, Kind
from chat.operations.execute import execute, raise_if_failed
from chat.operations.models import OperationBatch
from chat.operations.policy import reasons_to_wait
from chat.operations.review import propose
from futura.errors import BadInput

Status = OperationBatch.Status


@dataclass
class OwnScope:
    """The rows of one caller. All that one command touches belongs to one of their participants.

    Who has none yet gets one when something is made (see `Identity.participant`).
    """

    identity: Identity
    kind: str = Kind.PERSON
    has_untrusted_text: bool = False
    _owner_id: uuid.UUID | None = field(default=None, init=False)
    _session: Session | None = field(default=None, init=False)

    @classmethod
    def of_actor(cls, actor: Actor) -> OwnScope:
        """For work in the background, which has an actor and no caller."""
        identity = Identity(user_id=actor.user_id, user_participant_ids=(actor.owner_id,))
        scope = cls(identity, actor.kind)
        scope._owner_id = actor.owner_id
        return scope

    @property
    def actor(self) -> Actor:
        """The caller, for the owner of the rows named so far."""
        owner_id = self._owner_id or self.identity.participant().pk
        return Actor(owner_id, self.kind, self.identity.user_id)

    @property
    def owner_ids(self) -> Sequence[uuid.UUID]:
        """The caller's participants."""
        return self.identity.participant_ids

    @property
    def today(self) -> dt.date:
        """The person's day."""
        return timezone.localdate()

    def get(self, model: type[RowT], key: uuid.UUID) -> RowT:
        """The caller's own living row. Raises NotInScope, BadInput."""
        return self.rows(model, [key])[0]

    def rows(self, model: type[RowT], keys: Sequence[uuid.UUID]) -> list[RowT]:
        """The caller's own living rows in this order. Raises NotInScope, BadInput."""
        own = model._default_manager.filter(
            pk__in=keys, owner_id__in=self.identity.participant_ids, deleted_at=None
        )
        found = {row.pk: row for row in own}
        if found.keys() != set(keys):
            raise NotInScope
        self._act_for({row.owner_id for row in found.values()})
        return [found[key] for key in dict.fromkeys(keys)]

    def conversation(self, key: uuid.UUID) -> Session:
        """The caller's own conversation. Raises NotFound, BadInput."""
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

        A person's failed try leaves no trace, and neither does one that changes nothing of a
        conversation.
        """
        if not changes and self._session is not None:
            return OperationBatch(owner_id=self.actor.owner_id, status=Status.COMPLETED)
        cause = cause or Cause(session=self._session, reason=self.identity.reason)
        reasons = self.reasons_to_wait(changes)
        if reasons:
            return propose(
                actor=self.actor, changes=changes, reasons=reasons, cause=cause, is_atomic=True,
                title=command.sentence(self),
            )  # fmt: skip
        with transaction.atomic():
            batch = execute(
                actor=self.actor, changes=changes, cause=cause, title=command.ledger_title,
                is_atomic=True,
            )  # fmt: skip
            return raise_if_failed(batch)

    def reasons_to_wait(self, changes: Sequence[Change]) -> list[str]:  # noqa: ARG002
        """Why changes are proposed and not done: a person's own are done."""
        return []


@dataclass
class ProgramScope(OwnScope):
    """The rows of one caller, for a program that an agent may steer: its changes pass the policy.

    `has_untrusted_text` marks a command that was made of somebody else's text.
    """

    kind: str = Kind.PROGRAM

    def reasons_to_wait(self, changes: Sequence[Change]) -> list[str]:
        """As for the product's own agent, where nobody has asked to review everything."""
        return reasons_to_wait("", changes, has_untrusted_text=self.has_untrusted_text)
