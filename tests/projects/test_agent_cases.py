"""`manage.py evaluate agent`: short talks, judged by the rows that they leave."""

from __future__ import annotations

import io
import json
from functools import partial
from pathlib import Path

import pytest
from django.core.management import call_command

from futura.errors import BadInput
from futura.evaluation import EvaluationOptions
from projects.evaluation import faithful
from projects.evaluation.agent import evaluate_agent, play
from projects.evaluation.case_run import Case, CaseRun, World, played, read
from projects.models import Task
from tests.extent import some

EVAL = Path(__file__).parents[1] / "eval"
CASES, WORLDS = read(EVAL / "agent.jsonl")
UNSEEN, _ = read(EVAL / "agent_unseen.jsonl")


def one_of_each(cases, *names):
    """The first case of all that are alike in what is named."""
    chosen = {}
    for case in cases:
        chosen.setdefault(tuple(getattr(case, name) for name in names), case)
    return list(chosen.values())


@pytest.mark.parametrize("case", some(one_of_each(CASES, "kind"), 3), ids=lambda case: case.id)
def test_basic_mode_changes_nothing_that_a_case_does_not_mean(db, case):
    assert play(case, WORLDS[case.world]).verdict.wrong == []
    assert not Task.objects.exists()


def in_each_language():
    """A talk with the concierge in each language whose calls change something at once."""
    chosen = {}
    for case in CASES:
        if case.kind == "language" and case.on == "concierge" and case.changed:
            chosen.setdefault(case.lang, case)
    return list(chosen.values())


@pytest.mark.parametrize("case", some(in_each_language(), 3), ids=lambda case: case.lang)
def test_the_calls_of_a_right_model_end_in_the_rows_that_they_say(transactional_db, case):
    with faithful.model() as model:
        result = play(case, WORLDS[case.world], model)
    assert result.is_right, result
    assert not Task.objects.exists()


def test_figures_tell_tools_refusals_tokens_and_cost(transactional_db, tmp_path):
    (tmp_path / "agent_worlds.json").write_text('{"home": {"todos": {"milk": {"title": "Milk"}}}}')
    calls = [{"complete_todos": {"ids": ["milk"]}}, {"launch_rocket": {"when": "now"}}]
    case = {"id": "x", "kind": "two", "world": "home", "talk": [["milk is done", *calls]],
            "changed": {"milk": {"status": "completed"}}}  # fmt: skip
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(case))
    figures = evaluate_agent(path, EvaluationOptions(faithful=True))
    assert (figures["mode"], figures["right"], figures["failures"]) == ("faithful", 1.0, [])
    assert figures["tools"] == {"complete_task": 1}
    assert figures["refused"] == {"no tool: launch_rocket": 1}
    assert figures["input_tokens"] > 0
    assert figures["output_tokens"] > 0
    assert figures["cost_usd"] >= 0


def test_a_model_that_changes_something_else_is_wrong(transactional_db):
    case = next(case for case in CASES if case.id == "language-01")
    other = [{"complete_todos": {"ids": ["blut"]}}]
    talk = [message.model_copy(update={"calls": other}) for message in case.talk]
    with faithful.model() as model:
        result = play(case.model_copy(update={"talk": talk}), WORLDS[case.world], model)
    assert result.verdict.wrong == ["blut: status is completed"]
    assert result.verdict.missed == ["angebot: status stayed available"]


def forecasts():
    """The talks that say what a forecast has to count with."""
    return [case for case in (*CASES, *UNSEEN) if case.assumes]


@pytest.mark.parametrize("case", some(forecasts()[:2], 2), ids=lambda case: case.id)
def test_a_forecast_counts_what_a_right_model_has_read(transactional_db, case):
    with faithful.model() as model:
        result = play(case, WORLDS[case.world], model)
    assert result.is_right, result


NEW_PROJECTS = [case for case in CASES if case.id in {"two-22", "bulk-22", "language-07"}]


@pytest.mark.parametrize("case", some(NEW_PROJECTS, 4), ids=lambda case: case.id)
def test_the_concierge_makes_and_deletes_projects_for_a_right_model(transactional_db, case):
    with faithful.model() as model:
        result = play(case, WORLDS[case.world], model)
    assert result.is_right, result


def test_a_forecast_that_counts_something_else_is_not_right(transactional_db):
    case = next(case for case in forecasts() if case.id == "correction-12")
    other = case.model_copy(update={"talk": case.talk[:1]})
    with faithful.model() as model:
        result = play(other, WORLDS[case.world], model)
    assert result.verdict.missed == ["assumed: hours_a_week is 20.0"]


