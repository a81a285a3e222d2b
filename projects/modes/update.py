"""The guide of updating conversations: the model carries changes out, or a command line."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Collection, Generator, Mapping, Sequence
from typing import Any, Final, Literal

from django.urls import reverse
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _, ngettext

from chat.assistant import undo
from chat.assistant.cards import ledger_part
from chat.assistant.provenance import tainted
from chat.assistant.toolset import AnyTool, Toolset, Writing, first_paragraph, writing
from chat.assistant.working import Working, Written
from chat.commands.base import Command, build
from chat.guides import GuideEvent, Part, Text, Turn
from chat.models import Session
from chat.operations.queries import waiting_count
from projects.commands.notes import ChangeNote, CreateNote, DeleteNote
from projects.commands.projects import ChangeProject
from projects.commands.todos import (
    ChangeTodos,
    CompleteTodos,
    CreateTodos,
    DeleteTodos,
    ReopenTodos,
)
from projects.commands.wording import TextPart
from projects.dimensions import DIMENSIONS
from projects.forecasting.wording import range_words
from projects.models import Project
from projects.modes import basic
from projects.modes.basic import Tap, taps_in
from projects.modes.rows import Plan, ProjectRows, carry_out, error_of, records_of, standing
from projects.modes.state import UPDATE, OpenQuestion, UpdateMemory, UpdateState
from projects.modes.talking import (
    Answer,
    Events,
    ProjectGuide,
    reading_tools,
    reply_buttons,
    talk,
    yes_or_no,
)
from projects.outcomes import link, list_of, outcome, still_open
from projects.queries import open_todos_of
from projects.toolset import guard

VERSION: Final = "update-6"
WRITING: Final[tuple[type[Command], ...]] = (
    ChangeTodos, CompleteTodos, ReopenTodos, DeleteTodos, ChangeProject, CreateNote, ChangeNote,
    DeleteNote,
)  # fmt: skip


class Updating(Answer[Any]):
    """One message being answered; the state has an `update` memory besides the common fields."""

    def __init__(self, turn: Turn[Any]) -> None:
        super().__init__(turn)
        self.memory: UpdateMemory = turn.state.update

    def opening(self) -> Events:
        project = self.rows.project()
        name = project.name if project else _("your project")
        yield Text(_opening(name, waiting_count(self.turn.session_id)))

    def events(self) -> Events:
        if self.rows.project() is None:
            yield Text(_("This project was deleted. You can restore it under Changes."))
        elif self.llm.is_configured:
            yield from self._with_model(self.rows.plan())
        else:
            yield from self._basic()

    # With a model -----------------------------------------------------------------------------
    def _with_model(self, plan: Plan) -> Events:
        """The model, and basic mode's choices where it is away before it said or did anything."""
        question, offer = self._question(), ""
        if question is not None:
            moves = [f"{values} id={key}" for key, values in self._moves(question).items()]
            offer = "\n".join([question.text, *moves])
            if question.of_others:
                tainted(self.turn)
        assistant = yield from talk(
            self.turn,
            _toolset(self.rows),
            label=_("Working on it"),
            instructions=INSTRUCTIONS.format(today=self.rows.today),
            records=[*records_of(plan), ("offer", offer), *self.files],
            version=VERSION,
            snapshot=plan,
        )
        if assistant is None:
            yield from self._basic()
            return
        self.memory.questions = []
        yield from self._follow(assistant.working.written)
        yield from self._put(lead="\n\n")

    # Basic mode -------------------------------------------------------------------------------
    def _basic(self) -> Events:
        if (yield from self.undone()) or (yield from self._answered_by_button()):
            return
        line = basic.understood(self.text, self.rows)
        if line.commands:
            yield from self._do(line.commands)
        elif self.memory.questions:
            unread = _("This does not answer the question, so nothing was changed.")
            yield Text(f"{unread} ")
            yield from self._put()
        elif line.is_unread:
            self.memory.unplaced = self.text
            text = _("That is not a command, so nothing was changed. Save the text?")
            yield from self._ask("place", text, of_others=self.state.has_untrusted_text)
        else:
            yield Text(line.reply)
            if line.taps:
                yield reply_buttons("near", line.taps)

    def _answered_by_button(self) -> Generator[GuideEvent, None, bool]:
        """Whether the message is a button of what was asked."""
        question, taps = self._question(), taps_in(self.text)
        if question is None:
            return False
        if Tap.NO in taps:
            self.memory.questions = []
            yield Text(_("OK, nothing was changed."))
            return True
        if question.kind == "place" and self.text == _("Add to a dimension"):
            text = _("Which dimension?")
            yield from self._ask("dimension", text, of_others=question.of_others)
            return True
        label = _("Yes") if Tap.YES in taps else self.text
        commands = self._choices(question).get(label, ())
        if commands or question.kind != "shift":  # else what was kept stays in the talk
            self.memory.questions = []
        if commands:
            yield from self._do(commands, question)
        return bool(commands)

    def _choices(self, question: OpenQuestion) -> Mapping[str, Sequence[Command]]:
        """What a question can be answered with, by the button, and what each answer does."""
        project, text = self.rows.state.project_id, self.memory.unplaced
        match question.kind:
            case "shift":
                moves = self._moves(question).items()
                return {_("Yes"): [build(ChangeTodos, to, ids=[key]) for key, to in moves]}
            case "place":
                note = CreateNote(project=project, text=text)
                return {_("Add as note"): [note], _("Add to a dimension"): []}
        parts = {str(each.name): TextPart(field=each.field, text=text) for each in DIMENSIONS}
        return {name: [ChangeProject(id=project, parts=(part,))] for name, part in parts.items()}

    def _moves(self, question: OpenQuestion) -> Mapping[uuid.UUID, Mapping[str, str]]:
        """The dates of the to-dos that a question is about, moved by its days."""
        by, moves = dt.timedelta(days=question.days), {}
        for task in self.rows.plan().open_tasks:
            if task.pk in question.ids:
                dates = {"start_date": task.start_date, "due_date": task.due_date}
                moves[task.pk] = {name: str(day + by) for name, day in dates.items() if day}
        return moves

    def _do(self, commands: Sequence[Command], question: OpenQuestion | None = None) -> Events:
        """Carries commands out as one round, and says what became of each.

        What names a row that is gone drops out; what answers a `question` of others' words waits.
        """
        if question is not None and question.of_others:
            tainted(self.turn)
        written = carry_out(self.rows.working(), commands)
        scope, today = self.rows.scope(), self.rows.today
        results = [outcome(item, scope, today) for item in written if not item.error]
        yield Text("\n\n".join(filter(None, [list_of(results), error_of(written)])))
        yield Part(ledger_part(self.turn.run_id))
        yield from self._follow(written)
        yield from self._put(lead="\n\n")

    # What follows -----------------------------------------------------------------------------
    def _follow(self, written: Sequence[Written]) -> Events:
        """Notes what is to be asked after these changes, and the conversation's new name."""
        done = [
            operation for part in written if not part.is_waiting for operation in part.operations
        ]
        changes = {
            name: ((item.payload.before or {}).get(name), (item.payload.after or {}).get(name))
            for item in done
            if item.entity == "project"
            for name in item.changed_fields
        }
        if "name" in changes:  # a conversation that goes by its project's name
            before, after = changes["name"]
            own = Session.objects.filter(pk=self.turn.session_id, title=before)
            own.update(title=after)
        project = self.rows.project()
        is_finished = changes.get("status", ("", ""))[1] == Project.Status.COMPLETED
        if is_finished and project and project.survey_task and project.time_share_after is None:
            yield Text(f"\n\n{_share_asked(project)}")
        if is_finished and project and (left := len(open_todos_of(project))):
            yield Text(f"\n\n{_todos_asked(project, left)}")
        if done and project is not None:
            offer = _offered(changes, {item.entity_id for item in done}, self.rows.plan())
            self.memory.questions += [offer] if offer else []
        if self.state.has_untrusted_text:
            for question in self.memory.questions:
                question.of_others = True

    def _question(self) -> OpenQuestion | None:
        return next(iter(self.memory.questions), None)

    def _ask(self, kind: Literal["place", "dimension"], text: str, *, of_others: bool) -> Events:
        self.memory.questions = [OpenQuestion(kind=kind, text=text, of_others=of_others)]
        yield from self._put()

    def _put(self, lead: str = "") -> Events:
        """The question that is open, with its buttons."""
        if (question := self._question()) is None:
            return
        yield Text(f"{lead}{question.text}")
        if question.kind == "shift":
            yield yes_or_no()
        else:
            labels = [*self._choices(question), _("Cancel")]
            yield reply_buttons("reply", {label: label for label in labels})


