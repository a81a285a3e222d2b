"""One message answered by the model with tools: several rounds, every claim checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from chat.assistant.delimiter import delimiter_of
from chat.assistant.provenance import carried_texts
from chat.guides import GuideEvent, StageDone, StageStarted, Text, Turn, Utterance
from chat.memory.assemble import assemble
from futura.llm.client import Cancelled
from futura.llm.tools import CallFinished, TextDelta, run_all
from projects.portfolio.builder import briefing, noting, prompts, telling, tools
from projects.portfolio.builder.claims import Claims, facts
from projects.portfolio.builder.desk import Desk
from projects.portfolio.builder.outcomes import (
    Checked,
    Outcome,
    Proposed,
    Shown,
    TakenBack,
    Written,
)
from projects.portfolio.builder.state import BuilderState
from projects.portfolio.builder.understanding import deep_wanted
from projects.portfolio.models import Entry, Source

STAGE: Final = "portfolio_builder"
BUDGET: Final = 24_000
_WAITS: Final = re.compile(
    r"\b(?:review|waits?|waiting|approv\w*|your word|confirm)\b", re.IGNORECASE
)


def answer(turn: Turn[BuilderState], message: Utterance, desk: Desk) -> Iterator[GuideEvent]:
    """What the model says and does. Raises ModelUnavailable; what was done by then stands."""
    yield StageStarted(STAGE, _("Reading"))
    desk.with_model = True
    entry = desk.entry()
    if is_imported(entry):
        turn.state.has_untrusted_text = True
    deep = asked_for(message)
    delimiter = delimiter_of(turn)
    rules = prompts.instructions(delimiter, deep=sorted(deep))
    known = briefing.known(entry, desk.pictures(entry), desk.profile(entry.portfolio), turn.state)
    state = prompts.records({**known, **dict(carried_texts(message))}, delimiter)
    messages = assemble(turn.context, instructions=rules, state=state, budget=BUDGET)
    claims, shown, said = Claims(desk, secret=rules), set[Any](), ""
    finished: list[CallFinished] = []
    offered = tools.offered(desk, deep)
    stream = turn.llm.run_tools(STAGE, messages, offered, run_all, prompt_version=prompts.VERSION)
    try:
        for event in stream:
            if isinstance(event, TextDelta):
                for piece in claims.feed(event.text):
                    said += piece
                    yield Text(piece)
            elif isinstance(event, CallFinished):
                finished.append(event)
                yield from _noted(event)
                yield from noting.changed(desk, shown)
    except Cancelled:  # stopped: what had arrived stands
        yield Text("".join(claims.end()))
        raise
    for piece in claims.end():
        said += piece
        yield Text(piece)
    turn.state.turns += 1
    turn.state.open, turn.state.pending = "", None
    rest = closing(said, desk, claims.dropped, finished)
    if rest:
        yield Text(f"\n\n{rest}" if said.strip() else rest)
    detail = {
        "calls": [one.call.name for one in finished],
        "dropped": claims.dropped,
        "deep": sorted(deep),
    }
    yield StageDone(STAGE, "model", detail)


def asked_for(message: Utterance) -> frozenset[str]:
    """The deep tools that a message asks for, in words or by name."""
    named = {str(part.get("tool")) for part in message.parts if part.get("type") == "invoke"}
    return deep_wanted(message.text) | frozenset(named)


def is_imported(entry: Entry) -> bool:
    """Whether text that others may have written stands in the entry: a README, say."""
    if entry.source_id is None:
        return False
    return Source.objects.filter(pk=entry.source_id).exclude(method=Source.Method.PERSON).exists()


def _noted(event: CallFinished) -> Iterator[GuideEvent]:
    call = event.call
    given = call.arguments.model_dump(mode="json", exclude_none=True) if call.arguments else {}
    status: Any = "failed" if event.is_error else "ok"
    yield from noting.called(call.id, call.name, given, event.result, status)


def closing(said: str, desk: Desk, dropped: Sequence[str], finished: Sequence[CallFinished]) -> str:
    """What has to stand behind the model's words: deeds it left out, and what was not done."""
    if not said.strip() and desk.outcomes:
        return telling.sentences(desk.outcomes)
    told = facts(desk)
    untold = [one for one in desk.outcomes if _has_to_be_told(one, said, has_dropped=bool(dropped))]
    parts = [telling.sentences(untold)]
    parts += [_("This did not work: %(why)s") % {"why": one.error} for one in told.failed]
    is_idle = not (told.done or told.waiting or told.failed or desk.outcomes)
    if is_idle and (dropped or not said.strip()):
        refused = any(one.is_error for one in finished)
        parts.append(
            _("Nothing was changed.") if said.strip() or refused
            else _("Nothing was changed. Say it once more in other words, please.")
        )  # fmt: skip
    return "\n\n".join(part for part in parts if part)


def _has_to_be_told(outcome: Outcome, said: str, *, has_dropped: bool) -> bool:
    match outcome:
        case Written():
            if outcome.applied.is_waiting:
                return not _WAITS.search(said)
            return outcome.applied.is_done and has_dropped
        case Checked():
            return any(one.message.rstrip(".") not in said for one in outcome.failed)
        case Proposed() | Shown():
            return False
        case TakenBack():
            return outcome.is_changed_since or has_dropped
    return False
