"""Taking operations back: a new batch of inverse operations, with conflicts shown, not guessed."""

from __future__ import annotations

import hashlib
import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import orjson
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.operations import notifications, serialization
from chat.operations.cascade import children
from chat.operations.changes import Actor, Cause, Kind
from chat.operations.execute import new_batch, record
from chat.operations.models import Key, Operation, OperationBatch
from chat.operations.registry import Plain, hanging_on, operable
from chat.operations.rows import Rows
from chat.operations.steps import (
    do_all,
    failure_of,
    new_operation,
    open_ledger,
    refuse_closed,
)
from futura.errors import Conflict, NotFound

Choice = Literal["keep", "restore"]
Choices = Mapping[tuple[uuid.UUID, str], Choice]
Type, Status = Operation.Type, Operation.Status
WHOLE = ""  # in place of a field's name: the row is there, or is not


@dataclass(frozen=True)
class FieldPlan:
    """What undoing does to one field (or to the whole row, with an empty name).

    `along` is what would be deleted with the row although these operations did not make it.
    """

    operation_id: uuid.UUID
    entity: str
    entity_id: uuid.UUID
    field: str
    before: Any
    after: Any
    current: Any
    outcome: Literal["restore", "nothing", "conflict"]
    along: tuple[Key, ...] = ()

    @property
    def key(self) -> tuple[uuid.UUID, str]:
        return self.operation_id, self.field


@dataclass
class UndoPlan:
    """What undoing would do now. `digest` binds a confirmation to what was shown."""

    fields: list[FieldPlan] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)  # that would do it
    idle: list[Operation] = field(default_factory=list)  # of operations that leave nothing to do
    hindrance: str = ""  # why it cannot be done as planned, where a rehearsal found out

    @property
    def conflicts(self) -> list[FieldPlan]:
        return [field for field in self.fields if field.outcome == "conflict"]

    @property
    def digest(self) -> str:
        """SHA-256, hex, of what would be done and what stands in the way."""
        values = [
            [str(field.operation_id), field.field, field.before, field.current, field.outcome]
            + [f"{entity} {key}" for entity, key in field.along]
            for field in self.fields
        ]
        return hashlib.sha256(orjson.dumps(values)).hexdigest()


class UndoConflict(Conflict):
    """Somebody changed the same since: each conflict must be decided; carries the plan."""

    def __init__(self, plan: UndoPlan) -> None:
        super().__init__(_("Some of this was edited later. Choose which values to keep."))
        self.plan = plan


def rehearse(
    owner_id: uuid.UUID, operations: Sequence[Operation], *, kind: str = Kind.PERSON
) -> UndoPlan:
    """What undoing these executed operations of one owner would do now, and what would stand in its
    way: it is done and taken back. Conflicts keep.

    `kind` is of the actor that would do it. Raises Conflict for operations that are not executed,
    undone already, or whose values were erased; NotFound for another's.
    """
    with transaction.atomic():
        open_ledger()
        whole = _whole(owner_id, operations)
        rows = _locked(owner_id, whole, kind=kind)
        plan = _Planning(rows, {}).plan(whole)
        do_all(plan.operations, rows, is_atomic=True)
        transaction.set_rollback(True)
    plan.hindrance = failure_of(plan.operations)
    return plan


def _locked(
    owner_id: uuid.UUID, operations: Sequence[Operation], *, kind: str = Kind.PERSON
) -> Rows:
    """The rows, held. What is closed stays, but staff may take back what staff corrected in it."""
    rows = Rows(owner_id)
    rows.lock(operation.key for operation in operations)
    if kind != Kind.STAFF or any(operation.batch.actor != Kind.STAFF for operation in operations):
        refuse_closed(rows)
    return rows


def undo(
    *,
    actor: Actor,
    operations: Sequence[Operation],
    choices: Choices | None = None,
    digest: str = "",
    cause: Cause | None = None,
    title: str = "",
) -> OperationBatch:
    """Takes operations back, all or none, in a batch of its own; redo is undo of that batch.

    Raises UndoConflict while a conflict is undecided, Conflict when somebody was faster, when
    `digest` is given and the plan is another one by now, or when a row cannot come back.
    """
    with transaction.atomic():
        open_ledger()
        whole = _whole(actor.owner_id, operations)
        _claim(whole)
        rows = _locked(actor.owner_id, whole, kind=actor.kind)
        plan = _Planning(rows, choices or {}).plan(whole)
        displayed = _Planning(rows, {}).plan(whole) if digest and choices else plan
        if digest and displayed.digest != digest:
            raise Conflict
        if any(conflict.key not in (choices or {}) for conflict in plan.conflicts):
            raise UndoConflict(plan)
        _refuse_lost(plan, choices or {})
        batch = new_batch(actor, cause or Cause(), title=title, is_atomic=True)
        batches = {operation.batch_id for operation in operations}
        batch.undoes_id = batches.pop() if len(batches) == 1 else None
        done = do_all(plan.operations, rows, is_atomic=True)
        if failure := failure_of(plan.operations):
            raise Conflict(failure)
        record(batch, plan.operations, [*done, *plan.idle])
        _mark(whole)
    return batch


