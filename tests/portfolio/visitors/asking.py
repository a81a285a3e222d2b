"""A question to a portfolio in process, through the stages that the product goes through."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from chat.guides import StageDone
from chat.memory.shapes import Utterance
from futura.llm.client import Llm
from projects.portfolio.index.building import index_for
from projects.portfolio.models import Portfolio
from projects.portfolio.visitors.contract import (
    AnswerRecord,
    EvidenceSummary,
    Question,
    RetrievalPlan,
    TurnResult,
    VisitState,
)
from projects.portfolio.visitors.guide import speaker_of
from projects.portfolio.visitors.pipeline import PREFIX, respond

Line = tuple[Literal["user", "assistant"], str]


@dataclass(frozen=True)
class Answered:
    """A turn with the ends of its stages, by name."""

    turn: TurnResult
    stages: dict[str, StageDone]

    @property
    def message(self) -> str:
        return self.turn.message

    @property
    def record(self) -> AnswerRecord:
        return self.turn.record

    @property
    def plan(self) -> RetrievalPlan:
        return self.turn.plan

    @property
    def evidence(self) -> EvidenceSummary:
        return self.turn.evidence

    @property
    def retrieved(self) -> Sequence[str]:
        return self.turn.retrieved

    def meta(self, stage: str) -> dict[str, Any]:
        """What the page is told of a stage."""
        return dict(self.stages[stage].detail["meta"])

    def trace(self, stage: str) -> Any:
        """What a stage adds to the reasoning."""
        [value] = self.stages[stage].detail["trace"].values()
        return value


def answer(
    portfolio: Portfolio,
    question: str,
    history: Sequence[Line] = (),
    *,
    state: VisitState | None = None,
    llm: Llm | None = None,
) -> Answered:
    """Asks; `history` is (role, text), oldest first."""
    stream = respond(
        Question(
            text=question,
            speaker=speaker_of(portfolio),
            index=index_for(portfolio),
            state=state or VisitState(portfolio_id=str(portfolio.pk)),
            llm=llm or Llm(),
            history=[Utterance(role, text, uuid.uuid4()) for role, text in history],
        )
    )
    stages: dict[str, StageDone] = {}
    while True:
        try:
            event = next(stream)
        except StopIteration as end:
            return Answered(end.value, stages)
        if isinstance(event, StageDone):
            stages[event.name.removeprefix(PREFIX)] = event
