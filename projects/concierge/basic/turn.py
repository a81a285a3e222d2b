"""One line answered by the command line: read, carried out, told from what really came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.utils.translation import get_language
from django.utils.translation import gettext as _
from pydantic import BaseModel

from chat.assistant import undo
from chat.assistant.cards import ledger_part
from chat.assistant.provenance import tainted
from chat.assistant.working import Working
from chat.commands.base import Command, NotInScope
from chat.guides import GuideEvent, Part, StageDone, StageStarted, Text, Turn, Utterance
from chat.memory.shapes import tool_call, tool_result
from futura.errors import FuturaError
from futura.language.quick_add import language_of
from futura.llm.tools import ToolRejected
from projects.concierge import greeting, presenter, snapshot
from projects.concierge.basic import outcomes
from projects.concierge.basic.lines import taken, understand
from projects.concierge.basic.shapes import Memory, Pending, Ticked, Understanding
from projects.concierge.commands import StartConversation
from projects.concierge.greeting import Suggestion
from projects.concierge.tools import Call, CreateTask, FindProjects, ListTasks, json_of, tool_of
from projects.concierge.toolset import Person, opened_once, toolset
from projects.models import Task
from projects.modes.rows import standing
from projects.todos.queries import Page

STAGE: Final = "concierge_rules"


def answer(turn: Turn[Any], message: Utterance, person: Person) -> Iterator[GuideEvent]:
    """What the command line makes of a message."""
    yield StageStarted(STAGE, _("Working on it"))
    read = _read(turn, message, person)
    if read.is_answer and turn.state.is_pending_of_others:
        tainted(turn)
    is_confirmed = read.is_picked and not turn.state.has_untrusted_text
    working = Working(turn, toolset(person, has_model=False), is_confirmed=is_confirmed)
    key = turn.run_id.hex[:12]
    line = _Line(working, person, key)
    yield from line.carry_out(read.calls)
    pending = line.question or read.pending
    suggestions = [Suggestion(one, say=one) for one in read.did_you_mean]
    if read.kind == "greet":
        suggestions = greeting.suggest(person.snapshot)
    yield Text(_text(read, person, line))
    if pending is not None:
        pending = pending.model_copy(update={"key": key})
        yield presenter.asked(pending)
    yield from presenter.opened(working.acts)
    if suggestions:
        yield presenter.suggested(suggestions, "greeting" if read.kind == "greet" else "near")
    if line.has_written:
        yield Part(ledger_part(turn.run_id))
    earlier: Memory = turn.state.memory
    stored = earlier.suggestions
    if suggestions:  # words that others may have put there are stored for no later prompt
        taps = [one.say or one.text for one in suggestions]
        stored = [] if turn.state.has_untrusted_text else taps
    listed = [[task.pk for task in one.tasks] for one in line.results if isinstance(one, Page)]
    turn.state.memory = Memory(
        listed=listed[-1] if listed else earlier.listed, suggestions=stored, pending=pending
    )
    detail = {"kind": read.kind, "calls": [tool_of(one) for one in read.calls],
              "refused": line.refused}  # fmt: skip
    yield StageDone(STAGE, "rules", detail)


def _read(turn: Turn[Any], message: Utterance, person: Person) -> Understanding:
    memory = turn.state.memory
    if (ticks := _ticks(message)) is not None:
        return taken(ticks, memory)
    now = person.snapshot.now
    return understand(
        message.text, now=now, briefing=snapshot.known_to(person.owner_ids, now), earlier=memory,
        language=language_of(get_language() or "en"),
    )  # fmt: skip


def is_ticked(message: Utterance) -> bool:
    """Whether a message is boxes ticked in a list that the command line showed."""
    return _ticks(message) is not None


def _ticks(message: Utterance) -> Ticked | None:
    """What was ticked in a list, by which list; None for a message in words."""
    for part in message.parts:
        if part.get("type") == "ticked":
            return Ticked(str(part.get("key", "")), [str(one) for one in part.get("ids", ())])
    return None


class _Line:
    """The calls of one line: changes as one round, the rest one by one, told in their order."""

    def __init__(self, working: Working, person: Person, prefix: str) -> None:
        self.working = working
        self.person = person
        self.prefix = prefix
        self.results: list[outcomes.Result] = []
        self.refused: list[str] = []
        self.question: Pending | None = None
        self.has_written = False

    def carry_out(self, requested: Sequence[Call]) -> Iterator[GuideEvent]:
        """Does them; what stands against one is told, and the others are done all the same."""
        named = {f"{self.prefix}-{n}": call for n, call in enumerate(requested, start=1)}
        tools = {tool.name: tool for tool in self.working.toolset.tools}
        answers: dict[str, tuple[str, bool]] = {}
        writing = []
        for call_id, call in named.items():
            if (
                not isinstance(call, Command)
                or not call.writes
                or isinstance(call, StartConversation)
            ):
                answers[call_id] = self._act(call, call_id)
            elif why := self._double(call):
                answers[call_id] = self._refuse(why)
            else:
                writing.append((call_id, call, tools[tool_of(call)]))
        if writing:
            self.has_written = True
            answered = self.working.write(writing)
            answers |= {key: (one.result, True) for key, one in answered.items()}
            order = list(named)
            for written in sorted(self.working.written, key=lambda one: order.index(one.call_id)):
                if written.error:
                    answers[written.call_id] = self._refuse(written.error)
                else:
                    self.results.append(written)
        for call_id, call in named.items():
            text, is_ok = answers[call_id]
            yield Part(tool_call(call_id, tool_of(call), json_of(call)))
            yield Part(tool_result(call_id, tool_of(call), text, "ok" if is_ok else "failed"))

    def _act(self, call: BaseModel, call_id: str) -> tuple[str, bool]:
        try:
            result = self._result(call, call_id)
        except NotInScope:
            return self._refuse(_("It no longer exists, so nothing was changed."))
        except (ToolRejected, FuturaError) as error:
            return self._refuse(str(error))
        self.results.append(result)
        return outcomes.sentence(result, self.person.scope(), self.person.snapshot.today), True

    def _result(self, call: BaseModel, call_id: str) -> outcomes.Result:
        person = self.person
        match call:
            case ListTasks():
                return call.page(person.owner_ids, person.snapshot.today)
            case FindProjects():
                return call.read(person.scope())
            case StartConversation():
                return opened_once(call, self.working)
            case undo.Undo():
                self.has_written = True
                undone = undo.take_back(call, self.working, call_id)
                if undone.question is not None:
                    agreed = [undo.Undo(confirmed=True)]
                    question = _("Undo it?")
                    self.question = Pending(kind="offer", calls=agreed, question=question)
                return undone
        raise TypeError(f"nothing that reads or acts: {call!r}")

    def _refuse(self, why: str) -> tuple[str, bool]:
        self.refused.append(why)
        return why, False

    def _double(self, call: Call) -> str:
        """Why a to-do is not made again: it is on the list. Empty for everything else."""
        if not isinstance(call, CreateTask):
            return ""
        own = Task.objects.filter(owner_id__in=self.person.owner_ids, deleted_at=None)
        row = standing(call.title, own.filter(project=call.project))
        words = _("%(name)s is on your list already, so I did not add it again.")
        return words % {"name": outcomes.bold(row.title)} if row else ""


def _text(read: Understanding, person: Person, line: _Line) -> str:
    reply = read.reply
    if read.kind == "focus":
        reply = outcomes.first_today(person.snapshot)
    elif read.kind == "help":
        reply = outcomes.abilities()
    elif read.kind == "greet":
        reply = greeting.greet(person.snapshot).intro
    results = outcomes.sentences(line.results, person.scope(), person.snapshot.today)
    texts = [results, *dict.fromkeys(line.refused), reply, read.question]
    return "\n\n".join(text for text in texts if text)
