"""`manage.py evaluate concierge`: real turns, judged by rows; and what basic mode must hold."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from futura.errors import BadInput
from futura.evaluation import EvaluationOptions
from projects.concierge.evaluation import evaluate_concierge, judge, read_cases
from projects.models import Task

CASES = Path(__file__).parents[1] / "eval" / "concierge.jsonl"


def test_basic_mode_is_right_often_and_never_writes_wrongly(db):
    figures = evaluate_concierge(CASES, EvaluationOptions())
    assert figures["mode"] == "rules"
    assert figures["n"] == 80
    assert figures["right"] >= 0.9, figures["failures"]
    assert figures["wrong_writes"] == 0, figures["failures"]
    assert not Task.objects.exists()


def _written(tmp_path, *cases):
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(json.dumps(case) for case in cases))
    return path


NOW = "2026-11-25T10:00:00+00:00"
MILK = {"id": "t1", "title": "Buy milk"}


def test_a_wrong_and_a_missing_row_are_told_apart(db, tmp_path):
    said = {"utterance": "add bread", "now": NOW, "before": {"tasks": [MILK]}}
    wanted = {"tasks": [{**MILK, "status": "completed"}]}
    path = _written(tmp_path, {**said, "calls": [{"tool": "complete_task"}], "after": wanted})
    found = judge(read_cases(path)[0])
    assert not found.is_right
    assert found.called == ["create_task"]
    assert [one[:10] for one in found.wrong] == ["unexpected"]
    assert found.missed == ["status: 'inbox' for 'completed'"]


def test_the_command_prints_one_json_object(db, tmp_path):
    case = {"utterance": "buy milk is done", "now": NOW, "before": {"tasks": [MILK]}}
    done = {"tasks": [{**MILK, "status": "completed"}]}
    call = {"tool": "complete_task", "task": "t1"}
    path = _written(tmp_path, {**case, "calls": [call], "after": done})
    out = io.StringIO()
    call_command("evaluate", "concierge", str(path), stdout=out)
    figures = json.loads(out.getvalue())
    assert (figures["right"], figures["wrong_writes"], figures["failures"]) == (1.0, 0, [])


@pytest.mark.parametrize("content", ["", "no json\n", '{"utterance": "x"}\n'])
def test_a_file_that_cannot_be_used_gets_one_clear_sentence(tmp_path, content):
    path = tmp_path / "cases.jsonl"
    path.write_text(content)
    with pytest.raises(BadInput):
        evaluate_concierge(path, EvaluationOptions())
    with pytest.raises(BadInput):
        evaluate_concierge(tmp_path / "missing.jsonl", EvaluationOptions())
