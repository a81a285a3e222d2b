"""The rows of a conversation about a project or draft: as they stand, as prompts show them, and
changed as one round."""

from __future__ import annotations

import datetime as dt
import unicodedata
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeVar

from django.db.models import Model
from django.utils import timezone

from chat.assistant.delimiter import cut
from chat.assistant.toolset import Toolset, writing
from chat.assistant.working import Working, Written, agent_scope, owners_of
from chat.commands.base import Command, Scope
from chat.guides import Turn
from chat.models import Participant, Session
from chat.operations.changes import Actor, Kind
from futura.llm.tools import ToolRejected
from futura.text import shortened
from projects.commands.wording import LONG
from projects.dimensions import FIELDS
from projects.forecasting.inputs import Inputs
from projects.forecasting.queries import inputs_of
from projects.forecasting.results import Declined, Result, forecast
from projects.models import DraftTask, Note, Project, ProjectDraft, Task
from projects.modes.state import AgentState
from projects.queries import draft_tasks_of, notes_of, tasks_of

TEXTS: Final = ("name", "description", "context", "executive_summary", *FIELDS)
NOBODY: Final = uuid.UUID(int=0)  # no row has it
TEXT_CHARS: Final = 1_500
DRAFT_CHARS: Final = 40_000  # drafts stand whole in prompts
TASKS_SHOWN: Final = 150
NOTES_SHOWN: Final = 10
NOTE_CHARS: Final = 200
RowT = TypeVar("RowT", bound=Model)
_EDGES: Final = " \t\n.,;:!?…\"'“”‘’«»`()[]-–—"


@dataclass(frozen=True)
class Snapshot:
    """A project (or draft) as it stands, with its tasks and notes in order.

    `refs` are the short names under which a prompt shows tasks (`t1`, `t2`, …).
    """

    row: Project | ProjectDraft
    tasks: Sequence[Task | DraftTask] = ()
    notes: Sequence[Note] = ()

    @property
    def refs(self) -> Mapping[str, Task | DraftTask]:
        return {f"t{number}": task for number, task in enumerate(self.tasks, start=1)}

    @property
    def covered(self) -> list[str]:
        """Dimensions that hold anything."""
        return [name for name in FIELDS if getattr(self.row, name).strip()]

    @property
    def most_chars(self) -> int:
        """How much of a long text prompts show."""
        return TEXT_CHARS if isinstance(self.row, Project) else DRAFT_CHARS

    def untruncated(self) -> list[tuple[uuid.UUID, str, str]]:
        """The long texts that prompts do not cut: row, field, text."""
        texts = [(self.row.pk, name, str(getattr(self.row, name))) for name in LONG]
        return [text for text in texts if len(text[2]) <= self.most_chars]


@dataclass(frozen=True, kw_only=True)
class Plan(Snapshot):
    """A project as it stands on a day: rows for words, and what is computed of them."""

    row: Project
    tasks: Sequence[Task] = ()
    today: dt.date

    @property
    def open_tasks(self) -> list[Task]:
        return [task for task in self.tasks if task.status in Task.ACTIVE]

    @property
    def texts(self) -> dict[str, str]:
        """Every text that can be quoted, by the field that a finding's evidence names."""
        texts = {name: str(getattr(self.row, name)) for name in TEXTS}
        texts["dates"] = f"Start: {self.row.start_date}\nEnd: {self.row.end_date}"
        for task in self.tasks:
            texts[f"task:{task.pk}:title"] = task.title
            texts[f"task:{task.pk}:details"] = task.details
            needed = ", ".join(f"“{needed.title}”" for needed in task.depends_on.all())
            waits = f"waits for {needed}" if needed else ""
            texts[f"task:{task.pk}:facts"] = "; ".join(filter(None, [facts_of(task), waits]))
        for note in self.notes:
            texts[f"note:{note.pk}"] = "\n".join(filter(None, [note.title, note.text]))
        return texts

    @cached_property
    def inputs(self) -> Inputs:
        """What a forecast is computed from. Queries when it is first read."""
        return inputs_of(self.row, self.tasks, today=self.today)

    @cached_property
    def result(self) -> Result | Declined:
        return forecast(self.inputs)


