"""Looks up, in the background, which O*NET statements say the tasks of lists best.

Workers share lists: each takes some of what waits and nobody has, codes it in one pass, and writes
what it found in one batch of the ledger a list, the activities of the tasks with their matches.
"""

from __future__ import annotations

import logging
import uuid
from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, TypeAlias

from django.db import connection, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _, gettext_lazy

from chat.operations.changes import Change, Kind
from futura.durable import SILENT_FOR, beating
from futura.errors import FuturaError
from futura.llm import redaction
from futura.llm.client import Llm
from futura.llm.outcomes import Outcome
from onet import matching
from onet.matching import Coding
from onet.search import Query
from tasks import activities, changes
from tasks.changes import perform_each
from tasks.coding import statements
from tasks.interview.state import language_of
from tasks.models import Lookup, SurveyResponse, TaskMatch, WorkTask

log = logging.getLogger(__name__)

TAKEN_BY_MODEL: Final = 4  # at once by one worker, asked side by side
TAKEN_BY_RULES: Final = 40
TAKEN_OF_MANY: Final = 256  # of a backlog: searched in one pass
PATIENCE: Final = timedelta(minutes=2)  # with a server that has no room; then the rules choose
IN_VAIN: Final = 3  # rounds whose results were all outdated, before the sweep shall try


@dataclass(frozen=True)
class Result:
    """What came of one lookup, with the task as it was then; no coding where it failed."""

    match: TaskMatch
    coding: Coding | None
    error: str = ""


Held: TypeAlias = tuple[Result, WorkTask, int]
"""A result that still holds, its task, and the version of its match."""


def match_responses(*response_ids: uuid.UUID) -> int:
    """Looks up together what waits in some lists; how many results were written.

    Left out are matches that another worker has and tasks that changed meanwhile. A choice by the
    person is never touched: such a match does not wait.
    """
    rows = SurveyResponse.objects.select_related("session").filter(pk__in=response_ids)
    responses = list(rows)
    if not responses:
        return 0
    work = _Work(*responses)
    written = in_vain = 0
    while in_vain < IN_VAIN and (taken := work.take()):
        new = work.look_up(taken)
        written += new
        in_vain = 0 if new else in_vain + 1
    return written


class _Work:
    """One worker on some lists; its lease says which matches it has."""

    def __init__(self, *responses: SurveyResponse) -> None:
        self._responses = {response.pk: response for response in responses}
        self._lease = uuid.uuid4()
        self._most = TAKEN_BY_RULES if len(responses) == 1 else TAKEN_OF_MANY
        if Llm().is_configured:
            self._most = TAKEN_BY_MODEL if len(responses) == 1 else 1

    def take(self) -> list[TaskMatch]:
        """Some matches that wait, in the order of the lists, now this worker's."""
        with connection.cursor() as cursor:
            cursor.execute(
                _TAKE,
                {
                    "lease": self._lease,
                    "responses": list(self._responses),
                    "silent": SILENT_FOR.total_seconds(),
                    "most": self._most,
                },
            )
            ids = [pk for (pk,) in cursor.fetchall()]
        waiting = TaskMatch.objects.filter(pk__in=ids, status=TaskMatch.Status.PENDING)
        taken = list(waiting.select_related("task").order_by("task__response", "task__position"))
        if len(taken) < len(ids):  # found by another in the moment before
            self._release([pk for pk in ids if pk not in {match.pk for match in taken}])
        return taken

    def look_up(self, taken: Sequence[TaskMatch]) -> int:
        """Looks all of them up in one pass; how many results were written.

        With a model they are of one list, and asked for it. What it breaks at is not tried for
        ever.
        """
        response_id = taken[0].task.response_id
        coding_of: dict[uuid.UUID, Coding] = {}
        missed: dict[uuid.UUID, str] = {}
        error = _("The catalogue search failed.")
        try:
            with (
                beating(Lookup.objects.filter(lease=self._lease), column="seen_at"),
                redaction.working_for(response_id),
            ):
                tasks = [match.task for match in taken]
                if Llm().is_configured:
                    missed = statements.write_english(self._responses[response_id], tasks)
                    # the English catalogue says nothing of their words
                    tasks = [task for task in tasks if task.pk not in missed]
                queries = [self._query(task) for task in tasks]
                codings = matching.code_many(queries, llm=Llm(session_id=response_id))
                coding_of = dict(zip((task.pk for task in tasks), codings, strict=True))
                missed |= {pk: coding.missed for pk, coding in coding_of.items()}
        except FuturaError as failure:
            log.warning("match of task %s failed: %s", taken[0].task_id, failure)
            error = str(failure)
        finally:
            later = self._left_for_later(missed)
            done = [match for match in taken if match.pk not in later]
            written = self._write(
                [Result(match, coding_of.get(match.task_id), error) for match in done]
            )
            self._release([match.pk for match in done])
        return written

    def _left_for_later(self, missed: Mapping[uuid.UUID, str]) -> Container[uuid.UUID]:
        """Matches that the model had no room for, by the reasons for their tasks: they stay this
        worker's until its lease is silent, and then the sweep's.

        A circuit that opened after the model had made the list will close again; else the rules go
        on where they began.
        """
        passing = {Outcome.RATE_LIMITED.value}
        if not any(response.basic_mode for response in self._responses.values()):
            passing.add(Outcome.CIRCUIT_OPEN.value)
        tasks = [pk for pk, reason in missed.items() if reason in passing]
        own = Lookup.objects.filter(lease=self._lease, since__gt=Now() - PATIENCE)
        return own.filter(match__task__in=tasks).values_list("pk", flat=True) if tasks else ()

    def _query(self, task: WorkTask) -> Query:
        response = self._responses[task.response_id]
        language = language_of(response.session.state or {})
        return Query(task.in_english, response.occupation_code, language, response.job)

    def _write(self, results: Sequence[Result]) -> int:
        """One batch a list, all lists in one transaction; how many results still held."""
        with transaction.atomic():
            held = self._held(results)
            done = perform_each(
                [(self._responses[pk], _changes(some)) for pk, some in held.items()],
                kind=Kind.SYSTEM,
                title=gettext_lazy("Matched tasks with the catalogue"),
            )
        return sum(len(held[pk]) for pk in done)

    def _held(self, results: Sequence[Result]) -> Mapping[uuid.UUID, Sequence[Held]]:
        """Results that still hold, by list: the words are the same, and nobody chose.

        With their tasks (locked) and the versions of their matches.
        """
        # tasks before matches, like the ledger; who edits a task waits here, or is waited for
        rows = WorkTask.objects.select_for_update(no_key=True).order_by("pk")
        tasks = {task.pk: task for task in rows.filter(pk__in=[r.match.task_id for r in results])}
        claimed = TaskMatch.objects.filter(
            pk__in=[result.match.pk for result in results],
            lookup__lease=self._lease,
            status=TaskMatch.Status.PENDING,
            deleted_at=None,
        )
        version_of = dict(claimed.values_list("pk", "version"))
        by_response: dict[uuid.UUID, list[Held]] = defaultdict(list)
        for result in results:
            task, version = tasks.get(result.match.task_id), version_of.get(result.match.pk)
            if task and version and task.in_english == result.match.task.in_english:
                by_response[task.response_id].append((result, task, version))
        return by_response

    def _release(self, ids: Sequence[uuid.UUID]) -> None:
        """Lets go of them: what still waits can be taken anew."""
        Lookup.objects.filter(pk__in=ids, lease=self._lease).delete()