def _offered(
    changes: Mapping[str, tuple[Any, Any]], changed: Collection[uuid.UUID], plan: Plan
) -> OpenQuestion | None:
    """To-dos after a moved end of the project: offered, never done by itself."""
    before, after = (parse_date(str(end or "0")) for end in changes.get("end_date", ("", "")))
    if before is None or after is None or before == after:
        return None
    by = after - before
    dated = [task for task in plan.open_tasks if task.due_date and task.pk not in changed]
    if not dated:
        return None
    text = _("Move “%(title)s” as well (%(shift)s)?")
    if len(dated) > 1:
        text = ngettext(
            "Move the %(n)d to-do that has a date as well (%(shift)s)?",
            "Move the %(n)d to-dos that have dates as well (%(shift)s)?",
            len(dated),
        )
    shift = _("%(days)s later") if by.days > 0 else _("%(days)s earlier")
    shift %= {"days": range_words(abs(by.days), abs(by.days))}
    text %= {"n": len(dated), "title": dated[0].title, "shift": shift}
    ids = [task.pk for task in dated]
    return OpenQuestion(kind="shift", text=text, ids=ids, days=by.days)


def _share_asked(project: Project) -> str:
    """Where the task of a survey that this project was about gets its new time."""
    way = link(_("Enter its time"), reverse("projects:finish", args=[project.pk]))
    text = _("It came from a task of your survey. How much working time does that take now?")
    return f"{text} {way}."


