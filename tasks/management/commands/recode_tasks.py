"""`manage.py recode_tasks`: codes stored tasks anew, after the catalogue or the coding changed."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from chat.operations.changes import Kind
from futura.embedded.tables import ensure_tables
from futura.progress import ProgressBar, Reporter
from onet import matching
from onet.search import Query
from tasks import activities, changes
from tasks.commands.matches import statement_of
from tasks.models import TaskMatch, WorkTask
from tasks.queries import match_or_none


class Command(BaseCommand):
    help = "Lets activities and groups of all stored tasks follow their matches."

    def handle(self, *_args: Any, **_options: Any) -> None:
        ensure_tables()
        with ProgressBar() as bar:
            changed = recode(reporter=bar)
        self.stdout.write(f"{changed} tasks hold other activities now.")


_CODED: Final = (TaskMatch.Status.MATCHED, TaskMatch.Status.NONE)
BATCH: Final = 256  # tasks searched in one pass


def recode(*, reporter: Reporter | None = None) -> int:
    """Lets the activities of all living tasks follow their matches; how many tasks changed.

    Matches stay as they are, and so does a group that a reviewer set. Safe to stop and to run
    again: a task that holds what is right is not written.
    """
    living = WorkTask.objects.filter(deleted_at=None)
    progress = reporter or Reporter()
    progress.step("Coding tasks", living.count())
    changed = 0
    ids = list(living.values_list("pk", flat=True).order_by("pk"))
    for start in range(0, len(ids), BATCH):
        batch = ids[start : start + BATCH]
        changed += _recode(batch)
        progress.advance(len(batch))
    return changed


def _recode(ids: Sequence[uuid.UUID]) -> int:
    rows = WorkTask.objects.filter(pk__in=ids).select_related("match", "response__session")
    moved: dict[uuid.UUID, list[WorkTask]] = defaultdict(list)
    tasks = list(rows)
    fixed = activities.corrected_by_staff(ids)
    for task, element_ids in zip(tasks, _activities(tasks), strict=True):
        if task.pk not in fixed and activities.put_on(task, element_ids):
            moved[task.response_id].append(task)
    updates_by_response = [
        (result[0].response, [changes.put(task, *activities.FIELDS) for task in result])
        for result in moved.values()
    ]
    done = changes.perform_each(updates_by_response, kind=Kind.SYSTEM, title=_("Recoded tasks"))
    return sum(len(updates) for response, updates in updates_by_response if response.pk in done)


def _activities(tasks: Sequence[WorkTask]) -> Iterator[Sequence[str]]:
    """Those of the chosen statement as the match knows it; else those of a search."""
    queries = [Query(task.in_english, task.response.occupation_code) for task in tasks]
    codings = matching.code_many(queries, by_words_only=True)
    matches = [match_or_none(task) for task in tasks]
    taken = matching.code_taken(
        {match.onet_task_id for match in matches if match and match.onet_task_id}
    )
    for match, coding in zip(matches, codings, strict=True):
        choice = match.onet_task_id if match else ""
        is_same = coding.choice is not None and coding.choice.task_id == choice
        if match is None or match.status not in _CODED or is_same:
            yield coding.activities
        elif choice in taken:
            yield taken[choice].activities
        else:  # no good match, or one of a catalogue that is gone
            stored = statement_of(choice, match.candidates) or {}  # as it was when it was found
            yield list(map(str, stored.get("activity_ids", ()))) or coding.nearest
