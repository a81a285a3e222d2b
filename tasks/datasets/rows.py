"""Reads the rows of a table chunk by chunk, each with a constant number of queries."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from django.db.models import Count, Q

from chat.models import Message
from tasks.campaigns.models import Campaign, ExtraAnswer, ExtraQuestion, Participation
from tasks.datasets.columns import Choice, Column, Listed, Table, columns_of
from tasks.models import WorkTask

CHUNK: Final = 200  # people at a time
Row = dict[str, Any]


@dataclass(frozen=True)
class Chunk:
    """Rows of the people after `after`; `last` is where the next chunk begins, None at the end."""

    rows: list[Row]
    last: int | None


def questions_of(campaign: Campaign) -> list[ExtraQuestion]:
    """All questions that were asked, put away or not, in the order asked."""
    return list(campaign.questions.order_by("-place", "position", "pk"))


def columns(campaign: Campaign, table: Table, choice: Choice) -> list[Column]:
    questions = questions_of(campaign) if table == "people" else ()
    return columns_of(table, choice, questions)


def chunk(
    campaign: Campaign,
    table: Table,
    wanted: Sequence[Column],
    *,
    after: int = 0,
    people: int = CHUNK,
) -> Chunk:
    """The rows of the next people by their numbers. At most four queries."""
    found = list(
        campaign.participations.filter(number__gt=after)
        .select_related("response__session")
        .order_by("number")[:people]
    )
    if table == "tasks":
        rows = [_row(one, wanted) for one in _listed(found)]
    else:
        _with_counts(found)
        rows = [_row(one, wanted) for one in found]
    return Chunk(rows, found[-1].number if len(found) == people else None)


def _listed(people: Sequence[Participation]) -> list[Listed]:
    """The tasks of these people, person by person, in the order of their lists."""
    there = [one.response_id for one in people if one.response_id and one.erased_at is None]
    own: dict[uuid.UUID, list[WorkTask]] = defaultdict(list)
    tasks = WorkTask.objects.filter(response__in=there, deleted_at=None).select_related("match")
    for task in tasks.order_by("response", "position", "created_at"):
        own[task.response_id].append(task)
    listed = []
    for person in people:
        for place, task in enumerate(own.get(person.response_id or uuid.UUID(int=0), ()), start=1):
            task.place = place  # type: ignore[attr-defined]
            listed.append(Listed(person, task))
    return listed


def _with_counts(people: Sequence[Participation]) -> None:
    """Writes counts and answers onto each person; those who were erased have theirs stored."""
    there = [one.response_id for one in people if one.response_id]
    said = Message.objects.filter(session__in=there, role="user", superseded_at=None)
    turns = dict(said.values_list("session").annotate(n=Count("pk")).order_by())
    tasks = dict(
        WorkTask.objects.filter(Q(response__in=there), deleted_at=None)
        .values_list("response")
        .annotate(n=Count("pk"))
        .order_by()
    )
    answers: dict[uuid.UUID, dict[uuid.UUID, Any]] = defaultdict(dict)
    for one in ExtraAnswer.objects.filter(participation__in=people):
        answers[one.participation_id][one.question_id] = one.value
    for person in people:
        is_gone = person.erased_at is not None
        person.turns = person.turn_count if is_gone else turns.get(person.response_id, 0)  # type: ignore[attr-defined]
        person.tasks = person.task_count if is_gone else tasks.get(person.response_id, 0)  # type: ignore[attr-defined]
        person.answers = answers.get(person.pk, {})  # type: ignore[attr-defined]


def _row(of: Participation | Listed, wanted: Sequence[Column]) -> Row:
    return {one.name: _plain(one.value(of), one) for one in wanted}


def _plain(value: Any, column: Column) -> Any:
    if value is None:
        return None
    if column.kind == "list":
        return [str(one) for one in value] if isinstance(value, list | tuple) else [str(value)]
    if column.kind == "moment" and isinstance(value, datetime):
        return value.astimezone(UTC)
    if column.kind == "text":
        return str(value)
    return value
