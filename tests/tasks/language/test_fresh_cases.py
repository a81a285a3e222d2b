"""Case files written before the rules were changed for them: what is reached must stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from futura.evaluation import EvaluationOptions
from tasks.evaluation import evaluate_extraction
from tasks.language.normalise import MAX_WORDS, statement_of
from tasks.language.verbs import is_base

CASES = Path(__file__).parents[2] / "eval"
FLOORS = {
    "extraction_fresh.jsonl": (0.95, 1),
    "extraction_fresh2.jsonl": (0.95, 0),
    "extraction_fresh3.jsonl": (0.93, 0),
    "extraction_fresh4.jsonl": (0.95, 0),
}


@pytest.mark.parametrize("name", FLOORS)
def test_what_fresh_cases_reached_is_kept(name):
    figures = evaluate_extraction(CASES / name, EvaluationOptions())
    f1, foreign = FLOORS[name]
    assert figures["f1"] >= f1
    assert figures["not_tasks_claimed"] <= foreign


@pytest.mark.parametrize("name", FLOORS)
def test_every_statement_of_the_cases_opens_with_a_verb_and_is_short(name):
    figures = evaluate_extraction(CASES / name, EvaluationOptions(details=True))
    for case in figures["details"]:
        for raw in case["predicted"]:
            statement = statement_of(raw)
            words = statement.lower().split()
            assert len(words) <= MAX_WORDS, statement
            assert is_base(words[0]) or words[0] == "step", statement
            assert not {"i", "my", "we", "our", "me"} & set(words), statement
