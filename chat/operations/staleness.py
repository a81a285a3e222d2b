"""Whether anybody changed a row since: what only the machinery did there yields to an undo."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

from chat.operations.cascade import Key
from chat.operations.models import Operation, OperationBatch


class LaterChanges:
    """What people, agents, staff and programs did to rows, read when it is first asked for.

    `own` are the operations about to be undone themselves. A later change that was taken back
    and what took it back count as nothing.
    """

    def __init__(self, own: Sequence[Operation]) -> None:
        self._own = own

    def has(self, operation: Operation, name: str) -> bool:
        """Whether somebody changed that field (the row, with an empty name) after it."""
        at = operation.result_version or 0
        on_row = self._by_row[operation.entity, operation.entity_id]
        later = [other for other in on_row if (other.result_version or 0) > at]
        ids = {other.pk for other in later}
        return any(
            other.status != Operation.Status.ROLLED_BACK
            and other.undoes_id not in ids
            and (not name or name in other.changed_fields)
            for other in later
        )

    @cached_property
    def _by_row(self) -> dict[Key, list[Operation]]:
        by_row: dict[Key, list[Operation]] = defaultdict(list)
        changes = Operation.objects.filter(
            entity_id__in={one.entity_id for one in self._own}, result_version__isnull=False
        )
        # undone ones, too: their undo names them
        others = changes.exclude(batch__actor=OperationBatch.Actor.SYSTEM)
        for other in others.exclude(pk__in=[one.pk for one in self._own]):
            by_row[other.entity, other.entity_id].append(other)
        return by_row
