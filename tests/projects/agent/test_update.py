"""Updating a project without a model: a command line on its rows, all else is kept or left."""

from __future__ import annotations

import datetime as dt
import json

import pytest

from chat.models import Participant
from chat.operations.changes import Actor
from projects.models import Note, Task
from projects.modes.rows import normalised
from projects.queries import conversations_about
from tests import project_rows
from tests.extent import some
from tests.scripted import ScriptedCall as Call

pytestmark = pytest.mark.django_db


def title_and_due(talk):
    return {task.title: task.due_date for task in talk.tasks}


def test_the_spec_example_plays_through(made, update, today):
    project = made(
        end_date=dt.date(2025, 6, 30),
        tasks=[("Design wireframes", dt.date(2025, 4, 1)), ("Write the copy", None), "Test it"],
    )
    talk = update(project, has_opening=True)
    assert "Fitness app" in talk.reply
    talk.say("add mobile app")
    reply = talk.say("move the project to 30 September 2025")
    project.refresh_from_db()
    assert project.end_date == dt.date(2025, 9, 30)
    assert "Mobile app" in title_and_due(talk)
    assert "30 September 2025" in reply
    assert reply.rstrip().endswith("?")
    assert "as well" in reply

    talk.say("yes please")
    assert title_and_due(talk)["Design wireframes"] == dt.date(2025, 7, 2)
    assert title_and_due(talk)["Write the copy"] is None

    shift, change = talk.of_last_message()[0], talk.batches[-2]
    talk.undo(*shift.operations.all())
    assert title_and_due(talk)["Design wireframes"] == dt.date(2025, 4, 1)
    talk.undo(*change.operations.all())
    project.refresh_from_db()
    assert project.end_date == dt.date(2025, 6, 30)


def test_no_to_the_offer_leaves_the_tasks(made, update, today):
    project = made(end_date=dt.date(2025, 6, 30), tasks=[("Design", dt.date(2025, 4, 1))])
    talk = update(project)
    talk.say("move the project to 30 September 2025")
    talk.say("no, leave them")
    assert title_and_due(talk)["Design"] == dt.date(2025, 4, 1)
    assert talk.state["update"]["questions"] == []


@pytest.mark.parametrize(
    ("said", "title", "field", "value"),
    some(
        [
            ("move the wireframes to 21 March 2025", "Design wireframes", "due_date", "2025-03-21"),
            ("clear the date of wireframes", "Design wireframes", "due_date", "None"),
            ("the copy is done", "Write the copy", "status", "completed"),
            ("done: write the copy", "Write the copy", "status", "completed"),
            ("erledigt: Write the copy", "Write the copy", "status", "completed"),
            ("drop the copy", "Write the copy", "status", "dropped"),
            ("make the copy urgent", "Write the copy", "priority", "critical"),
            ("the wireframes are blocked", "Design wireframes", "status", "blocked"),
        ],
        4,
    ),
)
def test_plain_wishes_change_the_task_that_is_meant(made, update, today, said, title, field, value):
    project = made(tasks=[("Design wireframes", dt.date(2025, 4, 1)), "Write the copy"])
    talk = update(project)
    Participant.objects.update(language="de" if said.startswith("erledigt") else "en")
    talk.say(said)
    task = Task.objects.get(title=title)
    assert str(getattr(task, field)) == value
    assert len(talk.of_last_message()) == 1


@pytest.mark.parametrize(
    "said",
    some(
        [
            "please do not delete the copy",
            "if the copy is done, drop it",
            "move the copy to sometime soon",
            "move everything from Friday to Monday",
            "drop all tasks but the copy",
            "the copy is nearly done",
            "I am not sure about the copy",
            "Ana takes over the copy",
        ],
        4,
    ),
)
def test_what_is_not_read_exactly_changes_nothing_and_is_not_lost(made, update, today, said):
    project = made(tasks=[("Write the copy", dt.date(2025, 3, 14)), "Test it"])
    before = list(Task.objects.order_by("pk").values())
    talk = update(project)
    reply = talk.say(said)
    assert "nothing was changed" in reply.lower() or "reads short commands" in reply, reply
    assert list(Task.objects.order_by("pk").values()) == before
    assert not talk.batches


