"""One question through Planner, Retrieval, Evidence and Answer, with or without a session."""

from __future__ import annotations

import datetime as dt
import time
import uuid
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from futura.errors import ModelUnavailable
from futura.llm import stages
from futura.llm.client import Llm
from futura.text import content_overlap
from projects.agent.fencing import Fence
from projects.portfolio.index import Index, index_for
from projects.portfolio.models import Portfolio
from projects.portfolio.visitors import answering, evidence, moderation, planner, retrieval
from projects.portfolio.visitors.contract import (
    AnswerMeta,
    AnswerRecord,
    By,
    EvidenceSummary,
    ReasoningTrace,
    RetrievalPlan,
    Stage,
    StageRecord,
    TurnResult,
    UiPayload,
)
from projects.portfolio.visitors.evidence import Settled
from projects.portfolio.visitors.failures import BrokenOff, ModelFailed, RetrievalFailed
from projects.portfolio.visitors.judged import Case
from projects.portfolio.visitors.prompts import Said
from projects.portfolio.visitors.queries import speaker_of
from projects.portfolio.visitors.retrieval import Retrieved
from projects.portfolio.visitors.sought import Key, Sought
from projects.portfolio.visitors.speaking import Speaker
from projects.portfolio.visitors.state import VisitState
from projects.portfolio.visitors.tracing import trace_of
from projects.portfolio.visitors.window import Window, window_of
from projects.portfolio.visitors.wording import Piece

SAME_QUESTION = 0.7


@dataclass(frozen=True)
class Began:
    """A stage begins."""

    stage: Stage


@dataclass(frozen=True)
class Finished:
    """A stage is over. `meta` is for the page, `trace` what reasoning has up to here."""

    record: StageRecord
    trace: ReasoningTrace
    ui: UiPayload | None = None


@dataclass(frozen=True)
class Uttered:
    """The next stretch of the answer."""

    text: str


Event = Began | Finished | Uttered


@dataclass
class Ask:
    """A question and everything that an answer may use. `state` is changed in place."""

    question: str
    speaker: Speaker
    index: Index | None
    state: VisitState
    llm: Llm
    history: Sequence[Said] = ()
    anchor_id: str = ""
    is_moderated: bool = False
    today: dt.date = field(default_factory=timezone.localdate)
    seed: str = field(default_factory=lambda: uuid.uuid4().hex)


def answer(
    portfolio: Portfolio,
    question: str,
    history: Sequence[Said] = (),
    *,
    llm: Llm | None = None,
    state: VisitState | None = None,
    index: Index | None = None,
) -> TurnResult:
    """Answers one question, in process. `history` is (role, text), oldest first.

    A `state` that is passed again holds what earlier turns found.
    """
    kept = state or VisitState(portfolio_id=str(portfolio.pk), slug=portfolio.slug)
    ask = Ask(
        question=question,
        speaker=speaker_of(portfolio),
        index=index or index_for(portfolio),
        state=kept,
        llm=llm or Llm(),
        history=history,
    )
    stream = respond(ask)
    while True:
        try:
            next(stream)
        except StopIteration as end:
            result: TurnResult = end.value
            return result


def respond(ask: Ask) -> Generator[Event, None, TurnResult]:
    """The stages one after the other. Raises BrokenOff, Cancelled."""
    return (yield from _Turn(ask).play())


