"""Changes by a condition, undo of several changes, and answers to questions, without a model."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse

from projects.models import Task
from tests.extent import every

pytestmark = pytest.mark.django_db(transaction=True)

FRIDAY, MONDAY = dt.date(2026, 11, 27), dt.date(2026, 11, 30)
REST = {"Call Ana": dt.date(2026, 11, 25), "Buy pens": None}
ON_FRIDAY = ("Send the offer", "Book the hall")


@pytest.fixture
def alices(alice) -> Client:
    client = Client()
    client.force_login(alice)
    return client


@pytest.fixture
def week(task, monday):
    """Two to-dos due on Friday, one on Wednesday, one without a date."""
    for title in ON_FRIDAY:
        task(title, due_date=FRIDAY)
    for title, due in REST.items():
        task(title, **({"due_date": due} if due else {}))


def dues() -> dict[str, dt.date | None]:
    return dict(Task.objects.filter(deleted_at=None).values_list("title", "due_date"))


def tick(client: Client, talk, *titles: str, key: str = "") -> int:
    rows = talk.parts("ticks")[0]
    picked = [row["id"] for row in rows["rows"] if row["label"].startswith(titles or ("\0",))]
    form = {"key": key or rows["key"], "pick": picked}
    status = client.post(reverse("concierge:tick", args=[talk.id]), form).status_code
    talk.drain()
    return status


def test_only_what_is_due_on_that_day_is_shown_and_only_what_is_ticked_moves(talk, week, alices):
    chat = talk()
    chat.say("move everything from Friday to next Monday")
    assert set(dues().values()) == {FRIDAY, None, dt.date(2026, 11, 25)}
    labels = [row["label"] for row in chat.parts("ticks")[0]["rows"]]
    assert sorted(label.split(",")[0] for label in labels) == sorted(ON_FRIDAY)
    page = alices.get(reverse("concierge:talk", args=[chat.id])).content.decode()
    assert page.count('type="checkbox" name="pick"') == 2
    assert tick(alices, chat, "Book the hall") == 303
    assert dues() == {**REST, "Book the hall": MONDAY, "Send the offer": FRIDAY}
    page = alices.get(reverse("concierge:talk", args=[chat.id])).content.decode()
    assert 'name="pick"' not in page


NOT_EXACT = (
    "move everything that Ana waits for to Monday",
    "complete all tasks except the pens",
    "move everything from the week after next to Monday",
    "drop every task that is not urgent",
    "move all tasks to Monday",
)


@every(2)
def test_a_condition_that_is_not_read_exactly_changes_nothing_and_lists(talk, week, alices, every):
    before = dict(Task.objects.values_list("title", "status")), dues()
    for text in NOT_EXACT[::every]:
        chat = talk()
        chat.say(text)
        assert (dict(Task.objects.values_list("title", "status")), dues()) == before, text
        assert chat.parts("ticks")[0]["rows"], text
        assert not chat.parts("ticks")[0]["is_ticked"] or text == "move all tasks to Monday"
        tick(alices, chat)
        assert (dict(Task.objects.values_list("title", "status")), dues()) == before, text


def test_numbers_of_the_list_do_exactly_those_and_yes_does_none(talk, week):
    chat = talk()
    chat.say("move everything from Friday to next Monday")
    assert chat.parts("ticks")
    chat.say("yes")
    assert list(dues().values()).count(FRIDAY) == 2
    assert "Which of these" in chat.reply
    moved = chat.parts("ticks")[0]["rows"][1]["label"].split(",")[0]
    chat.say("2")
    assert [title for title, due in dues().items() if due == MONDAY] == [moved]


def test_a_list_that_is_over_changes_nothing(talk, week, alices):
    chat = talk()
    chat.say("move everything from Friday to next Monday")
    key = chat.parts("ticks")[0]["key"]
    rows = chat.parts("ticks")[0]["rows"]
    chat.say("list my tasks")
    form = {"key": key, "pick": [row["id"] for row in rows]}
    alices.post(reverse("concierge:tick", args=[chat.id]), form)
    chat.drain()
    assert "out of date" in chat.reply
    assert list(dues().values()).count(FRIDAY) == 2


def test_ticks_for_somebody_elses_talk_are_not_found(talk, week, bob):
    chat = talk()
    chat.say("move everything from Friday to next Monday")
    bobs = Client()
    bobs.force_login(bob)
    assert tick(bobs, chat, *ON_FRIDAY) == 404
    assert list(dues().values()).count(FRIDAY) == 2


def test_more_than_five_ticked_rows_are_all_done(talk, task, monday, alices):
    titles = [f"Paint room {n}" for n in range(8)]
    for title in titles:
        task(title, due_date=FRIDAY)
    chat = talk()
    chat.say("move everything from Friday to next Monday")
    tick(alices, chat, *titles)
    assert set(dues().values()) == {MONDAY}


def test_a_day_that_a_named_to_do_is_not_due_on_is_asked_about(talk, week):
    chat = talk()
    assert "Which of these" in chat.say("move call Ana from Friday to next Monday")
    assert dues()["Call Ana"] == dt.date(2026, 11, 25)


# Undo -----------------------------------------------------------------------------------------
def test_the_last_three_changes_name_their_rows_and_ask_before_creations_go(talk, monday):
    titles = ["Buy milk", "Buy eggs", "Buy salt"]
    chat = talk()
    for title in titles:
        chat.say(f"add {title}")
    reply = chat.say("take back the last three changes")
    assert set(dues()) == set(titles)
    assert all(f"**{title}** (created)" in reply for title in titles)
    assert [offer["say"] for offer in chat.offers] == ["Yes.", "No, leave it as it is."]
    reply = chat.say("of course not")
    assert set(dues()) == set(titles)
    chat.say("No, leave it as it is.")
    assert set(dues()) == set(titles)
    chat.say("yes")
    assert set(dues()) == set(titles)
    chat.say("take back the last three changes")
    reply = chat.say("Yes.")
    assert not dues()
    assert all(title in reply for title in titles)


def test_changes_without_a_creation_are_taken_back_at_once_and_named(talk, task, monday):
    task("Call Ana")
    task("Buy pens")
    chat = talk()
    chat.say("mark call ana as done")
    chat.say("make buy pens critical")
    reply = chat.say("undo the last two changes")
    assert "**Call Ana** (changed)" in reply
    assert "**Buy pens** (changed)" in reply
    assert set(Task.objects.values_list("status", "priority")) == {("inbox", "normal")}


# Confirmations --------------------------------------------------------------------------------
def test_an_offer_is_taken_by_an_exact_yes_alone(talk, monday):
    chat = talk()
    chat.say("I should call my sister Ana")
    assert [offer["say"] for offer in chat.offers] == ["Yes.", "No, leave it as it is."]
    for text in ("of course not", "yes, only if it rains", "yes?"):
        chat.say(text)
        assert not Task.objects.exists(), text
        assert "Add “I should call my sister Ana” to your to-dos?" in chat.reply, text
    chat.say("Yes.")
    assert Task.objects.count() == 1


def test_a_choice_that_is_turned_down_picks_nothing(talk, task, monday):
    task("Call Sarah about the budget")
    task("Call Sarah about the party")
    for text in ("not the first one", "neither of them, please"):
        chat = talk()
        chat.say("mark call Sarah done")
        chat.say(text)
        assert set(Task.objects.values_list("status", flat=True)) == {"inbox"}, text


def test_with_a_model_a_longer_answer_to_a_question_is_the_models(model, talk):
    from tests.scripted import ScriptedCall as Call

    chat = talk()
    model.on("concierge").calls(Call("create_task", {"title": "A"})).text("Created A.").calls(
        Call("undo", {})
    ).text("Shall I?").text("All right, I leave it.")
    chat.say("note A")
    chat.say("undo that")
    assert chat.say("of course not") == "All right, I leave it."
    assert len(model.of("concierge")) == 5
    chat.say("yes")
    assert Task.objects.filter(title="A", deleted_at=None).exists()
