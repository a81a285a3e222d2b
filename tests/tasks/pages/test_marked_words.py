"""Words of an answer as tasks: taken out by a tap, put back, added, until they are listed."""

from __future__ import annotations

import json
import re

import pytest
from django.utils import timezone

from chat.models import Message, Session
from tasks.coding.run import process
from tasks.interview.guide import SurveyGuide
from tasks.interview.state import Mention, SurveyState
from tasks.models import SurveyResponse, WorkTask

TEXT = "I clean data and write reports. Sometimes I water the plants."


def stretch(words: str, text: str = TEXT) -> dict[str, int]:
    start = text.index(words)
    return {"start": start, "end": start + len(words)}


@pytest.fixture
def said(survey):
    """Alice's answer, in which two tasks were noted; no list is written from it yet."""
    message = Message.objects.get(session_id=survey.response.pk, role="user")
    message.text = TEXT
    spans = [list(stretch(words).values()) for words in ("clean data", "write reports")]
    message.parts = [{"type": "noted", "spans": spans, "count": 2}]
    message.save()
    state = SurveyState(
        job_title="Data analyst",
        mentioned_activities=[
            Mention(text=words, message_id=str(message.pk), **stretch(words))
            for words in ("clean data", "write reports")
        ],
    )
    store(survey, state)
    return message


def store(survey, state: SurveyState) -> None:
    stored = state.model_dump(mode="json", by_alias=True)
    Session.objects.filter(pk=survey.response.pk).update(state=stored)


def state_of(survey) -> SurveyState:
    return SurveyState.model_validate(Session.objects.get(pk=survey.response.pk).state)


def door(survey, message) -> str:
    return f"{survey.url('chat')}/words/{message.pk}"


def listed(survey) -> None:
    """The list was written from everything that was said."""
    SurveyResponse.objects.filter(pk=survey.response.pk).update(processed_to_seq=2)


def switches(html: str) -> dict[str, str]:
    """The marks of a page that can be switched: words, and whether they are on."""
    found = re.findall(
        r'class="mark-switch".*?aria-pressed="(\w+)".*?>([^<]+)</a>', html, re.DOTALL
    )
    return {words: pressed for pressed, words in found}


def test_noted_words_are_switches_with_their_place_and_say_what_they_stand_for(survey, page, said):
    html = page.get(survey.url("chat")).content.decode()
    assert switches(html) == {"clean data": "true", "write reports": "true"}
    assert html.count("<mark>") == 2
    assert 'title="Task: clean data"' in html
    values = re.findall(r'hx-vals="([^"]+)"', html)
    assert json.loads(values[0].replace("&quot;", '"')) == {**stretch("clean data"), "is_task": ""}
    assert re.search(rf'<a href="{door(survey, said)}" data-words>2 tasks noted</a>', html)


def test_a_tap_takes_the_task_out_and_another_puts_it_back(survey, page, said, htmx):
    place = stretch("clean data")
    assert page.post(door(survey, said), place, headers=htmx).status_code == 204
    assert [m.text for m in state_of(survey).mentioned_activities] == ["write reports"]
    html = page.get(survey.url("chat")).content.decode()
    assert switches(html) == {"clean data": "false", "write reports": "true"}
    assert "2 tasks noted, 1 removed" in html
    assert "<b>1</b> task so far" in html

    page.post(door(survey, said), {**place, "is_task": "1"}, headers=htmx)
    assert {m.text for m in state_of(survey).mentioned_activities} == {
        "clean data",
        "write reports",
    }
    assert state_of(survey).left_out == []


def test_selected_words_become_a_task_whole_words_and_no_marks(survey, page, said, htmx):
    cut = {"words": "ater the plants.", "at": "45", "is_task": "1"}
    assert page.post(door(survey, said), cut, headers=htmx).status_code == 204
    added = state_of(survey).mentioned_activities[-1]
    assert (added.text, added.by_hand) == ("water the plants", True)
    assert {"start": added.start, "end": added.end} == stretch("water the plants")
    html = page.get(survey.url("chat")).content.decode()
    assert switches(html)["water the plants"] == "true"
    assert "2 tasks noted, 1 added" in html
    page.post(door(survey, said), stretch("water the plants"), headers=htmx)
    assert len(state_of(survey).mentioned_activities) == 2
    assert state_of(survey).left_out == []  # what one added oneself is simply gone


def test_words_in_scripts_without_blanks_are_taken_as_they_were_selected(survey, page, said, htmx):
    said.text, said.parts = "朝は子どもを迎えて、お昼は給食を配ります。", []
    said.save()
    store(survey, SurveyState())
    page.post(door(survey, said), {"words": "給食を配ります。", "is_task": "1"}, headers=htmx)
    assert [m.text for m in state_of(survey).mentioned_activities] == ["給食を配ります"]


