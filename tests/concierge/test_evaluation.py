"""`manage.py evaluate concierge`: real turns, judged by the rows that they leave."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from futura.errors import BadInput
from futura.evaluation import EvaluationOptions, read_cases
from projects.concierge.evaluation import Case, Played, evaluate_concierge, judge
from projects.concierge.guide import STAGE
from projects.models import Task
from tests.scripted import ScriptedCall

CASES = Path(__file__).parents[1] / "eval" / "concierge.jsonl"
NOW = "2026-11-25T10:00:00+00:00"
MILK = {"id": "t1", "title": "Buy milk"}
DONE = {"tasks": [{**MILK, "status": "completed"}]}
COMPLETE = {"tool": "complete_task", "task": "t1"}


def one_of_each() -> list[Case]:
    """The first case of every kind, and every one that has a past."""
    kinds: dict[str, Case] = {}
    for case in read_cases(CASES, Case):
        kinds.setdefault(case.kind, case)
    past = [case for case in read_cases(CASES, Case) if case.earlier]
    return [*kinds.values(), *past[:3]]


@pytest.mark.parametrize("case", one_of_each(), ids=lambda case: case.kind)
def test_basic_mode_changes_nothing_that_a_case_does_not_mean(db, case):
    found = judge(case)
    assert found.wrong == [], found
    assert not Task.objects.exists()


def scripted_case(case: Case, scripted):
    """Lets the scripted model make the calls of a case, then say something."""
    named = {"task": "id", "project": "projectId"}

    def ready(played: Played) -> None:
        calls = [
            ScriptedCall(
                call["tool"],
                {
                    named.get(key, key): played.ids.get(str(value), value)
                    for key, value in call.items()
                    if key != "tool"
                },
                f"call_{number}",
            )
            for number, call in enumerate(case.calls)
        ]
        scripted.on(STAGE).calls(*calls).text("That is it.")

    return ready


def playable() -> list[Case]:
    """Cases whose calls a model can make at once: a new row, two changes, a deletion, a talk."""
    kinds = {"create", "several", "delete", "note", "talk"}
    chosen: dict[str, Case] = {}
    for case in read_cases(CASES, Case):
        if case.kind in kinds and case.set == "tuned" and case.calls and not case.earlier:
            chosen.setdefault(case.kind, case)
    return list(chosen.values())


@pytest.mark.parametrize("case", playable(), ids=lambda case: case.utterance)
def test_the_same_set_runs_with_a_model(transactional_db, scripted, case):
    found = judge(case, ready=scripted_case(case, scripted))
    assert (found.wrong, found.missed) == ([], [])
    assert found.is_right, found


def test_a_model_that_names_another_persons_row_writes_nothing(transactional_db, scripted):
    theirs = {**MILK, "owner": "other"}
    world = {"tasks": [theirs, {"id": "t2", "title": "Buy bread"}]}
    said = {"utterance": "complete task {t1}", "now": NOW, "before": world, "after": world}
    case = Case.model_validate({**said, "calls": [COMPLETE]})
    found = judge(case, ready=scripted_case(case, scripted))
    assert (found.wrong, found.missed) == ([], [])
    assert not found.is_right  # the call was expected, and refused


def test_a_model_that_writes_something_else_is_caught(transactional_db, scripted):
    said = {"utterance": "buy milk is done", "now": NOW, "before": {"tasks": [MILK]}}
    case = Case.model_validate({**said, "calls": [COMPLETE], "after": DONE})

    def ready(_played: Played) -> None:
        scripted.on(STAGE).call("create_task", {"title": "Buy bread"}).text("Done.")

    found = judge(case, ready=ready)
    assert [one[:10] for one in found.wrong] == ["unexpected"]
    assert found.missed == ["status: 'inbox' for 'completed'"]
    assert not found.is_right


def _written(tmp_path, *cases):
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(json.dumps(case) for case in cases))
    return path


def test_the_command_prints_one_json_object(db, tmp_path):
    said = {"utterance": "buy milk is done", "now": NOW, "before": {"tasks": [MILK]}}
    path = _written(tmp_path, {**said, "calls": [COMPLETE], "after": DONE})
    out = io.StringIO()
    call_command("evaluate", "concierge", str(path), stdout=out)
    figures = json.loads(out.getvalue())
    assert (figures["mode"], figures["right"], figures["wrong_writes"]) == ("rules", 1.0, 0)
    assert figures["failures"] == []


@pytest.mark.parametrize("content", ["", "no json\n", '{"utterance": "x"}\n'])
def test_a_file_that_cannot_be_used_gets_one_clear_sentence(tmp_path, content):
    path = tmp_path / "cases.jsonl"
    path.write_text(content)
    with pytest.raises(BadInput):
        evaluate_concierge(path, EvaluationOptions())
    with pytest.raises(BadInput):
        evaluate_concierge(tmp_path / "missing.jsonl", EvaluationOptions())