def _refuse_lost(plan: UndoPlan, choices: Choices) -> None:
    """Raises Conflict where a row to be kept would be deleted with another."""
    whole = {(field.entity, field.entity_id): field for field in plan.conflicts if not field.field}
    for deleted in whole.values():
        if choices.get(deleted.key) != "restore":
            continue
        for kept in filter(None, map(whole.get, deleted.along)):
            if choices.get(kept.key) == "keep":
                message = _("“%(kept)s” can only be kept together with “%(parent)s”.")
                raise Conflict(message % {"kept": _title(kept), "parent": _title(deleted)})


def _title(plan: FieldPlan) -> str:
    return operable(plan.entity).title(plan.current)


def _whole(owner_id: uuid.UUID, operations: Sequence[Operation]) -> list[Operation]:
    """The operations, read anew, and the deletions they entailed, in the order they were done.

    Raises NotFound for operations on another owner's things, Conflict for what cannot be undone.
    """
    stored = Operation.objects.select_related("payload", "batch").filter(batch__owner_id=owner_id)
    whole = fresh = list(stored.filter(pk__in=[operation.pk for operation in operations]))
    if len(whole) != len({operation.pk for operation in operations}):
        raise NotFound
    while fresh:
        existing = {item.pk for item in whole}
        fresh = [item for item in stored.filter(because_of__in=fresh) if item.pk not in existing]
        whole = [*whole, *fresh]
    if any(item.payload.erased_at is not None for item in whole):
        raise Conflict(_("It cannot be undone: its values were permanently deleted."))
    if any(item.executed_at is None for item in whole):
        raise Conflict(_("This change was not made, so there is nothing to undo."))
    return sorted(whole, key=_when_done)


def _when_done(operation: Operation) -> tuple[Any, ...]:
    """Order of doing; within an approved batch it is not the order of the proposal."""
    done_at = operation.executed_at or operation.created_at
    return operation.batch.created_at, operation.batch_id, done_at, operation.sequence


def _claim(operations: Sequence[Operation]) -> None:
    """One of two racing undos gets the rows; the other finds them undone."""
    ids = [operation.pk for operation in operations]
    claimed = Operation.objects.filter(pk__in=ids, status=Status.COMPLETED)
    if claimed.update(status=Status.ROLLED_BACK) != len(ids):
        raise Conflict(_("This was already undone."))


def _mark(operations: Sequence[Operation]) -> None:
    """Undoing an undo makes the first operation count again; batches follow their operations."""
    redone = [operation.undoes_id for operation in operations if operation.undoes_id]
    Operation.objects.filter(pk__in=redone).update(status=Status.COMPLETED)
    touched = {operation.batch_id for operation in operations}
    touched |= set(Operation.objects.filter(pk__in=redone).values_list("batch_id", flat=True))
    states: dict[uuid.UUID, set[str]] = {}
    distinct = Operation.objects.filter(batch__in=touched).order_by().values_list("batch", "status")
    for batch_id, status in distinct.distinct():
        states.setdefault(batch_id, set()).add(status)
    batches = list(OperationBatch.objects.filter(pk__in=touched).order_by("pk"))
    for batch in batches:
        batch.status = _status_of(batch, states[batch.pk])
        notifications.tell(batch)
    OperationBatch.objects.bulk_update(batches, ["status"])


def _status_of(batch: OperationBatch, states: Set[str]) -> str:
    """What a batch is after some of its operations were taken back or count again."""
    state = OperationBatch.Status
    if batch.status == state.REVIEW:  # the rest of it still waits
        return state.REVIEW
    if Status.COMPLETED not in states:
        return state.ROLLED_BACK
    return state.FAILED if Status.FAILED in states else state.COMPLETED