def _changes(held: Sequence[Held]) -> list[Change]:
    """The matches, and the activities of tasks that have others so far; none take nothing away."""
    moved = [
        task
        for result, task, _version in held
        if result.coding is not None
        and result.coding.activities
        and activities.put_on(task, result.coding.activities)
    ]
    fixed = activities.corrected_by_staff(task.pk for task in moved) if moved else set()
    following = {task.pk for task in moved if task.pk not in fixed}
    listed: list[Change] = [
        changes.put(task, *activities.FIELDS) for task in moved if task.pk in following
    ]
    for result, task, version in held:
        values: dict[str, Any] = {"status": TaskMatch.Status.FAILED, "error": result.error}
        if result.coding:
            values = match_values(result.coding)
        values["for_version"] = task.version + (task.pk in following)
        listed.append(changes.match_put(result.match, values, version=version))
    return listed


_TAKE: Final = """
INSERT INTO tasks_lookup AS lookup (match_id, lease, seen_at)
SELECT match.id, %(lease)s, statement_timestamp()
FROM tasks_taskmatch AS match
JOIN tasks_worktask AS task ON task.id = match.task_id
LEFT JOIN tasks_lookup AS had ON had.match_id = match.id
WHERE task.response_id = ANY(%(responses)s::uuid[]) AND match.status = 'pending'
    AND match.deleted_at IS NULL
    AND (had.lease IS NULL OR had.seen_at < statement_timestamp() - %(silent)s * interval '1 s')
ORDER BY task.response_id, task.position, match.id
LIMIT %(most)s
FOR NO KEY UPDATE OF match SKIP LOCKED -- workers who come in one moment take others
ON CONFLICT (match_id) DO UPDATE SET lease = EXCLUDED.lease, seen_at = EXCLUDED.seen_at
WHERE lookup.lease IS NULL OR lookup.seen_at < statement_timestamp() - %(silent)s * interval '1 s'
RETURNING match_id
"""


def match_values(coding: Coding) -> dict[str, Any]:
    """The columns of a finished lookup."""
    return changes.match_columns(
        TaskMatch.Status.MATCHED if coding.choice else TaskMatch.Status.NONE,
        coding.choice.as_json() if coding.choice else None,
        candidates=[candidate.as_json() for candidate in coding.candidates],
        confidence=coding.confidence,
        reason=coding.reason,
        method=coding.method,
        space=coding.space,
        catalogue=coding.catalogue,
        error="",
    )
