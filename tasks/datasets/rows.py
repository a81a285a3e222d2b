"""The two tables: their columns, what each means (the dictionary), their rows, their files.

Types are those of the values in JSON and Parquet: `text`, `whole`, `number`, `truth`, `moment`,
`list`. A value that is not there is null, in CSV an empty cell.
"""

from __future__ import annotations

import importlib.util
import uuid
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, BinaryIO, Final, Literal

import orjson
from django.db.models import Count, Exists, F, OuterRef, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat.models import Message
from onet.candidates import ActivityGroup, catalogue_of
from tasks.campaigns.models import Campaign, ExtraAnswer, ExtraQuestion, Participation
from tasks.export import lines, table
from tasks.models import TaskMatch, WorkTask

Table = Literal["tasks", "people"]
TABLES: Final[tuple[Table, ...]] = ("tasks", "people")
Kind = Literal["text", "whole", "number", "truth", "moment", "list"]
Row = dict[str, Any]
CHUNK: Final = 200  # people at a time


@dataclass(frozen=True)
class Choice:
    """What is to be in the rows: the people's own words, and the ids of their conversations."""

    has_words: bool = False
    has_ids: bool = False


@dataclass(frozen=True)
class Column:
    """One column; one of answers has the extra `question` that they are to.

    `values` are the only ones that occur, or a range such as `0–100`; `missing` says what it means
    that there is none, empty where there always is one.
    """

    name: str
    kind: Kind
    about: str | Promise
    values: Sequence[str] = ()
    unit: str | Promise = ""
    missing: str | Promise = ""
    question: uuid.UUID | None = None


_UTC: Final = "ISO 8601, UTC"
_GONE: Final = _("The response was deleted.")
_NO_OCCUPATION: Final = _("No occupation selected, or the response was deleted.")
_NOT_SET: Final = _("The person did not set it.")
_NO_MATCH: Final = _("The task has no match.")
_NOT_YET: Final = _("It has not happened.")
_CODED_ONCE: Final = _("The task was not coded a second time.")
_NONE: Final = "none"
_of_match = partial(Column, missing=_NO_MATCH)
_of_second = partial(Column, missing=_CODED_ONCE)
_happened = partial(Column, unit=_UTC, missing=_NOT_YET)
_PERSON: Final = (
    Column("person", "text", _("Pseudonym within the campaign, the same in both tables.")),
    Column("is_invented", "truth", _("Whether this participant is simulated.")),
    Column("job_title", "text", _("Job title as entered."), missing=_GONE),
    Column(
        "occupation_code",
        "text",
        _("O*NET-SOC code that the person selected."),
        missing=_NO_OCCUPATION,
    ),
    Column("occupation_title", "text", _("Title of that occupation."), missing=_NO_OCCUPATION),
)
_IDS: Final = (Column("session_id", "text", _("Id of the conversation."), missing=_GONE),)
_TASKS: Final = (
    Column("task_id", "text", _("Id of the task.")),
    Column("position", "whole", _("Position in the person’s task list, from 1.")),
    Column("statement", "text", _("The task as a statement.")),
    Column(
        "english",
        "text",
        _("The statement in English, if it is in another language."),
        missing=_("It is in English, or was not translated."),
    ),
    Column("source", "text", _("chat, suggestion or added (by hand)."), WorkTask.Source.values),
    Column(
        "group",
        "text",
        _("Main group of work activities (one of four), or none."),
        ActivityGroup.values,
        missing=_("No group is known."),
    ),
    Column("groups", "list", _("All groups."), ActivityGroup.values),
    Column("activity_ids", "list", _("Work activities as O*NET element ids.")),
    Column(
        "time_share",
        "number",
        _("Percent of the person’s working time."),
        ("0–100",),
        "%",
        missing=_NOT_SET,
    ),
    Column(
        "ai_level",
        "text",
        _("Use of AI: none, some, significant."),
        WorkTask.AiLevel.values,
        missing=_NOT_SET,
    ),
    Column("ai_tools", "list", _("AI tools mentioned."), missing=_("AI is not used for it.")),
    Column(
        "match_status",
        "text",
        _("pending, matched, none (no good match) or failed."),
        TaskMatch.Status.values,
    ),
    _of_match(
        "catalogue",
        "text",
        _(
            "Source of the matched statement: onet, or starter (a small catalogue with "
            "its own wording, whose ids are not O*NET ids)."
        ),
        ("onet", "starter"),
    ),
    _of_match("statement_id", "text", _("Id of the matched statement in that catalogue.")),
    _of_match("matched_statement", "text", _("Text of the matched statement.")),
    _of_match(
        "matched_occupation_code", "text", _("Occupation of the statement (O*NET-SOC code).")
    ),
    _of_match("matched_occupation_title", "text", _("Title of that occupation.")),
    _of_match("match_score", "number", _("Calibrated score, 0 to 1."), ("0–1",)),
    _of_match("match_confidence", "text", _("high, medium, low."), TaskMatch.Confidence.values),
    _of_match("matched_by", "text", _("model, rules, person or staff."), TaskMatch.Method.values),
)
_SECOND: Final = (
    _of_second(
        "first_code",
        "text",
        _("Id of the statement that stood when the task was coded again; none: no good match."),
    ),
    _of_second(
        "second_code",
        "text",
        _("Id of the statement that a second reviewer selected blind; none: no good match."),
    ),
    _of_second("codes_agree", "truth", _("Whether both are the same.")),
    _of_second("coded_again_at", "moment", _("When it was coded again."), unit=_UTC),
)
_WORDS: Final = (
    Column("own_words", "text", _("The task in the person’s own words. May name people.")),
)
_PEOPLE: Final = (
    Column("agreed_at", "moment", _("When consent was given (UTC)."), (), _UTC),
    _happened("started_at", "moment", _("When the conversation began.")),
    _happened("submitted_at", "moment", _("When the survey was submitted.")),
    _happened("finished_at", "moment", _("When the last page was seen.")),
    _happened("erased_at", "moment", _("When the response was deleted; counts remain.")),
    Column("turns", "whole", _("Messages of the person."), unit=_("messages")),
    Column("tasks", "whole", _("Tasks in the list."), unit=_("tasks")),
)