def _traits(case):
    calls = [call for message in case.talk for call in message.calls]
    fields = {(name, field) for call in calls for name in call for field in call[name]}
    names = {(case.on, name) for call in calls for name in call}
    read = {(case.on, field) for message in case.talk for field in message.reading}
    return {(case.on, case.kind), (case.on, case.lang)} | names | fields | read


def unlike():
    """Talks that bring every kind, language and command to a surface, every field to a command:
    the next is always the one with the most that none before it has brought.
    """
    met: set[tuple[str, str]] = set()

    def news(case):
        return len(_traits(case) - met)

    while news(case := max((*CASES, *UNSEEN), key=news)):
        met |= _traits(case)
        yield case


@pytest.mark.thorough
def test_with_a_right_model_every_talk_is_right(transactional_db):
    """`evaluate agent --faithful` plays all of them; here each is like no other."""
    with faithful.model() as model:
        results = {case.id: play(case, WORLDS[case.world], model) for case in unlike()}
    assert len(results) > 60
    assert [result for result in results.values() if not result.is_right] == []


def _again(filled: CaseRun, case: Case, _person: object, _world: World) -> CaseRun:
    return CaseRun(case, filled.person, dict(filled.ids))


@pytest.mark.thorough
def test_basic_mode_is_not_wrong(db, monkeypatch):
    """In a talk of each kind on each surface in each language; `evaluate agent` plays all of them.

    Talks leave their world as it was: it is filled once for those of one day and language.
    """
    alike: dict[object, list[Case]] = {}
    for case in one_of_each((*CASES, *UNSEEN), "kind", "on", "lang"):
        alike.setdefault((case.world, case.today, case.lang), []).append(case)
    wrong = {}
    for first, *others in alike.values():
        world = WORLDS[first.world]
        with played(first, world) as filled, monkeypatch.context() as patch:
            patch.setattr(CaseRun, "of", partial(_again, filled))
            for case in (first, *others):
                wrong[case.id] = play(case, world).verdict.wrong
    assert len(wrong) > 100
    assert {name: faults for name, faults in wrong.items() if faults} == {}


def test_the_sets_have_three_hundred_talks_of_twelve_kinds_and_a_third_unseen():
    cases = [*CASES, *UNSEEN]
    assert len(cases) >= 300
    assert len(UNSEEN) >= len(cases) * 0.3
    assert len({case.id for case in cases}) == len(cases)
    assert len({case.kind for case in cases}) == 12
    assert {case.lang for case in cases} == {"en", "de", "es", "fr", "ja"}
    assert {case.on for case in cases} == {"concierge", "create", "update", "audit", "forecast"}


def test_every_row_that_a_case_names_is_in_its_world():
    for case in (*CASES, *UNSEEN):
        world = WORLDS[case.world]
        keys = {*world.projects, *world.drafts, *world.todos, *world.notes, "$draft", ""}
        keys |= {task for draft in world.drafts.values() for task in draft.get("tasks", {})}
        sets = (case, case.waits, case.allowed, case.allowed.waits)
        named = {key for rows in sets for key in (*rows.changed, *rows.deleted)}
        assert {case.of, *case.finalised, *named} <= keys, case.id


@pytest.mark.parametrize("content", ["", "no json\n", '{"id": "x"}\n'])
def test_a_file_that_cannot_be_used_gets_one_clear_sentence(tmp_path, content):
    (tmp_path / "agent_worlds.json").write_text("{}")
    path = tmp_path / "cases.jsonl"
    path.write_text(content)
    with pytest.raises(BadInput):
        evaluate_agent(path, EvaluationOptions())
    with pytest.raises(BadInput):
        evaluate_agent(tmp_path / "missing.jsonl", EvaluationOptions())


def test_the_command_prints_one_json_object(db, tmp_path):
    (tmp_path / "agent_worlds.json").write_text('{"home": {"todos": {"milk": {"title": "Milk"}}}}')
    case = {"id": "x", "kind": "two", "world": "home", "talk": ["done milk"],
            "changed": {"milk": {"status": "completed"}}}  # fmt: skip
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(case))
    out = io.StringIO()
    call_command("evaluate", "agent", str(path), stdout=out)
    figures = json.loads(out.getvalue())
    assert (figures["mode"], figures["right"], figures["wrong"]) == ("basic", 1.0, 0)
