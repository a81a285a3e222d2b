"""Forecasting conversations: computed at once, assumptions counted, what-if shown beside it."""

import json

import pytest
from django.urls import reverse

from chat.operations.models import OperationBatch
from projects.forecasting.models import Forecast
from projects.forecasting.results import Result
from projects.models import Project
from tests import project_rows, todos
from tests.extent import some
from tests.projects.talks import TODAY

pytestmark = pytest.mark.django_db(transaction=True)
THE_SHEET, THE_TRAINING = "Build the sheet", "Train the relief technicians"


@pytest.fixture
def enter(browser, alice, drain):
    """Sends the form of a conversation."""

    def send(conversation, **values):
        url = reverse("forecasts:assume", args=[conversation.id])
        answer = browser(alice).post(url, {"way": "count", **values})
        drain()
        return answer

    return send


def lengths(forecast):
    return {task["title"]: (task["low"], task["high"]) for task in forecast.inputs["tasks"]}


def last():
    return Forecast.objects.order_by("created_at").last()


def test_it_starts_with_its_result_and_guesses_no_sentence_without_a_model(talk):
    conversation = talk()
    stored = Forecast.objects.get()
    result = Result.from_json(stored.results)
    for name in ("Optimistic", "Realistic", "Pessimistic", "Warning signs", "Recommendations"):
        assert name in conversation.reply
    assert str(result.realistic.day) in conversation.reply
    assert "4 December 2026" in conversation.reply
    assert "?" in conversation.reply
    assert conversation.state["phase"] == "completed"
    assert conversation.parts("forecast")[0]["id"] == str(stored.pk)
    assert conversation.stages()["simulation"] == "engine"
    reply = conversation.say("Train the relief technicians takes 10 to 20 days.")
    assert "Realistic" in reply
    assert lengths(last())[THE_TRAINING] == (None, None)
    assert conversation.parts("assume")
    assert not OperationBatch.objects.filter(session=conversation.id).exists()


def test_what_is_entered_counts_changes_no_task_and_stays_beside_a_figure_for_the_rest(
    talk, enter, planned, actor
):
    todos.add(actor=actor, project=planned, values={"title": "Write the handbook"})
    conversation = talk()
    named = planned.tasks.get(title=THE_TRAINING)
    enter(conversation, task=str(named.pk), low="10", high="20")
    assert lengths(last())[THE_TRAINING] == (10, 20)
    assert "“Train the relief technicians” takes 10 to 20 days" in conversation.reply
    assert "moves from" in conversation.reply
    assert Forecast.objects.count() == 2
    named.refresh_from_db()
    assert named.estimate_low_days is None
    enter(conversation, task="rest", low="2", high="2")
    read = lengths(last())
    assert read[THE_TRAINING] == (10, 20)
    assert read["Write the handbook"] == (2, 2)
    assert read[THE_SHEET] == (4, 9)
    assert last().results["unestimated"] == []
    enter(conversation, task=str(named.pk), low="3", high="4")  # a correction of that one figure
    corrected = lengths(last())
    assert corrected[THE_TRAINING] == (3, 4)
    assert corrected["Write the handbook"] == (2, 2)


def test_hours_absences_and_a_deadline_count(talk, enter):
    conversation = talk()
    before = Result.from_json(last().results)
    enter(conversation, hours="20")
    half = Result.from_json(last().results)
    assert last().inputs["hands"] == 0.5
    assert half.realistic > before.realistic
    enter(conversation, away_from="2026-11-30", away_to="2026-12-11")
    away = Result.from_json(last().results)
    assert (away.realistic - half.realistic).days >= 12
    assert last().inputs["hands"] == 0.5
    enter(conversation, deadline="2027-03-31")
    assert last().inputs["end"] == "2027-03-31"
    assert (Result.from_json(last().results).on_time or 0) > 0.9
    for words in ("20 hours a week", "is away from 30 November 2026", "31 March 2027"):
        assert any(words in assumption for assumption in last().told["assumptions"])


