"""The command that takes changes back: a batch, all of a turn, or one operation."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import ClassVar, Final

from django.utils.translation import gettext as _

from chat.commands.base import Command, NotInScope, Scope
from chat.commands.tokens import UNDO
from chat.operations import labels
from chat.operations.changes import Actor, Cause, Change, Create, Delete, Kind, Update
from chat.operations.models import Operation, OperationBatch
from chat.operations.policy import reasons_to_wait
from chat.operations.serialization import sides_of
from chat.operations.undo import undo
from futura.errors import BadInput, Conflict, NotAllowed

_NAMED: Final = 8
_MAKES: Final = frozenset({Operation.Type.CREATE, Operation.Type.RESTORE})


class Undo(Command):
    """Takes changes back, all or none: of one batch, of one turn (`run`), or one operation.

    Undoing what this returns does it again. Where something was changed since, it is refused: each
    such field is decided on the page of the changes.
    """

    name: ClassVar[str] = "undo"
    area: ClassVar[str] = "ledger"

    batch: uuid.UUID | None = None
    run: uuid.UUID | None = None
    operation: uuid.UUID | None = None

    @classmethod
    def token_scope(cls) -> str:
        return UNDO

    def carry_out(self, scope: Scope, cause: Cause | None = None) -> OperationBatch:
        """A batch of inverse operations, at once.

        Raises NotInScope, BadInput; UndoConflict where something was changed since; Conflict when
        it was undone already or its values were erased; NotAllowed for what the policy would let
        wait, since an undo cannot wait.
        """
        operations = self.operations(scope)
        if scope.has_policy:
            _refuse_what_would_wait(scope, operations)
        owner_id = operations[0].batch.owner_id
        return undo(
            actor=Actor(owner_id, scope.actor.kind, scope.actor.user_id),
            operations=operations,
            cause=cause,
            title=_("Redid changes") if operations[0].batch.undoes_id else self.ledger_title,
        )

    def operations(self, scope: Scope) -> list[Operation]:
        """What is taken back, the caller's own, in the order it was done.

        Raises NotInScope, BadInput, Conflict.
        """
        named = {"batch": self.batch, "batch__run": self.run, "pk": self.operation}
        keys = {field: key for field, key in named.items() if key is not None}
        if len(keys) != 1:
            raise BadInput(_("Specify a batch, a turn or a change."), field="batch")
        own = Operation.objects.filter(**keys, batch__owner_id__in=scope.owner_ids)
        own = own.select_related("batch", "payload").order_by("batch__created_at", "sequence")
        if self.run:
            own = own.filter(batch__undoes=None, status=Operation.Status.COMPLETED)
        operations = list(own)
        if not operations:
            raise NotInScope
        executed = [operation for operation in operations if operation.executed_at is not None]
        if not executed:
            raise Conflict(_("This change was not made, so there is nothing to undo."))
        if len({operation.batch.owner_id for operation in executed}) > 1:
            raise BadInput(_("These belong to different accounts; change them one by one."))
        return executed

    @property
    def ledger_title(self) -> str:
        return _("Undid changes")

    def sentence(self, scope: Scope) -> str:
        """“Take back: Garden (created), Call the plumber (changed)”."""
        rows = list(dict.fromkeys(labels.deed(operation) for operation in self.operations(scope)))
        names = ", ".join(rows[:_NAMED])
        if len(rows) > _NAMED:
            names += " " + _("and %(n)d more") % {"n": len(rows) - _NAMED}
        return _("Undo: %(rows)s") % {"rows": names}


def _refuse_what_would_wait(scope: Scope, operations: Sequence[Operation]) -> None:
    """An undo cannot wait for review. What programs have made, they may take away. NotAllowed."""
    changes = [
        _inverse(operation)
        for operation in operations
        if operation.type not in _MAKES or operation.batch.actor != Kind.PROGRAM
    ]
    untrusted = scope.has_untrusted_text
    if reasons := reasons_to_wait("", changes, has_untrusted_text=untrusted):
        text = _("Undo this on the page: %(reasons)s")
        raise NotAllowed(text % {"reasons": " ".join(reasons)})


def _inverse(operation: Operation) -> Change:
    if operation.type in _MAKES:
        return Delete(operation.entity, operation.entity_id)
    before, _after = sides_of(operation)
    if operation.type == Operation.Type.DELETE:
        return Create(operation.entity, before, operation.entity_id)
    return Update(operation.entity, operation.entity_id, before)
