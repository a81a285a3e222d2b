"""The work activities and the group that a task holds, and how they follow its coding."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from chat.operations.models import Operation, OperationBatch
from onet import matching
from onet.candidates import groups_of
from onet.search import Query
from tasks import changes
from tasks.models import WorkTask

FIELDS: Final = ("group", "groups", "activity_ids")


def put_on(task: WorkTask, element_ids: Iterable[str]) -> bool:
    """Writes activities (best first) and their groups on the unsaved task; False if it has them."""
    activities = list(element_ids)
    groups = [group.value for group in groups_of(activities)]
    if activities == task.activity_ids and groups == task.groups:
        return False
    task.activity_ids, task.groups = activities, groups
    task.group = groups[0] if groups else ""
    return True


def code(tasks: Sequence[WorkTask], occupation_code: str) -> None:
    """Codes new words (unsaved) in one pass, until the match is looked up: it says the same then,
    unless a model or a neural space knows better."""
    queries = [Query(task.in_english, occupation_code) for task in tasks]
    codings = matching.code_many(queries, by_words_only=True)
    for task, coding in zip(tasks, codings, strict=True):
        put_on(task, coding.activities)


def follow(task: WorkTask, candidate: Mapping[str, Any] | None) -> bool:
    """Takes over (unsaved) the activities of a chosen statement, or of the nearest if of none."""
    return put_on(task, _of_choice(task, candidate))


def _of_choice(task: WorkTask, candidate: Mapping[str, Any] | None) -> Iterable[str]:
    if candidate is None:
        return matching.activities_for(task.in_english)
    if element_ids := candidate.get("activity_ids"):
        return map(str, element_ids)
    task_id = str(candidate["task_id"])  # one that was stored without them
    taken = matching.code_taken([task_id]).get(task_id)
    return taken.activities if taken else matching.activities_for(task.in_english)


def corrected_by_staff(task_ids: Iterable[uuid.UUID]) -> set[uuid.UUID]:
    """Tasks whose group a reviewer set by hand: it stands, whatever is coded. One query."""
    corrections = Operation.objects.filter(
        entity=changes.TASK,
        entity_id__in=list(task_ids),
        batch__actor=OperationBatch.Actor.STAFF,
        status=Operation.Status.COMPLETED,
        changed_fields__contains=["group"],
    ).exclude(changed_fields__contains=["activity_ids"])
    return set(corrections.values_list("entity_id", flat=True))
