"""Takes the tasks and matches there are into the ledger: each was made, some were deleted."""

import hashlib

import orjson
from django.db import migrations
from django.utils import timezone

AT_ONCE = 200  # responses
OWNERS = """
UPDATE tasks_worktask SET owner_id = chat_session.participant_id
    FROM chat_session WHERE chat_session.id = tasks_worktask.response_id;
UPDATE tasks_taskmatch SET owner_id = tasks_worktask.owner_id, deleted_at = tasks_worktask.deleted_at
    FROM tasks_worktask WHERE tasks_worktask.id = tasks_taskmatch.task_id;
UPDATE tasks_worktask SET position = 1024 * placed.place FROM (
    SELECT id, row_number() OVER (PARTITION BY response_id ORDER BY position, created_at) AS place
    FROM tasks_worktask
) AS placed WHERE placed.id = tasks_worktask.id;
UPDATE tasks_worktask SET version = CASE WHEN deleted_at IS NULL THEN 1 ELSE 2 END;
UPDATE tasks_taskmatch SET version = CASE WHEN deleted_at IS NULL THEN 1 ELSE 2 END;
"""
TASK = (
    "position", "statement", "raw", "quote", "source", "suggestion_id", "merged_from", "group",
    "groups", "activity_ids", "ai_level", "ai_tools",
)
MATCH = (
    "status", "candidates", "onet_task_id", "text", "occupation_code", "occupation_title", "score",
    "confidence", "reason", "method", "space", "catalogue", "for_version", "error",
)


def task_values(task):
    return {
        **{name: getattr(task, name) for name in TASK},
        "response": str(task.response_id),
        "message": str(task.message_id) if task.message_id else None,
        "time_share": None if task.time_share is None else str(task.time_share),
    }


def match_values(match):
    return {**{name: getattr(match, name) for name in MATCH}, "task": str(match.task_id)}


def take_over(apps, schema_editor):
    schema_editor.connection.cursor().execute(OWNERS)
    response = apps.get_model("tasks", "SurveyResponse")
    ids = list(response.objects.filter(tasks__isnull=False).distinct().values_list("pk", flat=True))
    for start in range(0, len(ids), AT_ONCE):
        record(apps, ids[start : start + AT_ONCE])


def record(apps, ids):
    batch_of, operations, payloads = {}, [], []
    batch_model = apps.get_model("chat", "OperationBatch")
    task_model = apps.get_model("tasks", "WorkTask")
    now = timezone.now()
    for task in task_model.objects.filter(response__in=ids).select_related("match"):
        batch = batch_of.get(task.response_id)
        if batch is None:
            batch = batch_of[task.response_id] = batch_model(
                owner_id=task.owner_id,
                actor="system",
                title="Taken over from before changes were recorded",
                session_id=task.response_id,
                status="completed",
                created_at=now,
                finished_at=now,
            )
            batch.count = 0
        match = getattr(task, "match", None)
        rows = [("work_task", task, task_values(task))]
        rows += [("task_match", match, match_values(match))] if match else []
        for entity, row, values in rows:
            add(apps, operations, payloads, batch, "create", entity, row, values)
        if task.deleted_at is not None:
            gone = [add(apps, operations, payloads, batch, "delete", *row) for row in rows[::-1]]
            for one in gone[:-1]:  # the match went along, and before
                one.because_of = gone[-1]
    batch_model.objects.bulk_create(batch_of.values())
    apps.get_model("chat", "Operation").objects.bulk_create(operations)
    apps.get_model("chat", "OperationPayload").objects.bulk_create(payloads)


def add(apps, operations, payloads, batch, kind, entity, row, values):
    batch.count += 1
    is_made = kind == "create"
    operation = apps.get_model("chat", "Operation")(
        batch=batch,
        sequence=batch.count,
        type=kind,
        entity=entity,
        entity_id=row.pk,
        base_version=None if is_made else 1,
        result_version=1 if is_made else 2,
        changed_fields=sorted(values) if is_made else [],
        status="completed",
        created_at=batch.created_at,
        executed_at=batch.created_at,
    )
    requested = values if is_made else None
    told = [kind, entity, str(row.pk), requested]
    payload = apps.get_model("chat", "OperationPayload")(
        operation=operation,
        requested=requested,
        before=None if is_made else values,
        after=values if is_made else None,
        digest=hashlib.sha256(orjson.dumps(told, option=orjson.OPT_SORT_KEYS)).hexdigest(),
    )
    operations.append(operation)
    payloads.append(payload)
    return operation


class Migration(migrations.Migration):

    dependencies = [('tasks', '0002_operable')]

    operations = [migrations.RunPython(take_over, migrations.RunPython.noop)]
