"""What one message tells a draft: read by a model and checked by structure, then taken in."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, ClassVar, Final

from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from pydantic import Field

from chat.commands.base import Command, Scope
from chat.operations.changes import Change, Create
from futura.errors import BadInput
from futura.limits import DIMENSION_CHARS
from futura.llm.checks import Reason
from futura.text import locate, quoted, shortened
from projects.commands.drafts import NewDraftTask, draft_changed, draft_task_created, next_position
from projects.commands.todo_changes import needed_first
from projects.commands.wording import LONG, TextPart, with_parts
from projects.dimensions import BY_FIELD
from projects.models import ProjectDraft
from projects.modes.create import prompts
from projects.modes.rows import Snapshot, normalised
from projects.queries import draft_tasks_of

TITLE_CHARS: Final = 200
ASSIGNEE_CHARS: Final = 80
MOST_DAYS: Final = 3650
# fields of a reading that are taken over: the draft's field and the most characters
_TEXTS: Final = {
    "name": ("name", 120), "description": ("description", 2_000),
    "summary": ("executive_summary", 2_000),
}  # fmt: skip


class TaskExtract(NewDraftTask):
    """A task of a message; `after` are titles of tasks that must be done first."""

    after: tuple[str, ...] = ()

    def values(self) -> dict[str, Any]:
        return {name: value for name, value in super().values().items() if name != "after"}


class Extract(prompts.Wishes):
    """What a message says: fields of the draft, texts that join what is there, tasks; and what it
    asks for.
    """

    fields: dict[str, Any] = Field(default_factory=dict)
    parts: tuple[TextPart, ...] = ()
    tasks: tuple[TaskExtract, ...] = ()
    is_correction: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.fields or self.parts or self.tasks)

    @property
    def dimensions(self) -> dict[str, str]:
        """New Markdown by dimension."""
        return {part.field: part.text for part in self.parts if part.field in BY_FIELD}


class Check:
    """Structure only: quotes stand in the message, dates are dates, figures within limits.

    `used` and `refused` count what a reading lists.
    """

    def __init__(self, sources: Sequence[str], snapshot: Snapshot | None) -> None:
        self.sources = sources
        self.row = snapshot.row if snapshot else ProjectDraft()
        self.used = 0
        self.refused: Counter[str] = Counter()

    def extract(self, reading: prompts.Reading) -> Extract:
        corrected = self._corrected(reading)
        tasks = [item for item in reading.tasks if self._holds(item.title, item.quote)]
        return Extract(
            fields={**self._fields(reading), **corrected},
            parts=self._parts(reading),
            tasks=tuple(map(self._task, tasks)),
            is_correction=bool(corrected),
            **reading.model_dump(include=set(prompts.Wishes.model_fields)),
        )

    def _holds(self, content: str, quote: str) -> bool:
        """Whether it says something, and its quote or its own words stand in the message."""
        quotes = [text for text in (quote.strip(), content) if text]
        if not content.strip():
            self.refused[Reason.EMPTY] += 1
        elif not any(locate(quote, source) for quote in quotes for source in self.sources):
            self.refused[Reason.QUOTE_NOT_FOUND] += 1
        else:
            self.used += 1
            return True
        return False

    def _parts(self, reading: prompts.Reading) -> tuple[TextPart, ...]:
        parts = [
            TextPart(field=item.dimension, text=item.content.strip())
            for item in reading.dimensions
            if self._holds(item.content, item.quote)
        ]
        texts = [self.row.core_people_bonds]
        texts += [part.text for part in parts if part.field == "core_people_bonds"]
        text = "\n".join(texts)
        people = [
            f"- {person.name}: {person.role}" if person.role else f"- {person.name.strip()}"
            for person in reading.people
            if not _is_named(person.name.strip(), text) and self._holds(person.name, person.quote)
        ]
        if people:
            parts.append(TextPart(field="core_people_bonds", text="\n".join(people)))
        return tuple(parts)

    def _task(self, item: prompts.ReadTask) -> TaskExtract:
        start, due = _date(item.start_date), _date(item.due_date)
        low, high = _days(item.estimate_low_days), _days(item.estimate_high_days)
        return TaskExtract(
            title=item.title.strip()[:TITLE_CHARS],
            start_date=None if start and due and start > due else start,
            due_date=due,
            estimate_low_days=None if low and high and low > high else low,
            estimate_high_days=high,
            assignee=(item.owner or "").strip()[:ASSIGNEE_CHARS] or None,
            priority=item.priority,
            after=tuple(item.depends_on),
        )

    def _fields(self, reading: prompts.Reading) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for name, (field, limit) in _TEXTS.items():
            text = (getattr(reading, name) or "").strip()
            if text and (name == "name" or not getattr(self.row, field)):
                fields[field] = text[:limit]
        for item in reading.dates:
            day = _date(item.date)
            if day and self._holds(item.date, item.quote or self.sources[0]):
                fields[f"{item.of}_date"] = day
        start = fields.get("start_date", self.row.start_date)
        end = fields.get("end_date", self.row.end_date)
        if start and end and start > end:
            fields.pop("start_date", None)
            fields.pop("end_date", None)
        if tags := [tag.strip() for tag in reading.tags if tag.strip()]:
            fields["tags"] = list(dict.fromkeys([*self.row.tags, *tags]))
        return fields

    def _corrected(self, reading: prompts.Reading) -> dict[str, str]:
        texts: dict[str, str] = {}
        for item in reading.corrections:
            text = texts.get(item.dimension, getattr(self.row, item.dimension))
            place = locate(item.old, text) if item.old.strip() and text else None
            if place is None:
                self.refused[Reason.QUOTE_NOT_FOUND] += 1
                continue
            self.used += 1
            texts[item.dimension] = f"{text[: place[0]]}{item.new}{text[place[1] :]}"
        return texts


def _is_named(name: str, text: str) -> bool:
    """Whether a text has a name that is no piece of a longer word: “Jo” is not in “Johanna”."""
    places = [match.span() for match in re.finditer(re.escape(name), text)]
    beside = [(text[max(start - 1, 0) : start], text[end : end + 1]) for start, end in places]
    return any(not (before.islower() or after.islower()) for before, after in beside)


def _date(value: str | None) -> dt.date | None:
    try:
        return parse_date(value.strip()) if value else None
    except ValueError:
        return None


def _days(value: float | None) -> Decimal | None:
    is_within = value is not None and 0 < value <= MOST_DAYS
    return Decimal(str(value)).quantize(Decimal("0.01")) if is_within else None


class TakeIn(Command):
    """Takes what one message says into a draft: fields, texts that join what is there, to-dos."""

    name: ClassVar[str] = "take_in"
    area: ClassVar[str] = "projects"

    draft: uuid.UUID
    text: str
    extract: Extract
    question_count: int = 0

    def plan(self, scope: Scope) -> list[Change]:
        """From the draft as it stands. Raises NotInScope, Rejected, BadInput, TooLong."""
        draft = scope.get(ProjectDraft, self.draft)
        values = with_parts(draft, self.extract.fields, self.extract.parts)
        values |= {name: values[name][:DIMENSION_CHARS] for name in LONG if name in values}
        values = {name: value for name, value in values.items() if value != getattr(draft, name)}
        planned: list[Change] = []
        if values:
            counted = {**values, "question_count": self.question_count}
            planned.append(draft_changed(draft, counted, version=draft.version))
        return [*planned, *_tasks_created(draft, self.extract.tasks)]

    @property
    def ledger_title(self) -> str:
        return quoted(shortened(self.text, 60))

    def sentence(self, scope: Scope) -> str:  # noqa: ARG002
        return self.ledger_title


def _tasks_created(draft: ProjectDraft, tasks: Sequence[TaskExtract]) -> list[Create]:
    """The to-dos that are not on the list, in an order in which each can wait for others.

    What one waits for and nobody has named as a to-do stands in its details.
    """
    keys = {normalised(task.title): task.pk for task in draft_tasks_of(draft)}
    new = {title: task for task in tasks if (title := normalised(task.title)) not in keys}
    keys |= {title: uuid.uuid4() for title in new}
    needs = {
        title: [name for name in map(normalised, task.after) if name in keys and name != title]
        for title, task in new.items()
    }
    try:
        order = needed_first(needs)
    except BadInput:  # a circle: none of them waits
        order, needs = list(new), {title: [] for title in new}
    positions = {title: next_position(draft) + n for n, title in enumerate(new)}
    created = []
    for title in (title for title in order if title in new):
        task = new[title]
        unknown = [name for name in task.after if normalised(name) not in keys]
        after = _("After %(tasks)s") % {"tasks": ", ".join(map(quoted, unknown))}
        values = {**task.values(), "details": after if unknown else ""}
        item = draft_task_created(draft, values, position=positions[title])
        waits = {"depends_on": [str(keys[name]) for name in needs[title]]}
        created.append(Create(item.entity, {**item.values, **waits}, keys[title]))
    return created
