"""The guide with a model that is wrong or silent: structure holds, the rest is the model's."""

import threading
import time

import pytest

from chat.guides import StageDone, Text, Turn
from futura.llm.client import Llm
from futura.llm.models import AnswerCheck
from tasks.interview.guide import SurveyGuide
from tasks.interview.state import Mention, Tool
from tests.extent import some
from tests.tasks.interview.talking import Talk, midway, shown_cards

pytestmark = pytest.mark.django_db(transaction=True)

NO_LEVELS = {
    "informationInput": None,
    "mentalProcesses": None,
    "workOutput": None,
    "interactingWithOthers": None,
}
EMPTY_ANALYSIS = {
    "newActivities": [],
    "underexploredActivities": [],
    "gwaUpdates": NO_LEVELS,
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
                "Good to hear. What happens in the harvest months?" if reply is None else reply
            )
            if cards is not None:
                scripted.on("suggestions").json({"suggestions": cards})
        return scripted

    return answers


def by(talk, stage):
    return next(e.by for e in talk.events if isinstance(e, StageDone) and e.name == stage)


def refusals():
    rows = AnswerCheck.objects.exclude(reason=AnswerCheck.USED)
    return {(row.stage, row.reason): row.items for row in rows}


def test_a_whole_conversation_plays_through_with_the_model(scripted):
    scripted.default_survey()
    talk = Talk("Gardener")
    opening = talk.say()
    assert by(talk, "response") == "model"
    assert [asked.question in opening for asked in talk.state.asked] == [True]
    for words in ("I mow lawns and prune roses", "I talk to the owners about plants", "no"):
        talk.say(words)
        assert by(talk, "message_analysis") == by(talk, "response") == "model"
    assert talk.state.estimated_task_count == 3
    talk.say("I'm done")
    assert talk.tool == "offer_to_proceed"
    talk.say("that's all")
    assert talk.tool == "proceed"
    assert talk.has_ended


def test_activities_are_placed_by_their_quotes_and_invented_quotes_are_refused(model):
    model(
        read=analysis(
            newActivities=["mowing", "pruning roses", "Pruning roses", "fly to the moon", ""],
            quotes=["mow the lawns", "prune roses", "prune roses", "fly to the moon", ""],
            engagement="high",
        )
    )
    talk = midway(tasks=0, turns=1)
    text = "I mow the lawns and prune roses"
    talk.say(text)
    assert [m.text for m in talk.state.mentioned_activities] == ["mowing", "pruning roses"]
    assert talk.state.user_engagement == "high"
    spans = talk.shown("noted")["spans"]
    assert [text[start:end] for start, end in spans] == ["mow the lawns", "prune roses"]
    assert refusals() == {
        ("message_analysis", "quote_not_found"): 1,
        ("message_analysis", "empty"): 1,
    }


def test_a_long_message_is_read_in_pieces_with_each_quote_at_its_place(model):
    quotes = ["mow the lawns", "prune roses"]
    server = model(read=analysis(newActivities=["mowing", "pruning roses"], quotes=quotes))
    talk = midway(tasks=0, turns=1)
    text = f"I mow the lawns. {'The weather was fine. ' * 80}I prune roses."
    talk.say(text)
    assert len(server.of("message_analysis")) == 2
    assert [m.text for m in talk.state.mentioned_activities] == ["mowing", "pruning roses"]
    assert [text[start:end] for start, end in talk.shown("noted")["spans"]] == quotes


def test_a_model_that_lists_fifty_activities_on_one_word_is_not_followed(model):
    fifty = [f"do thing {number}" for number in range(50)]
    model(
        read=analysis(newActivities=fifty, quotes=["both"] * 50),
        gap={**GAP, "namedTasks": ["x" * 300, "prune trees"]},
    )
    talk = midway(tasks=2, turns=2)
    talk.say("both, I suppose")
    assert talk.state.estimated_task_count == 12
    assert refusals() == {("message_analysis", "too_many"): 40}
    assert talk.state.pending_suggestions == ["prune trees"]


