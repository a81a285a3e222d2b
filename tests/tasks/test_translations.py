"""Statements of the catalogue in the person's language: by the model, beside the English words."""

from __future__ import annotations

import json
import re

import pytest

from chat.models import Message, Session
from futura.llm.models import AnswerCheck, ModelCall
from onet.models import StatementTranslation, TaskStatement
from tasks.interview.answer import cards_part
from tasks.interview.state import Card
from tasks.jobs import match_response
from tests.extent import some
from tests.tasks.pages.conftest import make_survey

pytestmark = pytest.mark.django_db(transaction=True)

STAGE = "statement_translation"
GERMAN = {"Analyze data.": "Daten auswerten", "Present findings.": "Ergebnisse vorstellen"}


@pytest.fixture
def survey(alice, participant_of):
    return speaking("de", make_survey(participant_of(alice)))


@pytest.fixture
def page(browser, alice):
    return browser(alice)


def speaking(language, survey):
    state = {**survey.response.session.state, "language": language}
    Session.objects.filter(pk=survey.response.pk).update(state=state)
    return survey


def asked_for(request) -> list[str]:
    return [
        json.loads(item) for item in re.findall(r"^\d+\. (.*)$", request.last_user, re.MULTILINE)
    ]


def in_german(request) -> dict:
    asked = enumerate(asked_for(request), 1)
    return {
        "translations": [
            {"number": n, "text": f"de: {GERMAN.get(item, item)}"} for n, item in asked
        ]
    }


def work(survey) -> None:
    match_response(str(survey.response.pk))


def html_of(page, survey, name="tasks") -> str:
    return page.get(survey.url(name)).content.decode()


def test_the_models_translation_stands_beside_the_english_statement(survey, page, scripted):
    scripted.on(STAGE).json(in_german)
    work(survey)
    for name in ("tasks", "complete"):
        shown = html_of(page, survey, name)
        assert "Analyze data." in shown
        assert '<span lang="de">de: Daten auswerten</span>' in shown, name
        assert "Translated by the model" in shown
    assert '<span lang="de">de: Ergebnisse vorstellen</span>' in html_of(page, survey)
    assert ModelCall.objects.filter(stage=STAGE, session_id=survey.response.pk).count() == 1


def test_each_statement_is_asked_for_once_for_all_surveys(survey, bob, participant_of, scripted):
    scripted.on(STAGE).json(in_german)
    work(survey)
    work(survey)
    work(speaking("de", make_survey(participant_of(bob))))
    assert [asked_for(item) for item in scripted.of(STAGE)] == [list(GERMAN)]


def test_a_card_from_the_catalogue_has_its_translation_beside_it(survey, page, scripted, starter):
    statement = TaskStatement.objects.order_by("task_id").first()
    taken = {"group": "workOutput", "task_id": statement.task_id}
    cards = [
        Card(id="card-1-1", statement=statement.text.rstrip("."), **taken),
        Card(id="card-1-2", statement="Bienen füttern", **taken),
    ]
    session = Session.objects.get(pk=survey.response.pk)
    session.state["cards"] = cards_part(cards)["cards"]
    session.save(update_fields=["state"])
    parts = [cards_part(cards)]
    Message.objects.create(session=session, seq=3, role="assistant", text="Auch?", parts=parts)
    scripted.on(STAGE).json(in_german)
    work(survey)
    assert "Bienen füttern" not in asked_for(scripted.of(STAGE)[0])
    shown = html_of(page, survey, "chat")
    assert statement.text.rstrip(".") in shown
    assert re.findall(r'<span lang="de">(de: [^<]+)</span>', shown) == [
        f"de: {statement.text.rstrip('.')}"
    ]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ([{"number": 7, "text": "Daten"}, {"number": 0, "text": "Daten"}], "unknown_id"),
        ([{"number": 1, "text": "  "}], "empty"),
        ([{"number": 1, "text": "<b>Daten</b>"}], "markup"),
        ([{"number": 1, "text": "Daten " * 60}], "too_long"),
    ],
)
def test_what_structure_refuses_leaves_the_english_alone(survey, page, scripted, answer, reason):
    scripted.on(STAGE).json({"translations": answer})
    work(survey)
    assert not StatementTranslation.objects.exists()
    shown = html_of(page, survey)
    assert "Analyze data." in shown
    assert "Translated by the model" not in shown
    assert AnswerCheck.objects.get(stage=STAGE, reason=reason).items == len(answer)


def test_a_model_that_fails_leaves_the_english_alone(survey, page, scripted, settings):
    scripted.on(STAGE).status(500)
    work(survey)
    assert "Translated by the model" not in html_of(page, survey)


@pytest.mark.parametrize("language", some(["", "en", "en-GB"], 2))
def test_nobody_is_asked_in_an_english_survey(survey, page, scripted, language):
    StatementTranslation.objects.create(english="Analyze data.", language="en", text="Other words")
    work(speaking(language, survey))
    assert scripted.of(STAGE) == []
    assert "Other words" not in html_of(page, survey)


def test_without_a_model_nothing_changes(survey, page):
    before = html_of(page, survey)
    work(survey)
    assert not StatementTranslation.objects.exists()
    assert html_of(page, survey).count("<small") == before.count("<small")


def test_the_copies_keep_the_english_statement(survey, page, scripted):
    scripted.on(STAGE).json(in_german)
    work(survey)
    for name in ("csv", "json"):
        copy = page.get(survey.url(name)).content.decode()
        assert "Analyze data." in copy
        assert "auswerten" not in copy


def test_another_language_has_its_own(survey, bob, participant_of, scripted):
    scripted.on(STAGE).json(in_german)
    work(survey)
    work(speaking("pt-BR", make_survey(participant_of(bob))))
    assert len(scripted.of(STAGE)) == 2
    assert set(StatementTranslation.objects.values_list("language", flat=True)) == {"de", "pt-br"}
