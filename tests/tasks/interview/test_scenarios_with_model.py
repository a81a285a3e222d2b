"""The six conversations of the specification (part 6), played with a model that is right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from chat.models import Session
from tasks.interview.cards import naming
from tasks.interview.state import Tool
from tests.scripted.faithful import FaithfulModel, Said
from tests.tasks.interview.talking import Talk, midway, shown_cards

pytestmark = pytest.mark.django_db(transaction=True)

WEEK = """So in a typical week I spend a lot of time in stakeholder meetings, writing product \
specs, reviewing customer feedback, prioritizing the backlog with engineering, and preparing \
roadmap presentations for leadership. I also do user research calls about twice a month."""
INFO, MIND, OUTPUT, PEOPLE = (
    "informationInput", "mentalProcesses", "workOutput", "interactingWithOthers",
)  # fmt: skip
OPENING = "I would love to hear about it. What fills your week?"
ON = "Thanks for that. What else belongs to it?"


def said(message: str, *tasks: str, levels: dict[str, str] | None = None, **more: Any) -> Said:
    """A message whose tasks stand in it word for word."""
    pairs = [(task, task) for task in tasks]
    return Said(message, more.pop("reply", ON), activities=pairs, levels=levels or {}, **more)


@pytest.fixture
def plays(scripted):
    def play(*talk: Said) -> FaithfulModel:
        return FaithfulModel(scripted, talk, language="en", opening=OPENING)

    return play


def coverage(talk: Talk) -> list[str]:
    return [talk.state.gwa_coverage[group] for group in (INFO, MIND, OUTPUT, PEOPLE)]


def played(talk: Talk, turns: Sequence[Said]) -> None:
    for turn in turns:
        assert turn.reply in talk.say(turn.message)


def test_scenario_1_a_talkative_person_is_asked_twice_and_then_offered_the_list(plays):
    turns = [
        said(
            WEEK,
            "stakeholder meetings", "writing product specs", "reviewing customer feedback",
            "prioritizing the backlog", "preparing roadmap presentations", "user research calls",
            levels={OUTPUT: "medium", PEOPLE: "medium", INFO: "low", MIND: "low"},
            engagement="high", area="decisions", question="How do you decide what comes first?",
        ),
        said(
            "Yeah I look at usage metrics, A/B test results, and competitive analysis.",
            "usage metrics", "A/B test results", "competitive analysis",
            levels={MIND: "medium", INFO: "medium"}, tool="encourage_more",
        ),
        said(
            "Not that I can think of. Maybe responding to escalations, but that's occasional.",
            "responding to escalations",
            levels={PEOPLE: "low"}, tool="offer_to_proceed", reply="Lovely. Shall we go on?",
        ),
        said("I think that's everything!", stops=True, reply="Thank you. Your list is next."),
    ]  # fmt: skip
    plays(*turns)
    talk = Talk("Product Manager")
    assert talk.say() == OPENING
    played(talk, turns[:1])
    assert (talk.tool, talk.state.estimated_task_count) == ("custom_question", 6)
    assert talk.state.user_engagement == "high"
    assert coverage(talk) == ["low", "low", "medium", "medium"]
    played(talk, turns[1:2])
    assert (talk.tool, talk.state.estimated_task_count) == ("encourage_more", 9)
    assert talk.state.has_asked_clarifying_question
    assert coverage(talk) == ["medium", "medium", "medium", "medium"]
    played(talk, turns[2:3])
    assert (talk.tool, talk.state.estimated_task_count) == ("offer_to_proceed", 10)
    assert talk.state.is_complete
    played(talk, turns[3:])
    assert talk.tool == "proceed"
    assert talk.has_ended
    assert talk.state.user_wants_to_stop


def test_scenario_2_a_terse_person_gets_cards_a_question_and_cards_again(plays):
    first = [
        ("Analyze data to find trends", MIND), ("Prepare reports for stakeholders", OUTPUT),
        ("Clean and validate datasets", INFO), ("Agree data needs with teams", PEOPLE),
        ("Document procedures", OUTPUT),
    ]  # fmt: skip
    second = [(f"{text} every month", group) for text, group in first]
    start = said(
        "mostly reports and analysis", "reports", "analysis",
        levels={OUTPUT: "low", MIND: "low"}, engagement="low", tool="show_suggestions",
        cards=first,
    )  # fmt: skip
    plays(start)
    talk = Talk("Data Analyst")
    talk.say()
    talk.say(start.message)
    assert (talk.tool, talk.state.estimated_task_count) == ("show_suggestions", 2)
    assert talk.state.user_engagement == "low"
    assert [card["statement"] for card in talk.shown("suggestions")["cards"]] == [
        text for text, _ in first
    ]
    talk.pick(1, 2, 3)
    named = naming(Session(state=talk.state.model_dump(mode="json", by_alias=True)))
    more = [
        said(named, area="audience", question="Do you present findings?"),
        said("yeah sometimes presentations", "presentations", levels={PEOPLE: "low"}),
        said(
            "yes from sql databases", "from sql databases", levels={INFO: "low"},
            engagement="low", tool="show_suggestions", cards=second,
        ),
    ]  # fmt: skip
    plays(*more)
    reply = talk.say(named)
    assert talk.tool == "encourage_more"
    assert reply == f"Great, that makes 3 tasks from the suggestions. {ON}"
    assert talk.state.previously_acknowledged_selections == 3
    assert talk.state.estimated_task_count == 5
    played(talk, more[1:2])
    assert (talk.tool, talk.state.estimated_task_count) == ("custom_question", 6)
    played(talk, more[2:])
    assert (talk.tool, talk.state.estimated_task_count) == ("show_suggestions", 7)
    assert talk.state.suggestions_shown == 2
    assert coverage(talk) == ["medium", "medium", "medium", "low"]
    statements = talk.state.shown_suggestion_statements
    assert len(set(statements)) == len(statements) == 10


def test_scenario_3_an_initial_account_gets_a_question_instead_of_the_opening(plays):
    dump = said(
        "I manage accounts, create content calendars, analyze engagement metrics, coordinate with "
        "designers, and respond to customer comments.",
        "manage accounts", "create content calendars", "analyze engagement metrics",
        "coordinate with designers", "respond to customer comments",
        levels={OUTPUT: "medium", PEOPLE: "medium", INFO: "low"}, engagement="high",
        area="strategy", question="How do you plan campaigns?",
        reply="Thanks for that overview! How do you plan campaigns?",
    )  # fmt: skip
    plays(dump)
    talk = Talk("Social Media Manager")
    assert talk.say(dump.message) == dump.reply
    assert talk.tools == ["custom_question"]
    assert (talk.state.turn_count, talk.state.estimated_task_count) == (1, 5)
    assert talk.state.has_asked_clarifying_question
    assert coverage(talk) == ["low", "none", "medium", "medium"]
    assert talk.shown("noted")["count"] == 5


def test_scenario_4_three_cards_and_ten_tasks_bring_an_offer_and_done_ends(plays):
    turns = [said("yes those are good", manner="yes"), said("done", stops=True)]
    plays(*turns)
    talk = midway(tasks=8, turns=4, cards=shown_cards(), suggestions_shown=1)
    talk.state.actions_taken.append(Tool.SUGGEST)
    talk.pick(1, 2, 3)
    assert talk.say(turns[0].message).startswith("Great, that makes 3 tasks from the suggestions.")
    assert (talk.tool, talk.state.estimated_task_count) == ("offer_to_proceed", 11)
    assert coverage(talk) == ["medium"] * 4
    played(talk, turns[1:])
    assert talk.tool == "proceed"
    assert talk.has_ended


def test_scenario_5_a_wish_to_stop_is_offered_the_end_and_a_yes_ends(plays):
    turns = [said("that's all I do", stops=True), said("yes please", accepts="yes please")]
    plays(*turns)
    talk = midway(tasks=4, turns=1, clarified=False)
    played(talk, turns[:1])
    assert (talk.state.turn_count, talk.tool) == (2, "offer_to_proceed")
    assert "proceed" not in talk.tools
    played(talk, turns[1:])
    assert talk.tool == "proceed"
    assert talk.has_ended
    assert talk.state.is_complete


def test_scenario_5_without_it_an_offer_waits_for_the_clarifying_question(plays):
    turn = said("I sweep the yard", "sweep the yard", tool="offer_to_proceed")
    plays(turn)
    talk = midway(tasks=12, turns=5, clarified=False)
    played(talk, [turn])
    assert talk.tool == "custom_question"
    assert not talk.state.is_complete
    assert talk.state.has_asked_clarifying_question


def test_scenario_6_each_picked_card_is_acknowledged_once(plays):
    turns = [
        said("I picked two"),
        said("yes I attend planning meetings", "attend planning meetings", levels={PEOPLE: "low"}),
        said("I sharpen the blades", "sharpen the blades", levels={OUTPUT: "low"}),
    ]
    plays(*turns)
    talk = midway(tasks=2, turns=2, cards=shown_cards(), suggestions_shown=1)
    talk.state.actions_taken.append(Tool.SUGGEST)
    talk.pick(1, 2)
    assert talk.say(turns[0].message) == f"Nice, 2 more tasks added. {ON}"
    assert talk.tool == "encourage_more"
    assert talk.state.previously_acknowledged_selections == 2
    talk.state.selected_suggestion_ids.append("card-1-3")
    assert talk.say(turns[1].message) == f"Got it, that task is noted. {ON}"
    assert talk.state.previously_acknowledged_selections == 3
    assert talk.say(turns[2].message) == ON
    assert talk.state.previously_acknowledged_selections == 3
    assert talk.state.estimated_task_count == 2 + 3 + 2
    assert coverage(talk) == ["low", "medium", "medium", "medium"]