class _Planning:
    """Goes backwards over the operations on a snapshot of the rows, as if each were undone."""

    def __init__(self, rows: Rows, choices: Choices) -> None:
        self.rows = rows
        self.choices = choices
        self.snapshot: dict[Key, Plain | None] = {}
        self.hanging: dict[Key, list[Key]] = {}
        self.own: Sequence[Operation] = ()
        self.contested: set[Key] = set()
        self.result = UndoPlan()

    def plan(self, operations: Sequence[Operation]) -> UndoPlan:
        self.own = operations
        created = {
            operation.key
            for operation in operations
            if operation.type in {Type.CREATE, Type.RESTORE}
        }
        self.hanging = children(created, deleted_at=None)
        for operation in reversed(operations):
            undo_one = {
                Type.CREATE: self._undo_creation,
                Type.RESTORE: self._undo_creation,
                Type.UPDATE: self._undo_update,
                Type.DELETE: self._undo_deletion,
            }[Type(operation.type)]
            before = len(self.result.operations)
            undo_one(operation)
            if len(self.result.operations) == before:
                self.result.idle.append(_idle(operation))
        return self.result

    def _now(self, operation: Operation) -> Plain | None:
        """How the row stands in the snapshot; None when it is deleted or gone."""
        key = operation.key
        if key not in self.snapshot:
            row = self.rows.get(key)
            is_there = row is not None and row.deleted_at is None
            self.snapshot[key] = (
                serialization.read(operable(key[0]), row) if row and is_there else None
            )
        return self.snapshot[key]

    def _changed_since(self, operation: Operation, name: str) -> bool:
        """Whether somebody changed that field (the row, with an empty name) since.

        A later change that was taken back and what took it back count as nothing.
        """
        at = operation.result_version or 0
        later = [other for other in self._others[operation.key] if (other.result_version or 0) > at]
        ids = {other.pk for other in later}
        return any(
            other.status != Status.ROLLED_BACK
            and other.undoes_id not in ids
            and (not name or name in other.changed_fields)
            for other in later
        )

    @cached_property
    def _others(self) -> dict[Key, list[Operation]]:
        """What people, agents, staff and programs did to these rows beside it: one query."""
        changes = Operation.objects.filter(
            entity_id__in={item.entity_id for item in self.own}, result_version__isnull=False
        ).exclude(batch__actor=OperationBatch.Actor.SYSTEM)
        by_row: dict[Key, list[Operation]] = defaultdict(list)
        # undone ones, too: their undo names them
        for other in changes.exclude(pk__in=[item.pk for item in self.own]):
            by_row[other.key].append(other)
        return by_row

    def _along(self, row: Key) -> tuple[Key, ...]:
        below = [key for key in self.hanging.get(row, ()) if self._hangs(key, row)]
        return tuple(sorted(below, key=str))

    def _hangs(self, key: Key, row: Key) -> bool:
        if key not in self.snapshot:
            return True
        values = self.snapshot[key] or {}
        parents = [
            parent for entity_type, parent in hanging_on(row[0]) if entity_type.name == key[0]
        ]
        return any(values.get(parent) == str(row[1]) for parent in parents)

    def _note(
        self,
        operation: Operation,
        name: str,
        values: tuple[Any, Any, Any],
        outcome: str,
        along: tuple[Key, ...] = (),
    ) -> bool:
        """Writes a field down; whether it is to be restored."""
        plan = FieldPlan(
            operation.pk, operation.entity, operation.entity_id, name, *values,
            outcome=outcome, along=along,  # type: ignore[arg-type]
        )  # fmt: skip
        self.result.fields.append(plan)
        if outcome == "conflict":
            self.contested.add(operation.key)
            return self.choices.get(plan.key) == "restore"
        return outcome == "restore"

    def _step(self, kind: str, operation: Operation, values: Plain | None = None) -> None:
        self.result.operations.append(new_operation(kind, *operation.key, values, undoes=operation))

    def _undo_update(self, operation: Operation) -> None:
        before, after = serialization.sides_of(operation)
        current = self._now(operation)
        if current is None:
            if before:
                self._note(operation, WHOLE, (before, after, None), "nothing")
            return
        back: Plain = {}
        for name in before:
            values = (before[name], after[name], current[name])
            if current[name] == before[name]:
                outcome = "nothing"
            else:
                is_ours = current[name] == after[name] or not self._changed_since(operation, name)
                outcome = "restore" if is_ours else "conflict"
            if self._note(operation, name, values, outcome):
                back[name] = before[name]
        if back:
            self._step(Type.UPDATE, operation, back)
            current.update(back)

    def _undo_creation(self, operation: Operation) -> None:
        _before, after = serialization.sides_of(operation)
        current = self._now(operation)
        if current is None:
            self._note(operation, WHOLE, (None, after, None), "nothing")
            return
        along = self._along(operation.key)
        is_ours = current == after or not self._changed_since(operation, WHOLE)
        # a value to be kept may be by chance the one that the row was created with
        is_free = not along and operation.key not in self.contested
        outcome = "restore" if is_ours and is_free else "conflict"
        if self._note(operation, WHOLE, (None, after, dict(current)), outcome, along):
            self._step(Type.DELETE, operation)
            self.snapshot[operation.key] = None

    def _undo_deletion(self, operation: Operation) -> None:
        before, _after = serialization.sides_of(operation)
        if self._now(operation) is not None:
            self._note(operation, WHOLE, (before, None, before), "nothing")
            return
        self._note(operation, WHOLE, (before, None, None), "restore")
        self._step(Type.RESTORE, operation)
        self.snapshot[operation.key] = before


def _idle(undone: Operation) -> Operation:
    """Records that an operation was taken back although nothing was left to change."""
    idle = new_operation(Type.UPDATE, *undone.key, {}, undoes=undone)
    idle.status, idle.executed_at = Status.COMPLETED, timezone.now()
    idle.payload.before, idle.payload.after = {}, {}
    return idle
