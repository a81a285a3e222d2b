"""One message answered by rules: understood, carried out, told from what really came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from chat.guides import GuideEvent, StageDone, StageStarted, Text, Turn, Utterance
from futura.errors import FuturaError
from futura.language.quick_add import language_of
from futura.llm.tools import ToolRejected
from projects.agent.others import tainted
from projects.concierge import context, focus, greeting, noting, telling
from projects.concierge.basic.lines import taken, understand
from projects.concierge.basic.shapes import Memory, Ticked, Understanding
from projects.concierge.calls import Call, json_of
from projects.concierge.desk import Desk, Gone
from projects.concierge.greeting import Suggestion
from projects.concierge.outcomes import Listed, Outcome, Unchanged, Written
from projects.concierge.perform import perform
from projects.language import replies
from projects.models import Task

STAGE: Final = "concierge_rules"


def answer(turn: Turn[Any], message: Utterance, desk: Desk) -> Iterator[GuideEvent]:
    """What the rules make of a message."""
    yield StageStarted(STAGE, _("Looking into it"))
    known = context.known_to(desk.owner_ids, desk.briefing.now)
    memory = turn.state.memory
    ticked = _ticked(message)
    found = (
        understand(
            message.text,
            now=desk.briefing.now,
            briefing=known,
            earlier=memory,
            language=language_of(get_language() or "en"),
        )
        if ticked is None
        else taken(ticked, memory)
    )
    if found.is_answer and turn.state.is_pending_of_others:
        tainted(turn)
    desk.is_confirmed = found.is_picked and not turn.state.has_untrusted_text
    shown, refused = set[Any](), list[str]()
    for number, call in enumerate(found.calls, start=1):
        yield from _done(call, f"{turn.run_id.hex[:12]}-{number}", desk, refused)
        yield from noting.changed(desk, shown)
    if desk.asked is not None:
        found = replace(found, pending=desk.asked)
    suggestions = _suggestions(found, desk)
    yield Text(_text(found, desk, refused))
    if found.pending is not None:
        pending = found.pending.model_copy(update={"key": turn.run_id.hex[:12]})
        found = replace(found, pending=pending)
        if part := noting.asked(pending):
            yield part
    if suggestions:
        yield noting.suggested(suggestions, "greeting" if found.kind == "greet" else "near")
    # words that others may have put there are shown to tap, and kept for no later prompt
    kept = () if turn.state.has_untrusted_text else suggestions
    turn.state.memory = memory.after(found, **remembered(desk, kept, found.named))
    detail = {"kind": found.kind, "calls": [one.tool for one in found.calls], "refused": refused}
    yield StageDone(STAGE, "rules", detail)


def is_short_answer(message: Utterance, memory: Memory) -> bool:
    """Whether a message answers what was asked by a button, or as exactly as one."""
    if _ticked(message) is not None:
        return True
    is_offer = memory.pending is not None and memory.pending.kind == "offer"
    return is_offer and (replies.is_yes(message.text) or replies.is_no(message.text))


def _ticked(message: Utterance) -> Ticked | None:
    """What was ticked in a list, by which list; None for a message in words."""
    for part in message.parts:
        if part.get("type") == "ticked":
            return Ticked(str(part.get("key", "")), [str(one) for one in part.get("ids", ())])
    return None


def _done(call: Call, call_id: str, desk: Desk, refused: list[str]) -> Iterator[GuideEvent]:
    """One call; what stands against it is told, and the next one is tried all the same."""
    why, told = "", ""
    try:
        told = telling.sentence(perform(call, desk, call_id), desk.today)
    except Gone:
        why = _("It is not there any more, so nothing was changed.")
    except ToolRejected as error:
        why = str(error)
    except FuturaError as error:
        why = str(error)
    if why:
        refused.append(why)
    yield from noting.called(
        call_id, call.tool, json_of(call), why or told, "failed" if why else "ok"
    )


def _text(found: Understanding, desk: Desk, refused: Sequence[str]) -> str:
    parts = [telling.sentences(desk.outcomes, desk.today), *dict.fromkeys(refused)]
    if found.kind == "focus":
        parts.append(focus.told(desk.briefing))
    elif found.kind == "help":
        parts.append(found.reply or focus.abilities())
    elif found.kind == "greet":
        parts.append(greeting.greet(desk.briefing).intro)
    else:
        parts.append(found.reply)
    parts.append(found.question)
    text = "\n\n".join(part for part in parts if part)
    return text or _beyond(found)


def _beyond(found: Understanding) -> str:
    sorry = _("I did not find anything in that which I can do without a language model.")
    if found.did_you_mean:
        return f"{sorry} {_('Did you mean one of these?')}"
    return f"{sorry}\n\n{focus.abilities()}"


def _suggestions(found: Understanding, desk: Desk) -> list[Suggestion]:
    if found.kind == "greet":
        return greeting.suggest(desk.briefing)
    return [Suggestion(one, say=one) for one in found.did_you_mean]


def remembered(
    desk: Desk, suggestions: Sequence[Suggestion] = (), named: Sequence[Any] = ()
) -> dict[str, Any]:
    """What a turn leaves for the rules to refer to later."""
    rows = [one.row for one in desk.outcomes if isinstance(one, (Written, Unchanged))]
    touched = [*named, *(row.pk for row in rows if isinstance(row, Task))]
    listed = [one for one in desk.outcomes if isinstance(one, Listed)]
    if listed and len(listed[-1].tasks) == 1:
        touched.append(listed[-1].tasks[0].id)
    return {
        "touched": list(dict.fromkeys(touched)),
        "listed": [one.id for one in listed[-1].tasks] if listed else None,
        "suggestions": [one.say or one.text for one in suggestions] if suggestions else None,
        "project": next((_project(one) for one in reversed(desk.outcomes) if _project(one)), None),
    }


def _project(outcome: Outcome) -> Any:
    row = getattr(outcome, "row", None)
    if row is None:
        return None
    return row.project_id if isinstance(row, Task) else row.pk