def _answer(question: ExtraQuestion) -> Column:
    """The column of the answers; of a scale it says what the ends stand for."""
    is_choice = question.kind == ExtraQuestion.Kind.CHOICE
    kind: Kind = "list" if is_choice and question.takes_many else "text"
    about, values = question.text, tuple(question.options) if is_choice else ()
    if question.kind == ExtraQuestion.Kind.SCALE:
        low = f"{question.scale_low} {question.low_label}".strip()
        high = f"{question.scale_high} {question.high_label}".strip()
        kind, about = "whole", f"{about} ({low} – {high})"
        values = (f"{question.scale_low}–{question.scale_high}",)
    missing = _("Not answered.")
    return Column(question.column, kind, about, values, "", missing, question=question.pk)


def columns(campaign: Campaign, table: Table, choice: Choice) -> list[Column]:
    """The columns of a table in their order; answers in free words only with the words."""
    ids = _IDS if choice.has_ids else ()
    if table == "tasks":
        second = _SECOND if campaign.has_second_review else ()
        return [*_PERSON, *ids, *_TASKS, *second, *(_WORDS if choice.has_words else ())]
    requested = campaign.questions.order_by(
        "-place", "position", F("removed_at").asc(nulls_last=True)
    )
    offered = [
        _answer(question)
        for question in requested
        if choice.has_words or question.kind != ExtraQuestion.Kind.TEXT
    ]
    return [*_PERSON, *ids, *_PEOPLE, *offered]


@dataclass(frozen=True)
class Chunk:
    """Rows of the people after `after`; `last` is where the next chunk begins, None at the end."""

    rows: list[Row]
    last: int | None