def test_a_line_is_read_as_the_composer_of_the_home_page_reads_it(made, update, today):
    garden = made("Garden")
    talk = update(made(tasks=["Write the copy"]))
    talk.say("add water the plants every Tuesday 7am !high #Garden")
    plants = Task.objects.get(title="Water the plants")
    assert (plants.repeat, plants.due_time) == ("FREQ=WEEKLY;BYDAY=TU", dt.time(7))
    assert (plants.priority, plants.project_id) == ("high", garden.pk)
    assert "nothing was changed" in talk.say("delete all overdue tasks")
    assert not talk.of_last_message()


def test_what_was_done_is_told_as_done_and_can_be_undone_by_a_word(made, update, today):
    project = made("Garden", tasks=["Buy wood", "Ask Ana"])
    talk = update(project)
    assert "**Buy wood** is done." in talk.say("done: buy wood")
    assert "Changed: **Ask Bo**, Garden." in talk.say("rename ask Ana to Ask Bo")
    reply = talk.say("move the project to 30 September 2025")
    assert "Changed: **Garden**, ends 30 September 2025." in reply
    assert "Undone" in talk.say("undo")
    project.refresh_from_db()
    assert project.end_date is None
    assert [task.title for task in talk.tasks] == ["Buy wood", "Ask Bo"]


def test_other_text_is_kept_as_a_note_or_under_a_dimension_or_left(made, update, today):
    project = made(core_power_resources="Two laptops.")
    text = "We go with a subscription; the budget is 8000 euros.\n\nAnna agrees."
    talk = update(project)
    talk.say(text)
    labels = [offer["say"] for offer in talk.parts("offers")[0]["offers"]]
    assert labels == ["Add as note", "Add to a dimension", "Cancel"]
    talk.say("Add as note")
    assert Note.objects.get().text == text
    talk.say(text)
    talk.say("Add to a dimension")
    assert len(talk.parts("offers")[0]["offers"]) == 10
    talk.say("Power and resources")
    project.refresh_from_db()
    assert project.core_power_resources == f"Two laptops.\n\n{text}"
    talk.say(text)
    talk.say("Cancel")
    assert Note.objects.count() == 1
    assert talk.state["update"]["questions"] == []


def test_the_very_title_of_a_to_do_is_no_command(made, update, today):
    talk = update(made(tasks=["Delete the copy"]))
    assert talk.say("Delete the copy").startswith("That is not a command, so nothing was changed.")
    assert not talk.of_last_message()


def test_a_name_that_fits_two_tasks_is_asked_about(made, update, today):
    talk = update(made(tasks=["Test with ten users", "Test on old phones"]))
    talk.say("the test is done")
    offers = {offer["text"]: offer["say"] for offer in talk.parts("offers")[0]["offers"]}
    assert set(offers) == {"Test with ten users", "Test on old phones"}
    assert not talk.of_last_message()
    talk.say(offers["Test on old phones"])
    assert Task.objects.get(title="Test on old phones").status == "completed"
    assert Task.objects.get(title="Test with ten users").status != "completed"


def test_a_button_names_the_to_do_where_the_line_did(made, update, today):
    """Also where the verb has the same letters."""
    talk = update(made(tasks=["Choose a name", "Register the name"]))
    talk.say("rename name to Brand")
    offers = {offer["text"]: offer["say"] for offer in talk.parts("offers")[0]["offers"]}
    assert offers["Choose a name"] == "rename “Choose a name” to Brand"
    talk.say(offers["Choose a name"])
    assert {task.title for task in talk.tasks} == {"Brand", "Register the name"}


def test_words_that_fit_a_title_in_part_are_asked_about_and_not_called_several(made, update, today):
    talk = update(made(tasks=["Buy a second-hand oven", "Buy flour"]))
    reply = talk.say("move Find an oven to Monday")
    assert reply.startswith("Nothing was changed yet. Which of these do you mean?")
    assert [offer["text"] for offer in talk.parts("offers")[0]["offers"]] == [
        "Buy a second-hand oven"
    ]


def test_deleting_waits_for_review_and_is_not_claimed(made, update, today):
    talk = update(made(tasks=["Write the copy", "Test it"]))
    reply = talk.say("delete the copy")
    assert talk.of_last_message()[0].status == "review"
    assert "review this change" in reply
    assert len(talk.tasks) == 2


