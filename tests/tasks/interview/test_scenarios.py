"""The six conversations of the specification (part 6), played through by rules alone."""

import re

import pytest

from chat.models import Session
from onet.candidates import ActivityGroup
from tasks.interview.cards import naming
from tasks.interview.state import Tool
from tests.tasks.interview.talking import Talk, midway, shown_cards

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("starter")]

WEEK = """So in a typical week I spend a lot of time in stakeholder meetings, writing product \
specs, reviewing customer feedback, prioritizing the backlog with engineering, and preparing \
roadmap presentations for leadership. I also do user research calls about twice a month. It is a \
job with many sides, and no week is quite like the one before, but those are what my calendar is \
full of from Monday morning to Friday afternoon, and honestly sometimes later than that too, \
depending on the quarter we are in."""


def coverage(talk):
    """The levels of information input, mental processes, work output, interacting."""
    return [talk.state.gwa_coverage[group] for group in ActivityGroup]


def test_scenario_1_a_talkative_person_is_asked_twice_and_then_offered_the_list():
    talk = Talk("Product Manager")
    talk.say()
    talk.say(WEEK)
    assert talk.tool == "custom_question"
    assert talk.state.estimated_task_count == 6
    assert talk.state.user_engagement == "high"
    assert coverage(talk) == ["medium", "medium", "low", "medium"]
    talk.say(
        "Yeah I do a lot of data analysis — looking at usage metrics, A/B test results, and "
        "competitive analysis to inform what we build next..."
    )
    assert talk.tool == "encourage_more"
    assert talk.state.estimated_task_count == 9
    assert coverage(talk) == ["medium", "high", "low", "medium"]
    assert talk.state.has_asked_clarifying_question
    talk.say(
        "Not that I can think of. Maybe some ad-hoc stuff like responding to escalations from "
        "customer support, but that's occasional."
    )
    assert talk.state.estimated_task_count == 10
    assert talk.tool == "offer_to_proceed"
    assert talk.state.is_complete
    assert talk.state.has_good_coverage
    talk.say("I think that's everything!")
    assert talk.tool == "proceed"
    assert talk.has_ended
    assert talk.state.user_wants_to_stop


def test_scenario_2_a_terse_person_gets_cards_a_question_and_cards_again():
    talk = Talk("Data Analyst", occupation_code="15-2051.00")
    talk.say()
    talk.say("mostly reports and analysis")
    assert talk.tool == "show_suggestions"
    assert talk.state.estimated_task_count == 2
    assert talk.state.user_engagement == "low"
    assert coverage(talk) == ["none", "low", "low", "low"]
    assert len(talk.shown("suggestions")["cards"]) == 5
    talk.pick(1, 2, 3)
    reply = talk.say(_naming(talk))
    assert talk.tool == "encourage_more"
    assert reply.startswith("Great, that makes 3 tasks from the suggestions.")
    assert talk.state.previously_acknowledged_selections == 3
    assert talk.state.estimated_task_count == 5
    talk.say("yeah sometimes presentations")
    assert talk.state.estimated_task_count == 6
    assert talk.tool == "custom_question"
    talk.say("yes from sql databases")
    assert talk.tool == "show_suggestions"
    assert talk.state.suggestions_shown == 2
    statements = talk.state.shown_suggestion_statements
    assert len({text.lower() for text in statements}) == len(statements) == 10


def test_scenario_3_an_initial_account_gets_a_question_instead_of_the_opening():
    talk = Talk("Social Media Manager")
    reply = talk.say(
        "I manage our social media accounts, create content calendars, analyze engagement metrics, "
        "coordinate with designers on visuals, and respond to customer comments."
    )
    assert talk.tools == ["custom_question"]
    assert talk.state.turn_count == 1
    assert talk.state.estimated_task_count == 5
    assert coverage(talk) == ["none", "medium", "low", "medium"]
    assert talk.state.has_asked_clarifying_question
    assert reply.count("?") == 1
    assert talk.shown("noted")["count"] == 5


def test_scenario_3_even_a_full_and_closed_account_is_asked_about():
    talk = Talk("Caretaker")
    talk.say(
        "I inspect boilers, read meters, plan repairs, choose contractors, write reports, fix "
        "locks, paint walls, mow lawns, answer tenants, order supplies, train helpers and brief "
        "the office. That's all."
    )
    assert talk.tool == "custom_question"
    assert not talk.has_ended
    talk.say("I check the lifts every month")
    assert talk.tool == "offer_to_proceed"


def test_scenario_4_three_cards_and_ten_tasks_bring_an_offer_and_done_ends():
    talk = midway(tasks=8, turns=4, cards=shown_cards(), suggestions_shown=1)
    talk.state.actions_taken.append(Tool.SUGGEST)
    talk.pick(1, 2, 3)
    reply = talk.say("yes those are good")
    assert talk.tool == "offer_to_proceed"
    assert talk.state.estimated_task_count == 11
    assert coverage(talk) == ["medium"] * 4
    assert reply.startswith("Great, that makes 3 tasks from the suggestions.")
    talk.say("done")
    assert talk.tool == "proceed"
    assert talk.has_ended


def test_scenario_5_a_wish_to_stop_counts_more_than_any_number():
    talk = midway(tasks=4, turns=1, clarified=False)
    talk.say("that's all I do")
    assert talk.state.turn_count == 2
    assert talk.tool == "proceed"
    assert talk.has_ended
    assert talk.state.is_complete


def test_scenario_5_without_it_an_offer_waits_for_the_clarifying_question():
    talk = midway(tasks=12, turns=5, clarified=False)
    talk.say("I also sweep the yard on Fridays")
    assert talk.tool == "custom_question"
    assert not talk.state.is_complete
    assert coverage(talk).count("medium") >= 3
    assert talk.state.has_asked_clarifying_question


def test_scenario_6_each_picked_card_is_acknowledged_once():
    talk = midway(tasks=2, turns=2, cards=shown_cards(), suggestions_shown=1)
    talk.state.actions_taken.append(Tool.SUGGEST)
    talk.pick(1, 2)
    reply = talk.say("I picked two")
    assert reply.startswith("Nice, 2 more tasks added.")
    assert talk.tool == "encourage_more"
    assert talk.state.previously_acknowledged_selections == 2
    talk.state.selected_suggestion_ids.append("card-1-3")
    reply = talk.say("yes I attend planning meetings")
    assert reply.startswith("Got it, that task is noted.")
    assert talk.tool == "encourage_more"
    assert talk.state.previously_acknowledged_selections == 3
    reply = talk.say("I sharpen the blades myself")
    assert not re.search(r"suggestions|tasks added|task is noted", reply)
    assert talk.state.previously_acknowledged_selections == 3
    assert talk.state.estimated_task_count == len(talk.state.mentioned_activities) + 3
    assert talk.state.groups_covered >= 2


def test_a_released_and_repicked_card_is_not_acknowledged_again():
    talk = midway(tasks=2, turns=2, cards=shown_cards(), suggestions_shown=1)
    talk.pick(1, 2)
    talk.say("I picked two")
    talk.state.selected_suggestion_ids = ["card-1-2"]
    talk.say("I sharpen the blades myself")
    talk.state.selected_suggestion_ids = ["card-1-1", "card-1-2"]
    reply = talk.say("I mow the verge")
    assert not re.search(r"suggestions|tasks added|task is noted", reply)


def _naming(talk):
    return naming(Session(state=talk.state.model_dump(mode="json", by_alias=True)))