def chunk(
    campaign: Campaign,
    table: Table,
    columns: Sequence[Column],
    *,
    after: int = 0,
    people: int = CHUNK,
    since: datetime | None = None,
) -> Chunk:
    """The rows of the next people by their numbers, of whom something changed `since` then. At most
    four queries.

    Of who put the conversation into the bin or deleted it there are counts only.
    """
    result = list(
        campaign.participations.filter(_changed(since) if since else Q(), number__gt=after)
        .select_related("response__session")
        .order_by("number")[:people]
    )
    rows = [
        {item.name: _typed(values.get(item.question or item.name), item.kind) for item in columns}
        for values in (_tasks(result) if table == "tasks" else _people(result))
    ]
    return Chunk(rows, result[-1].number if len(result) == people else None)


_MOMENTS: Final = (
    *("created_at", "submitted_at", "finished_at", "erased_at", "response__updated_at"),
    *("response__session__updated_at", "response__session__deleted_at"),
)
_MOMENTS_OF_TASKS: Final = (
    *("updated_at", "deleted_at", "match__updated_at"),
    *("match__second_coding__created_at", "match__second_coding__settled_at"),
)


def _changed(since: datetime) -> Q:
    """People of whom a row would read otherwise now, or who wrote something."""
    changed, touched = (
        Q(*((f"{name}__gte", since) for name in moments), _connector=Q.OR)
        for moments in (_MOMENTS, _MOMENTS_OF_TASKS)
    )
    tasks = WorkTask.objects.filter(touched, response=OuterRef("response"))
    answers = ExtraAnswer.objects.filter(participation=OuterRef("pk"), answered_at__gte=since)
    return changed | Q(Exists(tasks)) | Q(Exists(answers))


def _person(person: Participation) -> dict[Any, Any]:
    response = person.response if person.has_words else None
    return {
        "person": person.pseudonym,
        "is_invented": person.is_invented,
        "job_title": response and response.job_title,
        "occupation_code": response and response.occupation_code,
        "occupation_title": response and response.occupation_title,
        "session_id": response and response.pk,
    }


_FIELDS: Final = {item.name for item in WorkTask._meta.local_fields}
_STORED: Final = tuple(column.name for column in _TASKS if column.name in _FIELDS - {"position"})
_MATCH: Final = {
    "statement_id": "onet_task_id",
    "matched_statement": "text",
    "matched_occupation_code": "occupation_code",
    "matched_occupation_title": "occupation_title",
    "match_score": "score",
    "match_confidence": "confidence",
    "matched_by": "method",
}


def _tasks(people: Sequence[Participation]) -> Iterator[dict[Any, Any]]:
    """The tasks of these people, person by person, in the order of their lists."""
    there = [person.response_id for person in people if person.has_words]
    own: dict[uuid.UUID | None, list[Row]] = defaultdict(list)
    # values and not objects: a match holds much that is in no column, and rows are many
    tasks = WorkTask.objects.filter(response__in=there, deleted_at=None).values(
        "response_id", "raw", "quote", *_STORED,
        task_id=F("pk"),
        match_status=F("match__status"),
        first_code=F("match__second_coding__first_code"),
        second_code=F("match__second_coding__second_code"),
        coded_again_at=F("match__second_coding__created_at"),
        **{name: F(f"match__{field}") for name, field in _MATCH.items()},
    )  # fmt: skip
    for task in tasks.order_by("position", "created_at"):
        own[task["response_id"]].append(_task(task))
    for person in people:
        values = _person(person)
        for place, task in enumerate(own.get(person.response_id, ()), start=1):
            yield {**values, "position": place, **task}


