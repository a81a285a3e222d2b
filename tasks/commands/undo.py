"""Takes back what was done to a list: the last batch undone or redone."""

from __future__ import annotations

import uuid

from django.db import transaction
from django.utils.translation import gettext as _

from chat.commands.base import Scope
from chat.operations.changes import Cause
from chat.operations.models import OperationBatch
from chat.operations.queries import standing
from chat.operations.undo import undo
from futura.errors import Conflict
from tasks.commands.base import list_of


def undo_batch(
    scope: Scope, survey_id: uuid.UUID, batch: OperationBatch, *, reason: str = ""
) -> OperationBatch:
    """Undoes what stands of a batch; undoing what this returns does it again.

    Raises UndoConflict when some of it was changed since, Conflict when nothing stands.
    """
    with transaction.atomic():
        tasks = list_of(scope, survey_id)
        operations = standing(batch)
        if not operations:
            raise Conflict(_("There is nothing left to undo."))
        is_redo = all(operation.undoes_id for operation in operations)
        return undo(
            actor=scope.actor,
            operations=operations,
            cause=Cause(session=tasks.response.session, reason=reason),
            title=_("Redid changes") if is_redo else _("Undid changes"),
        )
