"""The agent's tools: the nine of the specification, deletion, a forecast that only reads.

A tool gets typed arguments and the conversation's ToolBox and gives either something to read or a
`Proposal`; `offered` wraps it so that proposals go through `projects.agent.apply`. No argument
names a project or a draft, tasks are named by the short names that the prompt shows.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import BaseModel, Field

from chat.assistant.delimiter import delimiter_of
from chat.commands.base import build
from chat.operations.changes import Change
from futura.llm.tools import Job, Tool, ToolRejected
from projects.agent import proposals
from projects.agent.toolbox import ToolBox
from projects.commands.draft_tasks import ChangeDraftTasks, DeleteDraftTasks
from projects.commands.texts import merged_text
from projects.commands.todos import ChangeTodos, Clearable, CreateTodo, DeleteTodos
from projects.completeness import completeness
from projects.dimensions import BY_FIELD, DimensionName
from projects.models import DraftTask, Project, Task
from projects.modes.rows import Snapshot

Strategy = Literal["replace", "append", "prepend", "replace_part"]
Status = Literal["inbox", "available", "scheduled", "blocked", "completed", "dropped"]
Priority = Literal["critical", "high", "normal", "low"]


TEXT_CHARS: Final = 20_000
PART: Final = "For replace_part: the part of the text that goes, word for word and there only once."
LONG: Final = frozenset({"description", "context", "executive_summary"})
APPEND: Final = "Append what is new (merge strategy append)"


class DimensionText(BaseModel):
    """New Markdown for one of the nine dimensions."""

    dimension: DimensionName
    content: str = Field(min_length=1, max_length=TEXT_CHARS)
    merge_strategy: Strategy | None = None
    replaced: str | None = Field(None, description=PART)


class Dimension(BaseModel):
    """One of the nine dimensions."""

    dimension: DimensionName


class LongText(BaseModel):
    """A text of the project (or draft), or with `task` the details of a task."""

    field: DimensionName | Literal["description", "context", "executive_summary", "details"]
    task: str | None = Field(None, description="Short name of the task, for its details.")


class Finalizing(BaseModel):
    """Whether first tasks are made along with the project."""

    create_initial_tasks: bool | None = None


class Nothing(BaseModel):
    """No arguments."""


class NewTask(BaseModel):
    """A task; dates as YYYY-MM-DD, estimates in working days."""

    title: str = Field(min_length=1, max_length=200)
    details: str | None = None
    priority: Priority | None = None
    start_date: dt.date | None = None
    due_date: dt.date | None = None
    estimate_low_days: float | None = Field(None, ge=0, le=3650)
    estimate_high_days: float | None = Field(None, ge=0, le=3650)


class TaskChange(BaseModel):
    """What changes on a task; null leaves a field as it is."""

    task: str = Field(description="Short name from the list of tasks, such as t3.")
    title: str | None = None
    details: str | None = None
    priority: Priority | None = None
    status: Status | None = None
    start_date: dt.date | None = None
    due_date: dt.date | None = None
    due_time: dt.time | None = Field(None, description="By the person's clock.")
    estimate_low_days: float | None = Field(None, ge=0, le=3650)
    estimate_high_days: float | None = Field(None, ge=0, le=3650)
    clear: list[Clearable] | None = Field(None, description="Fields to empty.")
    details_strategy: Strategy | None = Field(None, description="For details; replace if null.")
    replaced: str | None = Field(None, description=PART)
    depends_on: list[str] | None = Field(None, description="Short names of other tasks.")


class Tasks(BaseModel):
    """Tasks by their short names."""

    tasks: list[str] = Field(min_length=1, max_length=50)


class NewNote(BaseModel):
    """A note in Markdown."""

    title: str | None = None
    text: str = Field(min_length=1, max_length=TEXT_CHARS)


class ProjectChange(BaseModel):
    """What changes on the project itself; null leaves a field as it is."""

    name: str | None = Field(None, max_length=200)
    description: str | None = None
    context: str | None = None
    executive_summary: str | None = None
    status: Literal["active", "paused", "completed", "archived"] | None = None
    start_date: dt.date | None = None
    end_date: dt.date | None = None
    tags: list[str] | None = Field(None, description="All tags that it shall have.")
    clear: list[Literal["start_date", "end_date", "description", "executive_summary"]] | None = (
        Field(None, description="Fields to empty.")
    )
    merge_strategy: Strategy | None = Field(
        None, description="For description, context and summary; replace if null."
    )
    replaced: str | None = Field(None, description=PART)


@dataclass(frozen=True)
class Proposal:
    """Changes that a tool asks for, and what to call them."""

    changes: Sequence[Change]
    title: str
    is_atomic: bool = False


Function = Callable[[Any, ToolBox], object]


@dataclass(frozen=True)
class Spec:
    """One tool before it is bound to a turn; what it gives is a Proposal, or something to read."""

    name: str
    description: str
    arguments: type[BaseModel]
    function: Function
    writes: bool = False


# Writing --------------------------------------------------------------------------------------
def _update_draft_dimension(given: DimensionText, box: ToolBox) -> Proposal:
    snapshot = box.draft_snapshot()
    return _dimension(given, snapshot, given.merge_strategy or "replace", box)


def _update_project_dimension(given: DimensionText, box: ToolBox) -> Proposal:
    return _dimension(given, box.snapshot(), given.merge_strategy or "replace", box)


def _dimension(
    given: DimensionText, snapshot: Snapshot, strategy: Strategy, box: ToolBox
) -> Proposal:
    if strategy == "replace":
        standing = snapshot.dimension(given.dimension)
        box.refuse_unseen(snapshot.row.pk, given.dimension, standing, APPEND)
    text = _merged(snapshot.dimension(given.dimension), given.content, strategy, given.replaced)
    change = proposals.dimension(snapshot, given.dimension, text, "replace")
    return Proposal([change], str(BY_FIELD[given.dimension].name))


def _create_task(given: NewTask, box: ToolBox) -> Proposal:
    snapshot = _current(box)
    values = given.model_dump(exclude_none=True)
    if isinstance(snapshot.row, Project):
        command = build(CreateTodo, values, project=snapshot.row.pk)
        return Proposal(command.plan(box), given.title)
    title = values.pop("title")
    return Proposal([proposals.new_task(snapshot, title, values)], title)


def _merged(old: str, new: str, strategy: Strategy, replaced: str | None) -> str:
    """The text with what is new. Raises ToolRejected for a part that is not there just once."""
    if strategy != "replace_part":
        return merged_text(old, new, strategy)
    if not replaced or old.count(replaced) != 1:
        raise ToolRejected("`replaced` has to stand in the text, word for word and only once.")
    return old.replace(replaced, new)


def _update_task(given: TaskChange, box: ToolBox) -> Proposal:
    snapshot = _current(box)
    task = _task(snapshot, given.task)
    values = given.model_dump(
        exclude_none=True, exclude={"task", "depends_on", "details_strategy", "replaced"}
    )
    if given.details is not None:
        strategy = given.details_strategy or "replace"
        if strategy == "replace":
            box.refuse_unseen(task.pk, "details", task.details, APPEND)
        values["details"] = _merged(task.details, given.details, strategy, given.replaced)
    if isinstance(task, DraftTask):
        return _update_draft_task(task, values, given, box)
    if given.depends_on is not None:
        values["depends_on"] = [_task(snapshot, one).pk for one in given.depends_on]
    if not values:
        raise ToolRejected("Say what shall change on the task.")
    return Proposal(build(ChangeTodos, values, ids=[task.pk]).plan(box), task.title)


def _update_draft_task(
    task: DraftTask, values: dict[str, Any], given: TaskChange, box: ToolBox
) -> Proposal:
    if given.status is not None or given.depends_on is not None:
        raise ToolRejected("A task of a draft has no status and waits for nothing yet.")
    return Proposal(build(ChangeDraftTasks, values, ids=[task.pk]).plan(box), task.title)


def _delete_tasks(given: Tasks, box: ToolBox) -> Proposal:
    snapshot = _current(box)
    tasks = [_task(snapshot, name) for name in given.tasks]
    kind = DeleteTodos if isinstance(snapshot.row, Project) else DeleteDraftTasks
    command = kind(ids=tuple(task.pk for task in tasks))
    return Proposal(command.plan(box), command.sentence(box))


def _create_note(given: NewNote, box: ToolBox) -> Proposal:
    snapshot = _current(box)
    if box.project() is None:  # a draft has no notes: what is loose goes into its context
        text = merged_text(snapshot.row.context, given.text, "append")
        return Proposal([proposals.update(snapshot, {"context": text})], "Context")
    note = proposals.note(snapshot, given.text, given.title or "")
    return Proposal([note], given.title or "Note")


def _update_project_context(given: ProjectChange, box: ToolBox) -> Proposal:
    snapshot = _current(box)
    values = given.model_dump(
        mode="json", exclude_none=True, exclude={"merge_strategy", "clear", "replaced"}
    )
    if "status" in values and box.project() is None:
        raise ToolRejected("A draft has no status; finalize_draft makes the project of it.")
    row, strategy = snapshot.row, given.merge_strategy or "replace"
    for name in LONG & values.keys():
        if strategy == "replace":
            box.refuse_unseen(row.pk, name, getattr(row, name), APPEND)
        values[name] = _merged(getattr(row, name), values[name], strategy, given.replaced)
    for name in given.clear or ():
        values[name] = None if name.endswith("_date") else ""
    if not values:
        raise ToolRejected("Say what shall change on the project.")
    return Proposal([proposals.update(snapshot, values)], snapshot.row.name)


def _read_whole(given: LongText, box: ToolBox) -> object:
    """The text to its end, after which it may be replaced in this turn."""
    snapshot = _current(box)
    row: Any = _task(snapshot, given.task) if given.task else snapshot.row
    if (given.field == "details") != (given.task is not None):
        raise ToolRejected("`details` belongs to a task: name the task by its short name.")
    text: str = getattr(row, given.field)
    box.has_seen(row.pk, given.field, text)
    return delimiter_of(box.turn).around(given.field, text) or "Empty."


def _current(box: ToolBox) -> Snapshot:
    """The project, or before there is one the draft."""
    return box.snapshot() if box.project() is not None else box.draft_snapshot()


def _task(snapshot: Snapshot, name: str) -> Task | DraftTask:
    found = snapshot.refs.get(name.strip().lower())
    if found is None:
        known = ", ".join(snapshot.refs) or "none"
        raise ToolRejected(f"There is no task {name[:20]!r} here. Short names: {known}.")
    return found


# Reading --------------------------------------------------------------------------------------
def _completeness(_given: Nothing, box: ToolBox) -> object:
    standings = completeness(_current(box).row)
    return {one.dimension.field: one.word for one in standings}


# Offering -------------------------------------------------------------------------------------
WRITERS: Final = (
    Spec(
        "update_draft_dimension",
        "Writes one dimension of the draft, in the person's own words and facts only.",
        DimensionText,
        _update_draft_dimension,
        writes=True,
    ),
    Spec(
        "update_project_dimension",
        "Writes one dimension of the project: append, prepend, replace a quoted part or all of it.",
        DimensionText,
        _update_project_dimension,
        writes=True,
    ),
    Spec("create_task", "Adds a task.", NewTask, _create_task, writes=True),
    Spec(
        "update_task",
        "Changes a task: dates, status (completed, dropped, …), priority, wording, estimates, "
        "dependencies; or empties fields of it.",
        TaskChange,
        _update_task,
        writes=True,
    ),
    Spec(
        "delete_tasks",
        "Asks to delete tasks; the person has to approve it first.",
        Tasks,
        _delete_tasks,
        writes=True,
    ),
    Spec("create_note", "Keeps a note, such as a decision.", NewNote, _create_note, writes=True),
    Spec(
        "update_project_context",
        "Changes the project (or draft) itself: name, dates, tags, status, description, context, "
        "summary; or empties fields of it.",
        ProjectChange,
        _update_project_context,
        writes=True,
    ),
)
COMPLETENESS: Final = Spec(
    "analyze_project_completeness",
    "Says which of the nine dimensions are covered and which need attention.",
    Nothing,
    _completeness,
)
READ_WHOLE: Final = Spec(
    "read_whole",
    "Reads one text of the project, or a task's details, to its end. What was shown cut or not at "
    "all can only be replaced after that.",
    LongText,
    _read_whole,
)
FOR_DRAFTS: Final = frozenset(
    {"update_draft_dimension", "create_task", "update_task", "delete_tasks", "create_note",
     "update_project_context"}
)  # fmt: skip
FOR_PROJECTS: Final = frozenset(
    {"update_project_dimension", "create_task", "update_task", "delete_tasks", "create_note",
     "update_project_context"}
)  # fmt: skip


def for_project() -> list[Spec]:
    """The tools of an update conversation."""
    return [*(one for one in WRITERS if one.name in FOR_PROJECTS), READ_WHOLE, COMPLETENESS]


def for_draft() -> list[Spec]:
    """The tools of a creating conversation; `finalize_draft` is added by its guide."""
    return [*(one for one in WRITERS if one.name in FOR_DRAFTS), READ_WHOLE, COMPLETENESS]


def finalizing(function: Function) -> Spec:
    """The tool that makes a project of the draft; the guide decides when it may."""
    return Spec(
        "finalize_draft",
        "Makes the project from the draft with its tasks. Only right after the person said yes "
        "to the preview.",
        Finalizing,
        function,
        writes=True,
    )


def asking(function: Function) -> Spec:
    """The tool that has the guide put a question on one dimension."""
    return Spec(
        "ask_about",
        "Has a question on one dimension put to the person, when they want to be asked about it.",
        Dimension,
        function,
    )


def offered(specs: Iterable[Spec], box: ToolBox) -> list[Tool[Any]]:
    """The tools of one turn, bound to its box."""
    return [_tool(spec, box) for spec in specs]


def _tool(spec: Spec, box: ToolBox) -> Tool[Any]:
    def call(given: BaseModel, job: Job) -> object:
        result = spec.function(given, box)
        if not isinstance(result, Proposal):
            return result
        if not spec.writes:
            raise PermissionError(f"{spec.name} only reads.")
        applied = box.apply(
            result.changes, title=result.title, tool_call_id=job.call_id, is_atomic=result.is_atomic
        )
        if not applied.is_waiting and not applied.is_done:
            raise ToolRejected(f"It did not work: {applied.error}")
        return box.words(applied)

    return Tool(spec.name, spec.description, spec.arguments, call, writes=spec.writes)
