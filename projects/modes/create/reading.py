"""What the model reads in a creating conversation: a message, what matters, first tasks."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from django.utils.dateparse import parse_date

from chat.assistant.delimiter import Delimiter
from futura.llm.checks import Reason
from futura.llm.client import Llm
from futura.text import locate
from projects.dimensions import BY_FIELD, FIELDS
from projects.modes.create import prompts
from projects.modes.create.guards import FIRST_TASKS
from projects.modes.rows import Snapshot

STAGE: Final = "answer_reading"
TITLE_CHARS: Final = 200
NAME_CHARS: Final = 120
TEXT_CHARS: Final = 2_000
MOST_DAYS: Final = 3650


@dataclass(frozen=True)
class TaskExtract:
    """A task of a message; `values` are fields of a draft task besides its title."""

    title: str
    values: Mapping[str, Any] = field(default_factory=dict)
    depends_on: Sequence[str] = ()


@dataclass(frozen=True)
class Correction:
    """A dimension's text with one part of it replaced."""

    field: str
    text: str


@dataclass(frozen=True)
class Extract:
    """What a message says. `dimensions` holds new Markdown by field, `context` what fits nowhere.

    `values` are other fields of the draft.
    """

    dimensions: Mapping[str, str] = field(default_factory=dict)
    context: str = ""
    tasks: Sequence[TaskExtract] = ()
    corrections: Sequence[Correction] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    is_vague: bool = False
    is_unknown: bool = False
    wants_draft: bool = False
    asks_for_change: bool = False
    ask_about: str = ""
    question_about: str = ""

    @property
    def is_empty(self) -> bool:
        """Nothing in it changes the draft."""
        return not (
            self.dimensions or self.context or self.tasks or self.corrections or self.values
        )


@dataclass(frozen=True)
class Message:
    """A message to read: the dimension that was asked about (or ""), the question, the files."""

    text: str
    asked_about: str = ""
    question: str = ""
    files: Sequence[tuple[str, str]] = ()

    @property
    def sources(self) -> list[str]:
        """Where a quote may stand."""
        return [self.text, *(text for _name, text in self.files)]


def read_with_model(
    message: Message, snapshot: Snapshot | None, today: dt.date, llm: Llm, delimiter: Delimiter
) -> Extract:
    """What the message says; what has no quote in it is left out. Raises ModelUnavailable."""
    about = BY_FIELD.get(message.asked_about)
    given = prompts.ReadingInput(
        message=message.text,
        question=message.question,
        asked_about=f"{about.field}: {about.about}" if about else "",
        draft=draft_text(snapshot) if snapshot else "",
        today=today.isoformat(),
        files=message.files,
    )
    reading = llm.structured(
        STAGE,
        prompts.reading_messages(given, delimiter),
        prompts.Reading,
        prompt_version=prompts.Reading.VERSION,
    )
    check = _Check(message.sources)
    extract = check.extract(reading, snapshot)
    llm.checked(STAGE, used=check.used, refused=check.refused)
    return extract


class _Check:
    """Structure only: quotes stand in the message, dates are dates, figures within limits."""

    def __init__(self, sources: Sequence[str]) -> None:
        self.sources = sources
        self.used = 0
        self.refused: Counter[str] = Counter()

    def extract(self, reading: prompts.Reading, snapshot: Snapshot | None) -> Extract:
        """What of the reading holds."""
        corrections = [
            correction
            for item in reading.corrections
            if (correction := self._correction(item, snapshot)) is not None
        ]
        return Extract(
            dimensions=self._dimensions(reading, snapshot),
            tasks=[self._task(item) for item in reading.tasks if self._holds(item.title, item)],
            corrections=corrections,
            values=self._values(reading, snapshot),
            is_vague=reading.is_vague,
            is_unknown=reading.does_not_know,
            wants_draft=reading.wants_draft,
            asks_for_change=reading.asks_for_change,
            ask_about=reading.ask_about or "",
            question_about=reading.question_about or "",
        )

    def _holds(self, content: str, item: Any) -> bool:
        """Whether it says something, and its quote or its own words stand in the message."""
        quotes = [text for text in (item.quote.strip(), content) if text]
        if not content.strip():
            self.refused[Reason.EMPTY] += 1
        elif not any(locate(quote, source) for quote in quotes for source in self.sources):
            self.refused[Reason.QUOTE_NOT_FOUND] += 1
        else:
            self.used += 1
            return True
        return False

    def _dimensions(self, reading: prompts.Reading, snapshot: Snapshot | None) -> dict[str, str]:
        texts: dict[str, list[str]] = {}
        for item in reading.dimensions:
            if self._holds(item.content, item):
                texts.setdefault(item.dimension, []).append(item.content.strip())
        people = "core_people_bonds"
        known = "\n".join([snapshot.dimension(people) if snapshot else "", *texts.get(people, ())])
        for person in reading.people:
            if person.name.strip() not in known and self._holds(person.name, person):
                line = f"{person.name}: {person.role}" if person.role else person.name
                texts.setdefault(people, []).append(f"- {line.strip()}")
        return {name: "\n\n".join(parts) for name, parts in texts.items()}

    def _task(self, item: prompts.ReadTask) -> TaskExtract:
        start, due = iso_date(item.start_date), iso_date(item.due_date)
        low, high = _days(item.estimate_low_days), _days(item.estimate_high_days)
        values = {
            "start_date": start if not (start and due and start > due) else None,
            "due_date": due,
            "estimate_low_days": low if not (low and high and low > high) else None,
            "estimate_high_days": high,
            "details": f"@{item.owner.strip()}" if item.owner and item.owner.strip() else None,
        }
        return TaskExtract(
            item.title.strip()[:TITLE_CHARS],
            {name: value for name, value in values.items() if value is not None},
            item.depends_on,
        )

    def _values(self, reading: prompts.Reading, snapshot: Snapshot | None) -> dict[str, Any]:
        values: dict[str, Any] = {}
        texts = (
            ("name", reading.name, NAME_CHARS),
            ("description", reading.description, TEXT_CHARS),
            ("executive_summary", reading.summary, TEXT_CHARS),
        )
        for name, text, limit in texts:
            stored = getattr(snapshot.row, name) if snapshot else ""
            if text and text.strip() and (name == "name" or not stored):
                values[name] = text.strip()[:limit]
        for item in reading.dates:
            day = iso_date(item.date)
            if day and self._holds(item.date, _Quoted(item.quote or self.sources[0])):
                values[f"{item.of}_date"] = day
        tags = [tag.strip() for tag in reading.tags if tag.strip()]
        if tags:
            stored_tags = list(snapshot.row.tags) if snapshot else []
            values["tags"] = [*stored_tags, *(tag for tag in tags if tag not in stored_tags)]
        return values

    def _correction(self, item: prompts.Corrected, snapshot: Snapshot | None) -> Correction | None:
        text = snapshot.dimension(item.dimension) if snapshot else ""
        place = locate(item.old, text) if item.old.strip() and text else None
        if place is None:
            self.refused[Reason.QUOTE_NOT_FOUND] += 1
            return None
        self.used += 1
        return Correction(item.dimension, f"{text[: place[0]]}{item.new}{text[place[1] :]}")


