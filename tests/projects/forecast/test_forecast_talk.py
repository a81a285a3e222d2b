"""Forecasting conversations: asked, computed, told, varied; by rules and with a model."""

import json

import pytest

from chat.operations.models import OperationBatch
from projects.forecasting.models import Forecast
from projects.forecasting.results import Result
from projects.models import Project
from tests import project_rows, todos

pytestmark = pytest.mark.django_db(transaction=True)


def told(session) -> str:
    return "\n".join(session.messages.filter(role="assistant").values_list("text", flat=True))


def test_the_situation_is_asked_for_then_the_assumptions_then_it_is_told(talk):
    conversation = talk()
    assert "Weekly sheet" in conversation.reply
    assert "?" in conversation.reply
    asked = conversation.say("Can we make the first week of December?")
    assert "how many people" in asked
    assert "Train the relief technicians" in asked
    assert not Forecast.objects.exists()
    reply = conversation.say("Just me, all day. The estimates are rough guesses.")
    kept = Forecast.objects.get()
    assert kept.situation == "Can we make the first week of December?"
    assert kept.inputs["hands"] == 1
    assert kept.inputs["spread"] == "unsure"
    result = Result.from_json(kept.results)
    for name in ("Optimistic", "Realistic", "Pessimistic", "Warning signs", "What would help"):
        assert name in reply
    assert str(result.realistic.day) in reply
    assert "4 December 2026" in reply
    assert conversation.state["phase"] == "completed"
    part = conversation.session.messages.order_by("seq").last().parts[-1]
    assert part["type"] == "forecast"
    assert part["id"] == str(kept.pk)
    assert not OperationBatch.objects.filter(session=conversation.id).exists()


def test_a_first_message_with_assumptions_is_answered_at_once(talk):
    conversation = talk()
    reply = conversation.say("When are we done? We are two people, full time.")
    assert "Realistic" in reply
    assert Forecast.objects.get().inputs["hands"] == 2


def test_what_if_questions_are_compared_with_the_plan_and_kept_with_it(talk):
    conversation = talk()
    conversation.say("Forecast it. Just me.")
    later = conversation.say("What if building the sheet slips two weeks?")
    assert "10 working days" in later
    assert "later" in later
    assert "of 100 runs instead of" in later
    sooner = conversation.say("What if we get one more person?")
    assert "earlier" in sooner
    titles = [one["title"] for one in Forecast.objects.get().variants]
    assert titles == [
        "“Build the sheet” takes 10 working days longer",
        "One more person works on it",
    ]


def test_a_what_if_that_is_not_understood_says_what_can_be_tried(talk):
    conversation = talk()
    conversation.say("Forecast it. Just me.")
    assert "what if" in conversation.say("What if aliens land?").lower()


def test_estimates_said_in_the_conversation_count_and_change_no_task(talk, planned):
    conversation = talk()
    conversation.say("Just me. Train the relief technicians takes 10 to 20 days.")
    kept = Forecast.objects.get()
    read = {one["title"]: one for one in kept.inputs["tasks"]}
    assert read["Train the relief technicians"]["low"] == 10
    assert planned.tasks.get(title="Train the relief technicians").estimate_low_days is None
    assert kept.results["unestimated"] == []


def test_it_declines_when_too_little_is_known_and_says_what_is_missing(talk, actor):
    bare = project_rows.create_project(
        actor=actor, values={"name": "Bare"}, tasks=["One", "Two"]
    ).row
    conversation = talk(bare)
    reply = conversation.say("When will it be done?")
    assert "at least 3" in reply
    assert "“One” and “Two”" in reply
    assert not Forecast.objects.exists()


def test_a_plan_that_changed_meanwhile_is_forecast_anew(talk, planned, actor):
    conversation = talk()
    conversation.say("Forecast it. Just me.")
    task = planned.tasks.get(title="Print bottle labels")
    values = {"estimate_low_days": 20, "estimate_high_days": 30}
    todos.change(actor=actor, task=task, values=values)
    reply = conversation.say("What if we drop the bottle labels?")
    assert "has changed since" in reply
    assert Forecast.objects.count() == 2


def test_a_deleted_project_is_said_to_be_gone(talk, planned, actor):
    conversation = talk()
    project_rows.delete_project(actor=actor, project=Project.objects.get(pk=planned.pk))
    assert "not there any more" in conversation.say("When?")


WORDS = {
    "outcome": "The two technicians stop copying by hand.",
    "key_factors": ["The health office agrees to the columns quickly."],
    "warning_signs": ["No answer from the health office."],
}


