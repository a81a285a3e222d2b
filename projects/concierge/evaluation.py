"""`evaluate concierge FILE`: utterances through real turns, judged by the rows that they leave.

A case is one JSON line: `{utterance, now, before, calls, after}`, perhaps with `earlier` (what was
said before), `kind`, `set`, and `asks` (the answer has to be a question). `before` and `after` have
`projects`, `tasks` and `notes`; rows go by short ids, which `{t1}` in an utterance stands for. A
task with `owner` belongs to somebody else. Every case is played for a participant of its own and
nothing of it stays: without a model in a transaction that is rolled back, with one (no transaction
may wait for a model) what was written is erased afterwards.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from django.db import transaction
from pydantic import AwareDatetime, BaseModel, Field

from chat.actions.sessions import erase
from chat.actions.writing import add_message
from chat.commands.base import build
from chat.commands.run import run
from chat.commands.scope import OwnScope
from chat.models import Message, Participant, Run, Session
from chat.operations.changes import Actor
from chat.operations.erase import erase_all_of
from chat.queries import locked_session
from chat.runs import perform
from futura.errors import BadInput
from futura.evaluation import EvaluationOptions, read_cases
from futura.llm.client import Llm
from projects.commands.notes import CreateNote
from projects.commands.projects import CreateProject
from projects.commands.todos import CreateTodo
from projects.concierge import clock
from projects.concierge.calls import READS, WRITES
from projects.concierge.state import KIND, ConciergeState
from projects.models import Note, Project, Task

ENOUGH: Final = 0.9
_TASK_FIELDS: Final = {
    "title": "title", "status": "status", "priority": "priority", "notes": "details",
    "due": "due_date", "due_time": "due_time", "start": "start_date",
}  # fmt: skip


class ProjectRow(BaseModel, extra="forbid"):
    """A project of a case."""

    id: str
    name: str
    status: str = "active"


class TaskRow(BaseModel, extra="forbid"):
    """A task of a case; what is left out is as a new task has it."""

    id: str
    title: str
    status: str = "inbox"
    priority: str = "normal"
    notes: str = ""
    due: dt.date | None = None
    due_time: dt.time | None = None
    start: dt.date | None = None
    project: str | None = None
    owner: str | None = None


class NoteRow(BaseModel, extra="forbid"):
    """A note of a case."""

    id: str
    project: str
    text: str


class World(BaseModel, extra="forbid"):
    """The rows of a person (and of another one) at a moment."""

    projects: list[ProjectRow] = Field(default_factory=list)
    tasks: list[TaskRow] = Field(default_factory=list)
    notes: list[NoteRow] = Field(default_factory=list)


class Case(BaseModel, extra="forbid"):
    """One line of the file."""

    utterance: str
    now: AwareDatetime
    before: World
    calls: list[dict[str, Any]] = Field(default_factory=list)
    after: World
    earlier: list[str] = Field(default_factory=list)
    kind: str = "other"
    set: str = ""
    asks: bool = False


Row = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Judged:
    """What came of a case. `wrong` are rows that are there and should not be so; `missed` rows that
    stayed as they were and should have changed, or were not made.
    """

    utterance: str
    kind: str
    set: str
    is_right: bool
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    called: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    reply: str = ""


class _Undone(Exception):
    """Ends the transaction of a case."""


def evaluate_concierge(path: Path | None, options: EvaluationOptions) -> dict[str, Any]:
    """Share right and wrong writes, as a whole, by kind and by half; with the failures."""
    if path is None:
        raise BadInput("Name the file with the cases: evaluate concierge FILE.")
    judged = [judge(case) for case in read_cases(path, Case)]
    failures = [asdict(one) for one in judged if not one.is_right]
    figures: dict[str, Any] = {
        "mode": "model" if Llm().is_configured else "rules",
        **_figures(judged),
        "by_kind": _grouped(judged, lambda one: one.kind),
        "by_set": _grouped(judged, lambda one: one.set or "all"),
        "failures": failures,
    }
    figures["is_enough"] = figures["right"] >= ENOUGH and figures["wrong_writes"] == 0
    if options.details:
        figures["details"] = [asdict(one) for one in judged]
    return figures


def _figures(judged: Sequence[Judged]) -> dict[str, Any]:
    right = sum(one.is_right for one in judged)
    return {
        "n": len(judged),
        "right": round(right / len(judged), 4),
        "wrong_writes": sum(len(one.wrong) for one in judged),
        "missed_writes": sum(len(one.missed) for one in judged),
    }


def _grouped(judged: Sequence[Judged], key: Callable[[Judged], str]) -> dict[str, Any]:
    groups: dict[str, list[Judged]] = defaultdict(list)
    for one in judged:
        groups[key(one)].append(one)
    return {name: _figures(some) for name, some in sorted(groups.items())}


def judge(case: Case, *, ready: Callable[[Played], None] | None = None) -> Judged:
    """Plays one case and holds what is there then against what should be.

    `ready` is called when the rows of the case are there and nothing was said yet.
    """
    keeping = _erased_afterwards if Llm().is_configured else _for_nothing
    with keeping() as people, clock.standing_at(case.now):
        played = Played.of(case, people)
        if ready is not None:
            ready(played)
        reply = played.say()
        stands, ids = played.rows(), played.ids
    called = [part["name"] for part in reply.parts if part.get("type") == "tool_call"]
    wrong, missed = _compared(stands, _rows_of(case.before, ids), _rows_of(case.after, ids))
    expected = [str(call["tool"]) for call in case.calls]
    is_right = not wrong and not missed and _is_called(called, expected, reply)
    if case.asks and "?" not in reply.text:
        is_right = False
    if reply.status != Message.Status.COMPLETE:
        is_right = False
    return Judged(
        case.utterance, case.kind, case.set, is_right, wrong, missed, called, expected, reply.text
    )


People = tuple[Participant, Participant]


@contextmanager
def _for_nothing() -> Iterator[People]:
    """A transaction that is never committed."""
    try:
        with transaction.atomic():
            yield _people()
            raise _Undone
    except _Undone:
        pass


@contextmanager
def _erased_afterwards() -> Iterator[People]:
    """For a model, which is not to be waited for inside a transaction: all is erased at the end."""
    people = _people()
    try:
        yield people
    finally:
        for one in people:
            erase_all_of(actor=Actor(one.pk), reason="evaluation")
            for session in Session.objects.filter(participant=one):
                erase(session)


def _people() -> People:
    """The person of a case, and somebody else."""
    first, second = (Participant.objects.create(time_zone="UTC") for _one in range(2))
    return first, second


def _is_called(called: Sequence[str], expected: Sequence[str], reply: Message) -> bool:
    """The writes that were expected and no others; what is looked at besides does no harm."""
    ok = {
        part["id"]: part.get("status") == "ok"
        for part in reply.parts
        if part.get("type") == "tool_result"
    }
    done = Counter(
        part["name"]
        for part in reply.parts
        if part.get("type") == "tool_call" and ok.get(part["id"]) and part["name"] in WRITES
    )
    wanted = Counter(one for one in expected if one in WRITES)
    reads = {one for one in expected if one in READS}
    return done == wanted and reads <= set(called)


@dataclass
class Played:
    """A case in the database: its people, its rows, its conversation."""

    case: Case
    person: Participant
    other: Participant
    ids: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, case: Case, people: People) -> Played:
        """Makes the rows of the case, through the ledger as everything."""
        played = cls(case, *people)
        for project in case.before.projects:
            values = {"name": project.name, "status": project.status}
            scope = OwnScope.of_actor(Actor(played.person.pk))
            played.ids[project.id] = str(run(build(CreateProject, values), scope).created[0])
        for task in case.before.tasks:
            played._add(task)
        for note in case.before.notes:
            command = build(CreateNote, {"project": played.ids[note.project], "text": note.text})
            scope = OwnScope.of_actor(Actor(played.person.pk))
            played.ids[note.id] = str(run(command, scope).created[0])
        return played

    def _add(self, task: TaskRow) -> None:
        owner = self.other if task.owner else self.person
        given = task.model_dump(mode="json", exclude_none=True)
        values = {name: given[key] for key, name in _TASK_FIELDS.items() if key in given}
        actor = Actor(owner.pk)
        values |= {"project": self.ids[task.project]} if task.project else {}
        (key,) = run(build(CreateTodo, values), OwnScope.of_actor(actor)).created
        self.ids[task.id] = str(key)

    def say(self) -> Message:
        """Says everything in its order; the last reply."""
        session = Session.objects.create(
            participant=self.person, kind=KIND, state=ConciergeState().model_dump(mode="json")
        )
        for text in (*self.case.earlier, self.case.utterance):
            with transaction.atomic():  # no job is enqueued: the run is done here and now
                locked = locked_session(session.pk)
                message = add_message(locked or session, self._worded(text), None, (), waits=False)
                run = Run.objects.create(session=session, message=message)
            perform(run.pk)
        last = Message.objects.filter(session=session, role=Message.Role.ASSISTANT)
        return last.order_by("-seq")[0]

    def _worded(self, text: str) -> str:
        for short, pk in self.ids.items():
            text = text.replace("{" + short + "}", pk)
        return text

    def rows(self) -> dict[str, Row]:
        """What stands now, by id, as plain text fields."""
        owners = [self.person.pk, self.other.pk]
        found: dict[str, Row] = {}
        for task in Task.objects.filter(owner_id__in=owners, deleted_at=None):
            project = str(task.project_id) if task.project_id else ""
            fields = {key: _plain(getattr(task, name)) for key, name in _TASK_FIELDS.items()}
            found[str(task.pk)] = _row("task", project=project, **fields)
        for project_row in Project.objects.filter(owner_id__in=owners, deleted_at=None):
            name, status = _plain(project_row.name), project_row.status
            found[str(project_row.pk)] = _row("project", name=name, status=status)
        for note in Note.objects.filter(owner_id__in=owners, deleted_at=None):
            text = _plain(note.text)
            found[str(note.pk)] = _row("note", project=str(note.project_id), text=text)
        return found


def _rows_of(world: World, ids: Mapping[str, str]) -> dict[str, Row]:
    """The rows that a case names, with the ids of the database where it has them."""
    found: dict[str, Row] = {}
    for task in world.tasks:
        fields = {key: _plain(getattr(task, key)) for key in _TASK_FIELDS}
        project = ids.get(task.project or "", "")
        found[ids.get(task.id, task.id)] = _row("task", project=project, **fields)
    for project_row in world.projects:
        name = _plain(project_row.name)
        row = _row("project", name=name, status=project_row.status)
        found[ids.get(project_row.id, project_row.id)] = row
    for note in world.notes:
        text = _plain(note.text)
        found[ids.get(note.id, note.id)] = _row("note", project=ids[note.project], text=text)
    return found


def _row(entity: str, **fields: str) -> Row:
    return (("entity", entity), *sorted(fields.items()))


def _plain(value: object) -> str:
    """A value as text: capitals and white space do not count, times go by minutes."""
    if isinstance(value, dt.time):
        return value.strftime("%H:%M")
    return " ".join(str(value or "").casefold().split())


def _compared(
    stands: Mapping[str, Row], before: Mapping[str, Row], after: Mapping[str, Row]
) -> tuple[list[str], list[str]]:
    """Rows that are wrong, and rows that were not written though they should have been.

    New rows have no ids that a case could know: they are compared by what is in them.
    """
    wrong: list[str] = []
    missed: list[str] = []
    for key in before:
        if stands.get(key) == after.get(key):
            continue
        (missed if stands.get(key) == before[key] else wrong).append(
            _told(stands.get(key), after.get(key))
        )
    made = Counter(row for key, row in stands.items() if key not in before)
    wanted = Counter(row for key, row in after.items() if key not in before)
    wrong += [_told(row, None) for row in (made - wanted).elements()]
    missed += [_told(None, row) for row in (wanted - made).elements()]
    return wrong, missed


def _told(stands: Row | None, expected: Row | None) -> str:
    there, wanted = dict(stands or ()), dict(expected or ())
    if there and wanted:
        differing = [key for key in there if there[key] != wanted.get(key)]
        return ", ".join(f"{key}: {there[key]!r} for {wanted.get(key)!r}" for key in differing)
    some = {key: value for key, value in (there or wanted).items() if value}
    return f"{'unexpected' if there else 'missing'} {some}"
