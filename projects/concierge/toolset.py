"""The concierge's typed commands, by the names of their tools, and the tools of one turn."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Final, Literal

from django.db import transaction
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy
from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    WithJsonSchema,
)

from chat.assistant.toolset import (
    Acting,
    AnyTool,
    Reading,
    Toolset,
    allow_all,
    first_paragraph,
    reading,
    writing,
)
from chat.assistant.undo import Undo, tool as undo_tool
from chat.assistant.working import Working, running
from chat.commands.base import Act, Command, Query, Scope
from chat.commands.tokens import scopes_for_talk
from chat.guides import Utterance
from chat.models import Participant, Run, Session
from futura import text
from projects import field_labels, hooks
from projects.commands.notes import ChangeNote, CreateNote, DeleteNote
from projects.commands.projects import ChangeProject, CreateProject, DeleteProject
from projects.commands.reads import ListProjects, SearchEverything, terms_of
from projects.commands.todos import (
    ChangeTodos,
    CompleteTodos,
    CreateTodo,
    CreateTodos,
    DeleteTodos,
    Priority,
    ReopenTodos,
)
from projects.concierge.snapshot import surveys_of
from projects.fields import TaskStatus
from projects.forecasting.commands import ReadForecast
from projects.hooks import Handover, Opened
from projects.models import Project, ProjectDraft, Task
from projects.modes import starting
from projects.modes.rows import task_line
from projects.modes.state import CREATE
from projects.todos.listing import Listing
from projects.todos.queries import Page, page_of
from projects.toolset import guard, read_draft, read_note, read_project, read_todo

Talk = Literal[
    "project_create", "project_update", "project_audit", "project_forecast", "survey",
    "portfolio_builder",
]  # fmt: skip
SURVEY: Final = "survey"
PORTFOLIO: Final = "portfolio_builder"
TEXT_CHARS: Final = 20_000
NOT_BEGUN: Final[dict[str, str | Promise]] = {
    SURVEY: gettext_lazy("Enter your job title to start a survey"),
    PORTFOLIO: gettext_lazy("Describe your work to start a portfolio entry"),
}
"""What is said where the page asks something first."""


def opened_talk(kind: Talk, session_id: uuid.UUID, about: Project | ProjectDraft | None) -> Opened:
    """A conversation about a project, or about one that is to be."""
    url = reverse("projects:agent_talk", args=[session_id])
    return Opened(kind=kind, url=url, title=about.name if about else "", session_id=session_id)


class StartConversation(Act):
    """Opens the conversation made for a new project, for updating, auditing or forecasting one,
    for a survey of the person's work, or for an entry of their portfolio.

    Updating, auditing and forecasting need a project. `says` is what it begins with, in the
    person's words. Without it, a survey that is under way goes on where it is; so do a `draft` and
    an `entry`.
    """

    name: ClassVar[str] = "start_conversation"
    area: ClassVar[str] = "projects"

    kind: Talk
    project: uuid.UUID | None = Field(None, description="Id of one of the person's projects.")
    draft: uuid.UUID | None = Field(None, description="Id of the draft that project_create is of.")
    entry: uuid.UUID | None = Field(None, description="Id of the entry to go on with.")
    says: str | None = Field(
        None, max_length=TEXT_CHARS,
        description="What it begins with, in the person's words; null for one that goes on.",
    )  # fmt: skip

    def scopes(self) -> frozenset[str]:
        return super().scopes() | (scopes_for_talk(self.kind, "POST") or set())

    def act(self, scope: Scope) -> Opened:
        with transaction.atomic():  # what is refused leaves no participant behind
            return self.opened(scope, has_others_words=scope.has_untrusted_text)

    def opened(
        self, scope: Scope, *, has_others_words: bool, key: uuid.UUID | None = None
    ) -> Opened:
        """The same, where `says` may be other people's words; the same `key` opens the same."""
        text = (self.says or "").strip()
        if self.kind == SURVEY:
            return self._survey(scope, text)
        project = scope.get(Project, self.project) if self.project else None
        draft = scope.get(ProjectDraft, self.draft) if self.draft else None
        participant = Participant.objects.get(pk=scope.actor.owner_id)
        if self.kind == PORTFOLIO:
            handover = Handover(
                participant=participant, owner_ids=scope.owner_ids, project=project,
                entry=self.entry, says="" if project else text, key=key,
                has_others_words=has_others_words,
            )  # fmt: skip
            return hooks.portfolio.opened(handover)
        about: Project | ProjectDraft | None = draft if self.kind == CREATE else project
        session = draft.session if draft and about is draft else None
        if session is None or session.deleted_at is not None:
            session = starting.start(
                participant=participant, mode=self.kind.removeprefix("project_"), project=project,
                draft=draft, first_text=text,
                is_opened_with_others=bool(text) and has_others_words,
            )  # fmt: skip
        return opened_talk(self.kind, session.pk, about)

    def _survey(self, scope: Scope, text: str) -> Opened:
        """One that is open goes on; else the page that begins one."""
        first = next((item for item in surveys_of(scope.owner_ids) if item.is_talking), None)
        if first is None or text:
            return Opened(kind=SURVEY, url=reverse("survey:start"))
        url = reverse("survey:chat", args=[first.id])
        return Opened(kind=SURVEY, url=url, title=first.title, session_id=first.id)

    def sentence(self, scope: Scope) -> str:
        kind = str(field_labels.CONVERSATION[self.kind])
        if self.project is None:
            return _("Open: %(kind)s") % {"kind": kind}
        named = {"kind": kind, "name": scope.get(Project, self.project).name}
        return _("Open: %(kind)s, “%(name)s”") % named


