"""Personas and `manage.py evaluate interview`: the figures stand on where things were told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from chat.models import Session
from futura.evaluation import read_cases
from onet.candidates import Candidate
from tasks.simulation.personas import Manner, Persona, PersonaCase, hidden_tasks

PERSONAS = Path(__file__).resolve().parents[1] / "eval" / "personas.jsonl"
STATEMENTS = [
    Candidate(f"s{n}", f"{verb} the {thing}, covering cost and time.", "1", "Job", "Core")
    for n, (verb, thing) in enumerate(
        (verb, thing)
        for verb in ("Repair", "Order", "Count", "Paint")
        for thing in ("old pumps", "spare parts", "garden gates", "road signs")
    )
]


def _case(manner=Manner.SEVERAL):
    return PersonaCase(id="p", occupation="1", job_title="Fitter", manner=manner, seed=5)


def _persona(manner=Manner.SEVERAL):
    return Persona(_case(manner), hidden_tasks(_case(manner), STATEMENTS))


@pytest.mark.parametrize("manner", Manner)
def test_everything_on_the_list_is_told_once_and_at_its_place(manner):
    person = _persona(manner)
    words = {task.statement.task_id: task.words for task in person.tasks}
    told = []
    while not (answer := person.answer("What else do you do?")).is_end:
        for place in answer.mentioned:
            text = answer.text[place.start : place.end]
            assert text.casefold() == words[place.task_id].casefold()
            told.append(place.task_id)
    assert sorted(told) == sorted(words)


def test_the_same_seed_says_the_same():
    first, second = _persona(), _persona()
    assert [first.answer("And?") for _ in range(5)] == [second.answer("And?") for _ in range(5)]


def test_what_was_picked_as_a_card_is_not_told_again():
    person = _persona()
    own, other = person.tasks[0].statement.task_id, "not on the list"
    assert person.pick_cards({"card-1": own, "card-2": other}) == ["card-1"]
    while not (answer := person.answer("And?")).is_end:
        assert own not in {place.task_id for place in answer.mentioned}


def test_forty_personas_of_five_manners_ship():
    cases = read_cases(PERSONAS, PersonaCase)
    assert len(cases) == 40
    assert {case.manner for case in cases} == set(Manner)


@pytest.mark.thorough
def test_personas_are_interviewed_and_leave_nothing_behind(db, tmp_path, capsys):
    file = tmp_path / "personas.jsonl"
    file.write_text("\n".join(PERSONAS.read_text().splitlines()[:2]))
    call_command("evaluate", "interview", str(file))
    figures = json.loads(capsys.readouterr().out)
    assert not Session.objects.exists()
    assert (figures["mode"], figures["catalogue"]) == ("basic", "starter")
    assert figures["recall"] > 0.2
    assert figures["recall_of_told"] > 0.6
    assert set(figures["by_manner"]) == {"terse", "chatty"}
