"""A conversation about an entry without a model: questions, answers kept word for word, buttons."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from chat.assistant import undo
from chat.assistant.cards import ledger_part
from chat.assistant.toolset import Toolset, Writing
from chat.assistant.working import Working
from chat.commands.base import Command, build
from chat.guides import GuideEvent, Part, StageDone, StageStarted, Text, Turn, Utterance
from futura.errors import FuturaError
from futura.llm.tools import ToolRejected
from projects.portfolio.builder import calls
from projects.portfolio.builder.context import EntryContext
from projects.portfolio.builder.state import BuilderState
from projects.portfolio.builder.toolset import images_part
from projects.portfolio.builder.waiting import draft_command, drop_draft, note_drafts
from projects.portfolio.commands.story import TellEntry, section_text
from projects.portfolio.entries.publishing import check
from projects.portfolio.models import Entry

STAGE: Final = "portfolio_builder_rules"
# Short replies, known only as whole messages; the interface's languages translate them.
REPLIES: Final[Mapping[str, tuple[str, ...]]] = {
    "yes": (gettext_noop("yes"), gettext_noop("use it"), gettext_noop("Yes, use it.")),
    "no": (gettext_noop("no"), gettext_noop("No, leave it as it is.")),
    "skip": (gettext_noop("skip"), gettext_noop("later"), gettext_noop("Skip this question.")),
    "stop": (gettext_noop("stop"), gettext_noop("no more questions")),
    "more": (gettext_noop("Ask me more."),),
    "undo": (gettext_noop("undo"), gettext_noop("Undo that.")),
    "check": (gettext_noop("check"), gettext_noop("What is missing?")),
    "pictures": (gettext_noop("pictures"), gettext_noop("I want to add pictures.")),
}


@dataclass(frozen=True)
class Question:
    """What is asked; the answer goes to a section of the story or to a field of `chars`."""

    question: str
    section: str = ""
    field: str = ""
    chars: int = 10_000


@cache
def questions() -> Mapping[str, Question]:
    """The table, in order."""
    table = tomllib.loads(files(__package__).joinpath("questions.toml").read_text("utf-8"))
    return {name: Question(**row) for name, row in table.items()}


def next_question(entry: Entry, state: BuilderState) -> str:
    """Puts the next question that the entry has no answer to; empty when none is left or wanted."""
    state.open = ""
    if state.is_quiet:
        return ""
    for name, one in questions().items():
        value = (
            section_text(entry.blocks, one.section) if one.section else getattr(entry, one.field)
        )
        if name not in state.passed and not value:
            state.open = name
            return _(one.question)
    return ""


def keep_label(name: str) -> str:
    """What a button says that keeps a text under a question."""
    return _("Keep it under: %(question)s") % {"question": _(questions()[name].question)}


def answer(
    turn: Turn[BuilderState], message: Utterance, context: EntryContext
) -> Iterator[GuideEvent]:
    """The answer to a message."""
    yield StageStarted(STAGE, _("Reading"))
    talk = _Talk(turn, context)
    yield from talk.answer(message.text.strip())
    yield StageDone(STAGE, "rules", {})
    yield Part(ledger_part(turn.run_id))


class _Talk:
    """One message being answered."""

    def __init__(self, turn: Turn[BuilderState], context: EntryContext) -> None:
        self.turn, self.state, self.context = turn, turn.state, context
        self.working = Working(turn, Toolset((), context.scope))

    def answer(self, text: str) -> Iterator[GuideEvent]:
        state = self.state
        place = next((name for name in questions() if text == keep_label(name)), "")
        reply = reply_in(text)
        if place and state.unplaced:
            yield from self._store(place, state.unplaced)
        elif reply:
            yield from self._replied(reply)
        elif state.open:
            yield from self._store(state.open, text)
        else:
            state.unplaced = text
            yield Text(_("I keep this here, and nothing is changed yet. Where does it belong?"))
            labels = [keep_label(name) for name in questions()]
            yield Part({"type": "clarify", "quiet": True, "question": "", "alternatives": labels})

    def _store(self, name: str, text: str) -> Iterator[GuideEvent]:
        """Word for word, then the next question."""
        one = questions()[name]
        if len(text) > one.chars:
            yield Text(_("At most %(n)d characters fit here. Say it shorter.") % {"n": one.chars})
            return
        values: dict[str, Any] = {"id": self.context.entry.pk}
        if one.section:
            values["story"] = [{"section": one.section, "text": text}]
        else:
            values[one.field] = text
        if problem := self._write(build(TellEntry, values)):
            yield Text(problem)
            return
        self.state.told[name] = text
        self.state.passed.append(name)
        self.state.unplaced = ""
        is_waiting = self.working.written[-1].is_waiting
        done = _("It waits for your review.") if is_waiting else _("Written down, word for word.")
        yield Text(self._next(done))

    def _write(self, command: Command) -> str:
        """Through the policy to the ledger; why not, where it was refused."""
        tool = Writing("answer", "", calls.Nothing, lambda _given, _working: command)
        self.working.write([(f"basic-{self.turn.run_id}", calls.Nothing(), tool)])
        note_drafts(self.working)
        return self.working.written[-1].error

    def _next(self, head: str) -> str:
        question = next_question(self.context.fresh_entry(), self.state)
        return "\n\n".join(filter(None, [head, question or self._end()]))

    def _end(self) -> str:
        if self.state.is_quiet:
            return ""
        return _("That is all I ask. Details, pictures and publishing have pages of their own.")

    def _replied(self, reply: str) -> Iterator[GuideEvent]:
        state = self.state
        if reply == "skip":
            state.passed.append(state.open)
            yield Text(self._next(_("All right.")))
        elif reply == "stop":
            state.is_quiet, state.open = True, ""
            yield Text(_("Good, no more questions."))
        elif reply == "more":
            state.is_quiet, state.passed = False, []
            yield Text(self._next(""))
        elif reply == "check":
            yield Text(checklist(self.context.fresh_entry()))
        elif reply == "pictures":
            yield Part(images_part(self.context))
            yield Text(_("Add your pictures here."))
        else:
            yield Text(self._done(reply))

    def _done(self, reply: str) -> str:
        try:
            if reply == "yes":
                problem = self._write(draft_command(self.context))
                return problem or self._next(_("The draft is used."))
            if reply == "no":
                drop_draft(self.working)
                return _("Then it stays as it is.")
            undone = undo.take_back(undo.Undo(confirmed=True), self.working, str(self.turn.run_id))
        except (ToolRejected, FuturaError):
            return _("There is nothing that this could be about; nothing was changed.")
        if undone.question is not None:
            return _("Say it once more to take this back: %(rows)s") % {
                "rows": ", ".join(undone.rows)
            }
        return _("Taken back.") if undone.batches else _("There is nothing to take back.")


def reply_in(text: str) -> str:
    """The short reply that a message is as a whole; empty for any other."""
    bare = text.strip(" .!").casefold()
    for name, forms in REPLIES.items():
        if any(bare in {one.strip(".").casefold(), _(one).strip(".").casefold()} for one in forms):
            return name
    return ""


def opening(entry: Entry, state: BuilderState) -> str:
    """The first words of a conversation."""
    question = next_question(entry, state)
    if not (entry.title or entry.blocks or entry.summary):
        head = _("I ask, you tell, and the page grows beside us.")
    else:
        head = _("This is about **%(title)s**.") % {"title": entry.title or _("your entry")}
    return f"{head}\n\n{question}".strip()


def checklist(entry: Entry) -> str:
    """What stands in the way of publishing."""
    failed = check(entry)
    if not failed:
        return _("Everything that publishing asks for is there.")
    rows = "\n".join(f"- {one.message}" for one in failed)
    return f"{_('Before it can be published:')}\n\n{rows}"
