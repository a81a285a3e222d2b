"""Reads of the survey: the door to a response, its tasks, their totals, a person's list."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from django.db.models import Count, Q, QuerySet

from chat import queries as chat_queries
from chat.identity import Identity
from chat.models import Message
from chat.operations.models import OperationBatch
from futura.rows import only
from onet.candidates import ActivityGroup
from tasks.campaigns.journey import fixed_words
from tasks.models import SurveyResponse, TaskMatch, WorkTask

LOOKED_AT: Final = 10
"""Batches looked back at for what can be taken back; further ones are among all changes."""


def response_for(identity: Identity, session_id: uuid.UUID) -> SurveyResponse:
    """The person's own response with session and campaign; NotFound for any other."""
    session = chat_queries.session_for(identity, session_id)
    response = only(SurveyResponse.objects.select_related("campaign").filter(pk=session.pk))
    response.session = session
    return response


def responses_of(identity: Identity, limit: int = 50) -> Sequence[SurveyResponse]:
    """The person's surveys, last touched first, each with `task_count`."""
    return list(
        SurveyResponse.objects.filter(session__participant_id__in=identity.participant_ids)
        .filter(session__archived_at=None, session__deleted_at=None)
        .select_related("session")
        .annotate(task_count=Count("tasks", filter=Q(tasks__deleted_at=None)))
        .order_by("-session__updated_at")[:limit]
    )


def tasks_of(response: SurveyResponse, *, with_deleted: bool = False) -> list[WorkTask]:
    """Tasks in their order with match and message loaded: one query, however many there are."""
    tasks: QuerySet[WorkTask] = response.tasks.select_related("match", "message")
    if not with_deleted:
        tasks = tasks.filter(deleted_at=None)
    return list(tasks.order_by("position", "created_at"))


def task_of(response: SurveyResponse, task_id: uuid.UUID) -> WorkTask:
    """A task of the response with its match, deleted or not; NotFound for any other."""
    return only(response.tasks.select_related("match").filter(pk=task_id))


def batch_of(response: SurveyResponse, batch_id: uuid.UUID) -> OperationBatch:
    """A batch of changes to the response's list; NotFound for any other."""
    return only(OperationBatch.objects.filter(pk=batch_id, session=response.pk))


def answer_numbers(session_id: uuid.UUID) -> dict[uuid.UUID, int]:
    """The person's messages counted from 1, for “your 2nd answer”."""
    ids = (
        Message.objects.filter(
            session_id=session_id, role=Message.Role.PERSON, superseded_at__isnull=True
        )
        .order_by("seq")
        .values_list("id", flat=True)
    )
    return {message_id: number for number, message_id in enumerate(ids, start=1)}


def match_or_none(task: WorkTask) -> TaskMatch | None:
    return getattr(task, "match", None)


@dataclass(frozen=True)
class Totals:
    """What the dock and the overview add up; shares in percent."""

    count: int = 0
    time: Decimal = Decimal(0)
    without_time: int = 0
    without_ai: int = 0
    ai: dict[str, int] = field(default_factory=dict)
    by_group: dict[str, Decimal] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        return abs(self.time - 100) < Decimal("0.05")

    @property
    def remaining(self) -> Decimal:
        return max(Decimal(0), 100 - self.time)


def totals_of(tasks: Sequence[WorkTask]) -> Totals:
    living = [task for task in tasks if task.deleted_at is None]
    by_group = dict.fromkeys([*ActivityGroup.values, ""], Decimal(0))
    for task in living:
        by_group[task.group] += task.time_share or Decimal(0)
    return Totals(
        count=len(living),
        time=sum((task.time_share or Decimal(0) for task in living), Decimal(0)),
        without_time=sum(task.time_share is None for task in living),
        without_ai=sum(not task.ai_level for task in living),
        ai={level: sum(t.ai_level == level for t in living) for level in WorkTask.AiLevel.values},
        by_group=by_group,
    )


@dataclass(frozen=True)
class Last:
    """The last gesture that stands, a program's too; the last undo, if nothing followed."""

    done: OperationBatch | None = None
    undone: OperationBatch | None = None


def last_of(response: SurveyResponse) -> Last:
    """What can be taken back or done again. One query; nothing once the list can only be read."""
    if fixed_words(response):
        return Last()
    own = OperationBatch.objects.filter(
        session=response.pk,
        actor__in=(OperationBatch.Actor.PERSON, OperationBatch.Actor.PROGRAM),
        status=OperationBatch.Status.COMPLETED,
    )
    newest = list(own.order_by("-created_at", "-pk")[:LOOKED_AT])
    done = next((batch for batch in newest if batch.undoes_id is None), None)
    undone = newest[0] if newest and newest[0].undoes_id else None
    return Last(done, undone)
