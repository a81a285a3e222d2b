"""One message of an updating conversation: what changed is found, done or proposed, and told."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from chat.guides import GuideEvent, StageDone, StageStarted, StateChanged, Text, Turn, Utterance
from chat.models import Session
from chat.operations.models import Operation
from futura.errors import FuturaError, ModelUnavailable
from futura.text import stems, words
from projects.agent import others, tools
from projects.agent.closing import facts_of, told
from projects.agent.create.questions import varied
from projects.agent.fencing import carried_texts, fence_of
from projects.agent.others import tainted
from projects.agent.state import AgentState, from_words
from projects.agent.toolbox import Picture, ToolBox
from projects.agent.tooling import worked
from projects.agent.update import consequences, prompts
from projects.agent.update.already import without_standing
from projects.agent.update.proposing import changes_of, known_of, option_of, proposed_of
from projects.agent.update.records import records_of
from projects.agent.update.state import OpenQuestion, Option, UpdateMemory
from projects.agent.update.words import MORE, closing_line, nothing_found, offered_replies
from projects.from_survey import difference_of
from projects.language import amendments, answers, replies
from projects.language.changes import Ambiguity, ProposedChange, find_changes
from projects.language.changes.moving import moved_by_answer

Events = Iterator[GuideEvent]
_FILL = frozenset("the a one task to-do on with in of about for to and please".split())
_ORDINALS = {
    "first": 0, "1": 0, "one": 0, "former": 0, "second": 1, "2": 1, "two": 1, "latter": 1,
    "third": 2, "3": 2, "three": 2, "fourth": 3, "4": 3, "four": 3,
}  # fmt: skip


class Updating:
    """One message being answered; the state has an `update` memory besides the common fields."""

    def __init__(self, turn: Turn[Any], message: Utterance, box: ToolBox | None = None) -> None:
        self.turn = turn
        self.state: AgentState = turn.state
        self.memory: UpdateMemory = turn.state.update
        self.message = message
        self.text = message.text.strip()
        self.box = box or ToolBox.of(turn)
        self.seed = f"{turn.session_id}:{turn.state.turns}"

    def events(self) -> Events:
        """The answer."""
        if self.box.project() is None:
            yield Text(
                _("This project is not there any more. Under Changes you can bring it back.")
            )
            return
        picture = self.box.picture()
        is_answered = yield from self._taken_up(picture)
        if is_answered:
            yield from self._close()
            return
        if self.turn.llm.is_configured:
            has_said = False
            try:
                for event in self._with_model(picture):
                    has_said = has_said or isinstance(event, Text)
                    yield event
            except ModelUnavailable as error:
                if has_said:  # what came of the answer is kept; the run says that it broke off
                    yield from self._reported()
                    raise
                if self.box.ledger.applied:  # what was done stands; the rules do not do it again
                    detail = {"fallback": True, "because": error.reason}
                    yield StageDone("agent_tools", "rules", detail)
                    yield from self._close()
                    return
                yield StageDone("agent_tools", "rules", {"fallback": True, "because": error.reason})
                yield from self._by_rules(picture)
            return
        yield from self._by_rules(picture)

    # Understanding ----------------------------------------------------------------------------
    def _with_model(self, picture: Picture) -> Events:
        fence = fence_of(self.turn)
        files = carried_texts(self.message)
        said = yield from worked(
            self.turn,
            self.box,
            [*tools.offered(tools.for_project(), self.box), *others.tool(self.turn, fence)],
            instructions=prompts.instructions(
                self.box.today.isoformat(), self.box.today.strftime("%A"), fence
            ),
            state=prompts.records(records_of(picture), files, fence),
            label=_("Working on it"),
            prompt_version=prompts.VERSION,
            texts=picture.texts,
        )
        yield from self._close(said, is_told=True)

    def _by_rules(self, picture: Picture) -> Events:
        yield StageStarted("change_reading", _("Looking for what changed"))
        found = find_changes(self.text, known_of(picture), self.box.today)
        definite, unclear = _sorted(found)
        amended = self._amended(picture)
        if amended is not None and all(one.kind in {"dimension", "note"} for one in definite):
            definite = [amended]
        yield StageDone(
            "change_reading", "rules", {"found": len(definite), "unclear": len(unclear)}
        )
        if not definite and not unclear:
            yield from self._nothing_read(picture)
            return
        self.memory.questions = [_question(one) for one in unclear]
        fresh, standing = without_standing(definite, picture)
        failure = yield from self._do(fresh, picture, "message")
        yield from self._close(" ".join(filter(None, [*standing, failure])))

    def _nothing_read(self, picture: Picture) -> Events:
        """What was asked stays open, and is put again with its buttons."""
        if not self.memory.questions or answers.is_closing(self.text):
            self.memory.questions = []
            yield Text(nothing_found(self.text, picture, self.seed))
            return
        question = self.memory.questions[0]
        unread = _("I did not read that as an answer, so nothing was changed.")
        yield Text(f"{unread} {question.text}")
        yield from offered_replies(question)
        yield StateChanged("agent")

    def _amended(self, picture: Picture) -> ProposedChange | None:
        if not amendments.is_correction(self.text):
            return None
        texts = {name: picture.dimension(name) for name in picture.covered}
        found = amendments.amendment(self.text, texts)
        if found is None:
            return None
        values = {"field": found.field, "text": found.text, "merge": "replace"}
        return ProposedChange("dimension", values, said=self.text)

    # Open questions ---------------------------------------------------------------------------
    def _taken_up(self, picture: Picture) -> Generator[GuideEvent, None, bool]:
        """As `_open_question`; the answer to what came from others' words waits as they did."""
        was_tainted, noted = self.state.has_untrusted_text, [*self.state.others]
        if self.memory.questions and self.memory.questions[0].of_others:
            tainted(self.turn)
        is_answered = yield from self._open_question(picture)
        if not is_answered:
            self.state.has_untrusted_text, self.state.others = was_tainted, noted
        return is_answered

    def _open_question(self, picture: Picture) -> Generator[GuideEvent, None, bool]:
        """Takes an answer to what was asked last; False when the message is about other things.

        With a model only an exact yes or no is one: all else is the model's to understand.
        """
        if not self.memory.questions:
            return False
        question = self.memory.questions[0]
        if replies.is_no(self.text):
            self.memory.questions = self.memory.questions[1:]
            yield Text(_("All right, I leave that as it is.") + "\n\n")
            return True
        if question.kind == "share":
            is_answered = yield from self._share_given(picture)
            return is_answered
        is_offer = question.kind == "shift" or len(question.options) == 1
        chosen = question.options if is_offer and replies.is_yes(self.text) else []
        if not chosen and self.turn.llm.is_configured:
            self.memory.questions = []
            return False
        if question.kind == "day":
            is_answered = yield from self._day_given(question, picture)
            return is_answered
        if question.kind == "choose":
            chosen = chosen or choice_in(self.text, question.options)
        if not chosen:
            return False
        self.memory.questions = self.memory.questions[1:]
        failure = yield from self._do([proposed_of(one) for one in chosen], picture, "choice")
        if failure:
            yield Text(failure + "\n\n")
        return True

    def _day_given(
        self, question: OpenQuestion, picture: Picture
    ) -> Generator[GuideEvent, None, bool]:
        """“Two weeks later”, “end of May”: the wish that lacked it is whole now."""
        whole = moved_by_answer(question.moves, self.text)
        definite, unclear = _sorted(find_changes(whole, known_of(picture), self.box.today))
        if not definite and not unclear:
            return False
        self.memory.questions = [*map(_question, unclear), *self.memory.questions[1:]]
        failure = yield from self._do(definite, picture, "day")
        if failure:
            yield Text(failure + "\n\n")
        return True

    def _share_given(self, picture: Picture) -> Generator[GuideEvent, None, bool]:
        """What the task of a finished project takes now; the difference is told."""
        try:
            share = consequences.share_in(self.text)
        except FuturaError as error:
            yield Text(f"{error}\n\n")
            return True
        self.memory.questions = self.memory.questions[1:]
        if share is None:
            return False
        told = ProposedChange("project", {"time_share_after": share})
        failure = yield from self._do([told], picture, "share")
        project = self.box.project()
        words = difference_of(project) if project else None
        yield Text(f"{failure or words or ''}\n\n".lstrip())
        return True

    # Doing and telling ------------------------------------------------------------------------
    def _do(
        self, found: Sequence[ProposedChange], picture: Picture, call_id: str
    ) -> Generator[GuideEvent, None, str]:
        """One batch for one message; gives why it could not even be proposed."""
        if not found:
            return ""
        try:
            made = changes_of(found, picture)
            if made:
                self.box.apply(
                    made,
                    title=from_words(self.text),
                    tool_call_id=call_id,
                    again=lambda: changes_of(found, self.box.picture()),
                )
        except FuturaError as error:
            return str(error)
        yield from self.box.ledger.parts(self.turn)
        return ""

    def _close(self, said: str = "", *, is_told: bool = False) -> Events:
        """What the ledger shows, then a question: an open one, a consequence, or “what else?”."""
        batches = self.box.ledger.batches
        facts = facts_of(batches)
        self._rename_talk(facts.done)
        report = told(batches)
        if said and not is_told:
            yield Text(said)
        if report:
            yield Text(f"\n\n{report}" if said.strip() else report)
        offer = self._consequence(facts.done)
        if offer is not None:
            self.memory.questions.append(offer)
        for one in self.memory.questions if self.state.has_untrusted_text else ():
            one.of_others = True
        question = self.memory.questions[0].text if self.memory.questions else ""
        last = question or (closing_line(self.seed) if report else "")
        if last and not (said.rstrip().endswith("?") and not question):
            yield Text(f"\n\n{last}" if report or said else last)
        elif not report and not said:
            yield Text(varied(MORE, self.seed))
        if self.memory.questions:
            yield from offered_replies(self.memory.questions[0])
        yield StateChanged("agent")

    def _reported(self) -> Events:
        """What the ledger shows of an answer that broke off."""
        if report := told(self.box.ledger.batches):
            yield Text(f"\n\n{report}")

    def _rename_talk(self, done: Sequence[Operation]) -> None:
        """A conversation that goes by its project's name goes by the new one."""
        for one in done:
            if one.entity == "project" and "name" in one.changed_fields:
                before, after = one.payload.before or {}, one.payload.after or {}
                own = Session.objects.filter(pk=self.turn.session_id, title=before.get("name"))
                own.update(title=after.get("name"))

    def _consequence(self, done: Sequence[Operation]) -> OpenQuestion | None:
        if not done or self.box.project() is None:
            return None
        return consequences.offered(done, self.box.picture())


def _sorted(
    found: Sequence[ProposedChange | Ambiguity],
) -> tuple[list[ProposedChange], list[Ambiguity]]:
    definite = [one for one in found if isinstance(one, ProposedChange)]
    return definite, [one for one in found if isinstance(one, Ambiguity)]


def _question(one: Ambiguity) -> OpenQuestion:
    if one.moves:
        return OpenQuestion(kind="day", text=one.question, moves=one.moves)
    ways = [option_of(way) for way in one.options]
    return OpenQuestion(kind="choose", text=one.question, options=ways)


def choice_in(text: str, options: Sequence[Option]) -> list[Option]:
    """Which of several ways an answer means, when it says nothing else; all for “both” or “all”."""
    if replies.is_all(text):
        return list(options)
    plain = " ".join(re.findall(r"\w+", text.lower()))
    number = _ORDINALS.get(re.sub(r"^(?:the|number) | one$", "", plain))
    if number is not None:
        return [options[number]] if number < len(options) else []
    named = set(stems([one for one in words(text) if one not in _FILL]))
    fits = [one for one in options if named and named <= set(stems(words(one.label)))]
    return fits if len(fits) == 1 else []
