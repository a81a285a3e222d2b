"""What a deletion takes along: all that hangs on the row, and what an approval of it names."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chat.operations.models import Key, Operation
from chat.operations.registry import hanging_on


def children(keys: Iterable[Key], **narrowed: Any) -> dict[Key, list[Key]]:
    """The rows that hang directly on each of these: a query per kind. `narrowed` is a filter."""
    ids: dict[str, set[uuid.UUID]] = {}
    below: dict[Key, list[Key]] = {}
    for entity, key in keys:
        ids.setdefault(entity, set()).add(key)
        below[entity, key] = []
    for entity, above in ids.items():
        for other, parent in hanging_on(entity):
            rows = other.model._default_manager.filter(**{f"{parent}__in": above}, **narrowed)
            for parent_id, key in rows.values_list(f"{parent}_id", "pk"):
                below[entity, parent_id].append((other.name, key))
    return below


def with_all_below(keys: Iterable[Key], **narrowed: Any) -> list[Key]:
    """These rows and everything that hangs on them: a query per kind and level."""
    fresh = list(keys)
    rows = dict.fromkeys(fresh)
    while fresh:
        below = [key for some in children(fresh, **narrowed).values() for key in some]
        fresh = [key for key in dict.fromkeys(below) if key not in rows]
        rows.update(dict.fromkeys(fresh))
    return list(rows)


def going_with(keys: Iterable[Key]) -> dict[Key, list[Key]]:
    """All living rows that hang on each of these, and on those; a query per kind and level."""
    roots = list(dict.fromkeys(keys))
    below = children(with_all_below(roots, deleted_at=None), deleted_at=None)
    return {root: sorted(_all_below(root, below), key=str) for root in roots}


def _all_below(root: Key, below: Mapping[Key, Sequence[Key]]) -> set[Key]:
    rows: set[Key] = set()
    fresh = [root]
    while fresh:
        fresh = [child for key in fresh for child in below[key] if child not in rows]
        rows.update(fresh)
    return rows


def would_go(operations: Iterable[Operation]) -> dict[uuid.UUID, list[Key]]:
    """What deletions that wait would take along right now, by operation."""
    waiting = {
        operation.pk: operation.key
        for operation in operations
        if operation.type == Operation.Type.DELETE and operation.status == Operation.Status.PENDING
    }
    going = going_with(waiting.values()) if waiting else {}
    return {pk: going[key] for pk, key in waiting.items()}


def display_digest(operation: Operation, going: Sequence[Key]) -> str:
    """What an approval is bound to: the change, and everything that a deletion takes along."""
    digest = operation.payload.digest
    if not going:
        return digest
    lines = [digest, *(f"{entity} {key}" for entity, key in going)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def display_digests(operations: Sequence[Operation]) -> dict[uuid.UUID, str]:
    """The same for many (read with their payloads), as things stand now."""
    going = would_go(operations)
    return {
        operation.pk: display_digest(operation, going.get(operation.pk, ()))
        for operation in operations
    }
