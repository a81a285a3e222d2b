"""The talks of an evaluation: their file format, and one of them played in the database."""

from __future__ import annotations

import datetime as dt
import json
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, cast

from django.db import transaction
from django.utils import timezone, translation
from pydantic import BaseModel, Field, field_validator

from chat.actions.sessions import add_message, erase
from chat.guides import guide_for
from chat.hot import locked_session
from chat.models import Message as Reply, Participant, Run, Session
from chat.operations import serialization
from chat.operations.changes import Actor, Create, Update
from chat.operations.erase import erase_all_of
from chat.operations.execute import execute, raise_if_failed
from chat.operations.models import Operation, OperationBatch
from chat.operations.registry import operable
from chat.runs.perform import perform
from futura.errors import BadInput
from futura.evaluation import read_cases
from futura.llm.client import Llm
from projects.commands.projects import free_slug

WORLDS: Final = "agent_worlds.json"  # beside the file with the cases
OWN_DRAFT: Final = "$draft"
Values = Mapping[str, Any]


class Message(BaseModel, extra="forbid"):
    """What the person sends: words, a file of somebody else, a stretch that was pasted.

    `calls` are the commands that are right for it, `{name: arguments}`; rows go by their key,
    `$1` is the first row that the talk has created, `$draft` the draft of the conversation.
    `reading` is what is right for the stage that reads it, in the fields of its schema; what
    it lists quotes the whole message.
    """

    say: str
    calls: list[dict[str, dict[str, Any]]] = Field(default_factory=list)
    reading: dict[str, Any] = Field(default_factory=dict)
    file: dict[str, str] | None = None
    pasted: str = ""


class Rows(BaseModel, extra="forbid"):
    """What becomes of rows: `changed` by key and field, `created` with their fields, `deleted`.

    A value may be a list of which any will do (`"*"` is any text), or `{"has": [...], "not":
    [...]}` for what a text holds.
    """

    changed: dict[str, dict[str, Any]] = Field(default_factory=dict)
    created: list[dict[str, Any]] = Field(default_factory=list)
    deleted: list[str] = Field(default_factory=list)


class Allowed(Rows):
    """What may be there as well, because an earlier message meant it; `undone`: or nothing."""

    waits: Rows = Field(default_factory=Rows)
    undone: bool = False


class Case(Rows):
    """One talk. Everything that it does not name has to stay as it was.

    `on` is the surface, `of` the project or draft it is about; `preview`: the draft has just been
    shown. `waits` is what stands as a proposal in the end; `asks`: it has to be asked back. `kept`
    are words of the person that have to be found in the draft. `assumes` is what the last forecast
    has to count with: `estimates` (days from and to, by key), `hours_a_week`, `away` (first and
    last day), `tried` (the kinds of what-if beside it).
    """

    id: str
    kind: str
    world: str
    talk: list[Message]
    on: Literal["concierge", "create", "update", "audit", "forecast"] = "concierge"
    of: str = ""
    preview: bool = False
    lang: str = "en"
    today: dt.date = dt.date(2026, 11, 25)
    waits: Rows = Field(default_factory=Rows)
    allowed: Allowed = Field(default_factory=Allowed)
    asks: bool = False
    kept: list[str] = Field(default_factory=list)
    finalised: dict[str, dict[str, Any]] = Field(default_factory=dict)
    assumes: dict[str, Any] = Field(default_factory=dict)

    @field_validator("talk", mode="before")
    @classmethod
    def _messages(cls, talk: Sequence[Any]) -> list[Any]:
        return [_message(message) for message in talk]


class World(BaseModel, extra="forbid"):
    """The rows of a person, by key."""

    projects: dict[str, dict[str, Any]] = Field(default_factory=dict)
    drafts: dict[str, dict[str, Any]] = Field(default_factory=dict)
    todos: dict[str, dict[str, Any]] = Field(default_factory=dict)
    notes: dict[str, dict[str, Any]] = Field(default_factory=dict)


def read(path: Path) -> tuple[list[Case], dict[str, World]]:
    """The cases of a file and the worlds beside it. Raises BadInput."""
    try:
        named = json.loads((path.parent / WORLDS).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"{path.parent / WORLDS} cannot be read: {error}.") from error
    worlds = {name: World.model_validate(world) for name, world in named.items()}
    cases = read_cases(path, Case)
    unknown = next((case for case in cases if case.world not in worlds), None)
    if unknown is not None:
        raise BadInput(f"{path}: {unknown.id} begins in {unknown.world!r}, which is no world.")
    return cases, worlds