@dataclass(frozen=True)
class _Quoted:
    quote: str


def iso_date(value: str | None) -> dt.date | None:
    """A day written as YYYY-MM-DD; None for anything else."""
    try:
        return parse_date(value.strip()) if value else None
    except ValueError:
        return None


def _days(value: float | None) -> Decimal | None:
    is_within = value is not None and 0 < value <= MOST_DAYS
    return Decimal(str(value)).quantize(Decimal("0.01")) if is_within else None


def draft_text(snapshot: Snapshot) -> str:
    """A draft as a prompt shows it, whole, with its id, its version and those of its tasks."""
    row = snapshot.row
    facts = (
        ("Id", row.pk),
        ("Version", row.version),
        ("Name", row.name),
        ("Description", row.description),
        ("Context", row.context),
        ("Summary", row.executive_summary),
        ("Start date", row.start_date),
        ("End date", row.end_date),
        ("Tags", ", ".join(row.tags)),
    )
    lines = [f"{name}: {value}" for name, value in facts if value]
    lines += [f"{name}: {snapshot.dimension(name)}" for name in snapshot.covered]
    lines += [f"- {task_line(task)} id={task.pk}" for task in snapshot.tasks]
    return "\n".join(lines)


def task_line(task: Any) -> str:
    """A task with its days, estimate and owner, in one line."""
    facts = (
        ("starts", task.start_date),
        ("due", task.due_date),
        ("at least days", task.estimate_low_days),
        ("at most days", task.estimate_high_days),
        ("waits for", "; ".join(str(one.pk) for one in task.depends_on.all())),
        ("details", " ".join(task.details.split())[:200]),
    )
    parts = [f"{name} {value}" for name, value in facts if value]
    return f"{task.title} ({', '.join(parts)})" if parts else task.title


STEP_CHARS = 160
AT_LEAST = 2  # suggestions, however many tasks were named


def scores_with_model(text: str, llm: Llm, delimiter: Delimiter) -> Mapping[str, int]:
    """Relevance of each dimension, 0 to 10. Raises ModelUnavailable."""
    found = llm.structured(
        "dimension_detection",
        prompts.detection_messages(text, delimiter),
        prompts.Relevance,
        prompt_version=prompts.Relevance.VERSION,
    )
    return {field: int(getattr(found, field)) for field in FIELDS}


def first_tasks(snapshot: Snapshot, llm: Llm, delimiter: Delimiter) -> list[str]:
    """Titles that bring the list of a draft to five. Raises ModelUnavailable."""
    answer = llm.structured(
        "initial_tasks",
        prompts.first_task_messages(draft_text(snapshot), delimiter),
        prompts.FirstTasks,
        prompt_version=prompts.FirstTasks.VERSION,
    )
    stored = {task.title.casefold() for task in snapshot.tasks}
    titles = [" ".join(task.title.split())[:STEP_CHARS] for task in answer.tasks]
    new = {title.casefold(): title for title in titles if title and title.casefold() not in stored}
    room = FIRST_TASKS - len(snapshot.tasks)
    return list(new.values())[: room if room > 0 else AT_LEAST]