def test_a_what_if_stands_beside_the_first_course(talk, enter, planned, browser, alice):
    conversation = talk()
    sheet = planned.tasks.get(title=THE_SHEET)
    enter(conversation, way="what_if", task=str(sheet.pk), low="14", high="19")
    assert "later" in conversation.reply
    assert "of 100 runs instead of" in conversation.reply
    stored = Forecast.objects.get()
    assert [variant["title"] for variant in stored.variants] == [
        "“Build the sheet” takes 14 to 19 days"
    ]
    assert lengths(stored)[THE_SHEET] == (4, 9)
    page = browser(alice).get(reverse("projects:agent_talk", args=[conversation.id]))
    text = page.content.decode()
    assert "Current plan" in text
    assert "“Build the sheet” takes 14 to 19 days" in text
    whole = browser(alice).get(reverse("forecasts:forecast", args=[stored.pk])).content.decode()
    assert "Current plan" in whole


@pytest.mark.parametrize(
    ("days", "words"), some([("1", "1 day"), ("0.6", "0.6 days"), ("1.4", "1.4 days")], 3)
)
def test_only_a_whole_day_is_called_a_day(talk, enter, planned, days, words):
    conversation = talk()
    sheet = planned.tasks.get(title=THE_SHEET)
    enter(conversation, way="what_if", task=str(sheet.pk), low=days, high=days)
    assert f"“Build the sheet” takes {words}**" in conversation.reply


@pytest.mark.parametrize(
    ("language", "words"), some([("de", "dauert 0,5 bis 1 Tage"), ("en", "takes 0.5 to 1 days")], 2)
)
def test_figures_are_written_as_in_the_language(
    owner, talk, enter, planned, browser, alice, actor, language, words
):
    type(owner).objects.filter(pk=owner.pk).update(language=language)
    conversation = talk()
    sheet = planned.tasks.get(title=THE_SHEET)
    enter(conversation, way="what_if", task=str(sheet.pk), low="0.5", high="1")
    assert words in conversation.reply
    todos.change(actor=actor, task=sheet, values={"estimate_low_days": "0.5"})
    page = browser(alice).get(
        reverse("projects:project", args=[planned.pk]), headers={"Accept-Language": language}
    )
    assert f"{'0,5' if language == 'de' else '0.5'}–9" in page.content.decode()


def test_the_form_refuses_what_makes_no_sense_and_strangers(talk, enter, browser, charlie, bob):
    conversation = talk()
    assert enter(conversation).status_code == 400
    wrong = {"away_from": "2026-12-11", "away_to": "2026-12-01"}
    assert enter(conversation, **wrong).status_code == 400
    elsewhere = "6f1c2f5e-0000-4000-8000-000000000000"
    assert enter(conversation, task=elsewhere, low="2").status_code == 404
    url = reverse("forecasts:assume", args=[conversation.id])
    for person in (charlie, bob):
        assert browser(person).post(url, {"way": "count", "hours": "3"}).status_code == 404
    assert Forecast.objects.count() == 1


def test_it_declines_when_too_little_is_known_and_takes_estimates(talk, actor, enter):
    bare = project_rows.create_project(
        actor=actor, values={"name": "Bare"}, tasks=["One", "Two", "Three"]
    ).row
    conversation = talk(bare)
    assert "at least 3" in conversation.reply
    assert "“One”, “Two” and “Three”" in conversation.reply
    assert not Forecast.objects.exists()
    enter(conversation, task="rest", low="2", high="4")
    assert "Realistic" in conversation.reply
    assert Forecast.objects.get().inputs["tasks"][0]["low"] == 2


def test_a_plan_that_changed_meanwhile_is_forecast_anew(talk, planned, actor, enter):
    conversation = talk()
    task = planned.tasks.get(title="Print bottle labels")
    values = {"estimate_low_days": 20, "estimate_high_days": 30}
    todos.change(actor=actor, task=task, values=values)
    enter(conversation, way="what_if", people="3")
    assert "has changed since" in conversation.reply
    assert Forecast.objects.count() == 2


def test_a_deleted_project_is_said_to_be_gone(talk, planned, actor):
    conversation = talk()
    project_rows.delete_project(actor=actor, project=Project.objects.get(pk=planned.pk))
    assert "no longer exists" in conversation.say("When?")


