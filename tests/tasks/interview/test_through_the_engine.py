"""A survey's conversation through the engine: stored messages, parts, state, the end."""

import pytest

from chat import actions as chat_actions
from chat.models import Message, Run, Session
from chat.queries import session_for
from tasks.actions import start_survey
from tasks.interview.cards import select
from tasks.models import SurveyResponse

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey(alice, participant_of, identity_for, drain):
    class Survey:
        def __init__(self):
            self.response = start_survey(
                participant=participant_of(alice), job_title="Data Analyst"
            )
            drain()

        @property
        def session(self):
            return session_for(identity_for(alice), self.response.pk)

        def say(self, text):
            run = chat_actions.send_message(
                identity=identity_for(alice), session=self.session, text=text
            )
            drain()
            run.refresh_from_db()
            assert run.status == Run.Status.COMPLETED, run.error_text
            return run.reply

    return Survey()


def tool_of(reply):
    return next(part["tool"] for part in reply.parts if part["type"] == "turn")


def test_the_opening_a_message_and_the_end_are_stored(survey):
    opening = Message.objects.get(session=survey.session)
    assert tool_of(opening) == "open_ended_prompt"
    assert "“Data Analyst”" in opening.text
    reply = survey.say("I build dashboards and clean up survey data")
    assert tool_of(reply) == "custom_question"
    said = Message.objects.get(session=survey.session, role="user")
    noted = next(part for part in said.parts if part["type"] == "noted")
    assert noted["count"] == 2
    assert [said.text[a:b] for a, b in noted["spans"]] == [
        "build dashboards", "clean up survey data",
    ]  # fmt: skip
    state = survey.session.state
    assert state["turnCount"] == 1
    assert state["estimatedTaskCount"] == 2
    reply = survey.say("That's all, thanks")
    assert tool_of(reply) == "proceed"
    assert survey.session.status == Session.Status.ENDED
    assert SurveyResponse.objects.get().step != SurveyResponse.Step.IDLE


def test_cards_are_shown_picked_and_acknowledged(survey):
    reply = survey.say("dunno")
    part = next(part for part in reply.parts if part["type"] == "suggestions")
    assert len(part["cards"]) == 5
    assert part["display"] == 1
    select(session=survey.session, ids=[card["id"] for card in part["cards"][:2]])
    reply = survey.say("I picked two")
    assert reply.text.startswith("Nice, 2 more tasks added.")
    assert survey.session.state["estimatedTaskCount"] == 2


def test_each_stage_is_in_the_trace_and_says_who_did_it(survey):
    run = Run.objects.get(reply=survey.say("I build dashboards"))
    done = {step["name"]: step["by"] for step in run.trace}
    assert done == {
        "message_analysis": "rules",
        "tool_selection": "rules",
        "gap_analysis": "rules",
        "response": "rules",
    }


def test_a_title_full_of_markup_and_a_huge_message_do_no_harm(
    alice, participant_of, identity_for, drain
):
    response = start_survey(
        participant=participant_of(alice), job_title="<script>alert(1)</script> {role} %s"
    )
    drain()
    opening = Message.objects.get(session_id=response.pk)
    assert "<script>alert(1)</script> {role} %s" in opening.text
    run = chat_actions.send_message(
        identity=identity_for(alice),
        session=session_for(identity_for(alice), response.pk),
        text="<img src=x onerror=1> {a} {} %s " + "I weld frames and I grind seams, " * 290,
    )
    drain()
    run.refresh_from_db()
    assert run.status == Run.Status.COMPLETED
    assert run.reply is not None
    assert len(run.reply.text) < 500