def records_of(snapshot: Snapshot) -> list[tuple[str, str]]:
    """A project or draft with its to-dos and newest notes, as blocks of a prompt; what is cut says
    so.
    """
    row = snapshot.row
    facts = {
        "Name": row.name,
        "Id": row.pk,
        "Version": row.version,
        "Status": row.status,
        "Start": row.start_date,
        "End": row.end_date,
        "Tags": ", ".join(row.tags),
    }
    texts = [(name, getattr(row, name)) for name in LONG if getattr(row, name).strip()]
    tasks = [task_line(task) for task in snapshot.tasks[:TASKS_SHOWN]]
    kind = "project" if isinstance(row, Project) else "draft"
    if len(snapshot.tasks) > TASKS_SHOWN:
        how = "list_todos" if kind == "project" else "read_draft"
        tasks.append(f"[cut: {TASKS_SHOWN} of {len(snapshot.tasks)} to-dos; {how} shows all]")
    notes = [_note_line(note) for note in snapshot.notes[:NOTES_SHOWN]]
    if len(snapshot.notes) > NOTES_SHOWN:
        notes.append(f"[cut: {NOTES_SHOWN} of {len(snapshot.notes)} notes; read_project shows all]")
    return [
        (kind, "\n".join(f"{name}: {value or 'none'}" for name, value in facts.items())),
        *((name, cut(text, snapshot.most_chars, f"read_{kind}")) for name, text in texts),
        ("to-dos", "\n".join(tasks)),
        ("notes", "\n".join(notes)),
    ]


def draft_text(snapshot: Snapshot) -> str:
    """A draft as one block of a prompt, with its id, its version and those of its to-dos."""
    return "\n".join(f"{name}: {text}" for name, text in records_of(snapshot) if text)


def task_line(task: Task | DraftTask, *, with_project: bool = False) -> str:
    """A to-do in one line of a prompt: status, title, what matters of it, its id."""
    status, project = "", None
    if isinstance(task, Task):
        status, project = f"[{task.status}] ", task.project if with_project else None
        more = [f"details {len(task.details)} characters" if task.details else ""]
    else:
        more = [" ".join(task.details.split())[:200]]
    if not with_project:  # those of a project, read with what they wait for
        needed = "; ".join(str(needed.pk) for needed in task.depends_on.all())
        more.insert(0, f"waits for {needed}" if needed else "")
    about = f"project {shortened(project.name, 60)}" if project else ""
    text = "; ".join(filter(None, [facts_of(task), about, *more]))
    return f"- {status}{task.title}{f' ({text})' if text else ''} id={task.pk}"


def facts_of(task: Task | DraftTask) -> str:
    """Priority, days, estimate, person, clock and tags of a to-do, as prompts show them."""
    low, high = task.estimate_low_days, task.estimate_high_days
    due, clock = task.due_date, task.due_time
    is_open = isinstance(task, Task) and task.status in Task.ACTIVE
    late = " (overdue)" if is_open and due and due < timezone.localdate() else ""
    facts = [
        task.priority if task.priority != Task.Priority.NORMAL else "",
        f"starts {task.start_date}" if task.start_date else "",
        f"due {due}{f' {clock:%H:%M}' if clock else ''}{late}" if due else "",
        f"{'-'.join(f'{float(end):g}' for end in (low, high) if end)} days" if low or high else "",
        f"@{task.assignee}" if task.assignee else "",
        *(_clock_of(task) if isinstance(task, Task) else ()),
        ", ".join(f"#{tag}" for tag in getattr(task, "tags", ())),
    ]
    return "; ".join(filter(None, facts))


def _clock_of(task: Task) -> Iterator[str]:
    """That it repeats, and when a mail reminds of it."""
    if task.repeat:
        yield f"repeats {task.repeat}"
    if task.remind_minutes is not None:
        yield f"reminds {task.remind_minutes} minutes before"
    elif task.remind_at:
        yield f"reminds {timezone.localtime(task.remind_at):%Y-%m-%d %H:%M}"


