"""The guide of visitors' conversations: runs the pipeline and keeps what it says and why."""

from __future__ import annotations

import uuid
from collections.abc import Generator, Iterator
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from chat.guides import GuideEvent, Part, StageDone, StageStarted, Text, TextWithdrawn, Turn
from futura.errors import NotFound
from projects.portfolio.index import index_for
from projects.portfolio.models import IndexBuild, Portfolio
from projects.portfolio.visitors import opening, pipeline, unanswered
from projects.portfolio.visitors.contract import PART, Stage, TurnResult
from projects.portfolio.visitors.pipeline import (
    Ask,
    StageBegun,
    StageEnded,
    TextAdded,
    TextReplaced,
)
from projects.portfolio.visitors.prompts import Said
from projects.portfolio.visitors.queries import speaker_of
from projects.portfolio.visitors.state import KIND, VisitState

PREFIX: Final = "portfolio_"
TRACE: Final = "portfolio_trace"
"""The step of a run whose detail is the whole trace of the turn (spec 3, section 8.2)."""
ASKED: Final = "asked"
"""The type of the part that comes with a question by the API: its anchor, and what was checked."""
LABELS: Final[dict[Stage, Any]] = {
    "planner": _("Understanding your question"),
    "retrieval": _("Searching the portfolio"),
    "evidence": _("Weighing what was found"),
    "answer": _("Answering"),
}


class VisitGuide:
    """Answers visitors of one portfolio from what is published there."""

    kind = KIND
    state_model = VisitState

    def respond(self, turn: Turn[VisitState]) -> Iterator[GuideEvent]:
        """The answer to a question, or a greeting where a conversation begins without one."""
        portfolio = Portfolio.objects.filter(pk=turn.state.portfolio_id, deleted_at=None).first()
        if portfolio is None:
            raise NotFound
        speaker = speaker_of(portfolio)
        if turn.message is None:
            yield Text(opening.greeting_of(speaker))
            return
        _forget_if_rebuilt(turn.state, portfolio)
        came_with = asked_with(turn.message.parts)
        ask = Ask(
            question=turn.message.text,
            speaker=speaker,
            index=index_for(portfolio),
            state=turn.state,
            llm=turn.llm,
            history=_history(turn),
            anchor_id=str(came_with.get("anchor", "")),
            is_moderated=bool(came_with.get("is_moderated")),
            seed=str(turn.run_id),
        )
        result = yield from _told(ask)
        yield StageDone(TRACE, "engine", result.trace.model_dump(mode="json", by_alias=True))
        yield Part(result.record.model_dump(mode="json", by_alias=True))
        unanswered.note(portfolio, turn, result)

    def ended(self, session_id: uuid.UUID) -> None:
        """These conversations stay open."""


def _told(ask: Ask) -> Generator[GuideEvent, None, TurnResult]:
    stream = pipeline.respond(ask)
    while True:
        try:
            event = next(stream)
        except StopIteration as end:
            result: TurnResult = end.value
            return result
        match event:
            case StageBegun(stage):
                yield StageStarted(PREFIX + stage, str(LABELS[stage]))
            case StageEnded(record, trace, ui):
                detail: dict[str, Any] = {"meta": record.meta, "ms": record.duration_ms}
                detail |= _part_of(trace.model_dump(mode="json", by_alias=True), record.stage)
                if ui is not None:
                    detail["ui"] = ui.model_dump(mode="json", by_alias=True)
                if "fallback" in record.meta:
                    detail["fallback"] = record.meta["fallback"]
                yield StageDone(PREFIX + record.stage, record.by, detail)
            case TextAdded(text):
                yield Text(text)
            case TextReplaced(text):
                yield TextWithdrawn(text)


def _part_of(trace: dict[str, Any], stage: Stage) -> dict[str, Any]:
    """What a stage adds to the reasoning."""
    name = {"planner": "plan", "answer": "answerMeta"}.get(stage, stage)
    return {"trace": {name: trace[name]}}


def asked_with(parts: Any) -> dict[str, Any]:
    """What came with a question by the API: its anchor, and whether it was moderated already."""
    return next((dict(one) for one in parts if one.get("type") == ASKED and one.get("sent")), {})


def _history(turn: Turn[VisitState]) -> list[Said]:
    return [
        (one.role, one.text) for one in turn.history if one.text and not _was_refused(one.parts)
    ]


def _was_refused(parts: Any) -> bool:
    return any(one.get("type") == PART and one.get("wasRefused") for one in parts)


def _forget_if_rebuilt(state: VisitState, portfolio: Portfolio) -> None:
    """What earlier turns found holds for the index that they asked."""
    build = IndexBuild.objects.filter(portfolio=portfolio, is_active=True).values_list("pk").first()
    name = str(build[0]) if build else ""
    if state.build != name:
        state.build, state.plans, state.searches = name, {}, {}
