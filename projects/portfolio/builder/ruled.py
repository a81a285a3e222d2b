"""One message answered by rules: understood, carried out, told, and the next question put."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from chat.guides import GuideEvent, Part, StageDone, StageStarted, Text, Turn, Utterance
from futura.errors import FuturaError
from futura.llm.tools import ToolRejected
from projects.portfolio.builder import calls, noting, replies, telling, topics, understanding
from projects.portfolio.builder.calls import Call, json_of
from projects.portfolio.builder.desk import Desk, Gone, scene_of
from projects.portfolio.builder.outcomes import Checked, Outcome, Proposed, Shown, Written
from projects.portfolio.builder.perform import perform
from projects.portfolio.builder.state import BuilderState, Said
from projects.portfolio.builder.understanding import Understanding
from projects.portfolio.models import Entry

STAGE: Final = "portfolio_builder_rules"


def answer(turn: Turn[BuilderState], message: Utterance, desk: Desk) -> Iterator[GuideEvent]:
    """What the rules make of a message."""
    yield StageStarted(STAGE, _("Reading"))
    try:
        entry = desk.entry()
    except Gone:
        yield Text(_("The entry of this conversation was deleted. Undo brings it back."))
        yield StageDone(STAGE, "rules", {"kind": "gone"})
        return
    found = understanding.understand(
        message.text, scene_of(entry, desk.pictures(entry), turn.state)
    )
    shown, refused = set[Any](), list[str]()
    for number, call in enumerate(_invoked(message) or found.calls, start=1):
        yield from _done(call, f"{turn.run_id.hex[:12]}-{number}", desk, refused)
        yield from noting.changed(desk, shown)
    _remember(found, desk)
    if found.alternatives:
        yield Part(
            {
                "type": "clarify",
                "question": found.asks,
                "alternatives": list(found.alternatives),
                "quiet": True,
            }
        )
    yield Text(_text(found, desk, refused))
    detail = {"kind": found.kind, "calls": [one.tool for one in found.calls], "refused": refused}
    yield StageDone(STAGE, "rules", detail)


def _invoked(message: Utterance) -> Sequence[Call]:
    """Tools that a program asked for by name, beside the message."""
    named = [str(part.get("tool")) for part in message.parts if part.get("type") == "invoke"]
    return [kind() for kind in calls.DEEP if kind.model_fields["tool"].default in named]


def _done(call: Call, call_id: str, desk: Desk, refused: list[str]) -> Iterator[GuideEvent]:
    """One call; what stands against it is told, and the next one is tried all the same."""
    why, told = "", ""
    try:
        told = telling.sentence(perform(call, desk, call_id))
    except Gone:
        why = _("The entry is not there any more, so nothing was changed.")
    except (ToolRejected, FuturaError) as error:
        why = str(error)
    if why:
        refused.append(why)
    status: Any = "failed" if why else "ok"
    yield from noting.called(call_id, call.tool, json_of(call), why or told, status)


def _remember(found: Understanding, desk: Desk) -> None:
    """What the message leaves for the next one."""
    state = desk.state
    state.turns += 1
    state.pending = found.pending
    if found.kind == "no":
        state.proposal = None
    if found.kind == "stop":
        state.is_quiet, state.open = True, ""
    if found.kind == "more":
        state.is_quiet = False
        state.skipped = []
        state.asked = {name: n for name, n in state.asked.items() if name in state.told}
    if found.kind == "skip" and not found.pending and state.open:
        state.skipped.append(state.open)
    for topic, text in found.told.items():
        standing = state.told.get(topic, "")
        state.told[topic] = (
            f"{standing} {text}".strip()[-2_000:] if text not in standing else standing
        )
    written = [one for one in desk.outcomes if isinstance(one, Written)]
    if found.topic and written:
        story = [name for name in calls.STORY if name in found.told]
        fields = [name for one in written for name in one.values if name != "blocks"]
        text = found.told.get(found.topic, "") if story else ""
        state.last = Said(topic=found.topic, fields=fields, text=text)


def _text(found: Understanding, desk: Desk, refused: Sequence[str]) -> str:
    parts = [telling.sentences(desk.outcomes), *dict.fromkeys(refused), found.says, found.asks]
    parts.append(_next(found, desk))
    return "\n\n".join(part for part in parts if part) or replies.not_understood(desk.state)


def _next(found: Understanding, desk: Desk) -> str:
    """What follows: the next question, a word about the talk, or nothing after a plain wish."""
    entry, state = desk.entry(), desk.state
    images = desk.pictures(entry)
    if found.asks or state.pending:
        return ""
    match found.kind:
        case "answer":
            return _after_answer(found, entry, desk)
        case "skip":
            word = replies.skipped(state)
            follow = replies.next_question(entry, state) or replies.at_the_end(entry, images, state)
            return f"{word} {follow}".strip()
        case "more":
            follow = replies.next_question(entry, state) or replies.at_the_end(entry, images, state)
            return follow or _("I have asked everything I know to ask.")
        case "stop":
            end = replies.at_the_end(entry, images, state)
            return _("Good, no more questions. {next}").format(next=end).strip()
        case "help":
            return replies.abilities()
        case "status":
            return replies.status(entry, images, state)
        case "greeting":
            is_new = not (entry.title or entry.blocks)
            return replies.opening(entry, state) if is_new or not state.open else _again(state)
        case "thanks":
            return _("With pleasure. {next}").format(next=_again(state)).strip()
        case "no":
            return _("Then it stays as it is. What shall be different?")
        case "yes":
            return _after_yes(entry, desk)
        case "unclear" if state.proposal is not None:
            return _("I did not read that as a yes or a no: the draft waits as it is. Use it?")
        case "unclear":
            return "\n\n".join(filter(None, (replies.not_understood(state), _again(state))))
    if any(isinstance(one, Proposed | Shown | Checked) for one in desk.outcomes):
        return _after_check(desk.outcomes)
    return _again(state) if found.topic else ""


def _after_answer(found: Understanding, entry: Entry, desk: Desk) -> str:
    state, images = desk.state, desk.pictures(entry)
    if found.is_thin and (probe := replies.probe(state, found.topic)):
        return probe
    follow = replies.next_question(entry, state)
    if follow:
        return follow
    noted = bool(desk.outcomes)
    end = replies.at_the_end(entry, images, state)
    if state.is_quiet and noted:
        return ""
    return end or ("" if noted else _("That stands there already."))


def _again(state: BuilderState) -> str:
    """The question that is still open, in other words; a question is not put twice."""
    if not state.open:
        return ""
    return _("My question about %(what)s is still open, if you like.") % {
        "what": topics.NAMES[state.open]
    }


def _after_yes(entry: Entry, desk: Desk) -> str:
    """What comes after something proposed was taken."""
    if any(isinstance(one, Written) for one in desk.outcomes):
        images = desk.pictures(entry)
        if not images:
            return _("Next: pictures. Say “add pictures”.")
        return _("Say “check it” when you want to know what is missing.")
    return ""


def _after_check(outcomes: Sequence[Outcome]) -> str:
    checked = [one for one in outcomes if isinstance(one, Checked)]
    if checked and not checked[-1].failed and not isinstance(checked[-1].call, calls.Publish):
        return _("Say “publish it” when you are ready.")
    return ""
