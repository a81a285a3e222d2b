"""Without a model the list has what the talk noted of each message, and no short reply."""

from __future__ import annotations

import pytest

from chat import actions
from chat.models import Session
from chat.queries import session_for
from tasks.actions import start_pipeline, start_survey
from tasks.coding.run import process
from tasks.interview.state import Mention, SurveyState
from tests.extent import some

pytestmark = pytest.mark.django_db

NOUNS = "Inspection, feeding, treatment against varroa, honey harvest, labels, tax papers"
GERMAN = "Ich wasche Patienten, messe den Blutdruck. Am Abend schreibe ich Berichte."


@pytest.fixture
def list_of(alice, participant_of, identity_for, drain):
    """Statements and quotes after some messages; what the talk noted stands in the state."""

    def written(*messages: str, language: str = "") -> tuple[list[tuple[str, str]], list[str]]:
        response = start_survey(
            participant=participant_of(alice), job_title="Beekeeper", language=language
        )
        drain()
        me = identity_for(alice)
        for text in messages:
            actions.send_message(identity=me, session=session_for(me, response.pk), text=text)
            drain()
        noted = Session.objects.get(pk=response.pk).state["mentionedActivities"]
        start_pipeline(response.pk)
        process(response.pk)
        rows = list(response.tasks.order_by("position").values_list("statement", "quote"))
        return rows, [mention["text"] for mention in noted]

    return written


def test_every_thing_that_the_talk_noted_is_listed(list_of):
    rows, noted = list_of("I feed bees", "What do you mean?", NOUNS)
    assert [quote for _statement, quote in rows] == ["feed bees", *NOUNS.split(", ")]
    assert [text for text in noted if text in NOUNS] == NOUNS.split(", ")


@pytest.mark.parametrize(
    ("language", "replies"),
    some([("de", ("Weiß ich nicht", "das war's")), ("es", ("No lo sé", "No, gracias"))], 2),
)
def test_short_replies_of_other_languages_are_no_tasks(list_of, language, replies):
    rows, noted = list_of("Imker", *replies, language=language)
    assert (rows, noted) == ([("Imker", "Imker")], ["Imker"])


def test_a_sentence_ends_a_task_in_every_language(list_of):
    rows, noted = list_of(GERMAN, language="de")
    expected = ["Ich wasche Patienten", "messe den Blutdruck", "Am Abend schreibe ich Berichte"]
    assert noted == expected
    assert [quote for _statement, quote in rows] == expected


def test_tasks_of_another_language_are_one_only_by_the_same_words(list_of):
    tasks = [
        "Ich räume am Abend die Regale im Lager ein",
        *("Ich räume am Abend die Regale im Lager aus", "Ich belade den LKW"),
        *("ich entlade den LKW", "Paletten stapeln"),
    ]
    later = f"{tasks[1]}. {tasks[2]}, {tasks[3]}, z. B. {tasks[4]}. {tasks[2].upper()}"
    rows, noted = list_of(tasks[0], later, language="de")
    assert [quote for _statement, quote in rows] == tasks
    assert noted == tasks


def test_what_a_yes_confirmed_is_listed_in_another_language_too(survey):
    response = survey([("assistant", "Schätzen Sie auch Kosten?"), ("user", "Ja, gern")])
    reply = response.session.messages.get(seq=2)
    mention = Mention(text="Kosten schätzen", message_id=str(reply.pk))
    state = SurveyState(expected_language="de", mentioned_activities=[mention])
    Session.objects.filter(pk=response.pk).update(state=state.model_dump(mode="json"))
    process(response.pk)
    task = response.tasks.get()
    assert (task.statement, task.quote) == ("Kosten schätzen", "Ja, gern")


def test_what_a_yes_confirmed_is_listed_beside_what_its_message_tells(survey):
    response = survey(
        [("assistant", "Schätzen Sie auch Kosten?"), ("user", "Ja, ich putze Fenster")]
    )
    reply = response.session.messages.get(seq=2)
    confirmed = Mention(text="Kosten schätzen", message_id=str(reply.pk))
    described = Mention(text="putze Fenster", message_id=str(reply.pk), start=8, end=21)
    state = SurveyState(expected_language="de", mentioned_activities=[described, confirmed])
    Session.objects.filter(pk=response.pk).update(state=state.model_dump(mode="json"))
    process(response.pk)
    quotes = dict(response.tasks.values_list("statement", "quote"))
    assert quotes["Kosten schätzen"] == "Ja, ich putze Fenster"
    assert "putze Fenster" in quotes.values()
