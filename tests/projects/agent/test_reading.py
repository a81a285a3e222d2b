"""What a model reads from a message, and the changes that it makes of a draft by its calls."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from projects.models import Project
from tests.extent import some
from tests.projects.agent.test_with_model import model, read, told
from tests.scripted import ScriptedCall as Call

__all__ = ["model"]  # a fixture

pytestmark = pytest.mark.django_db(transaction=True)

TALKS = {
    "en": (
        "We repaint the old fence. Ana buys paint by 3 May 2027, it takes two days.",
        "We repaint the old fence.",
        "Ana buys paint by 3 May 2027",
    ),
    "de": (
        "Wir streichen den alten Zaun neu. Ana kauft bis zum 3. Mai 2027 Farbe, zwei Tage lang.",
        "Wir streichen den alten Zaun neu.",
        "Ana kauft bis zum 3. Mai 2027 Farbe",
    ),
    "ja": (
        "古い柵を塗り直します。アナが2027年5月3日までにペンキを買い、二日かかります。",
        "古い柵を塗り直します。",
        "アナが2027年5月3日までにペンキを買い",
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", some(TALKS, len(TALKS)))
def test_dimensions_people_dates_tasks_and_tags_of_one_message(model, create, language):
    said, reality, buying = TALKS[language]
    model.on("answer_reading").json(
        read(
            name="Zaun",
            dimensions=[{**told("core_reality_understanding", reality), "quote": reality}],
            people=[{"name": "Ana", "role": "paint", "quote": buying}],
            dates=[{"of": "end", "date": "2027-05-31", "quote": buying},
                   {"of": "start", "date": "next week", "quote": buying}],
            tags=["garden"],
            tasks=[{"title": "Farbe kaufen", "due_date": "2027-05-03", "owner": "Ana",
                    "priority": "high", "quote": buying,
                    "estimate_low_days": 2, "estimate_high_days": 2,
                    "depends_on": ["Holz sägen", "Bretter"]},
                   {"title": "Holz sägen", "quote": buying},
                   {"title": "Call Bob", "due_date": None, "quote": "Bob has to be called"}],
        )
    )  # fmt: skip
    talk = create()
    talk.say(said)
    draft = talk.draft
    assert draft.core_reality_understanding == reality
    assert "Ana" in draft.core_people_bonds
    assert draft.end_date == dt.date(2027, 5, 31)
    assert draft.start_date is None
    assert draft.tags == ["garden"]
    task, sawing = talk.draft_tasks  # what has no quote in the message is left out
    assert (task.title, task.due_date) == ("Farbe kaufen", dt.date(2027, 5, 3))
    assert (task.assignee, task.details) == ("Ana", "After “Bretter”")
    assert task.priority == "high"
    assert task.estimate_high_days == 2
    assert list(task.depends_on.all()) == [sawing]


def test_somebody_is_noted_whose_name_begins_like_another(model, create):
    model.on("answer_reading").json(
        read(
            dimensions=[told("core_people_bonds", "Johanna helps tomorrow")],
            people=[{"name": "Johanna"}, {"name": "Jo", "role": "cook"}],
        )
    )
    talk = create()
    talk.say("Johanna helps tomorrow. Jo cooks for all of us on that day, as every year.")
    assert talk.draft.core_people_bonds == "Johanna helps tomorrow\n\n- Jo: cook"


def test_a_preview_is_a_plan_with_timeline_people_and_tasks(model, create, browser, alice):
    model.on("answer_reading").json(
        read(
            name="Fence",
            dimensions=[told("core_people_bonds", "Ana helps")],
            tasks=[{"title": "Ana helps", "due_date": "2027-05-03"}],
            dates=[{"of": "end", "date": "2027-05-31", "quote": "by the end of May"}],
            wants_draft=True,
        )
    )
    talk = create()
    talk.say("Ana helps. It shall be done by the end of May. Show me the draft.")
    assert talk.state["phase"] == "finalizing"
    page = browser(alice).get(f"/projects/agent/{talk.id}").content.decode()
    plan = page[page.index("Preview of the project") :]
    places = [plan.index(word) for word in ("3 May 2027", "31 May 2027", "People", "To-dos")]
    assert places == sorted(places)
    assert plan.index("<details>") > places[-1]


def test_everything_that_a_form_can_do_to_a_draft_is_done_by_talk(model, create):
    model.on("answer_reading").json(
        read(
            name="Fence",
            dimensions=[told("core_people_bonds", "Ana and Ben help")],
            dates=[{"of": "end", "date": "2027-05-31", "quote": "by the end of May"}],
            tasks=[{"title": "buy paint", "due_date": "2027-05-03"}],
        )
    )
    talk = create()
    talk.say("Ana and Ben help. We buy paint and are done by the end of May.")
    talk.tap("finish", "Review the draft")
    paint = str(talk.draft_tasks[0].pk)
    model.on("agent_tools").calls(
        Call("change_draft", {
            "id": str(talk.draft.pk), "name": "Garden", "tags": ["home"], "clear": ["end_date"],
            "parts": [{"field": "core_people_bonds", "replaced": "Ben", "text": "Carla"}]}),
        Call("change_draft_tasks", {"ids": [paint], "title": "Buy green paint",
                                    "clear": ["due_date"], "estimate_low_days": 1,
                                    "estimate_high_days": 2}),
    ).text("Alles geändert.")  # fmt: skip
    assert talk.say("Nenne es Garden, kein Enddatum, Carla statt Ben …") == "Alles geändert."
    draft = talk.draft
    assert (draft.name, draft.tags, draft.end_date) == ("Garden", ["home"], None)
    assert draft.core_people_bonds == "Ana and Carla help"
    task = talk.draft_tasks[0]
    assert (task.title, task.due_date, task.estimate_high_days) == ("Buy green paint", None, 2)
    assert talk.preview()["name"] == "Garden"
    model.on("agent_tools").calls(Call("delete_draft_tasks", {"ids": [paint]})).text("It waits.")
    talk.say("Den ersten Task bitte löschen")
    assert talk.batches[-1].status == "review"
    assert "not reviewed yet are not included" in talk.reply
    assert talk.preview()["tasks"][0]["title"] == "Buy green paint"
    assert not Project.objects.exists()


def test_a_change_that_is_asked_for_while_questions_go_on_is_carried_out(model, create):
    talk = create()
    talk.say("I plan a street party. My neighbours help with it.")
    asked = talk.state["questions_asked"]
    model.on("answer_reading").json(read(asks_for_change=True))
    rename = Call("change_draft", {"id": str(talk.draft.pk), "name": "Summer"})
    model.on("agent_tools").calls(rename).text("Done.")
    assert talk.say("call it Summer instead") == "Done."
    assert talk.draft.name == "Summer"
    assert talk.state["phase"] == "clarifying"
    assert talk.state["questions_asked"] == asked


STARTED = "I plan a street party. My neighbours help with it."


def test_a_dimension_that_the_model_did_not_ask_about_is_asked_about_later(model, create):
    talk = create()
    model.on("agent_response").text("A party! Who cooks: Ana or Ben? Or both?")
    talk.say(STARTED)
    assert talk.state["current"] == "core_integrity_ideals"
    cook = {"name": "Ana", "role": "cook", "quote": "Ana, as every year"}
    model.on("answer_reading").json(read(question_about="core_people_bonds", people=[cook]))
    talk.say("Ana, as every year")
    assert "Who cooks: Ana or Ben?" in model.of("answer_reading")[-1].text
    assert f"Today is {timezone.localdate():%A, %Y-%m-%d}" in model.of("answer_reading")[-1].text
    first, second = (question["field"] for question in talk.state["asked"])
    assert (first, second) == ("core_people_bonds", "core_integrity_ideals")


def test_who_asks_in_the_first_message_to_be_asked_about_something_is(model, create):
    model.on("answer_reading").json(read(ask_about="core_trust_safeguards"))
    talk = create()
    talk.say(f"{STARTED} Ask me about the risks first.")
    assert talk.state["current"] == "core_trust_safeguards"
    assert "core_trust_safeguards: " in model.of("agent_response")[-1].text


def test_not_knowing_what_one_wanted_to_be_asked_leads_back_to_the_draft(model, create):
    talk = create()
    talk.say(STARTED)
    talk.tap("finish", "Review the draft")
    asking = Call("ask_about", {"dimension": "core_trust_safeguards"})
    model.on("agent_tools").calls(asking).text("Sure.")
    talk.say("ask me about the risks first")
    assert talk.state["phase"] == "clarifying"
    model.on("answer_reading").json(read(does_not_know=True))
    talk.say("Keine Ahnung")
    assert talk.state["phase"] == "finalizing"
    assert talk.preview()["covered"] == 0


def test_a_change_that_comes_with_the_wish_to_create_is_made_before_the_draft_is_shown(
    model, create
):
    talk = create()
    talk.say(STARTED)
    draft = {"id": str(talk.draft.pk)}
    model.on("answer_reading").json(read(wants_draft=True, asks_for_change=True))
    model.on("agent_tools").calls(
        Call("change_draft", {**draft, "name": "Sommerfest"}), Call("finalise_draft", draft)
    ).text("Es heißt jetzt Sommerfest. Soll ich es so anlegen?")
    reply = talk.say("Nenn es Sommerfest und leg es dann an.")
    assert reply == "Es heißt jetzt Sommerfest. Soll ich es so anlegen?"
    assert not Project.objects.exists()
    assert talk.preview()["name"] == "Sommerfest"
    assert len(talk.preview()["tasks"]) == 5
    model.on("agent_tools").calls(Call("finalise_draft", draft)).text("Angelegt.")
    talk.say("Ja")
    assert talk.project.name == "Sommerfest"


def test_a_draft_that_does_not_fit_into_a_prompt_is_not_replaced(model, create):
    line = "柵を塗り直します。"
    long = line * 4_300  # fewer characters than a draft may have, more tokens than a prompt
    reality = {**told("core_reality_understanding", long), "quote": line}
    model.on("answer_reading").json(read(dimensions=[reality]))
    talk = create()
    talk.say(long)
    talk.tap("finish", "Review the draft")
    draft = talk.draft
    new = {"id": str(draft.pk), "version": draft.version, "core_reality_understanding": "新しい。"}
    model.on("agent_tools").calls(Call("change_draft", new)).text("できませんでした。")
    talk.say("書き直してください")
    assert talk.draft.core_reality_understanding == long


def test_only_the_fifth_question_says_that_this_may_be_enough(model, create):
    talk = create()
    talk.say(STARTED)
    model.on("answer_reading").json(read(is_vague=True))
    while talk.state["phase"] == "clarifying":
        talk.say("Hmm, whatever.")
    hints = ["may also stop here" in request.text for request in model.of("agent_response")]
    assert hints == [False] * 4 + [True, False]