TITLE_CHARS: Final = 200
LISTED: Final = 25
TaskKey = Annotated[
    tuple[uuid.UUID, ...],
    BeforeValidator(lambda value: value if isinstance(value, list | tuple) else (value,)),
    WithJsonSchema({"type": "string", "description": "Id of the task."}),
    Field(validation_alias=AliasChoices("id", "task", "ids")),
]
ProjectKey = Annotated[
    uuid.UUID | None,
    BeforeValidator(lambda value: value or None),
    Field(
        validation_alias=AliasChoices("projectId", "project"),
        description="Id of one of the person's projects.",
    ),
]
Notes = Annotated[str | None, Field(validation_alias=AliasChoices("notes", "details"))]


class CreateTask(CreateTodo):
    """Creates a task when the person wants something on their list."""

    model_config = ConfigDict(populate_by_name=True)
    name: ClassVar[str] = "create_task"

    details: Notes = None
    project: ProjectKey = None


class UpdateTask(ChangeTodos):
    """Changes a task; null leaves a field as it is.

    `notes` replace what is there, where there is something only after read_todo; `append_notes`
    are added below it.
    """

    model_config = ConfigDict(populate_by_name=True)
    name: ClassVar[str] = "update_task"

    ids: TaskKey
    details: Notes = None
    append_details: str | None = Field(
        None, validation_alias=AliasChoices("append_notes", "append_details")
    )
    project: ProjectKey = None


class CompleteTask(CompleteTodos):
    """Marks a task as completed when the person says that it is done."""

    model_config = ConfigDict(populate_by_name=True)
    name: ClassVar[str] = "complete_task"

    ids: TaskKey


class ListTasks(Query):
    """Lists or searches tasks; without a status the active ones, nearest first."""

    model_config = ConfigDict(populate_by_name=True)
    name: ClassVar[str] = "list_tasks"
    area: ClassVar[str] = "todos"

    status: TaskStatus | Literal["all"] | None = None
    query: str | None = Field(None, max_length=TITLE_CHARS, description="Words to search for.")
    project: ProjectKey = None
    due: Literal["overdue", "today", "tomorrow", "week", "later", "none"] | None = Field(
        None, description="`week` is the seven days from today on, `later` all after them."
    )
    priority: Priority | None = None

    def page(self, scope: Scope) -> Page:
        """The first 25, as the page of to-dos lists them, and how many there are."""
        page = page_of(scope.identity, self._listing(), scope.today)
        return replace(page, tasks=page.tasks[:LISTED])

    def _listing(self) -> Listing:
        """What rests is listed where it is asked for, as on every page."""
        query = (self.query or "").strip()
        is_closed = self.status in Task.CLOSED
        is_everywhere = bool(self.project or query) or self.status == "inbox"
        tab = "any_open" if is_everywhere else "open"
        return Listing(
            tab="all" if is_closed or self.status == "all" else tab,
            q=" ".join(terms_of(query)) or query,
            project=str(self.project or ""),
            priority=self.priority or "",
            due="late" if self.due == "overdue" else self.due or "",
            status="" if self.status == "all" else self.status or "",
            sort="done" if is_closed else "due",
        )


class FindProjects(ListProjects):
    """Finds projects and their ids by words in their names; without words all of them."""

    model_config = ConfigDict(populate_by_name=True)
    name: ClassVar[str] = "find_projects"

    q: str = Field("", max_length=TITLE_CHARS, validation_alias=AliasChoices("query", "q"))


WRITING: Final[Mapping[str, type[Command]]] = {
    **{kind.name: kind for kind in (
        CreateTask, UpdateTask, CompleteTask, CreateProject, ChangeProject, DeleteProject,
        CreateNote, ChangeNote, DeleteNote,
    )},
    "create_tasks": CreateTodos, "change_tasks": ChangeTodos, "reopen_tasks": ReopenTodos,
    "delete_tasks": DeleteTodos,
}  # fmt: skip
"""The tools that change rows."""
KINDS: Final[Mapping[str, type[BaseModel]]] = {
    **WRITING,
    CreateTask.name: CreateTodo,
    CompleteTask.name: CompleteTodos,
    **{kind.name: kind for kind in (ListTasks, FindProjects, StartConversation)},
    "undo": Undo,
}
"""All that the command line builds and stores, by its tool; without the model's names of fields."""
_TOOLS: Final = {kind: tool for tool, kind in KINDS.items()}


