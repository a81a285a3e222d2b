"""What counts as a yes: an exact short reply or the button, and nothing longer, in both modes."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse

from projects.models import Project, Task
from projects.modes.basic import Tap, taps_in
from tests.extent import some
from tests.projects.agent.test_with_model import EMPTY, FIVE, read
from tests.scripted import ScriptedCall

pytestmark = pytest.mark.django_db(transaction=True)

NO_YES = (
    "please do not create it yet",
    "of course not",
    "Of course not!",
    "ok, rename it to Garden",
    "ok but not now",
    "yes, only the wireframes",
    "sure, why would I?",
    "yes?",
    "don't create it",
    "right, but the name is wrong",
    "create it next week",
    "Ja, aber noch nicht",
)
TOLD = "I plan a street party. My neighbours help with it."


def test_only_a_whole_message_is_a_short_reply():
    assert not [text for text in NO_YES if taps_in(text)]
    for text in ("Yes", "yes, please!", "OK.", "Create it", "Yes, create it."):
        assert Tap.YES in taps_in(text)
    for text in ("No", "not yet", "No, thanks", "leave it", "Never mind."):
        assert Tap.NO in taps_in(text)


def test_the_words_of_every_button_are_in_the_lists():
    from django.utils.translation import gettext

    assert Tap.YES in taps_in(gettext("Yes, create it."))
    assert Tap.YES in taps_in(gettext("Yes, use it."))
    assert Tap.NO in taps_in(gettext("No, leave it as it is."))


@pytest.mark.parametrize("text", some(NO_YES, len(NO_YES)))
def test_without_a_model_only_a_short_yes_creates_and_all_else_shows_the_preview(create, text):
    talk = create(TOLD)
    talk.say("create it")
    before = (
        talk.draft.context,
        [getattr(talk.draft, item) for item in talk.draft.dimensions_covered],
    )
    talk.say(text)
    assert not Project.objects.exists()
    assert talk.state["phase"] == "finalizing"
    assert talk.preview()["name"]
    after = (
        talk.draft.context,
        [getattr(talk.draft, item) for item in talk.draft.dimensions_covered],
    )
    assert after == before
    talk.say("yes, please")
    assert Project.objects.count() == 1


def test_the_preview_has_its_button_and_the_button_creates(create, alice):
    talk = create(TOLD)
    talk.say("create it")
    talk.say("please do not create it yet")
    client = Client()
    client.force_login(alice)
    page = client.get(reverse("projects:agent_talk", args=[talk.id])).content.decode()
    assert page.count('value="Yes, create it."') >= 1
    tap = reverse("projects:agent_tap", args=[talk.id])
    assert tap in page
    assert client.post(tap, {"tap": "maybe", "text": "Yes, create it."}).status_code == 400
    client.post(tap, {"tap": "yes", "text": "Yes, create it."})
    talk.drain()
    assert Project.objects.count() == 1


@pytest.fixture
def model(scripted):
    scripted.on("dimension_detection").json(
        dict.fromkeys(
            [
                "core_integrity_ideals", "core_people_bonds", "core_goals_momentum",
                "core_meaning_identity", "core_reality_understanding", "core_trust_safeguards",
                "core_opportunity_freedom", "core_power_resources", "core_harmony_integration",
            ],
            2,
        )
    )  # fmt: skip
    scripted.on("answer_reading").json(EMPTY)
    scripted.on("initial_tasks").json({"tasks": [{"title": item} for item in FIVE]})
    scripted.on("agent_response").text("Understood. What would make this a success for you?")
    return scripted


@pytest.mark.parametrize("text", some(NO_YES, len(NO_YES)))
def test_with_a_model_it_is_asked_and_its_calls_decide(model, create, text):
    talk = create()
    talk.say(TOLD)
    talk.tap("finish", "Review the draft")
    model.on("agent_tools").text("All right, I wait.")
    assert talk.say(text) == "All right, I wait."
    assert not Project.objects.exists()
    assert talk.stages()["agent_tools"] == "model"


def test_a_model_renames_the_draft_and_shows_it_again(model, create):
    talk = create()
    talk.say(TOLD)
    talk.tap("finish", "Review the draft")
    draft = {"id": str(talk.draft.pk)}
    model.on("agent_tools").calls(
        ScriptedCall("change_draft", {**draft, "name": "Garden"}),
        ScriptedCall("finalise_draft", draft),
    ).text("It is called Garden now.")
    talk.say("ok, rename it to Garden")
    assert talk.draft.name == "Garden"
    assert not Project.objects.exists()
    assert talk.preview()["name"] == "Garden"
    talk.tap("yes", "Yes, create it.")  # the button asks no model
    assert Project.objects.get().name == "Garden"


def test_a_button_that_was_reworded_is_no_button_any_more(model, create):
    talk = create(TOLD)
    talk.tap("finish", "Review the draft")
    model.on("agent_tools").text("I wait.")
    part = {"type": "tap", "tap": "yes", "text": "Yes, create it."}
    assert talk.say("Yes, but not yet", parts=[part]) == "I wait."
    assert not Project.objects.exists()


def test_a_model_may_take_a_longer_yes(model, create):
    talk = create()
    talk.say(TOLD)
    talk.tap("finish", "Review the draft")
    model.on("agent_tools").calls(ScriptedCall("finalise_draft", {"id": str(talk.draft.pk)})).text(
        "There it is."
    )
    talk.say("Ja, bitte anlegen")
    assert Project.objects.count() == 1


def test_a_model_hears_that_no_more_questions_are_wanted(model, create):
    talk = create()
    talk.say(TOLD)
    assert talk.state["phase"] == "clarifying"
    model.on("answer_reading").json(read(wants_draft=True))
    talk.say("Genug gefragt, zeig mir den Entwurf")
    assert talk.state["phase"] == "finalizing"


@pytest.fixture
def moved(made, update, today):
    """A project whose end has just moved to September, with two dated tasks; asked to follow."""
    project = made(
        end_date=dt.date(2025, 6, 30),
        tasks=[("Draw wireframes", dt.date(2025, 4, 1)), ("Write the copy", dt.date(2025, 5, 1))],
    )
    talk = update(project)
    assert "as well" in talk.say("move the project to 30 September 2025")
    return talk


def dues():
    return set(Task.objects.values_list("due_date", flat=True))


STOOD = {dt.date(2025, 4, 1), dt.date(2025, 5, 1)}


@pytest.mark.parametrize(
    "text", some(["yes, only the wireframes", "of course not", "sure, but not the copy", "yes?"], 4)
)
def test_nothing_moves_along_on_a_longer_answer(moved, text):
    assert [offer["say"] for offer in moved.parts("offers")[0]["offers"]] == [
        "Yes.", "No, leave it as it is.",
    ]  # fmt: skip
    assert "as well" in moved.say(text)
    assert dues() == STOOD
    assert moved.parts("offers")
    moved.say("Yes.")
    assert not dues() & STOOD


def test_a_short_no_leaves_them(moved):
    moved.say("No, leave it as it is.")
    assert dues() == STOOD
    moved.say("yes")
    assert dues() == STOOD


def test_questions_of_an_earlier_version_hold_up_no_conversation(moved):
    session = moved.session
    session.state["update"]["questions"] = [
        {"kind": "share", "text": "How much working time does that take now?", "options": []},
        {"kind": "shift", "text": "Move it as well?", "options": [{"label": "Draw wireframes"}]},
    ]
    session.save(update_fields=["state"])
    moved.say("add Call the printer")
    assert moved.state["update"]["questions"] == []
    assert Task.objects.filter(title="Call the printer").exists()


def test_with_a_model_partial_consent_is_its_to_carry_out(scripted, made, update, today):
    project = made(
        end_date=dt.date(2025, 6, 30),
        tasks=[("Draw wireframes", dt.date(2025, 4, 1)), ("Write the copy", dt.date(2025, 5, 1))],
    )
    end = {"id": str(project.pk), "end_date": "2025-09-30"}
    scripted.on("agent_tools").calls(ScriptedCall("change_project", end)).text(
        "It ends in September."
    )
    talk = update(project)
    assert "as well" in talk.say("push the launch date to Q3")
    wireframes = str(Task.objects.get(title="Draw wireframes").pk)
    scripted.on("agent_tools").calls(
        ScriptedCall("change_todos", {"ids": [wireframes], "due_date": "2025-07-02"})
    ).text("The wireframes moved.")
    talk.say("Yes, only the wireframes")
    assert Task.objects.get(title="Draw wireframes").due_date == dt.date(2025, 7, 2)
    assert Task.objects.get(title="Write the copy").due_date == dt.date(2025, 5, 1)
