"""Erases rows for good: a recorded deletion first, then no value of theirs is kept anywhere."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from chat.operations.changes import Actor, Cause, Delete
from chat.operations.execute import execute, raise_if_failed
from chat.operations.models import OperationBatch, OperationPayload
from chat.operations.registry import hanging_on, operable
from chat.operations.steps import open_ledger

Key = tuple[str, uuid.UUID]


def erase(
    *, actor: Actor, deletions: Sequence[Delete], reason: str, title: str = ""
) -> OperationBatch:
    """Deletes rows and all that ever hung on them; the ledger keeps who, when and which only.

    The deletion is an event of the ledger; undoing it, or anything done to these rows before, is
    refused with the reason. Raises Conflict when a row moved on from the version named.
    """
    with transaction.atomic():
        batch = execute(
            actor=actor,
            changes=deletions,
            cause=Cause(reason=reason),
            title=title,
            is_atomic=True,
        )
        raise_if_failed(batch)
        open_ledger()
        for deletion in deletions:
            for key in _with_children((deletion.entity, deletion.id)):
                _forget_values(key)
                operable(key[0]).model._default_manager.filter(pk=key[1]).delete()
    return batch


def _with_children(key: Key) -> Iterator[Key]:
    """A row and what hangs on it, deleted before or not, the leaves first."""
    entity, row_id = key
    for other, parent in hanging_on(entity):
        children = other.model._default_manager.filter(**{parent: row_id})
        for child_id in children.values_list("pk", flat=True):
            yield from _with_children((other.name, child_id))
    yield key


def _forget_values(key: Key) -> None:
    of_row = Q(operation__entity=key[0], operation__entity_id=key[1])
    OperationPayload.objects.filter(of_row).update(
        requested=None, before=None, after=None, erased_at=timezone.now()
    )
