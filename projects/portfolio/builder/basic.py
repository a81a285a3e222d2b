"""A conversation about an entry without a model: questions, answers kept word for word, buttons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from django.utils.translation import gettext as _, gettext_noop

from chat.assistant import undo
from chat.assistant.cards import ledger_part
from chat.assistant.toolset import Toolset, Writing
from chat.assistant.working import Working, Written
from chat.commands.base import Command, build
from chat.guides import GuideEvent, Part, StageDone, StageStarted, Text, Turn, Utterance
from chat.replies import is_finish, is_later, is_no, is_yes
from futura.errors import FuturaError
from futura.llm.tools import ToolRejected
from projects.portfolio.builder import drafting
from projects.portfolio.builder.context import (
    BuilderState,
    EntryContext,
    draft_command,
    drop_draft,
    note_drafts,
)
from projects.portfolio.builder.toolset import images_part
from projects.portfolio.commands.story import TellEntry, section_text
from projects.portfolio.entries.publishing import check
from projects.portfolio.models import Entry

STAGE: Final = "portfolio_builder_rules"
# What buttons say, and words like these: known only as whole messages, in the interface's language.
REPLIES: Final[Mapping[str, tuple[str, ...]]] = {
    "yes": (gettext_noop("Yes, use it."),),
    "skip": (gettext_noop("Skip this question."),),
    "more": (gettext_noop("Ask me more."),),
    "undo": (gettext_noop("undo"), gettext_noop("Undo that.")),
    "check": (gettext_noop("check"), gettext_noop("What is missing?")),
    "pictures": (gettext_noop("pictures"), gettext_noop("I want to add pictures.")),
}
SHORT: Final = {"yes": is_yes, "skip": is_later, "stop": is_finish, "no": is_no}
"""The short replies that all conversations know; “stop” ends the questions, and is no “no”."""
FIELDS: Final = {"role", "title", "summary"}
"""Questions whose answers are fields of the entry; the others' are sections of the story."""


class Question(NamedTuple):
    """What is asked: where the answer goes, in words, and how much fits."""

    place: str
    text: str
    chars: int = 10_000


QUESTIONS: Final[Mapping[str, Question]] = {
    "what": Question(
        gettext_noop("Introduction"),
        gettext_noop("What did you make? Describe it in a few sentences."),
    ),
    "problem": Question(
        gettext_noop("Starting point"),
        gettext_noop("What was the situation before, and what needed to change?"),
    ),
    "process": Question(
        gettext_noop("Process"),
        gettext_noop("How did you do it? Which decision mattered most?"),
    ),
    "outcome": Question(
        gettext_noop("Outcome"),
        gettext_noop("What was the outcome? Include numbers and feedback if you can."),
    ),
    "role": Question(gettext_noop("Your role"), gettext_noop("What was your role?"), 200),
    "title": Question(gettext_noop("Title"), gettext_noop("What is the title of the page?"), 200),
    "summary": Question(gettext_noop("Summary"), gettext_noop("Summarise it in one line."), 400),
}
"""What is asked about an entry, in this order; the answer stands there word for word."""


def next_question(entry: Entry, state: BuilderState) -> str:
    """Puts the next question that the entry has no answer to; empty when none is left or wanted."""
    left = (name for name in QUESTIONS if name not in state.passed and not _answer_to(name, entry))
    state.open = "" if state.is_quiet else next(left, "")
    return _(QUESTIONS[state.open].text) if state.open else ""


def _answer_to(name: str, entry: Entry) -> str:
    return str(getattr(entry, name)) if name in FIELDS else section_text(entry.blocks, name)


def keep_label(name: str) -> str:
    """What a button says that keeps a text in its place."""
    return _("Add to: %(place)s") % {"place": _(QUESTIONS[name].place)}


def answer(
    turn: Turn[BuilderState], message: Utterance, context: EntryContext
) -> Iterator[GuideEvent]:
    yield StageStarted(STAGE, _("Reading"))
    yield from _Talk(turn, context).answer(message.text.strip())
    yield StageDone(STAGE, "rules", {})
    yield Part(ledger_part(turn.run_id))