# With a model ---------------------------------------------------------------------------------
NOTHING = {"assumptions": [], "what_ifs": []}


@pytest.fixture
def model(scripted):
    scripted.on("forecast_reading").json(NOTHING)
    return scripted


def reads(scripted, **values):
    scripted.on("forecast_reading").json({**NOTHING, **values})


def test_the_model_speaks_to_the_situation_below_what_is_computed(talk, model):
    words = "Erst die Spalten mit dem Amt klären. Schweigt es, wird es Januar."
    model.on("agent_tools").text(words)
    conversation = talk(text="Sollen wir bis Januar warten?")
    stored = Forecast.objects.get()
    assert stored.situation == "Sollen wir bis Januar warten?"
    assert words in conversation.reply
    assert conversation.reply.index("Recommendations") < conversation.reply.index(words)
    assert [scenario["day"] for scenario in stored.told["scenarios"]] == [
        stored.results["curve"][percent] for percent in ("20", "50", "80")
    ]


def test_without_an_answer_of_the_model_the_computed_words_stand(talk, model):
    model.on("agent_tools").status(400)
    conversation = talk(text="Shall we wait?")
    assert "Realistic" in conversation.reply
    assert conversation.reply.count("Recommendations") == 1
    assert conversation.run.status == "completed"


@pytest.mark.parametrize(
    ("first", "second", "third"),
    some([
        ("Train the relief technicians takes 10 to 20 days", "everything else takes 2 days",
         "no, the training takes 3 to 4"),
        ("Die Schulung dauert 10 bis 20 Tage", "alles andere dauert 2 Tage",
         "nein, die Schulung dauert 3 bis 4"),
        ("研修は10日から20日かかります", "その他はすべて2日です", "いいえ、研修は3日か4日です"),
    ], 3),
)  # fmt: skip
def test_what_was_said_stays_beside_what_is_said_later(
    talk, model, planned, actor, first, second, third
):
    todos.add(actor=actor, project=planned, values={"title": "Write the handbook"})
    conversation = talk()
    reads(
        model, assumptions=[{"kind": "takes", "quote": first, "task": "t4", "low": 10, "high": 20}]
    )
    conversation.say(f"{first}.")
    reads(
        model, assumptions=[{"kind": "takes", "quote": second, "task": "rest", "low": 2, "high": 2}]
    )
    conversation.say(f"{second}.")
    assert lengths(last())[THE_TRAINING] == (10, 20)
    assert lengths(last())["Write the handbook"] == (2, 2)
    reads(model, assumptions=[{"kind": "takes", "quote": third, "task": "t4", "low": 3, "high": 4}])
    conversation.say(f"{third}.")
    assert lengths(last())[THE_TRAINING] == (3, 4)
    assert lengths(last())["Write the handbook"] == (2, 2)
    assert lengths(last())[THE_SHEET] == (4, 9)


def test_everything_that_one_message_says_counts(talk, model):
    conversation = talk()
    said = "We are two, ten hours a week each. Ana is away 1 to 4 December. Due on 29 January."
    reads(model, assumptions=[
        {"kind": "team", "quote": "We are two", "people": 2},
        {"kind": "hours", "quote": "ten hours a week each", "hours": 10},
        {"kind": "takes", "quote": "Ana is away", "task": "t99", "low": 1, "high": 1},
        {"kind": "away", "quote": "Ana is away 1 to 4 December", "first": "2026-12-01",
         "last": "2026-12-04", "people": 1},
        {"kind": "away", "quote": "Ana is away 1 to 4 December", "first": "2026-12-01",
         "last": "2026-12-02", "people": 1},
        {"kind": "deadline", "quote": "Due on 29 January", "task": None, "day": "2027-01-29"},
    ])  # fmt: skip
    conversation.say(said)
    assert last().inputs["hands"] == 0.5
    assert last().inputs["end"] == "2027-01-29"
    assert last().inputs["absences"] == [
        {"first": "2026-12-01", "last": f"2026-12-0{day}", "people": 1.0} for day in (4, 2)
    ]
    model.on("agent_tools").call("forecast_project", {}).text("So.")
    reads(model)
    conversation.say("Why?")
    (figures,) = model.of("agent_tools")[-1].tool_results.values()
    assert "for 50 % of the week" in figures
    reads(model, withdrawn=["a3", "a4"])
    reply = conversation.say("Ana is not away after all.")
    assert reply.startswith("**No longer used in the forecast**\n\n- One person is away from 1 Dec")
    assert last().inputs["absences"] == []
    assert last().inputs["hands"] == 0.5


