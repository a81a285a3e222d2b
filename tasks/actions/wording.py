"""Writes how a task is worded; new words mean new groups and a new look into the catalogue."""

from __future__ import annotations

import uuid
from functools import partial

from django.db import transaction

from futura.limits import TASK_STATEMENT_CHARS, required_text
from onet.classify import activities_of, groups_of
from tasks.actions.editing import editing, living_task, match_of, save_task
from tasks.models import SurveyResponse, TaskMatch, WorkTask
from tasks.pipeline import announce


def edit_statement(
    *,
    response: SurveyResponse,
    task_id: uuid.UUID,
    statement: object,
    version: int | None = None,
) -> WorkTask:
    """Changes the statement and looks for its match again; the same words change nothing."""
    with editing(response) as locked:
        task = living_task(locked, task_id, version=version)
        if reword(task, statement):
            save_task(task, "statement", "group", "groups", "activity_ids")
        return task


def reword(task: WorkTask, statement: object) -> bool:
    """New words for an unsaved task; False when they are the old ones. Starts the match."""
    text = " ".join(required_text(statement, limit=TASK_STATEMENT_CHARS, field="statement").split())
    if text == task.statement:
        return False
    task.statement = text
    classify(task)
    start_match(task)
    return True


def classify(task: WorkTask) -> None:
    """Groups and activities by rules; the match may bring better ones."""
    groups = groups_of(task.statement)
    task.groups = [group.value for group in groups]
    task.group = task.groups[0] if task.groups else ""
    task.activity_ids = list(activities_of(task.statement))


def start_match(task: WorkTask) -> None:
    """Forgets the old match and has the new one looked up after the commit."""
    match = match_of(task)
    TaskMatch.objects.filter(pk=match.pk).update(
        status=TaskMatch.Status.PENDING,
        candidates=[],
        onet_task_id="",
        text="",
        occupation_code="",
        occupation_title="",
        score=None,
        confidence=TaskMatch.Confidence.NONE,
        reason="",
        method="",
        error="",
        lease=None,
        version=match.version + 1,
    )
    transaction.on_commit(partial(announce.match, task.pk))