def _message(message: Any) -> Any:
    if isinstance(message, str):
        return {"say": message}
    if isinstance(message, list):
        return {"say": message[0], "calls": message[1:]}
    return message


ENTITIES: Final = ("project", "draft", "draft_task", "task", "note")
REFERENCES: Final = ("id", "ids", "project", "draft", "depends_on", "run", "note", "task")
UNSEEN: Final = {
    *("slug", "position", "session", "dimensions_covered", "question_count", "completed_at"),
    *("is_suggested", "finalized_project", "survey_task", "time_share_before", "remind_at"),
}  # the machinery's own fields
SHOW: Final = "Review the draft"
Row = Mapping[str, Any]


@contextmanager
def somebody() -> Iterator[Participant]:
    """Whose rows an evaluation makes; nothing of it stays.

    Without a model in a transaction that is rolled back; with one, which no transaction may wait
    for, everything is erased afterwards.
    """
    if not Llm().is_configured:
        with transaction.atomic():
            yield Participant.objects.create(time_zone="UTC")
            transaction.set_rollback(True)
        return
    person = Participant.objects.create(time_zone="UTC")
    try:
        yield person
    finally:
        erase_all_of(actor=Actor(person.pk), reason="evaluation")
        for session in Session.objects.filter(participant=person):
            erase(session)
        person.delete()


@contextmanager
def played(case: Case, world: World) -> Iterator[CaseRun]:
    """A person with the rows of the case, on its day."""
    # English where the product has no other
    language = case.lang if case.lang in {"en", "de", "es", "fr"} else "en"
    with _on(case.today), translation.override(language), somebody() as person:
        yield CaseRun.of(case, person, world)