class _Talk:
    def __init__(self, turn: Turn[BuilderState], context: EntryContext) -> None:
        self.turn, self.state, self.context = turn, turn.state, context

    def answer(self, text: str) -> Iterator[GuideEvent]:
        state = self.state
        place = next((name for name in QUESTIONS if text == keep_label(name)), "")
        reply = reply_in(text)
        if place and state.unplaced:
            yield Text(self._stored(place, state.unplaced))
        elif reply == "pictures":
            yield Part(images_part(self.context))
            yield Text(_("Add your pictures here."))
        elif reply:
            yield Text(self._replied(reply))
        elif state.open:
            yield Text(self._stored(state.open, text))
        else:
            state.unplaced = text
            yield Text(_("Nothing has changed yet. Where does this text belong?"))
            labels = [keep_label(name) for name in QUESTIONS]
            yield Part({"type": "clarify", "quiet": True, "question": "", "alternatives": labels})

    def _stored(self, name: str, text: str) -> str:
        """Word for word under a question, then the next question."""
        place, _question, chars = QUESTIONS[name]
        if len(text) > chars:
            return _("This text is too long: at most %(n)d characters. Shorten it.") % {"n": chars}
        details = {name: text} if name in FIELDS else {"story": [{"section": name, "text": text}]}
        command = build(TellEntry, details, id=self.context.entry.pk)
        written = carried_out(self.turn, self.context, command)
        if written.error:
            return written.error
        self.state.told[name] = text
        self.state.unplaced = ""
        done = _("Added to “%(place)s”, word for word.")
        if written.is_waiting:
            self.state.passed.append(name)
            done = _("Added to “%(place)s” for your review.")
        return self._next(done % {"place": _(place)})

    def _next(self, head: str) -> str:
        question = next_question(self.context.fresh_entry(), self.state)
        end = _("No more questions. Next: details, pictures and publishing, each on its own page.")
        return "\n\n".join(filter(None, [head, question or ("" if self.state.is_quiet else end)]))

    def _replied(self, reply: str) -> str:
        state = self.state
        match reply:
            case "skip":
                state.passed.append(state.open)
                return self._next(_("All right."))
            case "stop":
                state.is_quiet, state.open = True, ""
                return _("OK, no more questions.")
            case "more":
                state.is_quiet, state.passed = False, []
                return self._next("")
            case "check":
                return checklist(self.context.fresh_entry())
        try:
            return self._decided(reply)
        except (ToolRejected, FuturaError):
            return _("There is nothing to apply this to. Nothing was changed.")

    def _decided(self, reply: str) -> str:
        """A yes or no to the draft that waits, or an undo. Raises ToolRejected, FuturaError."""
        if reply == "yes":
            used = carried_out(self.turn, self.context, draft_command(self.context))
            return used.error or self._next(_("Draft applied."))
        if reply == "no":
            drop_draft(self.turn)
            return _("Nothing was changed.")
        working = Working(self.turn, Toolset((), self.context.scope))
        undone = undo.take_back(undo.Undo(confirmed=True), working, str(self.turn.run_id))
        if undone.question is not None:
            rows = {"rows": ", ".join(undone.rows)}
            return _("Repeat it to confirm undoing: %(rows)s") % rows
        return self._next(_("Undone.")) if undone.batches else _("There is nothing to undo.")


def carried_out(turn: Turn[BuilderState], context: EntryContext, command: Command) -> Written:
    """What became of a command that no model asked for, through the policy to the ledger."""
    working = Working(turn, Toolset((), context.scope))
    tool = Writing("basic", "", drafting.Nothing, lambda _given, _working: command)
    working.write([(f"basic-{turn.run_id}", drafting.Nothing(), tool)])
    note_drafts(working)
    return working.written[-1]


def reply_in(text: str) -> str:
    """The short reply that a message is as a whole; empty for any other."""
    bare = text.strip(" .!").casefold()
    for name, forms in REPLIES.items():
        if bare in {form.strip(".").casefold() for item in forms for form in (item, _(item))}:
            return name
    return next((name for name, is_one in SHORT.items() if is_one(text)), "")


def opening(entry: Entry, state: BuilderState) -> str:
    question = next_question(entry, state)
    if not (entry.title or entry.blocks or entry.summary):
        head = _("I ask, you answer, and the page is written next to this conversation.")
    else:
        head = _("This is about **%(title)s**.") % {"title": entry.title or _("your entry")}
    return f"{head}\n\n{question}".strip()


def checklist(entry: Entry) -> str:
    failed = check(entry)
    if not failed:
        return _("Everything needed for publishing is there.")
    rows = "\n".join(f"- {item.message}" for item in failed)
    return "\n\n".join([_("Needed before publishing:"), rows])