def test_ids_confirm_what_the_question_named_and_foreign_ids_nothing(model):
    model(read=analysis(confirmedIds=["t2", "t9", "card-7-7"], withdrawnIds=["a1", "a44"]))
    talk = midway(tasks=2, turns=2, pending_suggestions=["plan rotas", "train apprentices"])
    talk.say("only the second, and I never inspect bridges")
    texts = [m.text for m in talk.state.mentioned_activities]
    assert texts == ["test water samples", "train apprentices"]
    assert talk.state.pending_suggestions == []
    assert refusals() == {("message_analysis", "unknown_id"): 3}


def test_tasks_that_the_models_question_names_can_be_confirmed(model):
    server = model(
        gap={
            "gapArea": "care",
            "suggestedQuestion": "Do you also sharpen blades or oil chains?",
            "namedTasks": ["sharpen blades", "oil chains"],
        }
    )
    talk = midway(tasks=2, turns=1)
    talk.say("I rake leaves")
    assert talk.state.pending_suggestions == ["sharpen blades", "oil chains"]
    server.on("message_analysis").json(analysis(confirmedIds=["t1", "t2"]))
    talk.say("beides, ja")
    assert talk.state.activity_texts[-2:] == ["sharpen blades", "oil chains"]
    assert "- t2: oil chains" in server.of("message_analysis")[-1].last_user


def test_cards_are_taken_by_their_ids(model):
    model(read=analysis(confirmedIds=["card-1-2", "card-1-3"]))
    talk = midway(tasks=2, turns=2, cards=shown_cards(), suggestions_shown=1)
    talk.state.actions_taken.append(Tool.SUGGEST)
    reply = talk.say("die zweite und die dritte")
    assert talk.state.selected_suggestion_ids == ["card-1-2", "card-1-3"]
    assert reply.startswith("Nice, 2 more tasks added.")


@pytest.mark.parametrize("tasks", some([0, 4, 11], 2))
def test_a_wish_to_stop_that_the_model_sees_is_offered_the_end_at_once(model, tasks):
    words = "Alles klar, danke! Wollen wir zu deiner Liste?"
    server = model(read=analysis(wantsToStop=True), reply=words)
    talk = midway(tasks=tasks, turns=1, clarified=False)
    assert talk.say("das wär's von mir") == words
    assert talk.tool == "offer_to_proceed"
    assert "They want to end the interview." in server.of("response")[0].text
    assert not talk.has_ended
    server.on("message_analysis").json(analysis(wish="accepts_offer", wishQuote="ja, gern"))
    talk.say("ja, gern")
    assert talk.tool == "proceed"
    assert talk.has_ended


def test_an_invented_quote_accepts_no_offer(model):
    server = model(read=analysis(wantsToStop=True))
    talk = midway(tasks=4, turns=2)
    talk.say("das war alles")
    server.on("message_analysis").json(analysis(wish="accepts_offer", wishQuote="yes, go ahead"))
    talk.say("ich streiche auch Zäune")
    assert talk.tool != "proceed"
    assert not talk.has_ended


def test_typed_stop_phrases_are_the_models_to_understand(model):
    model()
    talk = midway(tasks=4, turns=2)
    talk.say("I'm done")
    assert not talk.has_ended
    assert talk.tool == "custom_question"


def test_levels_count_activities_and_coverage_only_rises(model):
    levels = {**NO_LEVELS, "workOutput": "low", "mentalProcesses": "high"}
    server = model(read=analysis(newActivities=["sawing"], gwaUpdates=levels))
    talk = midway(tasks=0, turns=1)
    talk.say("sawing")
    coverage = talk.state.gwa_coverage
    assert (coverage["workOutput"], coverage["mentalProcesses"]) == ("low", "high")
    server.on("message_analysis").json(analysis(newActivities=["planing"], gwaUpdates=levels))
    talk.say("planing")
    assert talk.state.gwa_coverage["workOutput"] == "medium"
    assert talk.state.gwa_coverage["informationInput"] == "none"


def test_what_the_model_finds_underexplored_is_asked_about(model):
    model(read=analysis(newActivities=["reuniones"], underexploredActivities=["reuniones"]))
    talk = midway(tasks=3, turns=1)
    talk.say("tengo reuniones")
    assert talk.tool == "follow_up"
    assert talk.state.follow_ups_asked == 1


