"""One question through Planner, Retrieval, Evidence and Answer, with or without a session."""

from __future__ import annotations

import datetime as dt
import time
import uuid
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from django.conf import settings
from django.db import connections
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.assistant.delimiter import Delimiter
from futura.errors import ModelUnavailable
from futura.llm import stages
from futura.llm.client import Llm
from futura.text import content_overlap
from projects.portfolio.documents import Doc
from projects.portfolio.index import Index, index_for
from projects.portfolio.models import Portfolio
from projects.portfolio.visitors import answer as answering
from projects.portfolio.visitors import basic, evidence, moderation, planner, retrieval
from projects.portfolio.visitors.answer import Spoken
from projects.portfolio.visitors.contract import (
    AnswerMeta,
    AnswerRecord,
    By,
    Dropped,
    EvidenceSummary,
    ReasoningTrace,
    RetrievalPlan,
    Stage,
    StageRecord,
    TurnResult,
    TurnTrace,
    UiPayload,
)
from projects.portfolio.visitors.evidence import Settled
from projects.portfolio.visitors.failures import BrokenOff, ModelFailed, RetrievalFailed
from projects.portfolio.visitors.prompts import Said
from projects.portfolio.visitors.queries import speaker_of
from projects.portfolio.visitors.retrieval import Retrieved
from projects.portfolio.visitors.sentences import key_of
from projects.portfolio.visitors.speaking import Speaker
from projects.portfolio.visitors.state import VisitState
from projects.portfolio.visitors.window import Window, window_of

SAME_QUESTION: Final = 0.7
ValueT = TypeVar("ValueT")


@dataclass(frozen=True)
class StageBegun:
    """A stage begins."""

    stage: Stage


@dataclass(frozen=True)
class StageEnded:
    """A stage is over. `meta` is for the page, `trace` what reasoning has up to here."""

    record: StageRecord
    trace: ReasoningTrace
    ui: UiPayload | None = None


@dataclass(frozen=True)
class TextAdded:
    """The next stretch of the answer."""

    text: str


@dataclass(frozen=True)
class TextReplaced:
    """The answer is taken back; this stands in its place."""

    text: str