def test_more_than_five_things_wait(made, update, today):
    talk = update(made(tasks=[f"Stage {n} of the plan" for n in range(7)]))
    talk.say("\n".join(f"- stage {n} of the plan is done" for n in range(7)))
    batch = talk.of_last_message()[0]
    assert batch.status == "review"
    assert batch.operations.count() == 7


def test_review_first_is_honoured(made, update, today):
    talk = update(made(tasks=["Write the copy"]), policy="review")
    talk.say("the copy is done")
    assert talk.of_last_message()[0].status == "review"
    assert Task.objects.get().status != "completed"


def test_renaming_the_project(made, update, today):
    project = made()
    talk = update(project)
    talk.say("rename the project to FitFriends")
    project.refresh_from_db()
    assert project.name == "FitFriends"


def test_a_question_gets_what_stands_and_what_can_be_typed(made, update, today):
    talk = update(made(tasks=["Write the copy"], end_date=dt.date(2025, 6, 30)))
    reply = talk.say("What is still open?")
    assert "Write the copy" in reply
    assert not talk.batches


@pytest.mark.parametrize(
    ("asked", "title"),
    some(
        [
            ("show overdue", "Write the copy"),
            ("What is overdue?", "Write the copy"),
            ("What is blocked?", "Print it"),
            ("what is due today?", "Test it"),
            ("what is due this week?", "Test it"),
            ("show high priority", "Print it"),
            ("find copy", "Write the copy"),
        ],
        3,
    ),
)
def test_a_list_is_shown_by_what_it_is_called(made, update, today, asked, title):
    day = dt.date(2025, 3, 10)
    tasks = [("Write the copy", day - dt.timedelta(days=1)), ("Test it", day), "Print it"]
    project = made(tasks=tasks)
    project.tasks.filter(title="Print it").update(status="blocked", priority="high")
    rows = [row for row in update(project).say(asked).splitlines() if row.startswith("- ")]
    assert [row.startswith(f"- {title}") for row in rows] == [True]


def test_a_project_that_was_deleted_meanwhile_is_not_written_to(made, update, owner, today):

    project = made()
    talk = update(project)
    project_rows.delete_project(actor=Actor(owner.pk), project=project)
    assert "project was deleted" in talk.say("add a task to weep")
    assert not talk.batches


def test_conversations_about_one_project_are_listed_and_may_run_side_by_side(made, update, today):
    project = made(tasks=["Write the copy"])
    first, second = update(project), update(project)
    first.say("the copy is blocked")
    second.say("the copy is done")
    assert Task.objects.get().status == "completed"
    assert {talk.pk for talk in conversations_about(project)} == {first.id, second.id}


# What is there already ------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Book the venue", "book the venue!", True),
        ("Book the venue", "Book a venue", False),
        ("“Print the flyers.”", "Print  the flyers", True),
        ("Read chapter 3", "Read chapter 4", False),
        ("Learn C", "Learn C++", False),
        ("The", "the", True),
    ],
)
def test_when_two_titles_are_the_same(one, other, is_same):
    assert (normalised(one) == normalised(other)) is is_same


@pytest.mark.django_db(transaction=True)
def test_an_open_task_is_not_made_again_by_the_model_which_is_told_its_id(scripted, made, update):
    talk = update(made(tasks=["Book the venue"]))
    venue, ann = ({"todos": [{"title": title}]} for title in ("book the venue", "Call Ann"))
    scripted.on("agent_tools").calls(Call("create_todos", venue), Call("create_todos", ann)).text(
        "Both are there."
    )
    talk.say("Add booking the venue and calling Ann")
    assert [task.title for task in talk.tasks] == ["Book the venue", "Call Ann"]
    told = json.dumps(scripted.of("agent_tools")[-1].body)
    assert "On the list already" in told
    assert str(talk.tasks[0].pk) in told


def test_two_projects_may_have_the_same_task(made, update):
    made(tasks=["Book the venue"])
    talk = update(made("Other plan"))
    talk.say("Add a task: book the venue")
    assert [task.title for task in talk.tasks] == ["Book the venue"]
