"""The talk's page: margin, cards, marks, the way to the list."""

import re

import pytest
from django.utils import timezone

from chat.models import Message, Run, Session
from onet.candidates import ActivityGroup
from tasks.coding.run import process
from tasks.interview.state import Card, Mention, SurveyState
from tasks.models import SurveyResponse

CARDS = [
    Card(id="k1", statement="Present results", group=ActivityGroup.INTERACTING),
    Card(id="k2", statement="Model data & <b>test</b>", group=ActivityGroup.MENTAL_PROCESSES),
    Card(id="k3", statement="Write code", group=ActivityGroup.WORK_OUTPUT),
]


@pytest.fixture
def display(survey):
    """A reply of Futura's that shows three cards."""
    state = SurveyState(
        job_title="Data analyst",
        mentioned_activities=[Mention(text="clean data"), Mention(text="write <i>reports</i>")],
        gwa_coverage={**SurveyState().gwa_coverage, ActivityGroup.WORK_OUTPUT: "medium"},
        cards=CARDS,
    )
    Session.objects.filter(pk=survey.response.pk).update(
        state=state.model_dump(mode="json", by_alias=True)
    )
    shown = [{"id": c.id, "statement": c.statement, "group": c.group.value} for c in CARDS]
    return Message.objects.create(
        session_id=survey.response.pk,
        seq=3,
        role="assistant",
        text="Are any of these yours?",
        parts=[{"type": "suggestions", "cards": shown, "display": 1}],
    )


def cards_url(survey, display):
    return f"{survey.url('chat')}/cards/{display.pk}"


def picked(survey):
    return Session.objects.get(pk=survey.response.pk).state["selectedSuggestionIds"]


def test_the_margin_shows_progress_coverage_and_what_was_noted(survey, page, display):
    html = page.get(survey.url("chat")).content.decode()
    assert "<b>2</b> tasks so far" in html
    assert "of your week" not in html
    assert html.count('<i class="on">') == 2
    assert "partly" in html
    assert "clean data" in html
    assert "write &lt;i&gt;reports&lt;/i&gt;" in html
    assert "Finish and show task list" in html
    assert 'aria-current="step"' in html


def test_the_margin_says_how_much_of_a_week_is_told_where_it_can_be_said(survey, page, display):
    session = Session.objects.get(pk=survey.response.pk)
    session.state = {**session.state, "weekPercent": 70}
    session.save()
    html = page.get(survey.url("chat")).content.decode()
    assert "About 70 % of your week covered" in html
    assert html.count('<i class="on">') == 7 + 2


def test_noted_words_are_marked_and_everything_is_escaped(survey, page):
    said = Message.objects.get(session_id=survey.response.pk, role="user")
    said.text = "I <b>clean</b> data and write"
    said.parts = [{"type": "noted", "spans": [[2, 19]], "count": 1}]
    said.save()
    html = page.get(survey.url("chat")).content.decode()
    assert "<mark>&lt;b&gt;clean&lt;/b&gt; dat</mark>" in html.replace("\n", "") or "<mark>" in html
    assert "<b>clean" not in html
    assert "1 task noted" in html


def test_cards_are_boxes_with_names_and_their_group(survey, page, display):
    html = page.get(survey.url("chat")).content.decode()
    assert (
        len(re.findall(r'<label class="suggestion"><input class="tick" type="checkbox"', html)) == 3
    )
    assert "Model data &amp; &lt;b&gt;test&lt;/b&gt;" in html
    assert "Interacting with others" in html


def test_a_tap_saves_and_counts_and_says_nothing_in_the_talk(survey, page, display, htmx):
    answer = page.post(cards_url(survey, display), {"card": ["k1", "k3"]}, headers=htmx)
    assert answer.status_code == 200
    assert "Add 2 tasks" in answer.content.decode()
    assert picked(survey) == ["k1", "k3"]
    assert Run.objects.filter(session_id=survey.response.pk).count() == 0
    page.post(cards_url(survey, display), {"card": ["k3"]}, headers=htmx)
    assert picked(survey) == ["k3"]