def test_the_models_gap_question_is_put_in_its_words(model):
    model(reply="Thanks, noted. And in the harvest months, what happens then?")
    talk = midway(tasks=3, turns=1)
    reply = talk.say("I sharpen the saws")
    assert talk.tool == "custom_question"
    assert reply == "Thanks, noted. And in the harvest months, what happens then?"
    assert talk.state.asked[-1].area == "seasonal rhythm"


@pytest.mark.parametrize(
    "tool",
    some(
        ["dance", "", "<script>alert(1)</script>", "proceed", "open_ended_prompt", "follow_up"], 3
    ),
)
def test_a_tool_the_model_may_not_choose_is_chosen_by_the_table(model, tool):
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


def test_a_question_that_was_asked_before_is_not_handed_to_the_reply(model):
    server = model(
        gap={"gapArea": "problems", "suggestedQuestion": "What fills your whole week?"},
        tool={"tool": "custom_question", "reason": "x", "question": "What fills your week?"},
    )
    talk = midway(tasks=3, turns=1)
    talk.say("I sharpen the saws")
    task = server.of("response")[-1].last_user.rpartition("\n\n")[2]
    assert "fills your" not in task
    assert "has not come up" in task
    assert "- inspect bridges for rust" in server.of("response")[-1].last_user
    assert refusals() == {("gap_analysis", "named_twice"): 1}


def test_what_the_model_says_was_told_counts_for_the_week_in_any_language(model, starter):
    tasks = ["Daten prüfen", "Berichte schreiben", "Modelle bauen"]
    server = model(read=analysis(newActivities=tasks), gap={**GAP, "toldIds": ["r1", "r3", "r99"]})
    talk = Talk("Datenanalystin", occupation_code="15-2051.00", actions_taken=[Tool.OPEN])
    assert talk.state.week_percent is None
    talk.say("Daten prüfen, Berichte schreiben, Modelle bauen")
    lines = server.of("gap_analysis")[0].last_user.split("<reference>")[1].splitlines()
    assert lines[1].startswith("- r1: ")
    assert len(talk.state.covered_statements) == 2
    assert talk.state.week_percent in range(10, 50, 10)
    assert refusals() == {("gap_analysis", "unknown_id"): 1}
    talk.say("ja")
    again = server.of("gap_analysis")[1].last_user
    assert lines[1].removeprefix("- r1: ") not in again
    assert lines[2].removeprefix("- r2: ") in again


@pytest.mark.parametrize(
    "words",
    some(
        [
            "Hi there! Sawing, I see. What happens in the harvest months?",
            "One thing. Two things. Three things. Four things. Five.",
            "**Right.**\n\n- a\n- b\n\nWhat happens in the harvest months? And why? Who knows?",
            "なるほど、鋸を研ぐのですね。収穫の時期には何をしますか。",
        ],
        3,
    ),
)
def test_replies_of_the_model_arrive_letter_by_letter(model, words):
    model(reply=words)
    talk = midway(tasks=3, turns=1)
    assert talk.say("I sharpen the saws") == words


def test_cards_of_the_model_are_shown_in_its_words_and_keep_the_catalogues_id(model, starter):
    cards = [
        {"statement": "Handle matter number alpha", "gwaCategory": "workOutput"},
        {"statement": "Inspect bridges for rust", "gwaCategory": "informationInput"},
        {"statement": "屋根をドローンで調べる", "gwaCategory": "informationInput"},
        {"statement": "word " * 26, "gwaCategory": "workOutput"},
        {"statement": "Bake bread", "gwaCategory": "workOutput", "taskId": "no-such-task"},
    ]
    server = model(
        tool={"tool": "show_suggestions", "reason": "stuck", "question": None},
        reply="Here are some. Which ones ring a bell?",
        cards=cards,
    )
    talk = midway(
        tasks=1, turns=3, cards=shown_cards(), suggestions_shown=1,
        occupation_code="15-2051.00",
    )  # fmt: skip
    talk.say("I sharpen the saws")
    shown = talk.shown("suggestions")["cards"]
    assert [card["statement"] for card in shown] == ["屋根をドローンで調べる", "Bake bread"]
    assert {card["taskId"] for card in shown} == {""}
    task = server.of("suggestions")[-1].last_user.split("<reference>")[1].split("- ")[1]
    known, statement = task.strip().split(": ", 1)
    cards[4] = {"statement": statement, "gwaCategory": "workOutput", "taskId": known}
    server.on("suggestions").json({"suggestions": cards[4:]})
    talk.state.actions_taken.append(Tool.CUSTOM)
    talk.say("dunno")
    assert [card["taskId"] for card in talk.shown("suggestions")["cards"]] == [known]
    assert talk.state.cards[-1].task_id == known
    assert refusals()["suggestions", "too_long"] == 1


