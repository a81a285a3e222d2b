"""What follows when the ledger gave tasks other words: their groups, and a new look for a match."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from chat.operations.changes import Actor, Cause, Change, Kind
from chat.operations.execute import execute
from chat.operations.models import Operation, OperationBatch
from tasks import activities, changes
from tasks.models import WorkTask
from tasks.queries import match_or_none


def follow_wording(batch: OperationBatch, operations: Sequence[Operation]) -> None:
    """Groups, and a new match, for tasks whose words changed in a batch that left the match out.

    That is how a single undo or correction among the changes may leave them. `operations` are
    those of the batch that changed statements; the English of one that left it out is of the words
    before.
    """
    task_ids = [one.entity_id for one in operations]
    if not task_ids:
        return
    outdated = {one.entity_id for one in operations if "english" not in one.changed_fields}
    followed = Operation.objects.filter(batch=batch, entity=changes.MATCH)
    followed = followed.exclude(changed_fields=[])
    known = set(followed.values_list("entity_id", flat=True))
    living = WorkTask.objects.filter(pk__in=task_ids, deleted_at=None)
    wanted: list[Change] = []
    for task in living.select_related("match", "response"):
        match = match_or_none(task)
        if match is not None and match.pk not in known:
            if task.pk in outdated and batch.amends_id:
                task.english = ""
            activities.code([task], task.response.occupation_code)
            wanted.append(changes.put(task, "english", *activities.FIELDS))
            wanted.append(changes.match_put(match, changes.WAITING))
    if wanted:
        execute(
            actor=Actor(batch.owner_id, kind=Kind.SYSTEM),
            changes=wanted,
            cause=Cause(session=batch.session),
            title=_("Followed the new words"),
        )
