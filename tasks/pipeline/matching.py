"""Looks up, in the background, which O*NET statements say the tasks of a list best.

Workers share a list: each takes some of what waits and nobody has, and writes what it found in
batches of the ledger, all that came within a second in one.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import connection, transaction
from django.utils.translation import gettext as _

from chat.operations.changes import Kind, Update
from futura.errors import Conflict, FuturaError
from futura.llm import veils
from futura.llm.client import Llm
from onet import matching
from onet.matching import Match
from tasks import changes
from tasks.models import Lookup, SurveyResponse, TaskMatch, WorkTask
from tasks.pipeline.heart import SILENT_FOR, beating
from tasks.writing import owner_of, perform

log = logging.getLogger(__name__)

TAKEN_BY_MODEL: Final = 4  # at once by one worker: each takes seconds, others shall have some
TAKEN_BY_RULES: Final = 40
WRITTEN_AFTER_S: Final = 1.0
IN_VAIN: Final = 3  # rounds whose results were all outdated, before the sweep shall try


@dataclass(frozen=True)
class Found:
    """What came of one lookup, and the words it was made for."""

    match: TaskMatch
    statement: str
    values: dict[str, Any]


def match_response(response_id: uuid.UUID) -> int:
    """Looks up what waits in a response; how many results were written.

    Left out are matches that another worker has and tasks that changed meanwhile. A choice by the
    person is never touched: such a match does not wait.
    """
    response = SurveyResponse.objects.select_related("session").filter(pk=response_id).first()
    if response is None:
        return 0
    work = _Work(response)
    written = in_vain = 0
    while in_vain < IN_VAIN and (taken := work.take()):
        new = work.look_up(taken)
        written += new
        in_vain = 0 if new else in_vain + 1
    return written


class _Work:
    """One worker on one list; its lease says which matches it has."""

    def __init__(self, response: SurveyResponse) -> None:
        self._response = response
        self._lease = uuid.uuid4()
        self._llm = Llm(session_id=response.pk)
        self._most = TAKEN_BY_MODEL if self._llm.is_configured else TAKEN_BY_RULES

    def take(self) -> list[TaskMatch]:
        """Some matches that wait, in the order of the list, now this worker's."""
        with connection.cursor() as cursor:
            cursor.execute(
                _TAKE,
                {
                    "lease": self._lease,
                    "response": self._response.pk,
                    "silent": SILENT_FOR.total_seconds(),
                    "most": self._most,
                },
            )
            ids = [pk for (pk,) in cursor.fetchall()]
        waiting = TaskMatch.objects.filter(pk__in=ids, status=TaskMatch.Status.PENDING)
        found = list(waiting.select_related("task").order_by("task__position"))
        if len(found) < len(ids):  # found by another in the moment before
            self._release([pk for pk in ids if pk not in {one.pk for one in found}])
        return found

    def look_up(self, taken: Sequence[TaskMatch]) -> int:
        """Looks all of them up; how many results were written."""
        found: list[Found] = []
        written, since = 0, time.monotonic()
        current: TaskMatch | None = None
        try:
            with beating(Lookup.objects.filter(lease=self._lease), column="seen_at"):
                for current in taken:
                    found.append(self._found(current))
                    if time.monotonic() - since > WRITTEN_AFTER_S:
                        written += self._write(found)
                        found, since = [], time.monotonic()
            current = None
        finally:
            if current is not None:  # what it broke at is not tried for ever
                found.append(Found(current, current.task.statement, _broken()))
            written += self._write(found)
            self._release([match.pk for match in taken])
        return written

    def _found(self, match: TaskMatch) -> Found:
        statement = match.task.statement
        try:
            with veils.working_for(self._response.pk):
                result = matching.match(
                    statement, occupation_code=self._response.occupation_code, llm=self._llm
                )
            values = _values(result)
        except FuturaError as error:
            log.warning("match of task %s failed: %s", match.task_id, error)
            values = {"status": TaskMatch.Status.FAILED, "error": str(error)}
        return Found(match, statement, values)

    def _write(self, found: Sequence[Found]) -> int:
        """One batch of what still holds: the words are the same, and nobody chose meanwhile."""
        if not found:
            return 0
        try:
            with transaction.atomic():
                updates = self._updates(found)
                if updates:
                    actor = owner_of(self._response, Kind.SYSTEM)
                    title = _("Looked up in the catalogue")
                    perform(self._response, updates, actor=actor, title=title)
        except Conflict:
            log.info("matches of %s changed while they were written", self._response.pk)
            return 0
        return len(updates)

    def _updates(self, found: Sequence[Found]) -> list[Update]:
        # tasks before matches, like the ledger; who edits a task waits here, or is waited for
        tasks = WorkTask.objects.select_for_update(no_key=True).order_by("pk")
        by_id = {task.pk: task for task in tasks.filter(pk__in=[f.match.task_id for f in found])}
        mine = TaskMatch.objects.filter(
            pk__in=[one.match.pk for one in found],
            lookup__lease=self._lease,
            status=TaskMatch.Status.PENDING,
            deleted_at=None,
        )
        version_of = dict(mine.values_list("pk", "version"))
        updates = []
        for one in found:
            task = by_id.get(one.match.task_id)
            version = version_of.get(one.match.pk)
            if task is not None and version is not None and task.statement == one.statement:
                values = {**one.values, "for_version": task.version}
                updates.append(changes.match_put(one.match, values, version=version))
        return updates

    def _release(self, ids: Sequence[uuid.UUID]) -> None:
        """Lets go of them: what still waits can be taken anew."""
        Lookup.objects.filter(pk__in=ids, lease=self._lease).delete()


_TAKE: Final = """
INSERT INTO tasks_lookup AS lookup (match_id, lease, seen_at)
SELECT match.id, %(lease)s, statement_timestamp()
FROM tasks_taskmatch AS match
JOIN tasks_worktask AS task ON task.id = match.task_id
LEFT JOIN tasks_lookup AS had ON had.match_id = match.id
WHERE task.response_id = %(response)s AND match.status = 'pending'
    AND match.deleted_at IS NULL
    AND (had.lease IS NULL OR had.seen_at < statement_timestamp() - %(silent)s * interval '1 s')
ORDER BY task.position, match.id
LIMIT %(most)s
ON CONFLICT (match_id) DO UPDATE SET lease = EXCLUDED.lease, seen_at = EXCLUDED.seen_at
WHERE lookup.lease IS NULL OR lookup.seen_at < statement_timestamp() - %(silent)s * interval '1 s'
RETURNING match_id
"""


def _broken() -> dict[str, Any]:
    return {
        "status": TaskMatch.Status.FAILED,
        "error": _("Something went wrong while this was looked up."),
    }


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
