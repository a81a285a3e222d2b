"""The tables as the ledger alone would make them: proof that nothing is missing from it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Final

from chat.operations import serialization
from chat.operations.models import Operation
from chat.operations.registry import Plain, all_operables, operable
from chat.operations.rows import many_of

AT_ONCE: Final = 2_000


@dataclass
class Replayed:
    """One row as its operations leave it; fields whose last value was erased are not in it."""

    values: Plain = field(default_factory=dict)
    is_deleted: bool = False
    is_erased: bool = False
    version: int = 0


def replay(entity: str) -> dict[uuid.UUID, Replayed]:
    """Every row of an operable model, from its executed operations in the order of versions.

    Raises ValueError at a gap: a version that no operation made. Erased rows are left out.
    """
    rows: dict[uuid.UUID, Replayed] = {}
    done = Operation.objects.filter(entity=entity, result_version__isnull=False)
    in_order = done.select_related("payload").order_by("entity_id", "result_version")
    for operation in in_order.iterator():
        row = rows.setdefault(operation.entity_id, Replayed())
        if operation.result_version != row.version + 1:
            raise ValueError(f"{operation} makes version {operation.result_version}, a gap.")
        row.version += 1
        if operation.type != Operation.Type.UPDATE:  # erasing others changes deleted rows, too
            row.is_deleted = operation.type == Operation.Type.DELETE
        payload = operation.payload
        row.is_erased = payload.erased_at is not None
        if payload.erased_at is not None:
            gone = operation.changed_fields or list(row.values)
            row.values = {name: stored for name, stored in row.values.items() if name not in gone}
        row.values.update(payload.after or {})
    erased = Operation.objects.filter(entity=entity, type=Operation.Type.ERASE)
    for key in erased.values_list("entity_id", flat=True):
        rows.pop(key, None)
    return rows


def differences() -> list[str]:
    """Where the tables are not what the ledger says, in words; empty when all is well."""
    return [word for entity in all_operables() for word in _differences(entity)]


def _differences(entity: str) -> list[str]:
    entity_type, values = operable(entity), replay(entity)
    matches = []
    rows = entity_type.model._default_manager.prefetch_related(*many_of(entity_type))
    for row in rows.iterator(chunk_size=AT_ONCE):
        replayed = values.pop(row.pk, None)
        if replayed is None:
            matches.append(f"{entity} {row.pk} was made by no operation")
        elif (row.version, row.deleted_at is not None) != (replayed.version, replayed.is_deleted):
            matches.append(f"{entity} {row.pk} is not at version {replayed.version}")
        elif serialization.read(entity_type, row, replayed.values) != replayed.values:
            matches.append(f"{entity} {row.pk} has other values than its operations gave it")
    missing = [key for key, replayed in values.items() if not replayed.is_erased]
    return matches + [f"{entity} {key} is missing" for key in missing]
