"""Whether anybody changed a row since: what only the machinery did there yields to an undo."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field

from chat.operations.models import Operation, OperationBatch
from chat.operations.rows import Key

Status = Operation.Status


@dataclass(frozen=True)
class _Later:
    """One executed operation of somebody: which version it made, and of which fields."""

    id: uuid.UUID
    version: int
    fields: frozenset[str]
    undoes: uuid.UUID | None
    is_undone: bool


@dataclass
class Since:
    """What people, agents, staff and programs did to rows, read when it is first asked for.

    `own` are the operations about to be undone themselves. A later change that was taken back
    and what took it back count as nothing.
    """

    own: Sequence[Operation]
    _later: dict[Key, list[_Later]] | None = field(default=None, init=False)

    def anybody(self, operation: Operation, name: str) -> bool:
        """Whether somebody changed that field (the row, with an empty name) after it."""
        if self._later is None:
            self._later = self._read()
        at = operation.result_version or 0
        later = [
            one
            for one in self._later.get((operation.entity, operation.entity_id), ())
            if one.version > at
        ]
        ids = {one.id for one in later}
        return any(
            not one.is_undone and one.undoes not in ids and (not name or name in one.fields)
            for one in later
        )

    def _read(self) -> dict[Key, list[_Later]]:
        rows = Operation.objects.filter(
            entity_id__in={one.entity_id for one in self.own}, result_version__isnull=False
        )
        # of undone ones, too: their undo is told by them
        found = (
            rows.exclude(batch__actor=OperationBatch.Actor.SYSTEM)
            .exclude(pk__in=[one.pk for one in self.own])
            .values_list(
                "entity", "entity_id", "pk", "result_version", "changed_fields", "undoes", "status"
            )
        )
        told: dict[Key, list[_Later]] = {}
        for entity, key, pk, version, names, undoes, status in found:
            one = _Later(
                pk, version or 0, frozenset(names), undoes, is_undone=status == Status.ROLLED_BACK
            )
            told.setdefault((entity, key), []).append(one)
        return told