def _note_line(note: Note) -> str:
    text = " ".join(note.text.split())
    label = f"{text[:NOTE_CHARS]}… [cut; read_note shows all]" if len(text) > NOTE_CHARS else text
    return f"- {note.title}: {label} id={note.pk}" if note.title else f"- {label} id={note.pk}"


def own_row(model: type[RowT], owner_id: uuid.UUID, key: uuid.UUID | str | None) -> RowT | None:
    """The row of that id, while its owner has it; None for another's and a deleted one."""
    living = model._default_manager.filter(owner_id=owner_id, deleted_at=None)
    return living.filter(pk=key or NOBODY).first()


@dataclass
class ProjectRows:
    """Reads the project or draft of a turn's conversation; rows of other owners do not exist.

    The ids come from the session's state.
    """

    turn: Turn[Any]
    participant: Participant
    today: dt.date

    @classmethod
    def of(cls, turn: Turn[Any]) -> ProjectRows:
        """Of a turn. Session.DoesNotExist when the conversation was deleted meanwhile."""
        session = Session.objects.select_related("participant").get(pk=turn.session_id)
        return cls(turn, session.participant, timezone.localdate())

    @property
    def owner_id(self) -> uuid.UUID:
        return self.participant.pk

    def scope(self) -> Scope:
        return agent_scope(self.participant, owners_of(self.participant))

    def working(self) -> Working:
        """Carries out commands that the guide itself has built, judged as a model's calls are."""
        return Working(self.turn, Toolset((), self.scope))

    @property
    def state(self) -> AgentState:
        state: AgentState = self.turn.state
        return state

    @property
    def actor(self) -> Actor:
        return Actor(self.owner_id, Kind.AGENT)

    def project(self) -> Project | None:
        """The conversation's project, as it stands now; None when it is not there."""
        return own_row(Project, self.owner_id, self.state.project_id)

    def draft(self) -> ProjectDraft | None:
        return own_row(ProjectDraft, self.owner_id, self.state.draft_id)

    def plan(self) -> Plan:
        """The project with everything in it, what is open before what is closed: prompts show the
        first. Raises ToolRejected when it is gone.
        """
        project = self.project()
        if project is None:
            raise ToolRejected("The project of this conversation is not there any more.")
        tasks = sorted(tasks_of(project), key=lambda task: task.status in Task.CLOSED)
        return Plan(row=project, tasks=tasks, notes=notes_of(project), today=self.today)

    def draft_snapshot(self) -> Snapshot:
        """The draft with its tasks. Raises ToolRejected when it is gone."""
        draft = self.draft()
        if draft is None:
            raise ToolRejected("There is no draft in this conversation.")
        return Snapshot(draft, draft_tasks_of(draft))


def carry_out(working: Working, commands: Sequence[Command]) -> Sequence[Written]:
    """What became of each; nothing of one that failed. Raises LeaseLost."""
    before, key = len(working.written), working.turn.run_id.hex
    numbered = enumerate(commands, start=before)
    working.write([(f"{key}-{n}", command, writing(type(command))) for n, command in numbered])
    return working.written[before:]


def error_of(written: Sequence[Written]) -> str:
    """Why the first that failed was not done; empty when all went well."""
    return next((item.error for item in written if item.error), "")


def normalised(title: str) -> str:
    """A title by which two are the same: case, spaces and signs around it do not count."""
    text = " ".join(unicodedata.normalize("NFKC", title).casefold().split())
    return text.strip(_EDGES) or text


def standing(title: str, tasks: Iterable[Task | DraftTask]) -> Task | DraftTask | None:
    """The open to-do of that title among some; those of drafts are all open."""
    requested = normalised(title)
    is_open = (task for task in tasks if not isinstance(task, Task) or task.status in Task.ACTIVE)
    return next((item for item in is_open if normalised(item.title) == requested), None)
