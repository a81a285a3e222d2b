"""The guide with a model, sensible, silly or silent: limits hold, rules step in by stage."""

import re
import threading
import time

import pytest

from chat.guides import StageDone, Text, Turn
from futura.llm.client import Llm
from futura.text import content_overlap
from tasks.elicitation.guide import SurveyGuide
from tasks.elicitation.state import Tool
from tests.tasks.elicitation.talking import Talk, midway, shown_cards

pytestmark = pytest.mark.django_db(transaction=True)

EMPTY_ANALYSIS = {
    "newTaskCount": 0,
    "newActivities": [],
    "underexploredActivities": [],
    "gwaUpdates": {
        "informationInput": None,
        "mentalProcesses": None,
        "workOutput": None,
        "interactingWithOthers": None,
    },
    "engagement": "medium",
    "wantsToStop": False,
}
GAP = {"gapArea": "seasonal rhythm", "suggestedQuestion": "What happens in the harvest months?"}
CUSTOM = {"tool": "custom_question", "reason": "gaps", "question": "Who reads your diary?"}


def analysis(**changes):
    return {**EMPTY_ANALYSIS, **changes}


@pytest.fixture
def model(scripted):
    """A model whose every stage answers properly unless the test scripts it otherwise."""

    def answers(*, read=None, tool=None, gap=None, reply=None, cards=None):
        for _ in range(4):
            scripted.on("message_analysis").json(read or analysis())
            scripted.on("tool_selection").json(tool or CUSTOM)
            scripted.on("gap_analysis").json(gap or GAP)
            scripted.on("response").text(
                reply or "Good to hear. What happens in the harvest months?"
            )
            if cards is not None:
                scripted.on("suggestions").json({"suggestions": cards})
        return scripted

    return answers


def by(talk, stage):
    return next(e.by for e in talk.events if isinstance(e, StageDone) and e.name == stage)


def test_a_whole_conversation_plays_through_with_the_model(scripted):
    scripted.default_survey()
    talk = Talk("Gardener")
    talk.say()
    assert by(talk, "response") == "model"
    for words in ("I mow lawns and prune roses", "I talk to the owners about plants", "no"):
        reply = talk.say(words)
        assert reply.count("?") == 1
        assert by(talk, "message_analysis") == "model"
    talk.say("I'm done")
    assert talk.tool == "proceed"
    assert talk.has_ended
    asked = [item.question for item in talk.state.asked]
    assert all(
        content_overlap(one, two) < 0.6 for at, one in enumerate(asked) for two in asked[at + 1 :]
    )


def test_claims_of_the_model_are_traced_counted_and_placed(model):
    model(
        read=analysis(
            newTaskCount=40,
            newActivities=["prune roses", "pruned the roses", "mow lawns", "fly to the moon"],
            engagement="high",
        )
    )
    talk = midway(tasks=0, turns=1)
    text = "I mow the lawns and prune roses"
    talk.say(text)
    assert talk.state.estimated_task_count == 2
    spans = talk.shown("noted")["spans"]
    assert [text[start:end] for start, end in spans] == ["mow the lawns", "prune roses"]


def test_only_the_model_thinking_of_an_end_brings_no_end(model):
    model(read=analysis(wantsToStop=True))
    talk = midway(tasks=11, turns=5)
    talk.say("I sharpen the saws")
    assert talk.tool == "offer_to_proceed"
    assert not talk.has_ended


def test_the_models_gap_question_is_put_in_its_words(model):
    model(reply="Thanks, noted. And in the harvest months, what happens then?")
    talk = midway(tasks=3, turns=1)
    reply = talk.say("I sharpen the saws")
    assert talk.tool == "custom_question"
    assert reply == "Thanks, noted. And in the harvest months, what happens then?"
    assert talk.state.asked[-1].area == "seasonal rhythm"


@pytest.mark.parametrize(
    "tool",
    ["dance", "proceed", "open_ended_prompt", "", "follow_up", "<script>alert(1)</script>"],
)
def test_a_tool_the_model_may_not_choose_is_chosen_by_rules(model, tool):
    model(tool={"tool": tool, "reason": "because", "question": None})
    talk = midway(tasks=3, turns=1)
    talk.say("I sharpen the saws")
    assert talk.tool == "custom_question"
    assert not talk.has_ended
    assert talk.stage("tool_selection").by == "rules"
    assert talk.stage("tool_selection").detail["fallback"]


def test_guards_hold_against_an_eager_model(model):
    model(tool={"tool": "offer_to_proceed", "reason": "enough", "question": None})
    talk = midway(tasks=3, turns=1)
    talk.say("I sharpen the saws")
    assert talk.tool == "custom_question"
    assert talk.stage("tool_selection").detail["guards"] == ["under_ten_tasks"]


