"""Looks up, in the background, which O*NET statement says a task best; one row per task."""

from __future__ import annotations

import logging
import uuid
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from chat import events
from futura.errors import FuturaError
from futura.llm.client import Llm
from onet import matching
from onet.matching import Match
from tasks.models import TaskMatch
from tasks.pipeline.heart import SILENT_FOR, beating

log = logging.getLogger(__name__)


def match_task(task_id: uuid.UUID) -> bool:
    """Looks one task up; False when nothing waits, another has it, or the task changed meanwhile.

    A choice by the person is never touched: such a match does not wait.
    """
    lease = uuid.uuid4()
    if not _claim(task_id, lease):
        return False
    row = TaskMatch.objects.select_related("task__response").get(task_id=task_id)
    task = row.task
    llm = Llm(session_id=task.response_id)
    finished = False
    try:
        with beating(TaskMatch.objects.filter(pk=row.pk, lease=lease)):
            found = matching.match(
                task.statement, occupation_code=task.response.occupation_code, llm=llm
            )
        values = {**_values(found), "for_version": task.version}
        finished = True
    except FuturaError as error:
        log.warning("match of task %s failed: %s", task_id, error)
        values = {"status": TaskMatch.Status.FAILED, "error": str(error)}
        finished = True
    finally:
        if not finished:
            _save(row, lease, _broken())
    return _save(row, lease, values)


def _claim(task_id: uuid.UUID, lease: uuid.UUID) -> bool:
    stale = Now() - SILENT_FOR
    return bool(
        TaskMatch.objects.filter(
            task_id=task_id, status=TaskMatch.Status.PENDING, task__deleted_at=None
        )
        .filter(Q(lease=None) | Q(heartbeat_at=None) | Q(heartbeat_at__lt=stale))
        .update(lease=lease, heartbeat_at=Now())
    )


def _broken() -> dict[str, Any]:
    return {
        "status": TaskMatch.Status.FAILED,
        "error": _("Something went wrong while this was looked up."),
    }


def _save(row: TaskMatch, lease: uuid.UUID, values: dict[str, Any]) -> bool:
    """Writes a result, unless the words changed or the person chose since it was begun."""
    version = row.version + 1
    with transaction.atomic():
        saved = _waiting(row, lease).update(
            **values, lease=None, version=version, updated_at=timezone.now()
        )
        if saved:
            feature = events.Feature(kind="match", id=str(row.task_id), version=version)
            transaction.on_commit(partial(events.append, row.task.response_id, feature))
    return bool(saved)


def _waiting(row: TaskMatch, lease: uuid.UUID) -> QuerySet[TaskMatch]:
    return TaskMatch.objects.filter(
        pk=row.pk, lease=lease, version=row.version, status=TaskMatch.Status.PENDING
    ).exclude(method=TaskMatch.Method.PERSON)


def _values(found: Match) -> dict[str, Any]:
    """The columns of a finished lookup."""
    choice = found.choice
    return {
        "status": TaskMatch.Status.MATCHED if choice else TaskMatch.Status.NONE,
        "candidates": [candidate.as_json() for candidate in found.candidates],
        "onet_task_id": choice.task_id if choice else "",
        "text": choice.text if choice else "",
        "occupation_code": choice.occupation_code if choice else "",
        "occupation_title": choice.occupation_title if choice else "",
        "score": choice.score if choice else None,
        "confidence": found.confidence if choice else TaskMatch.Confidence.NONE,
        "reason": found.reason,
        "method": found.method,
        "space": found.space,
        "catalogue": found.catalogue,
        "error": "",
    }
