"""The columns of the two tables, what each means (the dictionary), and their rows chunk by chunk.

Types are those of the values in JSON and Parquet: `text`, `whole`, `number`, `truth`, `moment`,
`list`. A value that is not there is null, in CSV an empty cell.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal

from django.db.models import Count, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat.models import Message
from onet.candidates import catalogue_of
from tasks.campaigns.models import Campaign, ExtraAnswer, ExtraQuestion, Participation
from tasks.models import TaskMatch, WorkTask

Table = Literal["tasks", "people"]
TABLES: Final[tuple[Table, ...]] = ("tasks", "people")
Kind = Literal["text", "whole", "number", "truth", "moment", "list"]


@dataclass(frozen=True)
class Choice:
    """What is to be in the rows: the people's own words, and the ids of their conversations."""

    has_words: bool = False
    has_ids: bool = False


@dataclass(frozen=True)
class Column:
    """One column; `value` reads it of a `Participation`, or of a pair of it and a `WorkTask`."""

    name: str
    kind: Kind
    about: str | Promise
    value: Callable[[Any], Any]


@dataclass(frozen=True)
class Listed:
    """A task with whose it is: what a row of tasks is made of."""

    person: Participation
    task: WorkTask


def _matched(listed: Listed) -> TaskMatch | None:
    match: TaskMatch | None = getattr(listed.task, "match", None)
    return match if match is not None and match.status == TaskMatch.Status.MATCHED else None


def _of_match(name: str) -> Callable[[Listed], Any]:
    def value(listed: Listed) -> Any:
        match = _matched(listed)
        return getattr(match, name) if match is not None else None

    return value


def _catalogue(listed: Listed) -> str | None:
    match = _matched(listed)
    return catalogue_of(match.onet_task_id) if match is not None else None


def _status(listed: Listed) -> str:
    match: TaskMatch | None = getattr(listed.task, "match", None)
    return match.status if match is not None else TaskMatch.Status.PENDING.value


def _share(listed: Listed) -> float | None:
    share = listed.task.time_share
    return None if share is None else float(share)


def _tools(listed: Listed) -> list[str] | None:
    level = listed.task.ai_level
    return listed.task.ai_tools if level and level != WorkTask.AiLevel.NONE else None


def _job(name: str) -> Callable[[Any], Any]:
    """A field of the response, of a person or of a task's person."""

    def value(of: Any) -> Any:
        person = of.person if isinstance(of, Listed) else of
        response = person.response
        return (getattr(response, name) or None) if response is not None else None

    return value