@pytest.mark.parametrize("stage", ["message_analysis", "response"])
def test_where_the_message_is_not_read_or_answered_basic_mode_answers(model, stage):
    server = model(read=analysis(newActivities=["sharpen the saws"]))
    server.on(stage).status(400)
    talk = midway(tasks=3, turns=1)
    reply = talk.say("I sharpen the saws")
    assert talk.stage(stage).by == talk.stage("response").by == "rules"
    assert talk.stage(stage).detail["fallback"]
    assert talk.state.estimated_task_count == 4
    assert reply.startswith(("“sharpen the saws”", "I have", "Then", "Good"))
    assert reply.count("?") == 1


@pytest.mark.parametrize("stage", ["tool_selection", "gap_analysis"])
def test_without_a_side_stage_the_model_still_answers(model, stage):
    words = "Verstehe. Und was passiert zur Erntezeit?"
    server = model(read=analysis(newActivities=["Sägen schärfen"]), reply=words)
    server.on(stage).status(400)
    talk = midway(tasks=3, turns=1)
    assert talk.say("Ich schärfe die Sägen") == words
    assert talk.stage(stage).detail["fallback"]
    assert talk.stage("response").by == "model"
    assert talk.tool == "custom_question"


def test_before_the_first_word_only_two_waves_of_calls_go_out(model):
    server = model()
    talk = midway(tasks=3, turns=1)
    talk.say("I sharpen the saws")
    stages = [request.stage for request in server.requests]
    assert sorted(stages[:3]) == ["gap_analysis", "message_analysis", "tool_selection"]
    assert stages[3:] == ["response"]


def test_the_side_calls_read_the_message_and_the_state_before_it(model):
    server = model(read=analysis(newActivities=["sharpen the saws"]))
    talk = midway(tasks=3, turns=1)
    talk.say("I sharpen the saws")
    for stage in ("tool_selection", "gap_analysis"):
        asked = server.of(stage)[0].last_user
        assert "about 3 tasks so far" in asked
        assert "<person>I sharpen the saws</person>" in asked
        assert "- sharpen the saws" not in asked


@pytest.mark.thorough
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


def test_the_button_for_another_question_is_no_answer(model):
    server = model()
    talk = midway(tasks=16, turns=8)
    talk.say("Ask me something else")
    assert talk.tool == "custom_question"
    assert talk.state.asked[-1].area == "seasonal rhythm"
    assert talk.state.estimated_task_count == 16
    assert not server.of("message_analysis")


def test_without_an_occupation_the_model_compares_with_what_any_job_may_have(model, starter):
    server = model()
    Talk("Gardener", actions_taken=[Tool.OPEN]).say("I mow lawns")
    Talk("Clerk", actions_taken=[Tool.OPEN], occupation_code="15-2051.00").say("I file")
    general, compared = (request.last_user for request in server.of("gap_analysis"))
    assert "quarterly reviews" in general
    assert "<reference>" not in general
    assert "- r1: " in compared
    assert "quarterly reviews" not in compared


def test_a_long_list_of_known_activities_is_shown_whole(model):
    server = model()
    talk = midway(tasks=0, turns=3)
    talk.state.mentioned_activities = [Mention(text=f"mend pump {n}") for n in range(100)]
    talk.say("I sharpen the saws")
    assert "- a1: mend pump 0\n" in server.of("message_analysis")[0].last_user
