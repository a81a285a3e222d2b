"""One message answered by the model with tools: several rounds, every claim checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from chat.guides import GuideEvent, StageDone, StageStarted, Text, Turn, Utterance
from chat.memory.assemble import assemble
from futura.llm.client import Cancelled
from futura.llm.tools import CallFinished, TextDelta, run_all
from projects.agent import others
from projects.agent.closing import facts_of
from projects.agent.fencing import carried_texts, fence_of
from projects.concierge import noting, prompts, telling, tools
from projects.concierge.claims import Claims
from projects.concierge.desk import Desk
from projects.concierge.outcomes import AskedBack, Outcome, TakenBack, Unchanged, Written

STAGE: Final = "concierge"
BUDGET: Final = 24_000
_WAITS: Final = re.compile(
    r"\b(?:review|waits?|waiting|approv\w*|your word|confirm)\b", re.IGNORECASE
)


def answer(turn: Turn[Any], message: Utterance, desk: Desk) -> Iterator[GuideEvent]:
    """What the model says and does. Raises ModelUnavailable; what was done by then stands."""
    yield StageStarted(STAGE, _("Looking into it"))
    desk.has_model = True
    fence = fence_of(turn)
    rules = prompts.instructions(fence)
    state = prompts.records(
        desk.briefing.as_text(), turn.state.memory.suggestions, carried_texts(message), fence
    )
    messages = assemble(turn.context, instructions=rules, state=state, budget=BUDGET)
    checker, shown, said = Claims(desk, secret=rules), set[Any](), ""
    finished: list[CallFinished] = []
    offered = [*tools.offered(desk, fence), *others.tool(turn, fence)]
    stream = turn.llm.run_tools(STAGE, messages, offered, run_all, prompt_version=prompts.VERSION)
    try:
        for event in stream:
            if isinstance(event, TextDelta):
                for piece in checker.feed(event.text):
                    said += piece
                    yield Text(piece)
            elif isinstance(event, CallFinished):
                finished.append(event)
                yield from _noted(event)
                yield from noting.changed(desk, shown)
    except Cancelled:  # stopped: what had arrived stands
        yield Text("".join(checker.end()))
        raise
    for piece in checker.end():
        said += piece
        yield Text(piece)
    rest = closing(said, desk, checker.dropped, finished)
    if rest:
        yield Text(f"\n\n{rest}" if said.strip() else rest)
    detail = {"calls": [one.call.name for one in finished], "dropped": checker.dropped}
    yield StageDone(STAGE, "model", detail)


def _noted(event: CallFinished) -> Iterator[GuideEvent]:
    call = event.call
    given = call.arguments.model_dump(mode="json", exclude_none=True) if call.arguments else {}
    yield from noting.called(
        call.id, call.name, given, event.result, "failed" if event.is_error else "ok"
    )


def closing(said: str, desk: Desk, dropped: Sequence[str], finished: Sequence[CallFinished]) -> str:
    """What has to stand behind the model's words: deeds it left out, and what was not done."""
    if not said.strip() and desk.outcomes:
        return telling.sentences(desk.outcomes, desk.today)
    facts = facts_of(desk.ledger.batches)
    untold = [one for one in desk.outcomes if _has_to_be_told(one, said, bool(dropped))]
    parts = [telling.sentences(untold, desk.today)]
    parts += [_("This did not work: %(why)s") % {"why": one.error} for one in facts.failed]
    took = any(isinstance(one, (TakenBack, AskedBack)) for one in desk.outcomes)
    is_idle = not (facts.done or facts.waiting or facts.failed or desk.opened or took)
    if is_idle and (dropped or not said.strip()) and not parts[0]:
        refused = any(one.is_error for one in finished)
        parts.append(_nothing(has_refused=refused, has_said=bool(said.strip())))
    return "\n\n".join(part for part in parts if part)


def _has_to_be_told(outcome: Outcome, said: str, has_dropped: bool) -> bool:
    if isinstance(outcome, Written):
        if outcome.applied.is_waiting:
            return not _WAITS.search(said)
        return outcome.applied.is_done and has_dropped
    if isinstance(outcome, Unchanged):
        return has_dropped
    if isinstance(outcome, AskedBack):
        return True
    if isinstance(outcome, TakenBack):
        return outcome.is_changed_since or has_dropped
    return False


def _nothing(*, has_refused: bool, has_said: bool) -> str:
    if has_refused:
        return _("Nothing was changed: what was asked for is not among your things.")
    if has_said:
        return _("Nothing was changed.")
    return _("Nothing was changed. Say it once more in other words, please.")