def _task(task: Row) -> Row:
    """What stands in the columns; of a statement that is no match nothing does."""
    if task["match_status"] == TaskMatch.Status.MATCHED:
        task["catalogue"] = catalogue_of(task["statement_id"])
    else:
        task |= dict.fromkeys(_MATCH)
    if task["ai_level"] in ("", WorkTask.AiLevel.NONE):
        task["ai_tools"] = None
    if task["coded_again_at"]:
        task["codes_agree"] = task["first_code"] == task["second_code"]
        task |= {name: task[name] or _NONE for name in ("first_code", "second_code")}
    task["match_status"] = task["match_status"] or TaskMatch.Status.PENDING.value
    task["own_words"] = task["raw"] or task["quote"]
    return task


def _people(people: Sequence[Participation]) -> Iterator[dict[Any, Any]]:
    """Each person with counts and answers; those who were erased have theirs stored."""
    there = [person.response_id for person in people if person.response_id]
    messages = Message.objects.filter(session__in=there, role="user", superseded_at=None)
    turns = dict(messages.values_list("session").annotate(n=Count("pk")).order_by())
    listed = WorkTask.objects.filter(response__in=there, deleted_at=None)
    tasks = dict(listed.values_list("response").annotate(n=Count("pk")).order_by())
    answers: dict[uuid.UUID, dict[uuid.UUID, Any]] = defaultdict(dict)
    for answer in ExtraAnswer.objects.filter(participation__in=people):
        answers[answer.participation_id][answer.question_id] = answer.value
    for person in people:
        is_gone = person.erased_at is not None
        yield {
            **_person(person),
            "agreed_at": person.created_at,
            "started_at": person.started_at,
            "submitted_at": person.submitted_at,
            "finished_at": person.finished_at,
            "erased_at": person.erased_at,
            "turns": person.turn_count if is_gone else turns.get(person.response_id, 0),
            "tasks": person.task_count if is_gone else tasks.get(person.response_id, 0),
            **answers.get(person.pk, {}),
        }


def _typed(value: Any, kind: Kind) -> Any:
    """The value in the column's type."""
    if value is None:
        return None
    if kind == "list":
        return [str(item) for item in value] if isinstance(value, list | tuple) else [str(value)]
    if kind == "moment":
        return value.astimezone(UTC)
    if kind == "number":
        return float(value)
    if kind == "text":  # the one option that was chosen is stored as a list
        return (LIST_MARK.join(value) if isinstance(value, list) else str(value)) or None
    return value


# Files --------------------------------------------------------------------------------------------
Format = Literal["csv", "jsonl", "parquet"]
TYPES: Final[dict[Format, str]] = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
}
LIST_MARK: Final = "; "


def head_of(form: Format, columns: Sequence[Column]) -> bytes:
    """How a file begins: CSV with a byte order mark and a heading, JSON Lines with nothing."""
    return table([column.name for column in columns], ()).encode() if form == "csv" else b""


def written(form: Format, columns: Sequence[Column], rows: Sequence[Row]) -> bytes:
    """Rows of CSV, no cell of which starts a formula, or of JSON Lines."""
    if form == "csv":
        return lines([cell(row[column.name]) for column in columns] for row in rows).encode()
    return b"".join(orjson.dumps(row) + b"\n" for row in rows)


def cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return LIST_MARK.join(value)
    return value.isoformat() if isinstance(value, datetime) else str(value)


def has_parquet() -> bool:
    return importlib.util.find_spec("pyarrow") is not None


def write_parquet(file: BinaryIO, columns: Sequence[Column], chunks: Iterator[list[Row]]) -> None:
    """Writes one row group per chunk. Needs the extra `parquet`."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {
        "text": pa.string(), "whole": pa.int64(), "number": pa.float64(), "truth": pa.bool_(),
        "moment": pa.timestamp("us", tz="UTC"), "list": pa.list_(pa.string()),
    }  # fmt: skip
    fields = [
        pa.field(column.name, types[column.kind], metadata={"about": str(column.about)})
        for column in columns
    ]
    schema = pa.schema(fields)
    with pq.ParquetWriter(file, schema, compression="zstd") as out:
        for rows in chunks:
            if rows:
                out.write_table(pa.Table.from_pylist(rows, schema=schema))
