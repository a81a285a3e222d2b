"""Measures, in the configured mode, what is found of what was told, what is made up, how coded."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Final, Literal

import numpy as np
from django.db.models import Sum
from pydantic import BaseModel, Field
from scipy.optimize import linear_sum_assignment

from chat.actions.sessions import erase
from chat.models import Message, Participant, Session
from futura.errors import BadInput
from futura.evaluation import EvaluationOptions, read_cases
from futura.llm.client import Llm
from futura.llm.models import ModelCall
from futura.text import content_overlap
from onet import queries as catalogue
from onet.actions import ensure_starter
from onet.candidates import ActivityGroup
from tasks.actions import start_pipeline
from tasks.coding import basic, extraction
from tasks.coding.matching import match_responses
from tasks.coding.records import Source, SourceTurn
from tasks.coding.run import process
from tasks.interview.state import SurveyState
from tasks.models import SurveyResponse, WorkTask

SAME: Final = 0.5
"""Jaccard overlap of stemmed content words from which two tasks are one (issue 2)."""


class CaseTurn(BaseModel):
    role: Literal["user", "assistant"]
    text: str


class Case(BaseModel):
    """One line of the file: a conversation, what the person does, and what they do not."""

    job_title: str = ""
    turns: list[CaseTurn]
    tasks: list[str] = Field(default_factory=list)
    not_tasks: list[str] = Field(default_factory=list)


class SurveyCase(Case):
    """A talk that is written up whole; `groups`, where given, are those of `tasks` in order."""

    occupation: str = ""
    language: str = ""
    groups: list[ActivityGroup] = Field(default_factory=list)


@dataclass(frozen=True)
class Judged:
    """What was found in one case, held against what should have been."""

    job_title: str
    predicted: list[str]
    matched: list[tuple[str, str]]
    missed: list[str]
    extra: list[str]
    claimed: list[str]


def evaluate_extraction(path: Path | None, options: EvaluationOptions) -> dict[str, Any]:
    """Precision, recall, F1 and how many foreign tasks were claimed, over a file of JSON lines.

    Raises ModelUnavailable when the configured model fails: a figure of both modes is none.
    """
    if path is None:
        raise BadInput("Name the file with the cases: evaluate extraction FILE.")
    cases = read_cases(path, Case)
    llm = Llm()
    started = perf_counter()
    judged = [judge(case, llm) for case in cases]
    elapsed_ms = (perf_counter() - started) * 1000
    figures = _shares(cases, judged) | {
        "mode": "model" if llm.is_configured else "basic",
        "mean_ms": round(elapsed_ms / len(cases), 3),
    }
    return figures | ({"details": [asdict(item) for item in judged]} if options.details else {})


def _shares(cases: Sequence[Case], judged: Sequence[Judged]) -> dict[str, Any]:
    matched = sum(len(item.matched) for item in judged)
    predicted = sum(len(item.predicted) for item in judged)
    expected = sum(len(case.tasks) for case in cases)
    return {
        "n": len(cases),
        "precision": share(matched, predicted),
        "recall": share(matched, expected),
        "f1": share(2 * matched, predicted + expected),
        "not_tasks_claimed": sum(len(item.claimed) for item in judged),
        "predicted": predicted,
        "expected": expected,
    }


def share(part: float, whole: float) -> float:
    """To four places; 0 of nothing."""
    return round(part / whole, 4) if whole else 0.0


def spent(session_id: uuid.UUID) -> tuple[int, float]:
    """Tokens that went out for a talk, and dollars."""
    calls = ModelCall.objects.filter(session_id=session_id).aggregate(
        tokens=Sum("input_tokens"), cost=Sum("cost_usd")
    )
    return calls["tokens"] or 0, float(calls["cost"] or 0)


def evaluate_survey(path: Path | None, options: EvaluationOptions) -> dict[str, Any]:
    """The same over the stored lists: talks are written up and coded as the product does it.

    Adds how many tasks have a catalogue statement, how many of the given groups are right, and
    tokens and cost a talk. Each talk is erased afterwards.
    """
    if path is None:
        raise BadInput("Name the file with the talks: evaluate survey FILE.")
    cases = read_cases(path, SurveyCase)
    ensure_starter()
    judged: list[Judged] = []
    matched = right = grouped = tokens = 0
    cost = 0.0
    modes = set()
    for case in cases:
        with new_talk(case.job_title, case.occupation, language=case.language) as response:
            Message.objects.bulk_create(
                Message(session=response.session, seq=seq, role=turn.role, text=turn.text)
                for seq, turn in enumerate(case.turns, start=1)
            )
            rows = written_list(response)
            result = _judged(case, [row.statement for row in rows])
            matched += sum(bool(row.match.occupation_code) for row in rows)
            existing = dict(zip(case.tasks, case.groups, strict=False))
            groups = {row.statement: row.group for row in rows}
            grouped += sum(expected in existing for _, expected in result.matched)
            right += sum(
                expected in existing and groups[statement] == existing[expected]
                for statement, expected in result.matched
            )
            used, paid = spent(response.pk)
        judged.append(result)
        modes.add("basic" if response.basic_mode else "model")
        tokens += used
        cost += paid
    figures = _shares(cases, judged) | {
        "mode": "+".join(sorted(modes)),
        "catalogue": catalogue.catalogue().kind,
        "with_statement": share(matched, sum(len(item.predicted) for item in judged)),
        "group_accuracy": share(right, grouped) if grouped else None,
        "input_tokens": round(tokens / len(cases)),
        "cost_usd": round(cost / len(cases), 5),
    }
    return figures | ({"details": [asdict(item) for item in judged]} if options.details else {})


@contextmanager
def new_talk(job_title: str, occupation: str, *, language: str = "") -> Iterator[SurveyResponse]:
    """A talk in which nothing was said so far; it is gone after the block."""
    state = SurveyState(job_title=job_title, occupation_code=occupation, language=language)
    session = Session.objects.create(
        participant=Participant.objects.create(),
        kind="survey",
        title=job_title,
        state=state.model_dump(mode="json", by_alias=True),
    )
    try:
        yield SurveyResponse.objects.create(
            session=session, job_title=job_title, occupation_code=occupation
        )
    finally:
        participant = session.participant
        erase(session)
        participant.delete()


def written_list(response: SurveyResponse) -> list[WorkTask]:
    """The tasks of a talk that is over, each with its match. Raises BadInput where none came."""
    start_pipeline(response.pk)
    process(response.pk)
    match_responses(response.pk)
    response.refresh_from_db()
    if response.step != SurveyResponse.Step.DONE:
        raise BadInput(f"A list was not written: {response.step_error or response.step}.")
    return list(response.tasks.filter(deleted_at=None).select_related("match"))


def judge(case: Case, llm: Llm) -> Judged:
    """Finds the tasks of one case as the product does and pairs them with those expected."""
    turns = [SourceTurn(turn.role, turn.text, uuid.uuid4()) for turn in case.turns]
    source = Source(case.job_title, turns if any(turn.is_person for turn in turns) else [])
    is_by_model = llm.is_configured
    raws = extraction.extract(source, llm=llm).tasks if is_by_model else basic.extract(source)
    return _judged(case, [task.raw for task in raws])


def _judged(case: Case, predicted: list[str]) -> Judged:
    pairs = paired(predicted, case.tasks)
    matches = {i for i, _ in pairs}
    met = {j for _, j in pairs}
    extra = [text for i, text in enumerate(predicted) if i not in matches]
    foreign = paired(extra, case.not_tasks)
    return Judged(
        job_title=case.job_title,
        predicted=predicted,
        matched=[(predicted[i], case.tasks[j]) for i, j in pairs],
        missed=[text for j, text in enumerate(case.tasks) if j not in met],
        extra=extra,
        claimed=[case.not_tasks[j] for _, j in foreign],
    )


def paired(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    """As many pairs of equal tasks as possible, each text used once; places in both lists."""
    if not left or not right:
        return []
    overlap = np.array([[content_overlap(item, other) for other in right] for item in left])
    equal = overlap >= SAME
    # enough pairs first, then the closest ones
    rows, columns = linear_sum_assignment(-(equal * (100.0 + overlap)))
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if equal[i, j]]