def test_a_question_beside_a_figure_or_a_what_if_is_answered_below_what_is_computed(talk, model):
    conversation = talk()
    hours = {"kind": "hours", "quote": "20 hours a week", "hours": 20}
    reads(model, assumptions=[hours], asks=True)
    model.on("agent_tools").text("Drop the training.")
    reply = conversation.say("I have 20 hours a week. What would you drop?")
    assert "Now used in the forecast" in reply
    assert reply.endswith("\n\nDrop the training.")
    more = {"kind": "hands", "quote": "one more helps", "more": 1}
    reads(model, what_ifs=[more], asks=True)
    model.on("agent_tools").text("Only beside the sheet.")
    reply = conversation.say("And if one more helps, where first?")
    assert "of 100 runs instead of" in reply
    assert reply.endswith("\n\nOnly beside the sheet.")
    assert "One more person works on it full time: " in model.of("agent_tools")[-1].text


def test_what_is_left_of_a_task_counts_in_place_of_the_whole(talk, model):
    conversation = talk()
    said = "Von der Schulung fehlen noch ein bis zwei Tage"
    left = {"kind": "remaining", "quote": said, "task": "t4", "low": 1, "high": 2}
    reads(model, assumptions=[left])
    conversation.say(f"{said}.")
    assert lengths(last())[THE_TRAINING] == (1, 2)
    assert any(
        f"left of “{THE_TRAINING}”" in assumption for assumption in last().told["assumptions"]
    )


def test_what_a_file_says_counts(talk, model):
    conversation = talk()
    reads(model, assumptions=[{"kind": "deadline", "quote": "by 29 January", "day": "2027-01-29"}])
    mail = {"type": "file", "name": "mail.txt", "text": "We need it by 29 January."}
    conversation.say("This came in.", parts=[mail])
    assert last().inputs["end"] == "2027-01-29"


def test_what_no_words_of_the_message_carry_is_refused(talk, model, planned):
    conversation = talk()
    slip = {"kind": "slip", "task": "t2", "days": 10, "day": None, "people": None, "title": None}
    given, invented = slip | {"quote": "the sheet is two weeks late"}, slip | {"quote": "a strike"}
    reads(model, what_ifs=[given, invented | {"task": "t1"}])
    reply = conversation.say("And suppose the sheet is two weeks late")
    assert "“Build the sheet” takes 10 working days longer" in reply
    assert "Agree on the columns" not in reply
    titles = [variant["title"] for variant in Forecast.objects.get().variants]
    assert titles == ["“Build the sheet” takes 10 working days longer"]
    trace = json.dumps(conversation.run.trace)
    assert "quote not found" in trace


def test_a_question_is_answered_letter_by_letter_with_reading_tools(talk, model):
    """A reading that holds nothing is one, too."""
    conversation = talk()
    reads(model)
    text = "Der Aufbau bestimmt das Ende. Ich würde dort beginnen. Mehr weiß ich nicht."
    model.on("agent_tools").text(text)
    assert conversation.say("Warum dauert es so lange?") == text
    assert offered(model) == {
        "read_project", "read_todo", "read_note", "list_todos", "analyze_project_completeness",
        "generate_project_audit", "forecast_project",
    }  # fmt: skip
    assert f"Today is Monday, {TODAY}" in model.of("agent_tools")[-1].text
    asked = model.of("forecast_reading")[-1].text
    for words in ("End: 2026-12-04", "Build the sheet (4-9 days; waits for"):
        assert words in asked
    assert conversation.state["forecast"]["assumptions"] == []
    assert Forecast.objects.count() == 1


def offered(scripted):
    asked = [request for request in scripted.requests if request.stage == "agent_tools"][-1]
    return {tool.get("name") or tool["function"]["name"] for tool in asked.body["tools"]}
