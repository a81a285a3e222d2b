"""The guards of tool selection: every number, and which of two rules wins."""

import pytest

from onet.candidates import ActivityGroup
from tasks.interview.analysis import Analysis
from tasks.interview.guards import Choice, Situation, guarded, is_complete_after
from tasks.interview.reply import cards_acknowledged
from tasks.interview.state import Mention, SurveyState, Tool, level_for
from tests.tasks.interview.talking import Talk, midway, shown_cards, with_tasks

pytestmark = pytest.mark.django_db


def situation(*, tasks=0, turns=5, clarified=True, groups=4, **more):
    state = SurveyState(
        turn_count=turns,
        mentioned_activities=with_tasks(tasks, groups=groups),
        has_asked_clarifying_question=clarified,
        **{"actions_taken": [Tool.OPEN, Tool.CUSTOM], **more},
    )
    state.raise_coverage()
    return Situation(state)


def after_guards(wish, **state):
    return guarded(Choice(Tool(wish), "wished"), situation(**state)).tool.value


@pytest.mark.parametrize(
    ("wish", "state", "comes"),
    [
        # an offer needs a clarifying question, ten tasks, and not the first turn
        ("offer_to_proceed", {"tasks": 12, "clarified": False}, "custom_question"),
        ("offer_to_proceed", {"tasks": 9, "turns": 5}, "custom_question"),
        ("offer_to_proceed", {"tasks": 12, "turns": 1}, "custom_question"),
        ("offer_to_proceed", {"tasks": 10, "turns": 4, "groups": 2}, "offer_to_proceed"),
        # four turns, unless covered, or forced
        ("offer_to_proceed", {"tasks": 10, "turns": 3, "groups": 2}, "custom_question"),
        ("offer_to_proceed", {"tasks": 10, "turns": 2, "groups": 3}, "offer_to_proceed"),
        ("offer_to_proceed", {"tasks": 15, "turns": 2, "groups": 1}, "offer_to_proceed"),
        # forces
        ("custom_question", {"tasks": 15, "turns": 2, "groups": 1}, "offer_to_proceed"),
        ("custom_question", {"tasks": 14, "turns": 5, "groups": 2}, "custom_question"),
        ("show_suggestions", {"tasks": 10, "turns": 6, "groups": 1}, "offer_to_proceed"),
        ("encourage_more", {"tasks": 10, "turns": 5, "groups": 2}, "encourage_more"),
        # denials beat forces
        ("custom_question", {"tasks": 16, "turns": 8, "clarified": False}, "custom_question"),
        ("encourage_more", {"tasks": 16, "turns": 8, "offered_on_turn": 7}, "encourage_more"),
        ("show_suggestions", {"tasks": 16, "turns": 8, "offered_on_turn": 7}, "show_suggestions"),
        ("offer_to_proceed", {"tasks": 16, "turns": 8, "offered_on_turn": 7}, "custom_question"),
        ("custom_question", {"tasks": 16, "turns": 8, "offered_on_turn": 6}, "custom_question"),
        ("custom_question", {"tasks": 16, "turns": 8, "offered_on_turn": 5}, "offer_to_proceed"),
        # exits: good coverage, and ten turns with eight tasks
        ("custom_question", {"tasks": 10, "turns": 2, "groups": 3}, "offer_to_proceed"),
        ("custom_question", {"tasks": 8, "turns": 10, "groups": 1}, "offer_to_proceed"),
        ("custom_question", {"tasks": 7, "turns": 12, "groups": 1}, "custom_question"),
        ("custom_question", {"tasks": 8, "turns": 9, "groups": 1}, "custom_question"),
        ("custom_question", {"tasks": 8, "turns": 10, "clarified": False}, "custom_question"),
        # cards: three displays, never two turns running
        ("show_suggestions", {"tasks": 2, "suggestions_shown": 3}, "encourage_more"),
        ("show_suggestions", {"tasks": 2, "suggestions_shown": 2}, "show_suggestions"),
        (
            "show_suggestions",
            {"tasks": 2, "actions_taken": [Tool.OPEN, Tool.SUGGEST], "suggestions_shown": 1},
            "custom_question",
        ),
        # a detail is asked about once at a time, and only when there is one
        ("follow_up", {"tasks": 2}, "custom_question"),
    ],
)
def test_the_table_of_guards(wish, state, comes):
    assert after_guards(wish, **state) == comes


def test_a_follow_up_never_comes_twice_running():
    passing = Mention(text="meetings", start=0, end=8, terse=True)
    s = Situation(situation(tasks=2).state, Analysis(), new=(passing,))
    assert guarded(Choice(Tool.FOLLOW_UP, ""), s).tool is Tool.FOLLOW_UP
    s.state.actions_taken.append(Tool.FOLLOW_UP)
    assert guarded(Choice(Tool.FOLLOW_UP, ""), s).tool is Tool.CUSTOM


def test_exits_complete_only_with_an_offer_or_an_end():
    covered = situation(tasks=10, turns=4).state
    assert is_complete_after(Choice(Tool.OFFER, ""), covered)
    assert not is_complete_after(Choice(Tool.CUSTOM, ""), covered)
    few = situation(tasks=1, turns=1).state
    assert is_complete_after(Choice(Tool.PROCEED, ""), few)
    long = situation(tasks=8, turns=10, groups=1).state
    assert is_complete_after(Choice(Tool.OFFER, ""), long)


def test_an_offer_passed_over_rests_for_two_turns():
    talk = midway(tasks=10, turns=5)
    talk.say("I sharpen the saws")
    assert talk.tool == "offer_to_proceed"
    talk.say("wait, I also stack the timber")
    assert talk.tool != "offer_to_proceed"
    talk.say("and I sweep the floor of the mill")
    assert talk.tool != "offer_to_proceed"
    talk.say("I load the trucks with planks")
    assert talk.tool == "offer_to_proceed"


