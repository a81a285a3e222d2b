"""The utterances of the evaluation as pure understanding has them: the same calls, no others."""

from __future__ import annotations

import datetime as dt
import uuid
from pathlib import Path

import pytest

from futura.evaluation import read_cases
from projects.concierge.calls import call_of, json_of
from projects.concierge.evaluation import Case
from projects.concierge.understanding import Known, KnownProject, KnownTask, Memory, understand

EVAL = Path(__file__).parents[2] / "eval"
FILES = (
    "concierge.jsonl",
    "concierge_fresh.jsonl",
    "concierge_second.jsonl",
    "concierge_later.jsonl",
)
CASES = [
    (number, case)
    for name in FILES
    for number, case in enumerate(read_cases(EVAL / name, Case), start=1)
    if not case.earlier
]


def known(case: Case) -> Known:
    tasks = [
        KnownTask(
            _id(one.id), one.title, one.status, one.priority, one.due,
            _id(one.project) if one.project else None, one.notes,
        )
        for one in case.before.tasks
        if not one.owner
    ]  # fmt: skip
    projects = [KnownProject(_id(one.id), one.name) for one in case.before.projects]
    return Known(tasks, projects)


def _id(short: str) -> uuid.UUID:
    return uuid.uuid5(uuid.NAMESPACE_OID, short)


def _plain(call: dict[str, object]) -> dict[str, object]:
    return {
        key: value.casefold() if isinstance(value, str) else value for key, value in call.items()
    }


@pytest.mark.parametrize(("number", "case"), CASES)
def test_what_is_said_becomes_the_calls_of_the_case(number, case):
    said = case.utterance
    for task in case.before.tasks:
        said = said.replace("{" + task.id + "}", str(_id(task.id)))
    found = understand(said, now=case.now, briefing=known(case), earlier=Memory())
    named = {"task", "project"}
    wanted = [
        json_of(call_of({k: str(_id(v)) if k in named else v for k, v in call.items()}))
        for call in case.calls
        if len(call) > 1 or call["tool"] != "list_tasks"
    ]
    got = [json_of(one) for one in found.calls]
    for call in wanted:
        match = [one for one in got if _plain(call).items() <= _plain(one).items()]
        assert match, (call, got)
    assert len(got) == len(case.calls), (found.kind, got)
    if case.asks:
        assert found.question


def test_the_cases_have_days_of_their_own():
    assert all(case.now.tzinfo is not None for _number, case in CASES)
    assert {case.now.date() for _number, case in CASES} == {dt.date(2026, 11, 25)}
