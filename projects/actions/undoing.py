"""Writes what takes a gesture back: all of a batch, conflicts decided one way for all."""

from __future__ import annotations

from typing import Literal

from django.db import transaction
from django.utils.translation import gettext as _

from chat.operations.changes import Actor
from chat.operations.models import OperationBatch
from chat.operations.undo import plan_undo, undo


def take_back(
    *, actor: Actor, batch: OperationBatch, decide: Literal["", "keep", "restore"] = ""
) -> OperationBatch:
    """Undoes a batch; taking back what this returns does it again.

    Raises UndoConflict while something was changed since and `decide` is empty, Conflict when it
    was undone already.
    """
    operations = list(batch.operations.filter(executed_at__isnull=False))
    with transaction.atomic():
        choices = None
        if decide:
            conflicts = plan_undo(actor.owner_id, operations).conflicts
            choices = {one.key: decide for one in conflicts}
        title = _("Did it again") if batch.undoes_id else _("Took it back")
        return undo(actor=actor, operations=operations, choices=choices, title=title)
