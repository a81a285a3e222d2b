"""One message of an updating conversation: carried out by the model, or read as a command line."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from chat.assistant import provenance
from chat.assistant.delimiter import delimiter_of
from chat.assistant.provenance import carried_texts
from chat.guides import GuideEvent, Part, StageDone, StateChanged, Text, Turn, Utterance
from chat.models import Session
from chat.operations.changes import Change
from chat.operations.models import Operation
from futura.errors import FuturaError, ModelUnavailable
from projects.agent import proposals, tools
from projects.agent.closing import facts_of, told
from projects.agent.toolbox import ToolBox
from projects.agent.tooling import worked
from projects.commands.todo_changes import todo_changed
from projects.from_survey import difference_of
from projects.models import Task
from projects.modes.rows import Snapshot
from projects.modes.state import AgentState, from_words
from projects.modes.taps import Tap, taps_in
from projects.modes.update import basic, offers, prompts
from projects.modes.update.records import records_of
from projects.modes.update.state import OpenQuestion, Option, UpdateMemory

Events = Iterator[GuideEvent]


class Updating:
    """One message being answered; the state has an `update` memory besides the common fields."""

    def __init__(self, turn: Turn[Any], message: Utterance, box: ToolBox | None = None) -> None:
        self.turn = turn
        self.state: AgentState = turn.state
        self.memory: UpdateMemory = turn.state.update
        self.message = message
        self.text = message.text.strip()
        self.box = box or ToolBox.of(turn)

    def events(self) -> Events:
        """The answer."""
        if self.box.project() is None:
            yield Text(
                _("This project is not there any more. Under Changes you can bring it back.")
            )
            return
        snapshot = self.box.snapshot()
        is_answered = yield from self._taken_up(snapshot)
        if is_answered:
            yield from self._close()
        elif self.turn.llm.is_configured:
            yield from self._or_basic(snapshot)
        else:
            yield from self._basic(snapshot)

    # With a model -----------------------------------------------------------------------------
    def _or_basic(self, snapshot: Snapshot) -> Events:
        """The model, and basic mode's choices where it is away before it said or did anything."""
        has_text = False
        try:
            for event in self._with_model(snapshot):
                has_text = has_text or isinstance(event, Text)
                yield event
        except ModelUnavailable as error:
            if has_text:  # what came of the answer is kept; the run says that it broke off
                if report := told(self.box.ledger.batches):
                    yield Text(f"\n\n{report}")
                raise
            yield StageDone("agent_tools", "rules", {"fallback": True, "because": error.reason})
            if self.box.ledger.applied:  # what was done stands and is not done again
                yield from self._close()
            else:
                yield from self._basic(snapshot)

    def _with_model(self, snapshot: Snapshot) -> Events:
        delimiter = delimiter_of(self.turn)
        question = next(iter(self.memory.questions), None)
        day = self.box.today
        text = yield from worked(
            self.turn,
            self.box,
            [*tools.offered(tools.for_project(), self.box), *provenance.tool(self.turn, delimiter)],
            instructions=prompts.instructions(day.isoformat(), day.strftime("%A"), delimiter),
            state=prompts.records(
                records_of(snapshot, question), carried_texts(self.message), delimiter
            ),
            label=_("Working on it"),
            prompt_version=prompts.VERSION,
            texts=snapshot.texts,
        )
        self.memory.questions = []
        yield from self._close(has_text=bool(text.strip()))

    # Basic mode -------------------------------------------------------------------------------
    def _basic(self, snapshot: Snapshot) -> Events:
        line = basic.understood(self.text, snapshot, self.box.today)
        if line.changes:
            failure = yield from self._do(line.changes, "message")
            yield from self._close(failure)
            return
        if self.memory.questions and (line.is_unread or line.reply):
            unread = _("I did not read that as an answer, so nothing was changed.")
            yield Text(f"{unread} {self.memory.questions[0].text}")
            yield from self._buttons()
            return
        if line.reply:
            yield Text(line.reply)
        if line.is_unread:
            self.memory.unplaced = self.text
            question = basic.place_question()
            question.of_others = self.state.has_untrusted_text
            self.memory.questions = [question]
            yield Text(self.memory.questions[0].text)
            yield from self._buttons()
        elif line.taps:
            taps = [{"text": label, "say": sent, "href": ""} for label, sent in line.taps]
            yield Part({"type": "offers", "quiet": True, "kind": "near", "offers": taps})
        yield StateChanged("agent")

    # Open questions ---------------------------------------------------------------------------
    def _taken_up(self, snapshot: Snapshot) -> Generator[GuideEvent, None, bool]:
        """Whether the message is a button of what was asked last; of others' words it waits."""
        if not self.memory.questions:
            return False
        was_tainted, noted = self.state.has_untrusted_text, [*self.state.others]
        if self.memory.questions[0].of_others:
            provenance.tainted(self.turn)
        is_answered = yield from self._tapped(self.memory.questions[0], snapshot)
        if not is_answered:
            self.state.has_untrusted_text, self.state.others = was_tainted, noted
        return is_answered

    def _tapped(
        self, question: OpenQuestion, snapshot: Snapshot
    ) -> Generator[GuideEvent, None, bool]:
        taps = taps_in(self.text)
        remaining = self.memory.questions[1:]
        if Tap.NO in taps:
            self.memory.questions = remaining
            yield Text(_("All right, I leave that as it is.") + "\n\n")
            return True
        if question.kind == "share":
            is_answered = yield from self._share_given(snapshot, remaining)
            return is_answered
        if question.kind == "place":
            chosen = [one for one in question.options if one.label == self.text]
            if chosen and chosen[0].entity == "choose":
                self.memory.questions = [basic.dimension_question(), *remaining]
                return True
        else:
            chosen = question.options if Tap.YES in taps else []
        if not chosen:
            if question.kind == "place":  # another message: what was kept stays in the talk
                self.memory.questions = remaining
            return False
        self.memory.questions = remaining
        failure = yield from self._do(self._changes(chosen, snapshot), "choice")
        if failure:
            yield Text(failure + "\n\n")
        return True

    def _changes(self, chosen: Sequence[Option], snapshot: Snapshot) -> list[Change]:
        """What the buttons stand for, on the rows as they are now; rows that are gone drop out."""
        tasks = {task.pk: task for task in snapshot.tasks if isinstance(task, Task)}
        changes: list[Change] = []
        for option in chosen:
            if option.entity == "note":
                changes.append(proposals.note(snapshot, self.memory.unplaced))
            elif option.entity == "dimension":
                field = option.values["field"]
                changes.append(proposals.dimension(snapshot, field, self.memory.unplaced))
            elif option.id in tasks:
                task = tasks[option.id]
                changes.append(todo_changed(task, option.values, version=task.version))
        return changes

    def _share_given(
        self, snapshot: Snapshot, remaining: list[OpenQuestion]
    ) -> Generator[GuideEvent, None, bool]:
        """What the task of a finished project takes now; the difference is told."""
        try:
            share = offers.share_in(self.text)
        except FuturaError as error:
            yield Text(f"{error}\n\n")
            return True
        if share is None:
            return False
        self.memory.questions = remaining
        change = proposals.update(snapshot, {"time_share_after": share})
        failure = yield from self._do([change], "share")
        project = self.box.project()
        words = difference_of(project) if project else None
        yield Text(f"{failure or words or ''}\n\n".lstrip())
        return True

    # Doing and telling ------------------------------------------------------------------------
    def _do(self, changes: Sequence[Change], call_id: str) -> Generator[GuideEvent, None, str]:
        """One batch for one message; gives why it could not even be proposed."""
        try:
            if changes:
                self.box.apply(changes, title=from_words(self.text), tool_call_id=call_id)
        except FuturaError as error:
            return str(error)
        yield from self.box.ledger.parts(self.turn)
        return ""

    def _close(self, failure: str = "", *, has_text: bool = False) -> Events:
        """What the ledger shows, then what is open: an offer that follows from it, or another."""
        batches = self.box.ledger.batches
        done = facts_of(batches).done
        self._rename_talk(done)
        parts = [failure, told(batches)]
        if done and self.box.project() is not None:
            offer = offers.offered(done, self.box.snapshot())
            self.memory.questions += [offer] if offer else []
        if self.memory.questions:
            parts.append(self.memory.questions[0].text)
        if self.state.has_untrusted_text:
            for question in self.memory.questions:
                question.of_others = True
        report = "\n\n".join(filter(None, parts))
        if report:
            yield Text(f"\n\n{report}" if has_text else report)
        yield from self._buttons()
        yield StateChanged("agent")

    def _buttons(self) -> Events:
        part = offers.buttons(self.memory.questions[0]) if self.memory.questions else None
        if part is not None:
            yield Part(part)

    def _rename_talk(self, done: Sequence[Operation]) -> None:
        """A conversation that goes by its project's name goes by the new one."""
        for one in done:
            if one.entity == "project" and "name" in one.changed_fields:
                before, after = one.payload.before or {}, one.payload.after or {}
                own = Session.objects.filter(pk=self.turn.session_id, title=before.get("name"))
                own.update(title=after.get("name"))