def test_a_repeated_question_never_reaches_the_person(model):
    model(
        gap={"gapArea": "problems", "suggestedQuestion": "What fills up your week?"},
        tool={"tool": "custom_question", "reason": "x", "question": "What fills your week?"},
        reply="Thanks for that. So what fills your week?",
    )
    talk = midway(tasks=3, turns=1)
    reply = talk.say("I sharpen the saws")
    assert "fills your week" not in reply
    assert reply.startswith("Thanks for that.")
    assert reply.count("?") == 1
    assert talk.stage("gap_analysis").by == "rules"


@pytest.mark.parametrize(
    ("said", "starts"),
    [
        ("Hi there! Sawing, I see. What happens in the harvest months?", "Sawing, I see."),
        (
            "<b>Sharp saws</b> matter. What happens in the harvest months? And why? Who knows?",
            "Sharp",
        ),
        ("One thing. Two things. Three things. Four things. Five.", "One thing."),
        ("**Right.**\n\n- a\n- b\n\nWhat happens in the harvest months?", "Right."),
        ("No question here at all.", "No question here at all."),
        ("<script></script>", ""),
        ("???", ""),
    ],
)
def test_replies_of_the_model_keep_the_limits(model, said, starts):
    model(reply=said)
    talk = midway(tasks=3, turns=1)
    reply = talk.say("I sharpen the saws")
    assert reply.startswith(starts)
    assert reply.count("?") == 1
    assert reply.rstrip().endswith("?")
    assert len(re.findall(r"[.!?](?:\s|$)", reply)) <= 2
    assert "<" not in reply
    assert "*" not in reply


def test_cards_of_the_model_are_filled_up_where_it_repeats(model):
    cards = [
        {"statement": "Handle matter number alpha", "gwaCategory": "workOutput"},
        {"statement": "inspect bridges for rust", "gwaCategory": "informationInput"},
        {"statement": "Survey rooftops by drone", "gwaCategory": "informationInput"},
        {"statement": "Survey the rooftops by drone", "gwaCategory": "informationInput"},
        {"statement": "<img src=x>", "gwaCategory": "workOutput"},
    ]
    model(
        tool={"tool": "show_suggestions", "reason": "stuck", "question": None},
        reply="Here are some, such as surveying rooftops. Which ones ring a bell?",
        cards=cards,
    )
    talk = midway(tasks=1, turns=3, cards=shown_cards(), suggestions_shown=1)
    reply = talk.say("I sharpen the saws")
    shown = [card["statement"] for card in talk.shown("suggestions")["cards"]]
    assert len(shown) == len(set(shown)) == 5
    assert "Survey rooftops by drone" in shown
    assert not {"Handle matter number alpha", "inspect bridges for rust", "<img src=x>"} & set(
        shown
    )
    assert "rooftops" not in reply


@pytest.mark.parametrize(
    "stage", ["message_analysis", "tool_selection", "gap_analysis", "response"]
)
def test_each_stage_falls_to_its_rules_alone(model, stage):
    server = model()
    server.reset()
    for name in ("message_analysis", "tool_selection", "gap_analysis", "response"):
        if name == stage:
            for _ in range(8):
                server.on(name).status(400)
        elif name == "response":
            server.on(name).text("I see. What happens in the harvest months?")
        else:
            answer = {
                "message_analysis": analysis(newActivities=["sharpen the saws"]),
                "tool_selection": CUSTOM,
                "gap_analysis": GAP,
            }[name]
            server.on(name).json(answer)
    talk = midway(tasks=3, turns=1)
    reply = talk.say("I sharpen the saws")
    assert talk.stage(stage).by == "rules"
    assert talk.stage(stage).detail["fallback"]
    assert talk.state.estimated_task_count == 4
    assert reply.count("?") == 1


def test_before_the_first_word_only_two_waves_of_calls_go_out(model):
    server = model()
    talk = midway(tasks=3, turns=1)
    talk.say("I sharpen the saws")
    stages = [request.stage for request in server.requests]
    assert sorted(stages[:3]) == ["gap_analysis", "message_analysis", "tool_selection"]
    assert stages[3:] == ["response"]


def test_words_reach_the_person_while_the_model_is_still_talking(scripted):
    scripted.on("response").text(
        "I am curious about the garden you keep for others. What fills your days there?",
        chunk_delay_s=0.05,
    )
    talk = Talk("Gardener")
    turn = Turn(talk.session_id, talk.session_id, None, [], talk.state, Llm())
    arrivals = [
        (time.monotonic(), event.delta)
        for event in SurveyGuide().respond(turn)
        if isinstance(event, Text)
    ]
    assert len(arrivals) > 3
    assert arrivals[-1][0] - arrivals[0][0] > 0.1
    assert "".join(text for _, text in arrivals).count("?") == 1
    assert threading.active_count() < 50


def test_a_wish_to_stop_is_decided_without_asking_the_model(model):
    server = model(reply="Thank you for all that. Off to your list then! Is there more?")
    talk = midway(tasks=2, turns=1)
    reply = talk.say("I sharpen the saws. That's all, thanks")
    assert talk.has_ended
    assert talk.tools[-1] == Tool.PROCEED
    assert talk.state.estimated_task_count == 3
    assert not server.of("tool_selection")
    assert "?" not in reply