@pytest.mark.django_db(transaction=True)
def test_the_list_follows_what_was_taken_out_and_added(survey, page, said, htmx, drain):
    page.post(door(survey, said), stretch("clean data"), headers=htmx)
    page.post(door(survey, said), {"words": "water the plants", "is_task": "1"}, headers=htmx)
    fresh = new_talk(survey, said)
    assert process(fresh.pk)
    rows = {row.statement: row for row in fresh.tasks.all()}
    assert set(rows) == {"Write reports", "water the plants"}
    added = rows["water the plants"]
    assert (added.quote, added.source) == ("water the plants", WorkTask.Source.CHAT)
    assert added.message.text == TEXT

    SurveyResponse.objects.filter(pk=fresh.pk).update(step=SurveyResponse.Step.QUEUED)
    assert process(fresh.pk)  # once more, nothing twice
    assert fresh.tasks.count() == 2


def new_talk(survey, said) -> SurveyResponse:
    """The same talk with an empty list that waits to be written."""
    before = state_of(survey)
    old = Session.objects.get(pk=survey.response.pk)
    session = Session.objects.create(participant=old.participant, kind="survey", title=old.title)
    message = Message.objects.create(session=session, seq=1, role="user", text=said.text)
    stored = before.model_dump_json(by_alias=True).replace(str(said.pk), str(message.pk))
    Session.objects.filter(pk=session.pk).update(state=json.loads(stored))
    return SurveyResponse.objects.create(
        session=session, job_title="Data analyst", step=SurveyResponse.Step.QUEUED
    )


def test_after_the_list_was_written_its_rows_are_changed_and_not_the_answer(
    survey, page, said, htmx
):
    listed(survey)
    for sent in (stretch("clean data"), {"words": "water the plants", "is_task": "1"}):
        answer = page.post(door(survey, said), sent, headers=htmx)
        assert answer.status_code == 409
        assert "Edit the task in the list instead" in answer.content.decode()
    assert survey.statements() == ["Clean data", "Write reports", "Plan work"]
    html = page.get(survey.url("chat")).content.decode()
    assert switches(html) == {}
    assert "<mark>clean data</mark>" in html


def test_without_scripts_a_page_does_the_same(survey, page, said):
    html = page.get(door(survey, said)).content.decode()
    assert html.count("Remove") == 2
    answer = page.post(door(survey, said), stretch("clean data"), follow=True)
    assert "Restore" in answer.content.decode()
    wrong = page.post(door(survey, said), {"words": "wash cars", "is_task": "1"})
    assert wrong.status_code == 400
    assert "This text is not in the answer." in wrong.content.decode()
    assert "wash cars</textarea>" in wrong.content.decode()


def test_strangers_other_messages_and_places_outside_are_refused(
    survey, page, said, browser, charlie
):
    url = door(survey, said)
    assert browser(charlie).get(url).status_code == 404
    assert browser(charlie).post(url, stretch("clean data")).status_code == 404
    asked = Message.objects.get(session_id=survey.response.pk, role="assistant")
    assert page.post(door(survey, asked), {"start": 0, "end": 4}).status_code == 404
    assert page.post(url, {"start": 5, "end": 9999}).status_code == 400
    assert page.post(url, {"start": 9, "end": 3}).status_code == 400
    assert len(state_of(survey).mentioned_activities) == 2


def test_what_was_sent_or_is_being_written_cannot_be_marked(survey, page, said, htmx):
    rows = SurveyResponse.objects.filter(pk=survey.response.pk)
    rows.update(step=SurveyResponse.Step.EXTRACTING)
    assert page.post(door(survey, said), stretch("clean data"), headers=htmx).status_code == 409
    rows.update(step=SurveyResponse.Step.DONE, submitted_at=timezone.now())
    assert page.post(door(survey, said), stretch("clean data"), headers=htmx).status_code == 409
    html = page.get(survey.url("chat")).content.decode()
    assert switches(html) == {}
    assert "<mark>clean data</mark>" in html
    assert "Remove" not in page.get(door(survey, said)).content.decode()


def test_a_tap_while_the_answer_is_made_stays(survey, page, said, htmx):
    before = state_of(survey)
    running = before.model_copy(deep=True)
    running.turn_count = 4
    running.mentioned_activities.append(Mention(text="plan", message_id="m2", start=0, end=4))
    page.post(door(survey, said), stretch("clean data"), headers=htmx)
    page.post(door(survey, said), {"words": "water the plants", "is_task": "1"}, headers=htmx)
    stored = Session.objects.get(pk=survey.response.pk).state
    merged = SurveyGuide().merge_saved(
        before=before.model_dump(mode="json", by_alias=True), saved=stored, state=running
    )
    assert [m.text for m in merged.mentioned_activities] == [
        "write reports",
        "plan",
        "water the plants",
    ]
    assert len(merged.left_out) == 1
    again = SurveyGuide().rewound(
        before=SurveyState().model_dump(mode="json", by_alias=True), saved=stored
    )
    assert [m.text for m in again.mentioned_activities] == ["water the plants"]
    assert len(again.left_out) == 1
