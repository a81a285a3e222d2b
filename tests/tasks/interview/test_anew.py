"""A survey's turn done anew or gone on with: what was tapped stays, nothing is noted twice."""

from __future__ import annotations

import pytest
from django.utils import timezone

from chat import actions
from chat.guides import Text
from chat.models import Message, Run, Session
from chat.queries import session_for
from futura.errors import Conflict
from futura.llm.client import Cancelled
from tasks.actions import start_survey
from tasks.coding.run import process
from tasks.interview.cards import select
from tasks.interview.guide import SurveyGuide
from tasks.models import SurveyResponse
from tasks.presenters import SurveyPresenter

pytestmark = pytest.mark.django_db


class Survey:
    """Alice's survey through the engine."""

    def __init__(self, participant, me, drain):
        self.me, self.drain = me, drain
        self.response = start_survey(participant=participant, job_title="Data Analyst")
        drain()

    @property
    def session(self) -> Session:
        return session_for(self.me, self.response.pk)

    @property
    def run(self) -> Run:
        run = self.session.runs.order_by("created_at").last()
        assert run is not None
        return run

    def say(self, text: str) -> Run:
        actions.send_message(identity=self.me, session=self.session, text=text)
        self.drain()
        return self.run

    def cards(self) -> list[str]:
        reply = self.run.reply
        assert reply is not None
        part = next(part for part in reply.parts if part["type"] == "suggestions")
        return [card["id"] for card in part["cards"]]


@pytest.fixture
def survey(alice, participant_of, identity_for, drain):
    participant = participant_of(alice)
    return Survey(participant, identity_for(alice), drain)


def noted(message: Message) -> int:
    message.refresh_from_db()
    return sum(part["count"] for part in message.parts if part["type"] == "noted")


def test_another_answer_notes_the_same_tasks_once(survey):
    run = survey.say("I build dashboards and clean up survey data")
    before = survey.session.state
    actions.regenerate(identity=survey.me, run_id=run.pk)
    assert survey.session.state["estimatedTaskCount"] == 0
    survey.drain()
    after = survey.session.state
    assert after["mentionedActivities"] == before["mentionedActivities"]
    assert (after["turnCount"], noted(run.message)) == (1, 2)


def test_tapped_cards_survive_another_answer_and_a_rewording(survey):
    run = survey.say("dunno")
    picked = survey.cards()[:2]
    statements = {card["id"]: card["statement"] for card in survey.session.state["cards"]}
    select(session=survey.session, ids=picked)
    actions.regenerate(identity=survey.me, run_id=run.pk)
    survey.drain()
    state = survey.session.state
    assert state["selectedSuggestionIds"] == picked
    kept = {card["id"]: card["statement"] for card in state["cards"]}
    assert all(kept[item] == statements[item] for item in picked)
    assert len(kept) == len(state["cards"])  # a new display takes new numbers
    actions.edit_last(identity=survey.me, message_id=run.message_id, text="I sweep floors")
    survey.drain()
    state = survey.session.state
    assert set(picked) <= set(state["selectedSuggestionIds"])
    assert [mentioned_activity["text"] for mentioned_activity in state["mentionedActivities"]] == [
        "sweep floors"
    ]
    process_now(survey)
    listed = set(survey.response.tasks.values_list("statement", flat=True))
    assert {statements[item] for item in picked} <= listed
    shown_in = survey.response.tasks.filter(suggestion_id__in=picked)
    assert all(task.message_id is not None for task in shown_in)


def test_cards_taken_by_words_go_with_the_words(survey):
    survey.say("dunno")
    run = survey.say("all of those")
    assert len(survey.session.state["selectedSuggestionIds"]) == 5
    actions.edit_last(identity=survey.me, message_id=run.message_id, text="none of those")
    assert survey.session.state["selectedSuggestionIds"] == []


def process_now(survey) -> None:
    SurveyResponse.objects.filter(pk=survey.response.pk).update(step=SurveyResponse.Step.QUEUED)
    assert process(survey.response.pk)


def test_a_reworded_message_counts_once_on_the_list(survey):
    run = survey.say("I build dashboards and clean up survey data")
    actions.edit_last(identity=survey.me, message_id=run.message_id, text="I paint fences")
    survey.drain()
    process_now(survey)
    assert [task.raw for task in survey.response.tasks.all()] == ["paint fences"]


def test_what_the_list_was_written_from_stays_as_it_was_said(survey):
    run = survey.say("I build dashboards")
    process_now(survey)
    for attempt in (
        lambda: actions.edit_last(identity=survey.me, message_id=run.message_id, text="no"),
        lambda: actions.regenerate(identity=survey.me, run_id=run.pk),
    ):
        with pytest.raises(Conflict, match="list"):
            attempt()


def test_a_submitted_survey_refuses_all_of_it(survey):
    run = survey.say("I build dashboards")
    SurveyResponse.objects.filter(pk=survey.response.pk).update(submitted_at=timezone.now())
    me, of_message = survey.me, {"identity": survey.me, "message_id": run.message_id}
    for attempt in (
        lambda: actions.edit_last(**of_message, text="no"),
        lambda: actions.regenerate(identity=me, run_id=run.pk),
        lambda: actions.continue_run(identity=me, run_id=run.pk),
        lambda: actions.retry_run(identity=me, run_id=run.pk),
        lambda: actions.rate_message(identity=me, message_id=run.reply_id, rating="good"),
        lambda: actions.withdraw_rating(identity=me, message_id=run.reply_id),
    ):
        with pytest.raises(Conflict, match="submitted"):
            attempt()


def test_what_was_noted_is_listed_where_an_answer_broke_off(survey):
    run = survey.say("I build dashboards and clean up survey data")
    listed = SurveyPresenter().written(run, session=survey.session)
    assert listed == ["build dashboards", "clean up survey data"]
    assert SurveyPresenter().written(Run(), session=survey.session) == []


# Going on with half a reply ------------------------------------------------------------------


def stop_after(monkeypatch, letters: int) -> None:
    """Has the guide's reply stopped after so many letters, as the person's Stop would."""
    respond = SurveyGuide.respond

    def stopped(self, turn):
        said = 0
        for event in respond(self, turn):
            yield event
            said += len(event.delta) if isinstance(event, Text) else 0
            if said >= letters:
                raise Cancelled

    monkeypatch.setattr(SurveyGuide, "respond", stopped)


def test_a_reply_is_made_anew_below_the_half_one(survey, monkeypatch):
    stop_after(monkeypatch, 1)
    run = survey.say("I build dashboards and clean up survey data")
    assert run.status == Run.Status.STOPPED
    monkeypatch.undo()
    actions.continue_run(identity=survey.me, run_id=run.pk)
    survey.drain()
    answers = survey.session.messages.filter(role="assistant", superseded_at=None).order_by("seq")
    assert [answer.status for answer in answers] == ["complete", "stopped", "complete"]
    assert survey.session.state["turnCount"] == 1
    assert survey.session.state["estimatedTaskCount"] == 2
    assert noted(run.message) == 2