def test_adding_names_the_cards_in_a_message_of_the_persons(survey, page, display):
    answer = page.post(cards_url(survey, display), {"card": ["k1", "k3"], "add": "1"})
    assert answer.status_code == 302
    said = Message.objects.filter(session_id=survey.response.pk, role="user").latest("seq")
    assert "Present results" in said.text
    assert "Write code" in said.text
    assert Run.objects.filter(message=said).count() == 1


def test_adding_nothing_says_nothing(survey, page, display):
    page.post(cards_url(survey, display), {"add": "1"})
    assert Run.objects.filter(session_id=survey.response.pk).count() == 0


def test_cards_that_were_not_shown_and_strangers_are_refused(
    survey, page, display, browser, charlie
):
    url = cards_url(survey, display)
    assert page.post(url, {"card": ["k9"]}).status_code == 400
    assert browser(charlie).post(url, {"card": ["k1"]}).status_code == 404
    said = Message.objects.get(session_id=survey.response.pk, role="user")
    assert page.post(url.replace(str(display.pk), str(said.pk)), {"card": []}).status_code == 404
    assert picked(survey) == []


@pytest.fixture
def offered(survey):
    """A reply of Futura's that offers to go on to the list."""
    return Message.objects.create(
        session_id=survey.response.pk,
        seq=3,
        role="assistant",
        text="Shall we go on?",
        parts=[{"type": "turn", "tool": "offer_to_proceed", "turnCount": 0}],
    )


def test_below_an_offer_stand_the_list_and_another_question_as_buttons(survey, page, offered):
    html = page.get(survey.url("chat")).content.decode()
    choices = html.split('<div class="choices">')[1].split("</div>")[0]
    assert re.findall(r'<form action="([^"]+)"', choices) == [
        survey.url("finish"),
        survey.url("another"),
    ]
    assert choices.count("csrfmiddlewaretoken") == 2
    state = SurveyState(turn_count=1).model_dump(mode="json", by_alias=True)
    Session.objects.filter(pk=survey.response.pk).update(state=state)  # it is answered since
    assert 'class="choices"' not in page.get(survey.url("chat")).content.decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("has_model", [False, True])
def test_ask_me_something_else_brings_another_question(survey, page, request, drain, has_model):
    question = "Wer liest, was Sie schreiben?"
    if has_model:
        scripted = request.getfixturevalue("scripted")
        gap = {"gapArea": "Leser", "suggestedQuestion": question, "namedTasks": []}
        scripted.on("gap_analysis").json(gap)
        scripted.on("response").text(question)
    answer = page.post(survey.url("another"))
    assert answer.headers["Location"] == survey.url("chat")
    drain()
    run = Run.objects.filter(session_id=survey.response.pk).latest("created_at")
    assert run.message.text == "Ask me something else"
    assert run.reply.text.count("?") == 1
    assert (run.reply.text == question) == has_model
    assert next(p["tool"] for p in run.reply.parts if p["type"] == "turn") == "custom_question"
    state = Session.objects.get(pk=survey.response.pk).state
    assert (state["estimatedTaskCount"], state["turnCount"]) == (0, 1)
    if not has_model:
        queued = SurveyResponse.objects.filter(pk=survey.response.pk)
        queued.update(step="queued", processed_to_seq=0)
        assert process(survey.response.pk)
        assert not survey.response.tasks.filter(raw__icontains="something else").exists()


def test_done_queues_the_list_and_leads_to_it(survey, page):
    SurveyResponse.objects.filter(pk=survey.response.pk).update(step="idle")
    answer = page.post(survey.url("finish"))
    assert answer.headers["Location"] == survey.url("tasks")
    survey.response.refresh_from_db()
    assert survey.response.step == "queued"


def test_a_sent_survey_is_a_transcript(survey, page, display):
    SurveyResponse.objects.filter(pk=survey.response.pk).update(submitted_at=timezone.now())
    html = page.get(survey.url("chat")).content.decode()
    assert "I clean data and write reports." in html
    assert "data-composer" not in html
    assert "not continued" in html
    assert page.post(cards_url(survey, display), {"card": ["k1"]}).status_code == 409
    page.post(survey.url("finish"))
    survey.response.refresh_from_db()
    assert survey.response.step == "done"
