"""What a deletion takes along: all that hangs on the row, and what an approval of it names."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Mapping, Sequence

from chat.operations.models import Operation
from chat.operations.registry import hanging_on
from chat.operations.rows import Key

Type, Status = Operation.Type, Operation.Status


def going_with(keys: Iterable[Key]) -> dict[Key, list[Key]]:
    """All living rows that hang on these, and on those; a query per kind and level."""
    roots = list(dict.fromkeys(keys))
    below: dict[Key, list[Key]] = {}
    fresh = roots
    while fresh:
        found = _below(fresh)
        below |= found
        fresh = [key for some in found.values() for key in some if key not in below]
    return {root: sorted(_all_below(root, below), key=str) for root in roots}


def _below(keys: Sequence[Key]) -> dict[Key, list[Key]]:
    ids: dict[str, set[uuid.UUID]] = {}
    for entity, key in keys:
        ids.setdefault(entity, set()).add(key)
    told: dict[Key, list[Key]] = {key: [] for key in keys}
    for entity, above in ids.items():
        for other, parent in hanging_on(entity):
            rows = other.model._default_manager.filter(
                **{f"{parent}__in": above}, deleted_at__isnull=True
            )
            for one, pk in rows.values_list(f"{parent}_id", "pk"):
                told[entity, one].append((other.name, pk))
    return told


def _all_below(root: Key, below: Mapping[Key, Sequence[Key]]) -> set[Key]:
    told: set[Key] = set()
    fresh = [root]
    while fresh:
        fresh = [one for key in fresh for one in below.get(key, ()) if one not in told]
        told.update(fresh)
    return told


def would_go(operations: Iterable[Operation]) -> dict[uuid.UUID, list[Key]]:
    """What deletions that wait would take along right now, by operation."""
    waiting = {
        one.pk: (one.entity, one.entity_id)
        for one in operations
        if one.type == Type.DELETE and one.status == Status.PENDING
    }
    going = going_with(waiting.values()) if waiting else {}
    return {pk: going[key] for pk, key in waiting.items()}


def shown_digest(operation: Operation, going: Sequence[Key]) -> str:
    """What an approval is bound to: the change, and everything that a deletion takes along."""
    digest = operation.payload.digest
    if not going:
        return digest
    told = [digest, *(f"{entity} {key}" for entity, key in going)]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


def shown_digests(operations: Sequence[Operation]) -> dict[uuid.UUID, str]:
    """The same for many (read with their payloads), as things stand now."""
    going = would_go(operations)
    return {one.pk: shown_digest(one, going.get(one.pk, ())) for one in operations}