def _todos_asked(project: Project, n: int) -> str:
    """That to-dos of a completed project are open, and where they can be ended together."""
    way = link(_("Decide"), reverse("projects:finish", args=[project.pk]))
    return f"{still_open(n)} {way}."


class UpdateGuide(ProjectGuide[UpdateState]):
    """Carries out what changed, or proposes it, and tells it from the ledger."""

    kind = UPDATE
    state_model = UpdateState
    answer = Updating


def _opening(name: str, waiting: int) -> str:
    """The first word; `waiting` changes were put before the person already."""
    if not waiting:
        return _("What is new with **%(name)s**? Tell me what changed.") % {"name": name}
    words = ngettext(
        "I suggest %(n)d change to **%(name)s**. Review and approve it under Changes. "
        "Tell me if it should be different, or what else is new.",
        "I suggest %(n)d changes to **%(name)s**. Review and approve them under Changes. "
        "Tell me if one should be different, or what else is new.",
        waiting,
    )
    return words % {"n": waiting, "name": name}


# What the model gets ---------------------------------------------------------------------------
INSTRUCTIONS: Final = (
    "You keep a project up to date while its owner tells you what is new. Find every change in "
    "their message and carry it out with the tools at once; do nothing that they did not ask "
    "for, and nothing that they refuse or put off. What changes alike on several to-dos is one "
    "call with their ids, and all that changes on the project is one call. `offer` is what you "
    "offered them last, and is not done: when their message takes it up, wholly or in part, "
    "carry out exactly that part. When the end of the project moves, whether its dated to-dos "
    "move along is asked below your answer: do not ask it. Where a change could be meant in two "
    "ways, do not guess: leave it and ask one short question. Work out dates yourself: a "
    "quarter, month or week means its last day for an end or due date and its first day for a "
    "start. A decision or fact is kept as a note or added to the dimension it belongs to. Change "
    "long texts by `parts` or a quoted part; to replace one as a whole, give the project's "
    "version. A text that is marked as cut, or not shown, has to be read before it may be "
    "replaced.\n"
    "Afterwards say in one or two short sentences, in the language of their message, what is "
    "different now, with the dates. What waits for review has not been done.\n"
    "Today is {today:%A, %Y-%m-%d}."
)


def _toolset(rows: ProjectRows) -> Toolset:
    """The tools of one turn. New to-dos belong to the project where they name no other."""

    def created(arguments: CreateTodos, _working: Working) -> Command:
        own = [
            todo if todo.project else todo.model_copy(update={"project": rows.state.project_id})
            for todo in arguments.todos
        ]
        return arguments.model_copy(update={"todos": tuple(own)})

    def allows(command: Command, working: Working) -> str:
        """What is open in the project already, letter by letter, is not made again."""
        if not isinstance(command, CreateTodos):
            return guard(command, working)
        tasks = rows.plan().tasks
        there = [row for todo in command.todos if (row := standing(todo.title, tasks))]
        names = ", ".join(f"“{row.title}” (id={row.pk})" for row in there)
        return f"On the list already: {names}. Make only the others." if names else ""

    tools: list[AnyTool] = [
        Writing(CreateTodos.name, first_paragraph(CreateTodos), CreateTodos, created),
        *(writing(kind) for kind in WRITING),
        *reading_tools(rows),
        undo.tool(),
    ]
    return Toolset(tools, rows.scope, allows)
