"""Tasks and matches as changes for the ledger, written whole as one batch; places in a list."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import transaction
from django.utils import translation
from django.utils.functional import Promise

from chat.operations import serialization
from chat.operations.changes import Actor, Cause, Change, Create, Update
from chat.operations.execute import execute, raise_if_failed
from chat.operations.models import OperationBatch
from chat.operations.registry import operable
from futura.errors import Conflict
from tasks.interview.state import language_of
from tasks.models import SurveyResponse, TaskMatch, WorkTask

log = logging.getLogger(__name__)

TASK: Final = "work_task"
MATCH: Final = "task_match"


def match_columns(
    status: str, statement: Mapping[str, Any] | None = None, **columns: Any
) -> dict[str, Any]:
    """The columns of a match with this statement of the catalogue, or with none; and further."""
    chosen = statement or {}
    return {
        "status": status,
        "onet_task_id": chosen.get("task_id", ""),
        "text": chosen.get("text", ""),
        "occupation_code": chosen.get("occupation_code", ""),
        "occupation_title": chosen.get("occupation_title", ""),
        "score": chosen.get("score"),
        "confidence": TaskMatch.Confidence.NONE,
        **columns,
    }


WAITING: Final[Mapping[str, Any]] = match_columns(
    TaskMatch.Status.PENDING, candidates=[], reason="", method="", error=""
)
"""A match that is to be looked up."""


def creation(task: WorkTask, match: Mapping[str, Any] | None = None) -> list[Change]:
    """A new task (unsaved), and its match, to be looked up unless it is known."""
    created = Create(TASK, _values(task, *operable(TASK).fields), id=task.pk)
    existing = {"for_version": 1, **match} if match else {}
    return [created, Create(MATCH, {"task": task.pk, **existing})]


def put(task: WorkTask, *names: str) -> Update:
    return Update(TASK, task.pk, _values(task, *names))


def match_put(match: TaskMatch, values: Mapping[str, Any], *, version: int | None = None) -> Update:
    return Update(MATCH, match.pk, values, version=version)


def _values(task: WorkTask, *names: str) -> dict[str, Any]:
    values = serialization.read(operable(TASK), task, names)
    if values.get("time_share") is not None:
        values["time_share"] = f"{task.time_share:.2f}"  # as the database keeps it
    return values


def owner_of(response: SurveyResponse, kind: str = OperationBatch.Actor.PERSON) -> Actor:
    """Who changes a list: the person whose it is, or something that acts for them."""
    return Actor(response.session.participant_id, kind=kind)


def perform(
    response: SurveyResponse, changes: Sequence[Change], *, actor: Actor, title: str
) -> OperationBatch:
    """Does changes of one list, whole or not at all. Raises Conflict; then nothing is recorded."""
    with transaction.atomic():
        batch = execute(
            actor=actor,
            changes=changes,
            cause=Cause(session=response.session),
            title=title,
            is_atomic=True,
        )
        if batch.status == OperationBatch.Status.FAILED:
            raise_if_failed(batch)
    return batch


def perform_each(
    changes_by_response: Sequence[tuple[SurveyResponse, Sequence[Change]]],
    *,
    kind: str,
    title: str | Promise,
) -> set[uuid.UUID]:
    """Does changes of many lists, each list whole or not at all; which ones were done.

    A list that is being changed by somebody is left for the next time. Each is told of in the
    language of its talk.
    """
    done = set()
    for response, changes in changes_by_response:
        language = language_of(response.session.state or {})
        try:
            with translation.override(language):
                perform(response, changes, actor=owner_of(response, kind), title=str(title))
            done.add(response.pk)
        except Conflict:
            log.info("%s: %s changed while it was written", title, response.pk)
    return done


# Places in a list -------------------------------------------------------------------------------
GAP: Final = 1024
"""Between the places of tasks in a list, so that moving one changes no other."""


def places_after(last: int, count: int) -> list[int]:
    """Places for so many tasks behind the last one."""
    return [last + GAP * number for number in range(1, count + 1)]


def places_between(left: int, right: int | None, count: int = 1) -> list[int] | None:
    """So many places between two (behind `left` when there is no `right`); None without room."""
    if right is None:
        return places_after(left, count)
    step = (right - left) // (count + 1)
    return [left + step * number for number in range(1, count + 1)] if step else None
