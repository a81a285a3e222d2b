"""One line answered by the command line: read, carried out, told from what really came of it."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import get_language, gettext as _, gettext_lazy, ngettext
from pydantic import BaseModel

from chat.assistant.cards import ledger_part
from chat.assistant.provenance import tainted
from chat.assistant.undo import Undo, take_back
from chat.assistant.working import Working
from chat.commands.base import NotInScope, Scope
from chat.guides import GuideEvent, Part, StageDone, StageStarted, Text, Turn, Utterance
from chat.memory.shapes import tool_call, tool_result
from futura.errors import FuturaError
from futura.language.quick_add import language_of
from futura.llm.tools import ToolRejected
from projects import field_labels
from projects.concierge import greeting, presenter
from projects.concierge.basic.lines import Understanding, taken, understand
from projects.concierge.greeting import Suggestion
from projects.concierge.snapshot import Snapshot
from projects.concierge.state import Memory, Pending
from projects.concierge.toolset import (
    NOT_BEGUN,
    WRITING,
    Call,
    FindProjects,
    ListTasks,
    StartConversation,
    json_of,
    opened_once,
    tool_of,
    toolset,
)
from projects.hooks import Opened
from projects.models import Task
from projects.outcomes import (
    bold,
    day,
    link,
    list_of,
    outcome,
    project_facts,
    todo_facts,
    undone_words,
)
from projects.shapes import ProjectLine, ProjectsOut
from projects.todos.basic import nameable_rows
from projects.todos.queries import Page

FIRST: Final = 5  # to-dos to begin a day with
ABILITIES: Final = gettext_lazy(
    "I can:\n\n"
    "- put things on your list: “add call the printer Friday 3pm !high”\n"
    "- find and list them: “what is overdue?”, “show my inbox”\n"
    "- mark them done, move, rename, block or drop them: “move the report to Monday”\n"
    "- begin a project, an update, an audit, a forecast or a survey of your work\n"
    "- undo changes: “Undo”, “undo the last 3 changes”\n\n"
    "Without a language model I read plain requests like these; I do not chat, write texts or "
    "give advice beyond your own tasks."
)


STAGE: Final = "concierge_rules"


def answer(
    turn: Turn[Any], message: Utterance, briefing: Snapshot, scope: Callable[[], Scope]
) -> Iterator[GuideEvent]:
    """What the command line makes of a message."""
    yield StageStarted(STAGE, _("Working on it"))
    earlier: Memory = turn.state.memory
    read = _read(message, briefing, earlier)
    if read.is_answer and turn.state.is_pending_of_others:
        tainted(turn)
    is_clean = not turn.state.has_untrusted_text
    is_confirmed = read.is_picked and is_clean
    working = Working(turn, toolset(scope, has_model=False), is_confirmed=is_confirmed)
    key = turn.run_id.hex[:12]
    line = _Line(working, briefing)
    yield from line.carry_out({f"{key}-{n}": call for n, call in enumerate(read.calls, start=1)})
    pending = line.question or read.pending
    question = read.pending.question if read.pending else ""
    texts = [list_of(line.results), *line.refused, _reply(read, briefing), question]
    yield Text("\n\n".join(filter(None, texts)))
    if pending is not None:
        pending = pending.model_copy(update={"key": key})
        yield presenter.choices_part(pending)
    yield from presenter.opened(working.acts)
    is_greeting = read.kind == "greet"
    suggested = [] if line.listed is not None else earlier.suggestions  # what a number means now
    suggestions = [Suggestion(item, say=item) for item in read.did_you_mean]
    if is_greeting:
        suggestions = greeting.suggest(briefing)
    if suggestions:
        yield presenter.suggested(suggestions, "greeting" if is_greeting else "near")
        # words that others may have put there are stored for no later prompt
        suggested = [item.say or item.text for item in suggestions] if is_clean else []
    if line.has_written:
        yield Part(ledger_part(turn.run_id))
    listed = earlier.listed if line.listed is None else line.listed
    turn.state.memory = Memory(listed=listed, suggestions=suggested, pending=pending)
    calls = [tool_of(call) for call in read.calls]
    yield StageDone(STAGE, "rules", {"kind": read.kind, "calls": calls, "refused": line.refused})


def _read(message: Utterance, briefing: Snapshot, earlier: Memory) -> Understanding:
    if (part := ticked_part(message)) is not None:
        ids = [str(item) for item in part.get("ids", ())]
        return taken(str(part.get("key", "")), ids, earlier)
    nameable = nameable_rows(briefing.owner_ids, briefing.now)
    return understand(
        message.text, now=briefing.now, briefing=nameable, earlier=earlier,
        language=language_of(get_language() or "en"),
    )  # fmt: skip


def ticked_part(message: Utterance) -> Mapping[str, Any] | None:
    """The boxes that were ticked in a list (`key`, `ids`); None for a message in words."""
    return next((part for part in message.parts if part.get("type") == "ticked"), None)


class _Line:
    """The calls of one line: changes as one round, the rest one by one, each told in `results`.

    What stands against one is told in `refused`, and the others are done all the same.
    """

    def __init__(self, working: Working, briefing: Snapshot) -> None:
        self.working, self.briefing = working, briefing
        self.results: list[str] = []
        self.refused: list[str] = []
        self.listed: list[uuid.UUID] | None = None
        self.question: Pending | None = None
        self.has_written = False

    def carry_out(self, calls: Mapping[str, Call]) -> Iterator[GuideEvent]:
        tools = {tool.name: tool for tool in self.working.toolset.tools}
        answers: dict[str, str] = {}
        errors: dict[str, str] = {}
        writing = []
        for call_id, call in calls.items():
            try:
                if tool_of(call) in WRITING:
                    writing.append((call_id, call, tools[tool_of(call)]))
                else:
                    answers[call_id] = self._act(call, call_id)
                    self.results.append(answers[call_id])
            except NotInScope:
                errors[call_id] = _("It no longer exists, so nothing was changed.")
            except (ToolRejected, FuturaError) as error:
                errors[call_id] = str(error)
        if writing:
            self.has_written = True
            answers |= {key: entry.result for key, entry in self.working.write(writing).items()}
        for written in self.working.written:
            if written.error:
                errors[written.call_id] = written.error
            else:
                today = self.briefing.today
                self.results.append(outcome(written, self.working.scope(), today))
        self.refused = list(dict.fromkeys(errors.values()))
        for call_id, call in calls.items():
            is_refused = call_id in errors
            text = errors[call_id] if is_refused else answers[call_id]
            status: Any = "failed" if is_refused else "ok"
            yield Part(tool_call(call_id, tool_of(call), json_of(call)))
            yield Part(tool_result(call_id, tool_of(call), text, status))

    def _act(self, call: BaseModel, call_id: str) -> str:
        """Reads, opens or takes back; what came of it, in words."""
        today = self.briefing.today
        match call:
            case ListTasks():
                page = call.page(self.working.scope())
                self.listed = [task.pk for task in page.tasks]
                return _listed(page, today)
            case FindProjects():
                return _projects(call.read(self.working.scope()), today)
            case StartConversation():
                return _opened(opened_once(call, self.working))
            case Undo():
                self.has_written = True
                undone = take_back(call, self.working, call_id)
                if undone.question is not None:
                    confirmed, question = Undo(confirmed=True), _("Undo it?")
                    self.question = Pending(kind="offer", calls=[confirmed], question=question)
                return undone_words(undone)
        raise TypeError(f"nothing that reads or acts: {call!r}")


def _reply(read: Understanding, snapshot: Snapshot) -> str:
    match read.kind:
        case "focus":
            return _first_today(snapshot)
        case "help":
            return str(ABILITIES)
        case "greet":
            return greeting.greet(snapshot).intro
    return read.reply


# Lists ----------------------------------------------------------------------------------------
def _listed(page: Page, today: dt.date) -> str:
    if not page.tasks:
        return _("No to-dos match.")
    lines = [
        f"{number}. {todo_facts(task, today)}" for number, task in enumerate(page.tasks, start=1)
    ]
    if page.total > len(lines):
        lines.append(_("And %(n)d more.") % {"n": page.total - len(lines)})
    heading = ngettext("%(n)d to-do:", "%(n)d to-dos:", page.total) % {"n": page.total}
    return "\n".join([heading, "", *lines])


def _projects(listed: ProjectsOut, today: dt.date) -> str:
    if not listed.projects:
        return _("No projects match.")
    lines = "\n".join(f"- {_project(project, today)}" for project in listed.projects)
    return ngettext("%(n)d project:", "%(n)d projects:", listed.total) % {
        "n": listed.total
    } + f"\n\n{lines}"  # fmt: skip


def _project(project: ProjectLine, today: dt.date) -> str:
    name = link(project.name, reverse("projects:project", args=[project.id]))
    return ", ".join([name, *project_facts(project.status, day(project.end_date, today))])


def _first_today(snapshot: Snapshot) -> str:
    """What to do first today; at most five things."""
    free = [task for task in snapshot.tasks if task.status != Task.Status.BLOCKED]
    first = snapshot.focus[:FIRST] or free[:3]
    if not first:
        return _("No to-do is available today.")
    heading = _("I suggest these for today, in this order:")
    if not snapshot.focus and not snapshot.overdue:
        heading = _("Nothing is overdue or urgent. I suggest one of these:")
    lines = [f"{n}. {todo_facts(task, snapshot.today)}" for n, task in enumerate(first, start=1)]
    return "\n".join([heading, "", *lines])


# Conversations, undo --------------------------------------------------------------------------
def _opened(opened: Opened) -> str:
    text = str(field_labels.CONVERSATION[opened.kind])
    if opened.title:
        text = f"{text}, {bold(opened.title)}"
    elif opened.kind in NOT_BEGUN:
        text = str(NOT_BEGUN[opened.kind])
    way = link(_("open"), opened.url)
    return f"{text}: {way}."