class _Turn:
    """What one question gathers on its way."""

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.fence = Fence(f"{ask.speaker.portfolio_id} {ask.seed}")
        self.window: Window = window_of(ask.history)
        self.trace = ReasoningTrace()
        self.stages: list[StageRecord] = []
        self.failed: list[str] = []
        self.began = time.monotonic()
        self.uses_model = ask.llm.is_configured
        self.docs = list(ask.index.by_id.values()) if ask.index else []

    def play(self) -> Generator[Event, None, TurnResult]:
        """All stages; the result at the end."""
        if not self.ask.is_moderated and self._is_flagged():
            return (yield from self._refuse())
        if not self.ask.llm.is_configured and not settings.PORTFOLIO_BASIC_MODE:
            raise ModelFailed
        plan, cached = yield from self._plan()
        looks_for = self._looks_for(plan)
        found = yield from self._retrieve(plan, looks_for)
        settled = yield from self._judge(plan, looks_for, found)
        spoken = yield from self._answer(plan, settled)
        return self._result(plan, cached, found, settled, spoken)

    def _is_flagged(self) -> bool:
        """Whether the question is refused; one that nobody could look at never meets the model."""
        try:
            return moderation.is_flagged(self.ask.question, self.ask.llm)
        except ModelUnavailable as error:
            self._note(error)
            self.uses_model = False
            return False

    # planner ----------------------------------------------------------------------------------

    def _plan(self) -> Generator[Event, None, tuple[RetrievalPlan, bool]]:
        yield self._begin("planner")
        asked = planner.Asked(
            self.ask.question, [t for role, t in self.window.said if role == "user"]
        )
        key = planner.cache_key(asked, self.window.said, with_model=self.uses_model)
        plan, by = self.ask.state.plans.get(key), "engine"
        is_cached = plan is not None
        if plan is None and self.uses_model:
            plan = self._tried(
                lambda: planner.plan_with_model(
                    asked, self.window.said, self.ask.speaker, self.ask.llm, self.fence
                )
            )
            by = "model"
        if plan is None:
            plan, by = planner.plan_by_rules(asked), "rules"
        self.ask.state.plans[key] = plan
        self.trace.plan = plan
        meta = {
            "questionType": plan.question_type,
            "enumeration": plan.enumeration,
            "scope": plan.scope,
            "topic": plan.topic,
            "cardsEnabled": plan.cards_enabled,
            "cacheHit": is_cached,
        }
        yield self._finish("planner", by, meta)
        return plan, is_cached

    def _looks_for(self, plan: RetrievalPlan) -> Sought:
        asked = planner.Asked(
            self.ask.question, [t for role, t in self.window.said if role == "user"]
        )
        return planner.looks_for(asked, plan, self.docs, self.ask.state.last_evidence)

    # retrieval --------------------------------------------------------------------------------

    def _retrieve(
        self, plan: RetrievalPlan, looks_for: Sought
    ) -> Generator[Event, None, Retrieved]:
        yield self._begin("retrieval")
        found = Retrieved()
        if self.ask.index is not None:
            found = self._searched(self.ask.index, plan, looks_for)
        self.ask.state.searches = dict(found.searches)
        self.trace.retrieval = found.trace.requests
        sources = {source: len(hits) for source, hits in found.hits.items() if hits}
        meta = {
            "docsFound": len(found.documents),
            "sources": sources,
            "cacheHits": found.trace.cache_hits,
            "cacheMisses": found.trace.cache_misses,
            "enumerationMode": found.trace.enumeration_mode,
        }
        yield self._finish("retrieval", "engine", meta)
        return found

    def _searched(self, index: Index, plan: RetrievalPlan, looks_for: Sought) -> Retrieved:
        try:
            return retrieval.retrieve(
                index,
                plan,
                self.ask.question,
                looks_for,
                today=self.ask.today,
                kept=self.ask.state.searches,
                last_evidence=self.ask.state.last_evidence,
            )
        except (ValueError, KeyError) as error:  # an index that was damaged
            raise RetrievalFailed from error

    # evidence ---------------------------------------------------------------------------------

    def _judge(
        self, plan: RetrievalPlan, looks_for: Sought, found: Retrieved
    ) -> Generator[Event, None, Settled]:
        yield self._begin("evidence")
        case = Case(self.ask.question, plan, looks_for, found.documents)
        settled, by, stage = None, "rules", ""
        # nothing asked, or nothing found: there is nothing to decide
        if self.uses_model and plan.question_type != "meta" and found.documents:
            told = self._tried(
                lambda: evidence.judge_with_model(
                    case, found, self.ask.llm, self.fence, has_deep_model=_has_deep_model()
                )
            )
            if told is not None:
                (settled, stage), by = told, "model"
        if settled is None:
            settled = evidence.judge_by_rules(case, found)
        self.trace.evidence = settled.summary
        ui = evidence.ui_of(settled, plan, banner=self._banner())
        meta: dict[str, Any] = {
            "verdict": settled.summary.verdict,
            "confidence": settled.summary.confidence,
            "evidenceCount": len(settled.summary.selected_evidence),
        }
        if stage == evidence.DEEP_STAGE:
            meta["deepDive"] = True
        yield self._finish("evidence", by, meta, ui)
        return settled

    # answer -----------------------------------------------------------------------------------

    def _answer(
        self, plan: RetrievalPlan, settled: Settled
    ) -> Generator[Event, None, answering.Spoken]:
        yield self._begin("answer")
        spoken = answering.Spoken()
        ask, by = self.ask, "rules"
        # without evidence the model is not asked to improvise
        is_told = plan.question_type == "meta" or settled.summary.selected_evidence
        if self.uses_model and is_told:
            by = "model"
            try:
                yield from _uttered(
                    answering.answer_with_model(
                        ask.question, plan, settled, ask.speaker, spoken,
                        history=self.window.said, llm=ask.llm, fence=self.fence,
                    )
                )  # fmt: skip
            except ModelUnavailable as error:
                if spoken.text:
                    raise BrokenOff from error
                self._note(error)
                by = "rules"
        if not spoken.text:
            yield from _uttered(
                answering.answer_by_rules(ask.question, plan, settled, ask.speaker, spoken)
            )
        if not spoken.text.strip():
            yield Uttered(spoken.add(Piece(moderation.refusal())))
        self.trace.answer_meta = self._answer_meta(plan, settled.summary, by, spoken)
        meta: dict[str, Any] = {"tokenCount": len(spoken.text.split())}
        yield self._finish("answer", by, meta)
        return spoken

    def _answer_meta(
        self, plan: RetrievalPlan, told: EvidenceSummary, by: str, spoken: answering.Spoken
    ) -> AnswerMeta:
        return AnswerMeta(
            model=stages.stage(answering.STAGE).model if by == "model" else "rules",
            question_type=plan.question_type,
            enumeration=plan.enumeration,
            scope=plan.scope,
            verdict=told.verdict,
            confidence=told.confidence,
            thoughts=spoken.thoughts,
        )

    # the whole --------------------------------------------------------------------------------

    def _result(
        self,
        plan: RetrievalPlan,
        is_cached: bool,
        found: Retrieved,
        settled: Settled,
        spoken: answering.Spoken,
    ) -> TurnResult:
        told = settled.summary
        ui = evidence.ui_of(settled, plan, banner=self._banner())
        dropped = [*settled.dropped, *spoken.dropped]
        record = AnswerRecord(
            anchor_id=self.ask.anchor_id,
            question_type=plan.question_type,
            enumeration=plan.enumeration,
            scope=plan.scope,
            cards_enabled=plan.cards_enabled,
            topic=plan.topic,
            verdict=told.verdict,
            confidence=told.confidence,
            claims=spoken.claims,
            evidence=evidence.shown_evidence(settled),
            counts=settled.counts,
            cards=evidence.shown_cards(settled, ui),
            ui=ui,
            flags=told.semantic_flags,
            warnings=told.ui_hint_warnings,
            dropped=dropped,
            stages=self.stages,
            follow_ups=[
                one
                for one in planner.follow_ups(plan, settled.documents)
                if content_overlap(one, self.ask.question) < SAME_QUESTION
            ],
            basic_mode=not self.uses_model or bool(self.failed),
            truncation_applied=self.window.is_truncated,
        )
        state = self.ask.state
        state.turns += 1
        if settled.documents:
            keys: list[Key] = [(one.corpus, one.doc_id) for one in settled.documents]
            state.last_evidence = list(dict.fromkeys(keys))
        return TurnResult(
            message=spoken.text,
            record=record,
            plan=plan,
            retrieved=[f"{one.corpus}/{one.doc_id}" for one in found.documents],
            evidence=told,
            trace=trace_of(plan, is_cached, found, settled, spoken, record, self.trace),
        )

    def _refuse(self) -> Generator[Event, None, TurnResult]:
        """A question that is not answered: no stage runs."""
        plan = RetrievalPlan(question_type="meta", cards_enabled=False, topic="refused")
        settled = Settled(EvidenceSummary(verdict="n/a", confidence="low"))
        spoken = answering.Spoken()
        yield Uttered(spoken.add(Piece(moderation.refusal())))
        self.trace.answer_meta = self._answer_meta(plan, settled.summary, "rules", spoken)
        result = self._result(plan, False, Retrieved(), settled, spoken)
        result.record.was_refused = True
        return result

    def _tried(self, ask: Any) -> Any:
        """What the model says; None when it fails, and rules take over."""
        try:
            return ask()
        except ModelUnavailable as error:
            self._note(error)
            return None

    def _note(self, error: ModelUnavailable) -> None:
        """Rules take over, where they may."""
        if not settings.PORTFOLIO_BASIC_MODE:
            raise ModelFailed(error.reason) from error
        self.failed.append(error.reason)

    def _banner(self) -> str:
        """What the page says while rules stand in for a model that is set up."""
        return _("Basic mode: the language model is not reachable.") if self.failed else ""

    def _begin(self, stage: Stage) -> Began:
        self.began = time.monotonic()
        return Began(stage)

    def _finish(
        self, stage: Stage, by: str, meta: dict[str, Any], ui: UiPayload | None = None
    ) -> Finished:
        took = round((time.monotonic() - self.began) * 1000)
        given = {key: value for key, value in meta.items() if value is not None}
        given["by"] = by
        if self.failed:
            given["fallback"] = self.failed[-1]
        kind: By = "model" if by == "model" else "rules" if by == "rules" else "engine"
        record = StageRecord(stage=stage, by=kind, duration_ms=took, meta=given)
        self.stages.append(record)
        return Finished(record, self.trace.model_copy(), ui)


def _uttered(texts: Iterator[str]) -> Iterator[Uttered]:
    for one in texts:
        yield Uttered(one)


def _has_deep_model() -> bool:
    """Whether a larger model is named for evidence than the usual one."""
    return stages.stage(evidence.DEEP_STAGE).model != stages.stage(evidence.STAGE).model
