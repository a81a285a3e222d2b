"""`manage.py evaluate extraction`: the pairing, the figures, and the level basic mode must hold."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from chat.models import Session
from futura.errors import BadInput, ModelUnavailable
from futura.evaluation import EvaluationOptions
from tasks.evaluation import evaluate_extraction, evaluate_survey, paired
from tasks.models import WorkTask

CASES = Path(__file__).parents[1] / "eval"


@pytest.mark.parametrize("name", ["extraction_dev.jsonl", "extraction_holdout.jsonl"])
def test_basic_mode_reaches_its_target(name):
    figures = evaluate_extraction(CASES / name, EvaluationOptions())
    assert figures["f1"] >= 0.85
    assert figures["not_tasks_claimed"] <= 1


def test_the_command_prints_one_json_object(db, capsys):
    out = io.StringIO()
    call_command("evaluate", "extraction", str(CASES / "extraction_dev.jsonl"), stdout=out)
    figures = json.loads(out.getvalue() or capsys.readouterr().out)
    assert {"n", "precision", "recall", "f1", "not_tasks_claimed"} <= set(figures)


def test_details_show_every_case():
    figures = evaluate_extraction(CASES / "extraction_dev.jsonl", EvaluationOptions(details=True))
    assert len(figures["details"]) == figures["n"]


def test_pairs_are_one_to_one_and_as_many_as_possible():
    left = ["write reports", "write weekly reports"]
    assert len(paired(left, ["write reports weekly", "write reports"])) == 2
    assert len(paired(left, ["write reports"])) == 1
    assert paired(left, ["sell bread"]) == []


@pytest.mark.parametrize(
    "content", ["", "not json\n", '{"turns": 3}\n', '{"turns": [{"role": "x"}]}']
)
def test_a_file_that_cannot_be_used_gets_one_clear_sentence(tmp_path, content):
    path = tmp_path / "cases.jsonl"
    path.write_text(content)
    with pytest.raises(BadInput):
        evaluate_extraction(path, EvaluationOptions())
    with pytest.raises(BadInput):
        evaluate_extraction(tmp_path / "missing.jsonl", EvaluationOptions())


CASE = {
    "job_title": "Baker",
    "turns": [
        {"role": "assistant", "text": "Backen Sie?"},
        {"role": "user", "text": "Ja, und ich putze."},
    ],
    "tasks": ["Brot backen", "putzen"],
}
ANSWER = {
    "extracted_tasks": [
        {"task": "Brot backen", "message": 2, "quote": "Ja"},
        {"task": "putzen", "message": 2, "quote": "ich putze"},
        {"task": "fliegen", "message": 2, "quote": "ich fliege nachts"},
    ]
}


@pytest.mark.django_db
def test_with_a_model_the_figures_are_the_models_and_say_so(tmp_path, scripted):
    scripted.on("extraction").json(ANSWER)
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(CASE))
    figures = evaluate_extraction(path, EvaluationOptions())
    assert (figures["mode"], figures["f1"], figures["predicted"]) == ("model", 1.0, 2)


def test_without_a_model_the_figures_say_basic():
    figures = evaluate_extraction(CASES / "extraction_dev.jsonl", EvaluationOptions())
    assert figures["mode"] == "basic"


@pytest.mark.django_db
def test_a_model_that_fails_gives_no_figure_of_basic_mode(tmp_path, scripted):
    scripted.on("extraction").status(400)
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(CASE))
    with pytest.raises(ModelUnavailable):
        evaluate_extraction(path, EvaluationOptions())


@pytest.mark.django_db(transaction=True)
def test_a_survey_is_written_up_coded_measured_and_erased(tmp_path):
    path = tmp_path / "talks.jsonl"
    talk = {
        "job_title": "Baker",
        "turns": [{"role": "user", "text": "I bake bread and I write reports."}],
        "tasks": ["Bake bread", "Write reports"],
        "groups": ["workOutput", "informationInput"],
    }
    path.write_text(json.dumps(talk))
    figures = evaluate_survey(path, EvaluationOptions(details=True))
    assert (figures["mode"], figures["f1"], figures["n"]) == ("basic", 1.0, 1)
    assert figures["catalogue"] == "starter"
    assert 0 <= figures["group_accuracy"] <= 1
    assert len(figures["details"]) == 1
    assert not Session.objects.exists()
    assert not WorkTask.objects.exists()