def tool_of(call: BaseModel) -> str:
    return _TOOLS[type(call)]


def json_of(call: BaseModel) -> dict[str, Any]:
    """A call as JSON, `{"tool": "complete_task", "ids": […]}`, without what was not said."""
    arguments = call.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return {"tool": tool_of(call), **arguments}


def call_of(value: Any) -> BaseModel:
    """The same back. Raises ValueError for a tool that there is not."""
    if isinstance(value, BaseModel):
        return value
    kind = KINDS.get(value.get("tool"))
    if kind is None:
        raise ValueError("no tool has this name")
    return kind.model_validate({name: entry for name, entry in value.items() if name != "tool"})


Call = Annotated[BaseModel, PlainValidator(call_of), PlainSerializer(json_of)]
"""Any of them."""


def task_ids(call: BaseModel) -> Sequence[uuid.UUID]:
    return getattr(call, "ids", ())


def toolset(scope: Callable[[], Scope], *, has_model: bool = True) -> Toolset:
    """The tools of one turn; what the command line replaces the person has written themselves."""
    tools: list[AnyTool] = [
        *(writing(kind, name=name) for name, kind in WRITING.items()),
        Reading(ListTasks.name, first_paragraph(ListTasks), ListTasks, _listed),
        reading(FindProjects),
        read_todo(),
        read_project(),
        read_draft(),
        read_note(),
        reading(ReadForecast),
        Reading("search", first_paragraph(SearchEverything), SearchEverything, _search),
        Acting(
            StartConversation.name, first_paragraph(StartConversation), StartConversation, _open
        ),
        undo_tool(),
    ]
    return Toolset(tools, scope, guard if has_model else allow_all)


def _listed(query: ListTasks, working: Working) -> str:
    page = query.page(working.scope())
    lines = [task_line(task, with_project=True) for task in page.tasks]
    if page.total > len(lines):
        lines.append(f"- and {page.total - len(lines)} more")
    return working.delimiter.around("tasks", "\n".join(lines)) or "No task fits."


def _search(query: SearchEverything, working: Working) -> object:
    """What was said in a conversation may be what somebody else has written: changes then wait."""
    message = working.turn.message
    asking = message.message_id if message else None
    result = query.read(working.scope(), besides=asking)
    if any(match.kind == "message" for match in result.matches):
        working.taint()
    return working.delimiter.around("search", result.model_dump_json(exclude_none=True))


def opened_once(call: StartConversation, working: Working) -> Opened:
    """Opens a conversation, once in an answer for each kind and project.

    What it begins with are the person's own words: a text that is not found in what they said is
    replaced by their message. Raises NotInScope, BadInput; LeaseLost.
    """
    is_about_project = call.project is not None and call.kind == PORTFOLIO
    says, message = ("", None) if is_about_project else _own_words(call.says or "", working)
    command = call.model_copy(update={"says": says or None})
    with transaction.atomic():
        run = running(working.turn)
        scope = working.scope()
        opened = _opened_before(command, run, scope) or command.opened(
            scope, has_others_words=working.is_tainted, key=uuid.uuid5(run.pk, call.kind)
        )
    if says and message and call.kind == SURVEY:  # its page has the message in its form
        opened = opened.model_copy(update={"url": f"{opened.url}?said={message.message_id}"})
    working.acts.append(opened)
    return opened


def _opened_before(command: StartConversation, run: Run, scope: Scope) -> Opened | None:
    """The conversation that this answer has opened already. Raises NotInScope."""
    if command.draft or command.kind in {PORTFOLIO, SURVEY}:  # found again by their own doors
        return None
    project = scope.get(Project, command.project) if command.project else None
    same = Session.objects.filter(
        participant_id__in=scope.owner_ids, kind=command.kind, created_at__gte=run.created_at,
        deleted_at=None,
    )  # fmt: skip
    if project is not None:
        same = same.filter(state__project_id=str(project.pk))
    session = same.order_by("created_at").first()
    return opened_talk(command.kind, session.pk, project) if session else None


def _own_words(says: str, working: Working) -> tuple[str, Utterance | None]:
    """What it begins with, and the person's message that says so."""
    says = says.strip()
    if not says:
        return "", None
    turn = working.turn
    own = [item for item in turn.history if item.role == "user"]
    own += [turn.message] if turn.message else []
    for message in reversed(own):
        if text.locate(says, message.text) is not None:
            return says, message
    return (turn.message.text if turn.message else ""), turn.message


def _open(call: StartConversation, working: Working, _call_id: str) -> str:
    opened = opened_once(call, working)
    if opened.session_id is None:
        is_told = call.kind == SURVEY and bool((call.says or "").strip())
        has_words = "has their words" if is_told else "knows nothing of this talk"
        return (
            "Not begun yet; the person sees a link to a page that asks something first and "
            f"{has_words} ({opened.url})."
        )
    return f"Opened; the person sees a link to it: {opened.title or 'new'} ({opened.url})."
