"""Turns in basic mode: understood by rules, carried out, told from what really came of it."""

from __future__ import annotations

import datetime as dt

import pytest

from chat.models import Session
from chat.presenters import to_html
from projects.models import Task
from tests.extent import some

pytestmark = pytest.mark.django_db

DAY = dt.timedelta(days=1)


@pytest.fixture
def chat(talk, monday):
    """A conversation that has greeted."""
    return talk


def test_the_three_interactions_of_the_specification(chat, task, monday):
    task("Fix production bug", priority="critical")
    task("Review quarterly metrics", priority="high", status="available")
    task("Prepare board presentation", priority="high", status="available")
    talk = chat()
    assert len(talk.offers) == 5
    assert (
        talk.say("Create a task to review weekly metrics") == "Created **Review weekly metrics**."
    )
    assert talk.tools == ["create_task"]
    assert talk.parts("operations")[0]["done"] == 1
    reply = talk.say("What should I focus on today?")
    order = [reply.index(item) for item in ("Fix production", "Review quarterly", "Prepare board")]
    assert order == sorted(order)
    assert "critical" in reply
    assert "weekly" not in reply


def test_a_day_a_time_and_a_priority_are_heard(chat, monday):
    talk = chat()
    reply = talk.say("remind me to call the printer Friday at 3pm, high priority")
    task = Task.objects.get()
    assert (task.due_date, task.due_time) == (dt.date(2026, 11, 27), dt.time(15))
    assert task.priority == "high"
    assert "due Friday 27 November at 15:00" in reply
    assert "high priority" in reply


def test_lists_are_numbered_and_can_be_pointed_at(chat, task, monday):
    task("Call Sarah", due_date=monday.date() - DAY)
    task("Call the printer", due_date=monday.date())
    talk = chat()
    reply = talk.say("list my tasks")
    assert "1. **Call Sarah**, overdue since yesterday" in reply
    assert "2. **Call the printer**, due today" in reply
    talk.say("mark the second one done")
    assert Task.objects.get(title="Call the printer").status == "completed"


@pytest.mark.parametrize("words", some(["L'atelier", "l’atelier"], 2))
def test_to_dos_are_found_whatever_the_sign_of_their_apostrophe(chat, task, words):
    task("Ranger l’atelier")
    task("Water the plants")
    reply = chat().say(f"find {words}")
    assert "Ranger l’atelier" in reply
    assert "plants" not in reply


def test_a_suggestion_about_a_long_title_does_what_it_says(chat, task, monday):
    long = "Prepare the talk about the results of the third quarter for the board of the club"
    task(long, due_date=monday.date() - DAY, status="available")
    task(f"{long} again", priority="critical", due_date=monday.date() + DAY, status="available")
    talk = chat(has_greeting=True)
    move, complete = (offer for offer in talk.offers if offer["say"].startswith(("Mo", "Mark")))
    assert "third quarter for…" in move["text"]
    talk.say(move["say"])
    assert Task.objects.get(title=long).due_date == monday.date()
    talk.say(complete["say"])
    assert Task.objects.get(title=f"{long} again").status == "completed"


def test_done_undone_and_done_already(chat, task):
    task("Review quarterly metrics")
    talk = chat()
    assert talk.say("mark the metrics thing done") == "**Review quarterly metrics** is done."
    assert "Undone" in talk.say("undo that")
    assert Task.objects.get().status == "inbox"
    talk.say("the quarterly metrics review is done")
    assert Task.objects.get().status == "completed"


def test_a_name_that_fits_two_is_asked_about_and_nothing_is_written(chat, task):
    task("Call Sarah about the budget")
    task("Call Sarah about the party")
    talk = chat()
    reply = talk.say("mark call Sarah done")
    assert reply.count("?") >= 1
    assert "Nothing was changed yet" in reply
    assert not talk.batches
    labels = [row["label"] for row in talk.parts("ticks")[0]["rows"]]
    talk.say(str(1 + labels.index("Call Sarah about the party")))
    assert Task.objects.get(title__contains="party").status == "completed"
    assert Task.objects.get(title__contains="budget").status == "inbox"


def test_deleting_waits_for_the_persons_word(chat, task):
    task("Buy pens")
    talk = chat()
    assert "review this change" in talk.say("delete buy pens")
    assert Task.objects.filter(deleted_at=None).count() == 1
    assert talk.parts("operations")[0]["waiting"] == 1


def test_moving_blocking_and_ranking(chat, task, project, monday):
    launch = project("Q4 Launch")
    task("Write the report", project=launch)
    talk = chat()
    assert "due Monday 30 November" in talk.say("move write the report to next Monday")
    assert "blocked" in talk.say("the report is blocked")
    talk.say("make the report critical")
    assert Task.objects.get().priority == "critical"


def test_a_project_conversation_is_opened_with_a_link(chat, project):
    launch = project("Q4 Launch")
    talk = chat()
    reply = talk.say("audit the Q4 Launch project")
    opened = Session.objects.get(kind="project_audit")
    assert opened.state["project_id"] == str(launch.pk)
    assert f"/{opened.pk}" in reply
    assert talk.parts("opened")[0]["url"].endswith(str(opened.pk))


def test_what_it_cannot_do_it_says_and_what_it_can(chat):
    talk = chat()
    reply = talk.say("what is the capital of France?")
    assert "cannot" in reply
    assert [offer["say"] for offer in talk.offers] == ["What can you do?"]
    assert not Task.objects.exists()
    assert "Undo" in talk.say("what can you do?")


def test_a_mere_mention_is_not_acted_on(chat):
    talk = chat()
    reply = talk.say("I should probably call my sister some time")
    assert not Task.objects.exists()
    assert reply


def test_an_empty_list_is_an_answer_too(chat):
    talk = chat()
    assert "no to-do is available" in talk.say("what should I focus on today?").lower()
    assert "no to-dos match" in talk.say("what is overdue?").lower()


def test_titles_cannot_break_the_answer_or_become_links(chat):
    talk = chat()
    reply = talk.say("create a task to read [this](https://evil.example) **now**")
    assert "<a " not in to_html(reply)
    assert "[this](https://evil.example) **now**" in to_html(reply)


def test_twenty_thousand_characters_are_answered_without_a_write(chat):
    talk = chat()
    assert talk.say("I have so much to say about this and that. " * 470)
    assert Task.objects.count() <= 1


# Projects, older changes, doubles -------------------------------------------------------------
def test_a_project_is_renamed_and_is_deleted_after_review(talk, task, project, owner):
    home = project("Garden")
    task("Mow", project=home)
    chat = talk()
    assert "Back garden" in chat.say("rename the project Garden to back garden")
    home.refresh_from_db()
    assert home.name == "Back garden"
    assert "review this change" in chat.say("delete the back garden project")
    home.refresh_from_db()
    assert home.deleted_at is None
    assert chat.batches[-1].status == "review"


def test_what_no_undo_reaches_is_in_the_history(talk):
    chat = talk()
    chat.say("add buy milk")
    assert "history" in chat.say("undo everything from last month")
    assert _titles() == ["Buy milk"]


def _titles() -> list[str]:
    return list(Task.objects.filter(deleted_at=None).values_list("title", flat=True))