def test_yes_to_an_offer_goes_on_and_more_work_does_not():
    talk = midway(tasks=10, turns=5)
    talk.say("I sharpen the saws")
    talk.say("yes, let's go")
    assert talk.tool == "proceed"
    assert talk.has_ended
    talk = midway(tasks=10, turns=5)
    talk.say("I sharpen the saws")
    talk.say("yes but I also stack the timber")
    assert talk.tool != "proceed"


def acknowledged(new, total, **state):
    ids = [f"c{n}" for n in range(total)]
    known = ids[: total - new]
    picked = SurveyState(selected_suggestion_ids=ids, acknowledged_ids=known, **state)
    return cards_acknowledged(picked)


def test_acknowledgements_follow_the_order_one_then_total_then_several():
    assert acknowledged(1, 1) == acknowledged(1, 5) == "Got it, that task is noted."
    assert acknowledged(3, 3) == "Great, that makes 3 tasks from the suggestions."
    assert acknowledged(2, 4) == "Great, that makes 4 tasks from the suggestions."
    assert acknowledged(2, 2) == "Nice, 2 more tasks added."
    assert acknowledged(0, 4) == ""


def test_in_a_language_that_the_interface_lacks_the_reply_itself_acknowledges():
    assert acknowledged(1, 1, language="en-GB") == "Got it, that task is noted."
    assert acknowledged(1, 1, language="ja") == ""


def test_who_wants_to_stop_is_offered_the_end_whatever_the_counts():
    s = situation(tasks=1, turns=1, clarified=False, offered_on_turn=1)
    s = Situation(s.state, Analysis(ending="offer"))
    assert guarded(Choice(Tool.OFFER, "wants to stop"), s).tool is Tool.OFFER


def test_coverage_levels_and_that_they_only_rise():
    assert [level_for(n) for n in (0, 1, 2, 3, 4, 9)] == [
        "none", "low", "medium", "medium", "high", "high",
    ]  # fmt: skip
    state = SurveyState(mentioned_activities=with_tasks(12))
    state.raise_coverage()
    before = dict(state.gwa_coverage)
    state.mentioned_activities = []
    state.raise_coverage()
    assert state.gwa_coverage == before
    assert before[ActivityGroup.WORK_OUTPUT] == "medium"


def test_the_state_is_stored_under_the_names_of_the_specification():
    stored = SurveyState(job_title="Nurse").model_dump(mode="json", by_alias=True)
    assert {
        "turnCount", "estimatedTaskCount", "mentionedActivities", "underexploredActivities",
        "gwaCoverage", "userEngagement", "userWantsToStop", "actionsTaken", "suggestionsShown",
        "followUpsAsked", "selectedSuggestionIds", "previouslyAcknowledgedSelections",
        "shownSuggestionStatements", "pendingSuggestions", "hasAskedClarifyingQuestion", "jobTitle",
    } <= set(stored)  # fmt: skip
    assert SurveyState.model_validate(stored).job_title == "Nurse"


def test_naming_the_cards_in_a_message_counts_nothing_twice():
    talk = midway(tasks=2, turns=2, cards=shown_cards(), suggestions_shown=1)
    talk.pick(1, 2)
    talk.say(
        "From the suggestions, these are mine:\n• Handle matter number alpha\n"
        "• Handle matter number beta"
    )
    assert talk.state.estimated_task_count == 4
    talk.say("as I said, handle matter number alpha")
    assert talk.state.estimated_task_count == 4


def test_all_of_those_takes_the_cards_just_shown():
    talk = midway(tasks=2, turns=2, cards=shown_cards(), suggestions_shown=1)
    talk.state.actions_taken.append(Tool.SUGGEST)
    reply = talk.say("all of those")
    assert len(talk.state.selected_suggestion_ids) == 5
    assert reply.startswith("Great, that makes 5 tasks from the suggestions.")


def test_pending_tasks_are_confirmed_once_and_expire_after_one_reply():
    question = "Do you also plan schedules, order supplies, or train new colleagues?"
    named = ["plan schedules", "order supplies", "train new colleagues"]
    talk = midway(tasks=2, turns=2, pending_suggestions=list(named))
    talk.history[-1] = talk.history[-1].__class__("assistant", question, talk.session_id)
    talk.say("yes, all of those")
    assert talk.state.estimated_task_count == 5
    late = midway(tasks=2, turns=2, pending_suggestions=list(named))
    late.say("I sharpen the saws")
    late.say("all of those")
    assert late.state.estimated_task_count == 3


@pytest.mark.parametrize(
    ("message", "engagement"),
    [
        ("mostly reports and analysis", "low"),
        ("I write reports", "medium"),
        ("Yes, I review financial reports weekly", "medium"),
        ("Yeah, some data stuff", "low"),
        ("No, I don't do that", "medium"),
        ("not really", "low"),
        ("some stuff", "low"),
        ("I don't know", "low"),
        ("reports", "low"),
        ("I weld the frames of the trailers and grind the seams flat", "high"),
    ],
)
def test_engagement_is_quality_and_never_length(message, engagement):
    talk = midway(tasks=0, turns=1)
    talk.say(message)
    assert talk.state.user_engagement == engagement


@pytest.mark.parametrize("title", ["nurse", "Head of Sales", "<b>CEO</b>", "Java dev (m/w/d)"])
def test_the_opening_takes_up_any_title(title):
    reply = Talk(title).say()
    assert f"“{title}”" in reply
    assert reply.count("?") == 1
    assert len(Talk("x" * 200).say()) < 400