Event = StageBegun | StageEnded | TextAdded | TextReplaced


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
    ask = Ask(
        question=question,
        speaker=speaker_of(portfolio),
        index=index or index_for(portfolio),
        state=state or VisitState(portfolio_id=str(portfolio.pk), slug=portfolio.slug),
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
    with ThreadPoolExecutor(1, thread_name_prefix="moderation") as beside:
        return (yield from _Turn(ask, beside).play())


class _Turn:
    """What one question gathers on its way."""

    def __init__(self, ask: Ask, beside: ThreadPoolExecutor) -> None:
        self.ask = ask
        self.delimiter = Delimiter(f"{ask.speaker.portfolio_id} {ask.seed}")
        self.window: Window = window_of(ask.history)
        self.trace = ReasoningTrace()
        self.stages: list[StageRecord] = []
        self.failed: list[str] = []
        self.begun_at = time.monotonic()
        self.uses_model = ask.llm.is_configured
        self.is_searched = False
        self.is_flagged: Future[bool] | None = None
        if not ask.is_moderated and self.uses_model:
            check = copy_context().run
            self.is_flagged = beside.submit(check, _moderated, ask.question, ask.llm)

    def play(self) -> Generator[Event, None, TurnResult]:
        """All stages; the result at the end."""
        ask = self.ask
        if not self.uses_model and not ask.is_moderated and moderation.is_indecent(ask.question):
            return (yield from self._refuse())
        if not self.uses_model and not settings.PORTFOLIO_BASIC_MODE:
            raise ModelFailed
        plan, is_cached = yield from self._plan()
        if self._is_refused():
            return (yield from self._refuse())
        found = yield from self._retrieve(plan)
        settled = yield from self._judge(plan, found)
        spoken = yield from self._answer(plan, found, settled)
        return self._result(plan, is_cached, found, settled, spoken)

    def _is_refused(self) -> bool:
        """What moderation says, which ran beside; a question that nobody could look at goes no
        further to the model.
        """
        try:
            return self.is_flagged is not None and self.is_flagged.result()
        except ModelUnavailable as error:
            self._note(error)
            self.uses_model = False
            return False

    # planner ----------------------------------------------------------------------------------

    def _plan(self) -> Generator[Event, None, tuple[RetrievalPlan, bool]]:
        yield self._begin("planner")
        ask, said = self.ask, self.window.said
        key = planner.cache_key(ask.question, said, with_model=self.uses_model)
        plan, by = ask.state.plans.get(key), "engine"
        is_cached = plan is not None
        if plan is None and self.uses_model:
            plan = self._attempt(
                lambda: planner.plan_with_model(
                    ask.question, said, ask.speaker, ask.llm, self.delimiter
                )
            )
            by = "model"
        if plan is None:
            goes_on = bool(ask.state.last_evidence)
            plan, by = basic.plan_of(ask.question, goes_on=goes_on), "rules"
        if not self.failed:
            ask.state.plans[key] = plan
        self.trace.plan = plan
        meta = {
            "questionType": plan.question_type,
            "enumeration": plan.enumeration,
            "scope": plan.scope,
            "topic": plan.topic,
            "cardsEnabled": plan.cards_enabled,
            "cacheHit": is_cached,
        }
        yield self._end("planner", by, meta)
        return plan, is_cached

    # retrieval --------------------------------------------------------------------------------

    def _retrieve(self, plan: RetrievalPlan) -> Generator[Event, None, Retrieved]:
        yield self._begin("retrieval")
        found = Retrieved()
        if self.ask.index is not None:
            found = self._searched(self.ask.index, plan)
        self.ask.state.searches = dict(found.searches)
        self.trace.retrieval = found.trace.requests
        counts = {source: len(found.ids(source)) for source in retrieval.SOURCES}
        meta = {
            "docsFound": len(found.documents),
            "sources": {source: count for source, count in counts.items() if count},
            "cacheHits": found.trace.cache_hits,
            "cacheMisses": found.trace.cache_misses,
            "enumerationMode": found.trace.enumeration_mode,
            "readWhole": found.trace.read_whole,
            "space": found.trace.space,
            "docsLeftOut": len(found.trace.left_out),
        }
        yield self._end("retrieval", "engine", meta)
        return found

    def _searched(self, index: Index, plan: RetrievalPlan) -> Retrieved:
        try:
            return retrieval.retrieve(
                index,
                plan,
                plan.standalone_question or self.ask.question,
                today=self.ask.today,
                kept=self.ask.state.searches,
                last_evidence=self.ask.state.last_evidence,
            )
        except (ValueError, KeyError) as error:  # an index that was damaged
            raise RetrievalFailed from error

    # evidence ---------------------------------------------------------------------------------

    def _judge(self, plan: RetrievalPlan, found: Retrieved) -> Generator[Event, None, Settled]:
        yield self._begin("evidence")
        ask, by, stage = self.ask, "rules", ""
        settled: Settled | None = None
        if plan.question_type == "meta" or not found.documents:
            # nothing asked, or nothing found: there is nothing to decide
            verdict = "n/a" if plan.question_type == "meta" else "unknown"
            summary = EvidenceSummary.model_validate({"verdict": verdict, "confidence": "low"})
            settled, by = Settled(summary), "engine" if self.uses_model else "rules"
        elif self.uses_model:
            judged = self._attempt(
                lambda: evidence.judge_with_model(
                    ask.question, plan, found, self.window.last(planner.TURNS_SEEN), ask.llm,
                    self.delimiter, has_deep_model=_has_deep_model(),
                )
            )  # fmt: skip
            if judged is not None:
                (settled, stage), by = judged, "model"
        if settled is None:
            settled = basic.search(ask.question, plan, found)
        self.trace.evidence = settled.summary
        ui = evidence.ui_of(settled, plan, banner=self._banner())
        meta: dict[str, Any] = {
            "verdict": settled.summary.verdict,
            "confidence": settled.summary.confidence,
            "evidenceCount": len(settled.summary.selected_evidence),
        }
        if stage == evidence.DEEP_STAGE:
            meta["deepDive"] = True
        yield self._end("evidence", by, meta, ui)
        self.is_searched = by == "rules"
        return settled

    # answer -----------------------------------------------------------------------------------

    def _answer(
        self, plan: RetrievalPlan, found: Retrieved, settled: Settled
    ) -> Generator[Event, None, Spoken]:
        yield self._begin("answer")
        ask, spoken, by = self.ask, Spoken(), "rules"
        if self.uses_model and not self.is_searched:
            by = "model"
            try:
                yield from _added(
                    answering.answer_with_model(
                        ask.question, plan, settled, ask.speaker, spoken, nearby=found.documents,
                        history=self.window.said, llm=ask.llm, delimiter=self.delimiter,
                    )
                )  # fmt: skip
            except ModelUnavailable as error:
                if spoken.text:
                    raise BrokenOff from error
                self._note(error)
                by = "rules"
        if by == "model" and moderation.is_answer_flagged(spoken.text, ask.llm):
            spoken.replace(moderation.refusal(), Dropped(stage="answer", code="MODERATED"))
            yield TextReplaced(spoken.text)
        if not spoken.text.strip():
            for text, numbers in basic.pieces_of(settled, ask.speaker):
                yield TextAdded(spoken.add(text, numbers))
        self.trace.answer_meta = self._answer_meta(plan, settled.summary, by, spoken)
        yield self._end("answer", by, {"tokenCount": len(spoken.text.split())})
        return spoken

    def _answer_meta(
        self, plan: RetrievalPlan, summary: EvidenceSummary, by: str, spoken: Spoken
    ) -> AnswerMeta:
        return AnswerMeta(
            model=stages.stage(answering.STAGE).model if by == "model" else "rules",
            question_type=plan.question_type,
            enumeration=plan.enumeration,
            scope=plan.scope,
            verdict=summary.verdict,
            confidence=summary.confidence,
            thoughts=spoken.thoughts,
        )

    # the whole --------------------------------------------------------------------------------

    def _result(
        self,
        plan: RetrievalPlan,
        is_cached: bool,
        found: Retrieved,
        settled: Settled,
        spoken: Spoken,
    ) -> TurnResult:
        summary = settled.summary
        ui = evidence.ui_of(settled, plan, banner=self._banner())
        record = AnswerRecord(
            anchor_id=self.ask.anchor_id,
            question_type=plan.question_type,
            enumeration=plan.enumeration,
            scope=plan.scope,
            cards_enabled=plan.cards_enabled,
            topic=plan.topic,
            verdict=summary.verdict,
            confidence=summary.confidence,
            claims=spoken.claims,
            evidence=evidence.shown_evidence(settled),
            counts=settled.counts,
            cards=evidence.shown_cards(settled, ui),
            ui=ui,
            flags=summary.semantic_flags,
            warnings=summary.ui_hint_warnings,
            dropped=[*settled.dropped, *spoken.dropped],
            stages=self.stages,
            follow_ups=self._follow_ups(plan, settled.documents),
            basic_mode=not self.uses_model or bool(self.failed),
            truncation_applied=self.window.is_truncated,
        )
        state = self.ask.state
        state.turns += 1
        if settled.documents:
            state.last_evidence = [key_of(doc) for doc in settled.documents]
        return TurnResult(
            message=spoken.text,
            record=record,
            plan=plan,
            retrieved=["/".join(key_of(doc)) for doc in found.documents],
            evidence=summary,
            trace=self._trace(plan, is_cached, found, spoken, record),
        )

    def _follow_ups(self, plan: RetrievalPlan, docs: Sequence[Doc]) -> list[str]:
        return [
            question
            for question in planner.follow_ups(plan, docs)
            if content_overlap(question, self.ask.question) < SAME_QUESTION
        ]

    def _trace(
        self,
        plan: RetrievalPlan,
        is_cached: bool,
        found: Retrieved,
        spoken: Spoken,
        record: AnswerRecord,
    ) -> TurnTrace:
        """What is logged of a turn (spec 3, section 8.2)."""
        meta = self.trace.answer_meta
        assert meta is not None  # noqa: S101 - the answer stage has set it
        return TurnTrace(
            plan=plan,
            planner_cache_hit=is_cached,
            retrieval=found.trace,
            verdict=record.verdict,
            confidence=record.confidence,
            selected_evidence_count=record.counts.selected_evidence_count,
            ui_hints_project_count=record.counts.ui_hints_project_count,
            ui_hints_experience_count=record.counts.ui_hints_experience_count,
            semantic_flags=record.flags,
            answer_meta=meta,
            message_length=len(spoken.text),
            thoughts_count=len(spoken.thoughts),
            thoughts_length=sum(map(len, spoken.thoughts)),
            stages=record.stages,
            dropped=record.dropped,
        )

    def _refuse(self) -> Generator[Event, None, TurnResult]:
        """A question that is not answered: nothing of it is kept."""
        plan = RetrievalPlan(question_type="meta", cards_enabled=False, topic="refused")
        settled = Settled(EvidenceSummary(verdict="n/a", confidence="low"))
        spoken = Spoken()
        self.stages = []
        yield TextAdded(spoken.add(moderation.refusal()))
        self.trace.answer_meta = self._answer_meta(plan, settled.summary, "rules", spoken)
        result = self._result(plan, False, Retrieved(), settled, spoken)
        result.record.was_refused = True
        return result

    def _attempt(self, call: Callable[[], ValueT]) -> ValueT | None:
        """What the model says; None when it fails, and basic mode takes over."""
        try:
            return call()
        except ModelUnavailable as error:
            self._note(error)
            return None

    def _note(self, error: ModelUnavailable) -> None:
        """Basic mode takes over, where it may."""
        if not settings.PORTFOLIO_BASIC_MODE:
            raise ModelFailed(error.reason) from error
        self.failed.append(error.reason)

    def _banner(self) -> str:
        """What the page says while a model that is set up is not reachable."""
        return _("Basic mode: the language model is not reachable.") if self.failed else ""

    def _begin(self, stage: Stage) -> StageBegun:
        self.begun_at = time.monotonic()
        return StageBegun(stage)

    def _end(
        self, stage: Stage, by: str, meta: dict[str, Any], ui: UiPayload | None = None
    ) -> StageEnded:
        took = round((time.monotonic() - self.begun_at) * 1000)
        given = {key: value for key, value in meta.items() if value is not None}
        given["by"] = by
        if self.failed:
            given["fallback"] = self.failed[-1]
        kind: By = "model" if by == "model" else "rules" if by == "rules" else "engine"
        record = StageRecord(stage=stage, by=kind, duration_ms=took, meta=given)
        self.stages.append(record)
        return StageEnded(record, self.trace.model_copy(), ui)


def _moderated(question: str, llm: Llm) -> bool:
    """In a thread of its own. Raises ModelUnavailable, Cancelled."""
    try:
        return moderation.is_flagged(question, llm)
    finally:
        connections.close_all()


def _added(texts: Iterator[str]) -> Iterator[TextAdded]:
    for text in texts:
        yield TextAdded(text)


def _has_deep_model() -> bool:
    """Whether a larger model is named for evidence than the usual one."""
    return stages.stage(evidence.DEEP_STAGE).model != stages.stage(evidence.STAGE).model