def words(**changes):
    return {**WORDS, **changes}


@pytest.fixture
def model(scripted):
    scripted.on("forecast_reading").json(
        {"hands": 1, "hands_quote": "just me", "spread": None, "estimates": [], "what_ifs": [],
         "is_question": False}
    )  # fmt: skip
    return scripted


def answer(**changes):
    plain = {
        "optimistic": words(), "realistic": words(), "pessimistic": words(),
        "decisions": [], "recommendations": ["Ask the health office for its columns this week."],
    }  # fmt: skip
    return {**plain, **changes}


def test_the_model_words_the_scenarios_and_the_days_stay_the_computations(talk, model):
    model.on("forecast_words").json(answer())
    reply = talk().say("When are we done? It is just me.")
    kept = Forecast.objects.get()
    assert kept.told_by == "model"
    assert "stop copying by hand" in reply
    assert "Ask the health office for its columns this week." in reply
    assert [one["day"] for one in kept.told["scenarios"]] == [
        kept.results["curve"][percent] for percent in ("20", "50", "80")
    ]


def test_words_that_contradict_the_figures_are_left_out(talk, model):
    model.on("forecast_words").json(
        answer(
            optimistic=words(outcome="It is done on 3 June 2031."),
            realistic=words(key_factors=["There is a 97 % chance of success."]),
            pessimistic=words(warning_signs=["It takes 40 weeks longer.", "Silence."]),
            recommendations=["Promise 24 December 2030."],
        )
    )
    conversation = talk()
    reply = conversation.say("When are we done? It is just me.")
    for wrong in ("2031", "97 %", "40 weeks", "2030"):
        assert wrong not in reply
    assert "Silence." in reply
    assert "What would help" in reply
    trace = json.dumps(conversation.run.trace)
    assert "3 June 2031" in trace


def test_without_an_answer_of_the_model_the_rules_tell_it(talk, model):
    model.on("forecast_words").status(500)
    conversation = talk()
    assert "Realistic" in conversation.say("When are we done? It is just me.")
    assert Forecast.objects.get().told_by == "rules"


def test_the_model_reads_variants_only_from_words_that_were_said(talk, scripted, planned):
    scripted.on("forecast_words").json(answer())
    nothing: dict[str, object] = {
        "hands": None, "hands_quote": None, "spread": None, "estimates": [], "what_ifs": [],
        "is_question": False,
    }  # fmt: skip
    slip = {"kind": "slip", "task": "t2", "days": 10, "day": None, "people": None, "title": None}
    said, invented = slip | {"quote": "the sheet is two weeks late"}, slip | {"quote": "a strike"}
    scripted.on("forecast_reading").json(nothing | {"hands": 1, "hands_quote": "Just me"})
    conversation = talk()
    conversation.say("Just me.")
    scripted.on("forecast_reading").json(nothing | {"what_ifs": [said, invented | {"task": "t1"}]})
    reply = conversation.say("And suppose the sheet is two weeks late")
    assert "“Build the sheet” takes 10 working days longer" in reply
    assert "Agree on the columns" not in reply


def test_a_question_is_answered_with_reading_tools_and_checked(talk, model):
    model.on("forecast_words").json(answer())
    conversation = talk()
    conversation.say("It is just me.")
    model.on("forecast_reading").json(
        {"hands": None, "hands_quote": None, "spread": None, "estimates": [], "what_ifs": [],
         "is_question": True}
    )  # fmt: skip
    model.on("agent_tools").text(
        "Building the sheet drives it. It will surely be done by 1 May 2040. Begin there."
    )
    reply = conversation.say("Why does it take so long?")
    assert reply == "Building the sheet drives it. Begin there."
    assert {one.name for one in offered(model)} == {
        "analyze_project_completeness", "generate_project_audit", "forecast_project",
    }  # fmt: skip


def offered(scripted):
    from types import SimpleNamespace

    asked = [one for one in scripted.requests if one.stage == "agent_tools"][-1]
    return [
        SimpleNamespace(name=tool.get("name") or tool["function"]["name"])
        for tool in asked.body["tools"]
    ]


def test_what_the_model_passes_over_the_rules_still_hear(talk, model, planned):
    conversation = talk()
    conversation.say("Everything takes 3 days. I work alone on it.")
    assert conversation.state["forecast"]["hands"] == 1
    assert conversation.state["forecast"]["forecast_id"]
