"""What a turn yields: stages that begin and end, the spoken reply, the records kept with it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, Final

from django.utils.translation import gettext as _

from chat.guides import (
    GuideEvent,
    StageDone,
    StageStarted,
    Text,
    Turn,
)
from futura.errors import ModelUnavailable
from tasks.elicitation.replies import (
    Plan,
    reply_by_rules,
    reply_with_model,
)
from tasks.elicitation.selection import (
    Choice,
)
from tasks.elicitation.state import Card, SurveyState, Tool

SurveyTurn = Turn[SurveyState]

STAGE_LABELS: Final = {
    "message_analysis": "Reading your answer",
    "tool_selection": "Choosing how to go on",
    "gap_analysis": "Looking for a part we have not touched",
    "suggestions": "Picking cards",
    "response": "Writing",
}


def spoken(turn: SurveyTurn, plan: Plan) -> Generator[GuideEvent, None, str]:
    """Streams the reply; answers the whole text, with what of it was said before it broke off.

    Rules speak where the model gave no word.
    """
    yield started("response")
    said: list[str] = []
    before = turn.continues
    detail: dict[str, Any] = {"tool": plan.tool.value}
    if turn.llm.is_configured:
        try:
            for delta in reply_with_model(plan, turn.llm, said=before):
                said.append(delta)
                yield Text(delta)
        except ModelUnavailable as error:
            if said:
                raise
            detail.update(fallback=True, because=error.reason)
        if said or before.rstrip().endswith((".", "!", "?", "…")):
            yield StageDone("response", "model", detail)
            return before + "".join(said)
        detail["fallback"] = True
    if before:
        yield Text("\n\n")
    for stretch in reply_by_rules(plan):
        said.append(stretch)
        yield Text(stretch)
    yield StageDone("response", "rules", detail)
    return before + "".join(said)


def settled(stage: str, making: Callable[[], Any] | None, otherwise: Callable[[], Any]) -> Any:
    """The model's answer or the rules' one, with the event that says whose it is."""
    if making is None:
        return otherwise(), StageDone(stage, "rules")
    answer = making()
    if isinstance(answer, ModelUnavailable):
        return otherwise(), StageDone(stage, "rules", {"fallback": True, "because": answer.reason})
    return answer, StageDone(stage, "model")


def started(name: str) -> StageStarted:
    return StageStarted(name, _(STAGE_LABELS[name]))


def why(choice: Choice) -> dict[str, Any]:
    return {
        "tool": choice.tool.value,
        "reason": choice.reason,
        "chosenBy": choice.by,
        "guards": list(choice.guards),
    }


def cards_part(cards: list[Card]) -> dict[str, Any]:
    shown = [{"id": c.id, "statement": c.statement, "group": c.group.value} for c in cards]
    return {"type": "suggestions", "cards": shown, "display": cards[0].display}


def turn_part(state: SurveyState, tool: Tool, cards: list[Card] | None = None) -> dict[str, Any]:
    """What a program is told of the turn beside the state (the JSON API reads it). Not shown."""
    return {
        "type": "turn",
        "tool": tool.value,
        "turnCount": state.turn_count,
        "isComplete": state.is_complete,
        "shouldShowSuggestions": bool(cards),
    }
