"""One line answered by the command line: read, carried out, told from what really came of it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from chat.assistant import undo
from chat.assistant.cards import ledger_part
from chat.assistant.provenance import tainted
from chat.assistant.working import Working, Written
from chat.commands.base import NotInScope
from chat.guides import GuideEvent, Part, StageDone, StageStarted, Text, Turn, Utterance
from chat.memory.parts import tool_call, tool_result
from futura.errors import FuturaError
from futura.language.quick_add import language_of
from futura.llm.tools import ToolRejected
from projects.concierge import calls, context, focus, greeting, handover, lists, parts, telling
from projects.concierge.basic.lines import taken, understand
from projects.concierge.basic.shapes import Pending, Ticked, Understanding
from projects.concierge.calls import Call, json_of
from projects.concierge.greeting import Suggestion
from projects.concierge.results import Listed
from projects.concierge.telling import Outcome
from projects.concierge.toolset import Person, asked_undo, command_of, toolset
from projects.models import Project, Task
from projects.modes.duplicates import AlreadyThere, without_doubles

STAGE: Final = "concierge_rules"


def answer(turn: Turn[Any], message: Utterance, person: Person) -> Iterator[GuideEvent]:
    """What the command line makes of a message."""
    yield StageStarted(STAGE, _("Looking into it"))
    briefing = person.briefing
    known = context.known_to(person.owner_ids, briefing.now)
    memory = turn.state.memory
    ticks = _ticks(message)
    read = (
        understand(
            message.text, now=briefing.now, briefing=known, earlier=memory,
            language=language_of(get_language() or "en"),
        )
        if ticks is None
        else taken(ticks, memory)
    )  # fmt: skip
    if read.is_answer and turn.state.is_pending_of_others:
        tainted(turn)
    is_confirmed = read.is_picked and not turn.state.has_untrusted_text
    working = Working(turn, toolset(person, has_model=False), is_confirmed=is_confirmed)
    line = _Line(working, person, turn.run_id.hex[:12])
    yield from line.carry_out(read.calls)
    if line.question is not None:
        read = replace(read, pending=line.question)
    suggestions = _suggestions(read, person)
    yield Text(_text(read, person, line))
    if read.pending is not None:
        pending = read.pending.model_copy(update={"key": turn.run_id.hex[:12]})
        read = replace(read, pending=pending)
        if part := parts.asked(pending):
            yield part
    yield from parts.opened(working.acts)
    if suggestions:
        yield parts.suggested(suggestions, "greeting" if read.kind == "greet" else "near")
    if line.has_written:
        yield Part(ledger_part(turn.run_id))
    # words that others may have put there are shown to tap, and kept for no later prompt
    stored = () if turn.state.has_untrusted_text else suggestions
    turn.state.memory = memory.after(read, **_remembered(line, stored, read.named))
    detail = {"kind": read.kind, "calls": [one.tool for one in read.calls],
              "refused": line.refused}  # fmt: skip
    yield StageDone(STAGE, "rules", detail)


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
        self.outcomes: list[Outcome] = []
        self.refused: list[str] = []
        self.question: Pending | None = None
        self.has_written = False

    def carry_out(self, wanted: Sequence[Call]) -> Iterator[GuideEvent]:
        """Does them; what stands against one is told, and the others are done all the same."""
        named = [(f"{self.prefix}-{n}", call) for n, call in enumerate(wanted, start=1)]
        tools = {tool.name: tool for tool in self.working.toolset.tools}
        reading = (calls.ListTasks, calls.FindProjects, calls.StartConversation, calls.Undo)
        results: dict[str, tuple[str, bool]] = {}
        writing = []
        for call_id, call in named:
            if isinstance(call, reading):
                results[call_id] = self._act(call, call_id)
            elif why := self._double(call):
                results[call_id] = why, False
            else:
                writing.append((call_id, call, tools[call.tool]))
        if writing:
            self.has_written = True
            answered = self.working.write(writing)
            results |= {key: (one.result, True) for key, one in answered.items()}
            order = [call_id for call_id, _call, _tool in writing]
            for done in sorted(self.working.written, key=lambda one: order.index(one.call_id)):
                results[done.call_id] = answered[done.call_id].result, not done.error
                self._written(done)
        for call_id, call in named:
            text, is_ok = results[call_id]
            yield Part(tool_call(call_id, call.tool, json_of(call)))
            yield Part(tool_result(call_id, call.tool, text, "ok" if is_ok else "failed"))

    def _written(self, done: Written) -> None:
        if done.error:
            self.refused.append(done.error)
        else:
            self.outcomes.append(done)

    def _act(self, call: Any, call_id: str) -> tuple[str, bool]:
        person, working = self.person, self.working
        try:
            outcome: Outcome
            match call:
                case calls.ListTasks():
                    outcome = lists.tasks(call, person.owner_ids, person.briefing.today)
                case calls.FindProjects():
                    outcome = lists.projects(call, person.owner_ids)
                case calls.StartConversation():
                    outcome = handover.over(call, person.participant, person.briefing, working)
                case _:
                    self.has_written = True
                    outcome = undo.take_back(asked_undo(call), working, call_id)
                    if outcome.question is not None:
                        agreed = calls.Undo(confirmed=True)
                        asked = _("Shall I take it back?")
                        self.question = Pending(kind="offer", calls=[agreed], question=asked)
        except NotInScope:
            return self._refused(_("It is not there any more, so nothing was changed."))
        except (ToolRejected, FuturaError) as error:
            return self._refused(str(error))
        self.outcomes.append(outcome)
        return telling.sentence(outcome, person.briefing.today), True

    def _refused(self, why: str) -> tuple[str, bool]:
        self.refused.append(why)
        return why, False

    def _double(self, call: Call) -> str:
        """Why a to-do is not made again: it is on the list. Empty for everything else."""
        if not isinstance(call, calls.CreateTask):
            return ""
        scope = self.person.scope()
        try:
            planned = command_of(call).plan(scope)
            without_doubles(planned, owner_id=scope.actor.owner_id)
        except AlreadyThere as error:
            row = Task.objects.filter(pk=error.row_id).first() if error.row_id else None
            name = telling.bold(row.title if row else call.title)
            told = _("%(name)s is on your list already, so I did not add it again.")
            return self._refused(told % {"name": name})[0]
        except FuturaError:
            return ""  # the round tells what stands against it
        return ""


def _text(read: Understanding, person: Person, line: _Line) -> str:
    texts = [telling.sentences(line.outcomes, person.briefing.today), *dict.fromkeys(line.refused)]
    if read.kind == "focus":
        texts.append(focus.told(person.briefing))
    elif read.kind == "help":
        texts.append(read.reply or focus.abilities())
    elif read.kind == "greet":
        texts.append(greeting.greet(person.briefing).intro)
    else:
        texts.append(read.reply)
    texts.append(read.question)
    return "\n\n".join(text for text in texts if text) or _beyond(read)


def _beyond(found: Understanding) -> str:
    sorry = _("I did not find anything in that which I can do without a language model.")
    if found.did_you_mean:
        return f"{sorry} {_('Did you mean one of these?')}"
    return f"{sorry}\n\n{focus.abilities()}"


def _suggestions(read: Understanding, person: Person) -> list[Suggestion]:
    if read.kind == "greet":
        return greeting.suggest(person.briefing)
    return [Suggestion(one, say=one) for one in read.did_you_mean]


def _remembered(
    line: _Line, suggestions: Sequence[Suggestion], named: Sequence[uuid.UUID]
) -> dict[str, Any]:
    """What a turn leaves for the next line to refer to."""
    rows = [telling.row_of(one) for one in line.outcomes if isinstance(one, Written)]
    touched = [*named, *(row.pk for row in rows if isinstance(row, Task))]
    listed = [one for one in line.outcomes if isinstance(one, Listed)]
    if listed and len(listed[-1].tasks) == 1:
        touched.append(listed[-1].tasks[0].id)
    projects = [
        row.pk if isinstance(row, Project) else row.project_id for row in rows if row is not None
    ]
    return {
        "touched": list(dict.fromkeys(touched)),
        "listed": [one.id for one in listed[-1].tasks] if listed else None,
        "suggestions": [one.say or one.text for one in suggestions] if suggestions else None,
        "project": next((one for one in reversed(projects) if one), None),
    }
