"""Talks in another language: what basic mode reads, and the English of what a person adds."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections, transaction
from django.test import Client

from chat.models import Session
from chat.operations.models import OperationBatch
from tasks.commands.edit import AddTask
from tasks.commands.matches import RetryMatch
from tasks.jobs import match_response
from tasks.models import SurveyResponse, TaskMatch, WorkTask
from tests.tasks import changing
from tests.tasks.pages.conftest import make_survey

pytestmark = pytest.mark.django_db(transaction=True)

GERMAN = {"title": "Imker", "occupation": "none", "initial_tasks": "Ich füttere Bienen"}


@pytest.mark.parametrize(
    ("accepted", "language"), [("de-AT,de;q=0.8,en;q=0.5", "de-at"), ("*", ""), ("", "")]
)
def test_a_talk_remembers_the_language_of_the_browser(accepted, language):
    answer = Client().post("/survey", GERMAN, headers={"Accept-Language": accepted})
    assert answer.status_code == 302
    assert Session.objects.get().state["expectedLanguage"] == language


def test_an_added_task_in_another_language_gets_its_english_in_the_background(
    alice, participant_of, scripted
):
    survey = make_survey(participant_of(alice))
    state = {**survey.response.session.state, "language": "de"}
    Session.objects.filter(pk=survey.response.pk).update(state=state)
    wording = {"number": 1, "normalized": "Bienen füttern", "english": "Feed bees"}
    scripted.on("normalisation").json({"normalized_tasks": [wording]})
    outcome = changing.act(AddTask, survey.response, statement="Ich füttere Bienen")
    match_response(str(survey.response.pk))
    added = WorkTask.objects.get(pk=outcome.created[0])
    assert (added.statement, added.english) == ("Ich füttere Bienen", "Feed bees")


def test_each_worker_asks_for_the_english_of_what_it_looks_up_and_for_matches_side_by_side(
    alice, participant_of, scripted, starter
):
    survey = make_survey(participant_of(alice))
    state = {**survey.response.session.state, "language": "de"}
    Session.objects.filter(pk=survey.response.pk).update(state=state)
    changing.make_all(
        survey.response, {}, [{"statement": f"Bienen {n} füttern", "raw": ""} for n in range(6)]
    )
    waiting = TaskMatch.objects.filter(status="pending", task__statement__startswith="Bienen")

    def english(request):
        notes = re.findall(r"^(\d+)\. Bienen (\d+) füttern$", request.last_user, re.MULTILINE)
        return {
            "normalized_tasks": [
                {"number": int(number), "normalized": "Füttern", "english": f"Feed bees {bees}"}
                for number, bees in notes
            ]
        }

    scripted.on("normalisation").json(english)
    scripted.on("match_selection").text(
        {"bestIndex": 0, "confidence": "high", "reasoning": "Ja."}, first_delay_s=0.3
    )
    with ThreadPoolExecutor(1) as worker, transaction.atomic():
        # another one takes two in this very moment
        rows = waiting.order_by("pk").select_for_update(of=("self",), no_key=True)
        taken = {match.task.statement for match in rows.select_related("task")[:2]}
        worker.submit(_matched, survey.response.pk).result(timeout=20)
    assert waiting.count() == 2
    asked = "".join(request.last_user for request in scripted.of("normalisation"))
    requested = re.findall(r"Bienen \d füttern", asked)
    assert sorted([*requested, *taken]) == [f"Bienen {n} füttern" for n in range(6)]
    assert max(wave.count("match_selection") for wave in scripted.waves) >= 4
    prompt = scripted.of("match_selection")[-1].last_user
    assert survey.response.job_title in prompt
    assert "Feed bees" in prompt


def test_without_the_model_a_task_in_another_language_waits_to_be_tried_again(
    alice, participant_of, scripted, starter
):
    survey = make_survey(participant_of(alice))
    state = {**survey.response.session.state, "language": "de"}
    Session.objects.filter(pk=survey.response.pk).update(state=state)
    scripted.on("normalisation").status(400)
    outcome = changing.act(AddTask, survey.response, statement="Bienen füttern")
    match_response(str(survey.response.pk))
    match = TaskMatch.objects.get(task=outcome.created[0])
    assert match.status == TaskMatch.Status.FAILED
    assert scripted.of("match_selection") == []
    wording = {"number": 1, "normalized": "Bienen füttern", "english": "Feed bees"}
    scripted.on("normalisation").json({"normalized_tasks": [wording]})
    scripted.on("match_selection").json({"bestIndex": 0, "confidence": "high", "reasoning": "Ja."})
    changing.act(RetryMatch, survey.response, task=match.task_id)
    match_response(str(survey.response.pk))
    match.refresh_from_db()
    assert match.status == TaskMatch.Status.MATCHED


def _matched(response_id):
    try:
        match_response(str(response_id))
    finally:
        connections.close_all()


def test_nobody_is_asked_for_english_in_an_english_talk(alice, participant_of, scripted):
    survey = make_survey(participant_of(alice))
    changing.act(AddTask, survey.response, statement="Feed bees")
    match_response(str(survey.response.pk))
    assert scripted.of("normalisation") == []
    assert SurveyResponse.objects.get(pk=survey.response.pk)


def test_a_person_reads_in_their_language_why_a_statement_was_taken(
    alice, participant_of, scripted, starter
):
    survey = make_survey(participant_of(alice))
    state = {**survey.response.session.state, "language": "de"}
    Session.objects.filter(pk=survey.response.pk).update(state=state)
    scripted.on("normalisation").json({"normalized_tasks": []})
    scripted.on("match_selection").json(
        {"bestIndex": 0, "confidence": "high", "reasoning": "Dieselbe Arbeit."}
    ).status(400)
    for statement in ("Daten bereinigen: data cleaning", "Berichte: write reports"):
        changing.act(AddTask, survey.response, statement=statement)
    match_response(str(survey.response.pk))
    system = scripted.of("match_selection")[0].messages[0]["content"]
    assert "in the language with the tag de" in system
    reasons = set(survey.response.tasks.values_list("match__reason", flat=True)) - {""}
    assert "Dieselbe Arbeit." in reasons
    assert not any("wording" in reason or "catalogue" in reason for reason in reasons)
    newest = OperationBatch.objects.filter(session=survey.response.pk).latest("created_at")
    assert newest.title == "Aufgaben dem Katalog zugeordnet"


def test_the_model_opens_in_the_browsers_language_where_the_title_says_nothing(
    client, scripted, drain
):
    scripted.on("response").text("Was machen Sie in einer Woche?")
    headers = {"Accept-Language": "de-AT"}
    client.post("/survey", GERMAN | {"title": "Controller", "initial_tasks": ""}, headers=headers)
    drain()
    assert "the one with the tag de-at" in scripted.of("response")[0].text
