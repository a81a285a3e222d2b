"""What the ledger knows of tasks and matches, and what follows when it has changed them.

Called after the commit, with the operations of one batch on rows of one kind: open pages hear of
it, and what has other words is looked up anew.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.translation import gettext

from chat import events
from chat.operations.changes import Actor, Cause, Change, Kind
from chat.operations.execute import execute
from chat.operations.models import Operation, OperationBatch
from chat.operations.registry import Operable, register
from chat.staff import queues
from tasks import activities, changes
from tasks.changes import MATCH, TASK
from tasks.coding import queue
from tasks.models import SurveyResponse, TaskMatch, WorkTask
from tasks.queries import match_or_none


def follow_wording(batch: OperationBatch, operations: Sequence[Operation]) -> None:
    """Groups, and a new match, for tasks whose words changed in a batch that left the match out.

    That is how a single undo or correction among the changes may leave them. `operations` are
    those of the batch that changed statements; the English of one that left it out is of the words
    before.
    """
    task_ids = [operation.entity_id for operation in operations]
    if not task_ids:
        return
    outdated = {
        operation.entity_id for operation in operations if "english" not in operation.changed_fields
    }
    followed = Operation.objects.filter(batch=batch, entity=changes.MATCH)
    followed = followed.exclude(changed_fields=[])
    existing = set(followed.values_list("entity_id", flat=True))
    living = WorkTask.objects.filter(pk__in=task_ids, deleted_at=None)
    updates: list[Change] = []
    for task in living.select_related("match", "response"):
        match = match_or_none(task)
        if match is not None and match.pk not in existing:
            if task.pk in outdated and batch.amends_id:
                task.english = ""
            activities.code([task], task.response.occupation_code)
            updates.append(changes.put(task, "english", *activities.FIELDS))
            updates.append(changes.match_put(match, changes.WAITING))
    if updates:
        execute(
            actor=Actor(batch.owner_id, kind=Kind.SYSTEM),
            changes=updates,
            cause=Cause(session=batch.session),
            title=gettext("Updated the match"),
        )


Type = Operation.Type


def tasks_changed(operations: Sequence[Operation]) -> None:
    """Open pages fetch the rows, or the list when tasks came, went or moved."""
    lists = _by_list(operations)
    queues.outdated(list(lists))
    for session_id, some in lists.items():
        if any(item.type != Type.UPDATE or "position" in item.changed_fields for item in some):
            events.append(session_id, _row("list", session_id, 0))
        else:
            versions = [(item.entity_id, item.result_version) for item in some]
            events.append(
                session_id, *(_row("task", *version) for version in versions if version[1])
            )
        batch = some[0].batch
        # the list's own actions look after the match, and a reviewer chooses it
        is_of_review = batch.undoes is not None and batch.undoes.actor == Kind.STAFF
        if (batch.undoes_id or batch.amends_id) and not is_of_review:
            reworded = [item for item in some if "statement" in item.changed_fields]
            follow_wording(batch, reworded)


def _by_list(operations: Sequence[Operation]) -> Mapping[uuid.UUID, list[Operation]]:
    """The operations on each list; a conversation that went took its list along."""
    lists: dict[uuid.UUID, list[Operation]] = {}
    for operation in operations:
        if operation.batch.session_id is not None:
            lists.setdefault(operation.batch.session_id, []).append(operation)
    return lists


def matches_changed(operations: Sequence[Operation]) -> None:
    """Open pages fetch the matches; what waits is looked up."""
    lists = _by_list(operations)
    queues.outdated(list(lists))
    updated = [operation.entity_id for operation in operations if operation.type == Type.UPDATE]
    matches = TaskMatch.objects.filter(pk__in=updated).values_list("pk", "task_id")
    task_ids = dict(matches) if updated else {}
    for session_id, some in lists.items():
        displayed = [item for item in some if item.entity_id in task_ids]
        if displayed:
            rows = [
                _row("match", task_ids[item.entity_id], item.result_version) for item in displayed
            ]
            events.append(session_id, *rows)
        after = [item.payload.after or {} for item in some]
        if waiting := sum(item.get("status") == TaskMatch.Status.PENDING for item in after):
            queue.announce_matches(session_id, waiting)


def _row(kind: str, key: uuid.UUID, version: int | None) -> events.Reference:
    return events.Reference(kind=kind, id=str(key), version=version or 0)


def _matches_closed(rows: Sequence[TaskMatch]) -> str:
    tasks = WorkTask.objects.filter(pk__in=[row.task_id for row in rows])
    return _closed(set(tasks.values_list("response_id", flat=True)))


def _closed(response_ids: set[uuid.UUID]) -> str:
    """A list that was sent stands, whoever would like to take something back."""
    sent = SurveyResponse.objects.filter(pk__in=response_ids, submitted_at__isnull=False)
    if not sent.exists():
        return ""
    return gettext("This task list was submitted. It can no longer be changed.")


OPERABLES: Final = (
    Operable(
        TASK,
        WorkTask,
        title=lambda values: str(values.get("statement") or ""),
        quiet=frozenset(
            "response position raw message suggestion_id groups activity_ids merged_from".split()
        ),
        # the person's own words stay as they were said; the English goes with the statement
        read_only=frozenset({"quote", "source", "english"}),
        closed=lambda rows: _closed({row.response_id for row in rows}),
        changed=tasks_changed,
    ),
    Operable(
        MATCH,
        TaskMatch,
        title=lambda values: str(values.get("text") or ""),
        parents=("task",),
        quiet=frozenset(
            "candidates onet_task_id occupation_code score space catalogue for_version error"
            " confidence method".split()
        ),
        # chosen on the review page, out of the candidates
        read_only=frozenset({"task", "status", "text", "occupation_title", "reason"}),
        closed=_matches_closed,
        changed=matches_changed,
    ),
)


def register_all() -> None:
    for operable in OPERABLES:
        register(operable)
