"""One line answered by the command line: read, carried out, told from what really came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from chat.assistant import undo
from chat.assistant.cards import ledger_part
from chat.assistant.provenance import tainted
from chat.assistant.working import Working
from chat.commands.base import NotInScope
from chat.guides import GuideEvent, Part, StageDone, StageStarted, Text, Turn, Utterance
from chat.memory.parts import tool_call, tool_result
from futura.errors import FuturaError
from futura.language.quick_add import language_of
from futura.llm.tools import ToolRejected
from projects.concierge import calls, context, greeting, lists, parts, telling
from projects.concierge.basic.lines import taken, understand
from projects.concierge.basic.shapes import Memory, Pending, Ticked, Understanding
from projects.concierge.calls import Call, json_of, tool_of
from projects.concierge.commands import StartConversation
from projects.concierge.greeting import Suggestion
from projects.concierge.lists import Listed
from projects.concierge.telling import Result
from projects.concierge.toolset import Person, opened_once, toolset
from projects.models import Task
from projects.modes.duplicates import standing

STAGE: Final = "concierge_rules"
_READING: Final = (calls.ListTasks, calls.FindProjects, StartConversation, undo.Undo)


def answer(turn: Turn[Any], message: Utterance, person: Person) -> Iterator[GuideEvent]:
    """What the command line makes of a message."""
    yield StageStarted(STAGE, _("Looking into it"))
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
        suggestions = greeting.suggest(person.briefing)
    yield Text(_text(read, person, line))
    if pending is not None:
        pending = pending.model_copy(update={"key": key})
        yield parts.asked(pending)
    yield from parts.opened(working.acts)
    if suggestions:
        yield parts.suggested(suggestions, "greeting" if read.kind == "greet" else "near")
    if line.has_written:
        yield Part(ledger_part(turn.run_id))
    earlier: Memory = turn.state.memory
    stored = earlier.suggestions
    if suggestions:  # words that others may have put there are stored for no later prompt
        taps = [one.say or one.text for one in suggestions]
        stored = [] if turn.state.has_untrusted_text else taps
    listed = [[task.pk for task in one.tasks] for one in line.results if isinstance(one, Listed)]
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
    now = person.briefing.now
    return understand(
        message.text, now=now, briefing=context.known_to(person.owner_ids, now), earlier=memory,
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
        self.results: list[Result] = []
        self.refused: list[str] = []
        self.question: Pending | None = None
        self.has_written = False

    def carry_out(self, requested: Sequence[Call]) -> Iterator[GuideEvent]:
        """Does them; what stands against one is told, and the others are done all the same."""
        named = {f"{self.prefix}-{n}": call for n, call in enumerate(requested, start=1)}
        tools = {tool.name: tool for tool in self.working.toolset.tools}
        outcomes: dict[str, tuple[str, bool]] = {}
        writing = []
        for call_id, call in named.items():
            if isinstance(call, _READING):
                outcomes[call_id] = self._act(call, call_id)
            elif why := self._double(call):
                outcomes[call_id] = self._refuse(why)
            else:
                writing.append((call_id, call, tools[tool_of(call)]))
        if writing:
            self.has_written = True
            answered = self.working.write(writing)
            outcomes |= {key: (one.result, True) for key, one in answered.items()}
            order = list(named)
            for written in sorted(self.working.written, key=lambda one: order.index(one.call_id)):
                if written.error:
                    outcomes[written.call_id] = self._refuse(written.error)
                else:
                    self.results.append(written)
        for call_id, call in named.items():
            text, is_ok = outcomes[call_id]
            yield Part(tool_call(call_id, tool_of(call), json_of(call)))
            yield Part(tool_result(call_id, tool_of(call), text, "ok" if is_ok else "failed"))

    def _act(self, call: Any, call_id: str) -> tuple[str, bool]:
        person, working = self.person, self.working
        today = person.briefing.today
        try:
            result: Result
            match call:
                case calls.ListTasks():
                    result = lists.tasks(call, person.owner_ids, today)
                case calls.FindProjects():
                    result = lists.projects(call, person.owner_ids)
                case StartConversation():
                    result = opened_once(call, working)
                case _:
                    self.has_written = True
                    result = undo.take_back(call, working, call_id)
                    if result.question is not None:
                        agreed = [undo.Undo(confirmed=True)]
                        asked = _("Shall I take it back?")
                        self.question = Pending(kind="offer", calls=agreed, question=asked)
        except NotInScope:
            return self._refuse(_("It is not there any more, so nothing was changed."))
        except (ToolRejected, FuturaError) as error:
            return self._refuse(str(error))
        self.results.append(result)
        return telling.sentence(result, today), True

    def _refuse(self, why: str) -> tuple[str, bool]:
        self.refused.append(why)
        return why, False

    def _double(self, call: Call) -> str:
        """Why a to-do is not made again: it is on the list. Empty for everything else."""
        if not isinstance(call, calls.CreateTask):
            return ""
        own = Task.objects.filter(owner_id__in=self.person.owner_ids, deleted_at=None)
        place = {"project_id": call.project} if call.project else {"project": None}
        row = standing(call.title, own.filter(**place))
        words = _("%(name)s is on your list already, so I did not add it again.")
        return words % {"name": telling.bold(row.title)} if row else ""


def _text(read: Understanding, person: Person, line: _Line) -> str:
    briefing = person.briefing
    reply = read.reply
    if read.kind == "focus":
        reply = telling.first_today(briefing)
    elif read.kind == "help":
        reply = telling.abilities()
    elif read.kind == "greet":
        reply = greeting.greet(briefing).intro
    texts = [telling.sentences(line.results, briefing.today), *dict.fromkeys(line.refused), reply]
    return "\n\n".join(text for text in (*texts, read.question) if text)
