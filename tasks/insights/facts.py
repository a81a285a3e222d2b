"""Reads what the sums are made of: who took part, and each task of theirs. Three queries."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Count, Max, Min, QuerySet

from chat.models import Message
from tasks.campaigns.models import Campaign, Participation
from tasks.insights.forms import Selection
from tasks.models import TaskMatch, WorkTask

CHUNK: Final = 5_000


@dataclass
class Person:
    """One participation: how far it went, how long it took. What was erased left its counts."""

    response: uuid.UUID | None
    occupation: str
    occupation_title: str
    started: bool
    sent: bool
    finished: bool
    turns: int
    minutes: float | None
    tasks: int


@dataclass(frozen=True)
class Fact:
    """One task as the sums need it; `time` is the percent of working time as it was given."""

    response: uuid.UUID
    group: str
    activities: tuple[str, ...]
    time: float | None
    ai: str
    statement: str
    text: str
    occupation: str


def people(campaign: Campaign, selection: Selection) -> list[Person]:
    """Everybody who agreed to take part and is selected: two queries."""
    chosen = campaign.participations.filter(selection.condition())
    talks = _talks(chosen)
    found = []
    for row in chosen.order_by().values(
        "response", "response__occupation_code", "response__occupation_title", "started_at",
        "submitted_at", "finished_at", "erased_at", "turn_count", "task_count", "talk_minutes",
    ).iterator(CHUNK):  # fmt: skip
        said, first, last = talks.get(row["response"], (0, None, None))
        is_gone = row["erased_at"] is not None
        found.append(
            Person(
                response=row["response"],
                occupation=row["response__occupation_code"] or "",
                occupation_title=row["response__occupation_title"] or "",
                started=row["started_at"] is not None,
                sent=row["submitted_at"] is not None,
                finished=row["finished_at"] is not None,
                turns=row["turn_count"] if is_gone else said,
                minutes=row["talk_minutes"] if is_gone else _minutes(first, last),
                tasks=row["task_count"] if is_gone else 0,
            )
        )
    return found


def _talks(
    chosen: QuerySet[Participation],
) -> dict[uuid.UUID, tuple[int, datetime | None, datetime | None]]:
    """Messages of the person, the first and the last, by conversation."""
    said = Message.objects.filter(
        session__survey_response__participation__in=chosen,
        role=Message.Role.PERSON,
        superseded_at=None,
    )
    rows = said.order_by().values_list("session").annotate(
        Count("pk"), Min("created_at"), Max("created_at")
    )  # fmt: skip
    return {session: (many, first, last) for session, many, first, last in rows.iterator(CHUNK)}


def _minutes(first: datetime | None, last: datetime | None) -> float | None:
    return (last - first).total_seconds() / 60 if first and last else None


def facts(campaign: Campaign, selection: Selection) -> Iterator[Fact]:
    """The tasks that are still listed, in no order: one query, read bit by bit."""
    chosen = campaign.participations.filter(selection.condition(), erased_at=None)
    listed = WorkTask.objects.filter(
        response__participation__in=chosen, deleted_at=None
    ).order_by().values_list(
        "response", "group", "activity_ids", "time_share", "ai_level", "match__status",
        "match__onet_task_id", "match__text", "match__occupation_title",
    )  # fmt: skip
    for row in listed.iterator(CHUNK):
        response, group, activities, time, ai, status, statement, text, title = row
        matched = status == TaskMatch.Status.MATCHED
        yield Fact(
            response=response,
            group=group,
            activities=tuple(activities or ()),
            time=None if time is None else float(time),
            ai=ai,
            statement=statement if matched else "",
            text=text if matched else "",
            occupation=title if matched else "",
        )