_PERSON: Final = (
    Column("person", "text", _("Pseudonym within the campaign, the same in both tables."),
           lambda of: (of.person if isinstance(of, Listed) else of).pseudonym),
    Column("is_invented", "truth", _("Whether this participant is simulated."),
           lambda of: (of.person if isinstance(of, Listed) else of).is_invented),
    Column("job_title", "text", _("Job title as entered."), _job("job_title")),
    Column("occupation_code", "text", _("O*NET-SOC code that the person selected."),
           _job("occupation_code")),
    Column("occupation_title", "text", _("Title of that occupation."), _job("occupation_title")),
)  # fmt: skip
_IDS: Final = (Column("session_id", "text", _("Id of the conversation."), _job("pk")),)
_TASKS: Final = (
    Column("task_id", "text", _("Id of the task."), lambda of: str(of.task.pk)),
    Column("position", "whole", _("Position in the person’s task list, from 1."),
           lambda of: of.task.place),
    Column("statement", "text", _("The task as a statement."), lambda of: of.task.statement),
    Column("english", "text", _("The statement in English, if it is in another language."),
           lambda of: of.task.english or None),
    Column("source", "text", _("chat, suggestion or added (by hand)."),
           lambda of: of.task.source),
    Column("group", "text", _("Main group of work activities (one of four), or none."),
           lambda of: of.task.group or None),
    Column("groups", "list", _("All groups."), lambda of: of.task.groups),
    Column("activity_ids", "list", _("Work activities as O*NET element ids."),
           lambda of: of.task.activity_ids),
    Column("time_share", "number", _("Percent of the person’s working time."), _share),
    Column("ai_level", "text", _("Use of AI: none, some, significant."),
           lambda of: of.task.ai_level or None),
    Column("ai_tools", "list", _("AI tools mentioned."), _tools),
    Column("match_status", "text", _("pending, matched, none (no good match) or failed."),
           _status),
    Column("catalogue", "text",
           _("Source of the matched statement: onet, or starter (a small catalogue with "
             "its own wording, whose ids are not O*NET ids)."), _catalogue),
    Column("statement_id", "text", _("Id of the matched statement in that catalogue."),
           _of_match("onet_task_id")),
    Column("matched_statement", "text", _("Text of the matched statement."), _of_match("text")),
    Column("matched_occupation_code", "text", _("Occupation of the statement (O*NET-SOC code)."),
           _of_match("occupation_code")),
    Column("matched_occupation_title", "text", _("Title of that occupation."),
           _of_match("occupation_title")),
    Column("match_score", "number", _("Calibrated score, 0 to 1."), _of_match("score")),
    Column("match_confidence", "text", _("high, medium, low."), _of_match("confidence")),
    Column("matched_by", "text", _("model, rules, person or staff."), _of_match("method")),
)  # fmt: skip
_WORDS: Final = (
    Column("own_words", "text", _("The task in the person’s own words. May name people."),
           lambda of: of.task.raw or of.task.quote or None),
)  # fmt: skip
_PEOPLE: Final = (
    Column("agreed_at", "moment", _("When consent was given (UTC)."), lambda of: of.created_at),
    Column("started_at", "moment", _("When the conversation began."), lambda of: of.started_at),
    Column("submitted_at", "moment", _("When the survey was submitted."),
           lambda of: of.submitted_at),
    Column("finished_at", "moment", _("When the last page was seen."), lambda of: of.finished_at),
    Column("erased_at", "moment", _("When the response was deleted; counts remain."),
           lambda of: of.erased_at),
    Column("turns", "whole", _("Messages of the person."), lambda of: of.turns),
    Column("tasks", "whole", _("Tasks in the list."), lambda of: of.tasks),
)  # fmt: skip


def _answer(question: ExtraQuestion) -> Column:
    """An extra question as a column; its name is its place among the others."""
    kinds: dict[str, Kind] = {"scale": "whole", "choice": "list", "text": "text"}

    def value(person: Participation) -> Any:
        answers: dict[Any, Any] = getattr(person, "answers", {})
        return answers.get(question.pk)

    name = f"{question.place}_{question.position + 1}"
    return Column(name, kinds[question.kind], question.text, value)


def columns(campaign: Campaign, table: Table, choice: Choice) -> list[Column]:
    """The columns of a table in their order; answers in free words only with the words."""
    ids = _IDS if choice.has_ids else ()
    if table == "tasks":
        return [*_PERSON, *ids, *_TASKS, *(_WORDS if choice.has_words else ())]
    # put away or not, in the order asked
    asked = campaign.questions.order_by("-place", "position", "pk")
    if not choice.has_words:
        asked = asked.exclude(kind=ExtraQuestion.Kind.TEXT)
    answers, known = [], set[str]()
    for one in asked:
        column = _answer(one)
        while column.name in known:  # a question that was put away had the same place
            column = Column(f"{column.name}b", column.kind, column.about, column.value)
        known.add(column.name)
        answers.append(column)
    return [*_PERSON, *ids, *_PEOPLE, *answers]


CHUNK: Final = 200  # people at a time
Row = dict[str, Any]


@dataclass(frozen=True)
class Chunk:
    """Rows of the people after `after`; `last` is where the next chunk begins, None at the end."""

    rows: list[Row]
    last: int | None


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
