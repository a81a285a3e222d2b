"""What is logged of a turn (spec 3, section 8.2)."""

from __future__ import annotations

from projects.portfolio.visitors.answering import Spoken
from projects.portfolio.visitors.contract import (
    AnswerRecord,
    ReasoningTrace,
    RetrievalPlan,
    TurnTrace,
)
from projects.portfolio.visitors.evidence import Settled
from projects.portfolio.visitors.retrieval import Retrieved


def trace_of(
    plan: RetrievalPlan,
    is_cached: bool,
    found: Retrieved,
    settled: Settled,
    spoken: Spoken,
    record: AnswerRecord,
    reasoning: ReasoningTrace,
) -> TurnTrace:
    """Every field of the trace. The answer stage is over."""
    told, meta = settled.summary, reasoning.answer_meta
    assert meta is not None  # noqa: S101 - the answer stage has set it
    return TurnTrace(
        plan=plan,
        planner_cache_hit=is_cached,
        retrieval=found.trace,
        verdict=told.verdict,
        confidence=told.confidence,
        selected_evidence_count=len(told.selected_evidence),
        ui_hints_project_count=len(told.ui_hints.projects),
        ui_hints_experience_count=len(told.ui_hints.experiences),
        semantic_flags=told.semantic_flags,
        answer_meta=meta,
        message_length=len(spoken.text),
        thoughts_count=len(spoken.thoughts),
        thoughts_length=sum(map(len, spoken.thoughts)),
        stages=record.stages,
        dropped=record.dropped,
    )