@dataclass
class CaseRun:
    """One case while it is played. `ids` are the rows' ids by key; `replies` what was answered."""

    case: Case
    person: Participant
    ids: dict[str, uuid.UUID] = field(default_factory=dict)
    before: dict[uuid.UUID, Row] = field(default_factory=dict)
    runs: list[Run] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)
    session: Session | None = None

    @classmethod
    def of(cls, case: Case, person: Participant, world: World) -> CaseRun:
        case_run = cls(case, person)
        case_run._fill(world)
        return case_run

    def _fill(self, world: World) -> None:
        for key, values in world.projects.items():
            slug = free_slug(self.person.pk, values["name"])
            self._create(key, "project", {"slug": slug, **values})
        for key, values in world.drafts.items():
            tasks = values.get("tasks", {})
            self._create(key, "draft", {k: v for k, v in values.items() if k != "tasks"})
            for place, (task, fields) in enumerate(tasks.items(), start=1):
                self._create(task, "draft_task", {**fields, "draft": key, "position": place})
        for place, (key, values) in enumerate(world.todos.items(), start=1):
            self._create(key, "task", {"position": place, **values})
        for key, values in world.notes.items():
            self._create(key, "note", values)

    def _create(self, key: str, entity: str, values: Row) -> None:
        change = Create(entity, self.named(values))
        raise_if_failed(execute(actor=Actor(self.person.pk), changes=[change], is_atomic=True))
        self.ids[key] = change.id

    def named(self, values: Row) -> dict[str, Any]:
        """The arguments of a command or a row with keys as ids."""
        named = {}
        for name, value in values.items():
            if name in REFERENCES:
                named[name] = self._named(value)
            elif isinstance(value, list):
                named[name] = [
                    self.named(item) if isinstance(item, Mapping) else item for item in value
                ]
            else:
                named[name] = value
        return named

    def _named(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._named(item) for item in value]
        if isinstance(value, int):
            return self._batch(value)
        if value == OWN_DRAFT:
            return str(self._own_draft())
        if isinstance(value, str) and value.startswith("$"):
            created, number = self.created(), int(value[1:])
            return str(created[number - 1]) if number <= len(created) else value
        return str(self.ids.get(value, value))

    def _own_draft(self) -> uuid.UUID | None:
        rows = self.rows()
        drafts = [key for key, row in rows.items() if row["entity"] == "draft"]
        return next((key for key in drafts if key not in self.before), None)

    def created(self) -> list[uuid.UUID]:
        own = Operation.objects.filter(
            batch__owner_id=self.person.pk, batch__run__isnull=False, type=Operation.Type.CREATE
        )
        return [item.entity_id for item in own.order_by("batch__created_at", "sequence")]

    def _batch(self, number: int) -> str:
        own = OperationBatch.objects.filter(run=self.runs[number - 1]).order_by("created_at")
        last = own.last()
        return str(last.pk if last else uuid.UUID(int=0))

    # The talk ---------------------------------------------------------------------------------
    def talk(self, ready: Callable[[Message | None], None]) -> None:
        """Sends every message; `ready` is called before each answer, None for an opening."""
        self._begin()
        if self.case.on in {"audit", "forecast"} or (self.case.on == "create" and self.case.of):
            ready(None)
            self._answer(None, ())
        for _time in range(3 if self.case.preview else 0):
            ready(None)
            displayed = self._answer(translation.gettext(SHOW), ()).reply
            if displayed and any(part.get("type") == "preview" for part in displayed.parts):
                break
        self.before = self.rows()  # what an opening or a preview has added is no change
        for message in self.case.talk:
            ready(message)
            text, parts = _sent(message)
            run = self._answer(text, parts)
            self.runs.append(run)
            if run.reply is not None:
                self.replies.append(run.reply)

    def _begin(self) -> None:
        case = self.case
        kind = "concierge" if case.on == "concierge" else f"project_{case.on}"
        about = self.ids.get(case.of)
        named = "draft_id" if case.on == "create" else "project_id"
        state = guide_for(kind).state_model(**({named: about} if about else {}))
        self.session = Session.objects.create(
            participant=self.person, kind=kind, state=state.model_dump(mode="json")
        )
        if case.on == "create" and about:
            linked = Update("draft", about, {"session": str(self.session.pk)})
            raise_if_failed(execute(actor=Actor(self.person.pk), changes=[linked], is_atomic=True))

    def _answer(self, text: str | None, parts: Sequence[Row]) -> Run:
        begun = cast("Session", self.session)
        with transaction.atomic():  # no job is enqueued: the run is done here and now
            session = locked_session(begun.pk) or begun
            message = None if text is None else add_message(session, text, None, parts)
            run = Run.objects.create(session=session, message=message)
        perform(run.pk)
        return Run.objects.select_related("reply").get(pk=run.pk)

    # What stands ------------------------------------------------------------------------------
    def rows(self) -> dict[uuid.UUID, Row]:
        """The person's rows by id: their entity and fields, as plain values.

        First tasks that the product suggests, and marks so, are nobody's change.
        """
        rows: dict[uuid.UUID, Row] = {}
        for name in ENTITIES:
            kind = operable(name)
            fields = [field for field in kind.fields if field not in UNSEEN]
            own = kind.model._default_manager.filter(owner_id=self.person.pk, deleted_at=None)
            for row in own:
                if not getattr(row, "is_suggested", False):
                    rows[row.pk] = {"entity": name, **_times(serialization.read(kind, row, fields))}
        return rows

    def state(self) -> Row:
        session = cast("Session", self.session)
        session.refresh_from_db(fields=["state"])
        state: Row = session.state
        return state

    def waiting(self) -> list[tuple[str, str, uuid.UUID, Row]]:
        pending = Operation.objects.filter(
            batch__owner_id=self.person.pk,
            batch__status=OperationBatch.Status.REVIEW,
            status=Operation.Status.PENDING,
        ).select_related("payload")
        values = [(item, _times(item.payload.after or item.payload.requested)) for item in pending]
        return [(entry.type, entry.entity, entry.entity_id, fields) for entry, fields in values]


def _times(stored: Row | None) -> Row:
    return {
        name: value[:5] if name == "due_time" and value else value
        for name, value in (stored or {}).items()
    }


def _sent(message: Message) -> tuple[str, list[Row]]:
    parts: list[Row] = [{"type": "file", **message.file}] if message.file else []
    if not message.pasted:
        return message.say, parts
    text = f"{message.say}\n\n{message.pasted}"
    start = len(message.say) + 2
    return text, [*parts, {"type": "pasted", "start": start, "end": len(text)}]


@contextmanager
def _on(day: dt.date) -> Iterator[None]:
    """Lets the clock run on another day, at ten in the morning."""
    real = timezone.now
    moment = dt.datetime.combine(day, dt.time(10), dt.UTC)
    ahead = moment - real()
    timezone.now = lambda: real() + ahead
    try:
        yield
    finally:
        timezone.now = real
