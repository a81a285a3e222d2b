"""The same conversations with a scripted model: read, asked, carried out with tools, checked."""

from __future__ import annotations

import datetime as dt

import pytest

from chat import actions
from chat.models import Run
from chat.operations.changes import Actor
from projects.dimensions import FIELDS
from projects.models import Note, Project, ProjectDraft, Task
from tests import project_rows, todos
from tests.extent import some
from tests.scripted import ScriptedCall

pytestmark = pytest.mark.django_db(transaction=True)

EMPTY = {
    "dimensions": [], "tasks": [], "corrections": [], "name": None, "description": None,
    "summary": None, "is_vague": False, "does_not_know": False,
}  # fmt: skip
FIVE = ("Sketch the screens", "Pick a name", "Ask ten members", "Build the timer", "Plan the beta")


def told(dimension, content):
    return {"dimension": dimension, "content": content}


@pytest.fixture
def model(scripted):
    """Answers every stage of creating unless the test scripts it otherwise."""
    scores = dict.fromkeys(FIELDS, 2) | {"core_people_bonds": 8}
    scripted.on("dimension_detection").json(scores)
    scripted.on("answer_reading").json(EMPTY)
    scripted.on("initial_tasks").json({"tasks": [{"title": item} for item in FIVE]})
    scripted.on("agent_response").text("Understood. What would make this a success for you?")
    return scripted


def read(**values):
    return {**EMPTY, **values}


def test_the_spec_conversation_ends_with_five_tasks(model, create):
    first = "Building a fitness app for tracking workouts. It is for people who train alone."
    model.on("answer_reading").json(
        read(
            name="Fitness App MVP",
            description="Building a fitness app for tracking workouts",
            dimensions=[told("core_reality_understanding", "Building a fitness app for people who "
                             "train alone")],
        )
    ).json(read(dimensions=[told("core_integrity_ideals", "1000 users in first 3 months"),
                            told("core_goals_momentum", "users in first 3 months")])
    ).json(read(dimensions=[told("core_people_bonds", "Just me for now")]))  # fmt: skip
    model.on("agent_response").text("A fitness app. What does success look like?").text(
        "Clear. Who else is working on this with you?"
    )
    talk = create()
    reply = talk.say(first)
    assert reply == "A fitness app. What does success look like?"
    assert talk.stages()["dimension_detection"] == "model"
    assert talk.state["dimensions_detected"][-1] == "core_people_bonds"
    assert talk.say("Get 1000 users in first 3 months").endswith("with you?")
    talk.say("Just me for now")
    assert talk.state["phase"] == "finalizing"
    assert [item["title"] for item in talk.preview()["tasks"]] == list(FIVE)
    model.on("agent_tools").calls(ScriptedCall("finalise_draft", {"id": str(talk.draft.pk)})).text(
        "There it is."
    )
    talk.say("Yes!")
    assert talk.project.name == "Fitness App MVP"
    assert [task.title for task in talk.tasks] == list(FIVE)
    batch = talk.of_last_message()[0]
    talk.undo(*batch.operations.all())
    assert not Project.objects.filter(deleted_at=None).exists()


def test_a_draft_that_was_changed_elsewhere_is_shown_again_by_the_answer_to_a_yes(model, create):
    model.on("answer_reading").json(read(name="Party", wants_draft=True))
    talk = create()
    talk.say("I plan a street party. My neighbours help with it. Show me the draft.")
    first = talk.draft_tasks[0]
    actor = Actor(talk.session.participant_id)
    project_rows.edit_draft_task(actor=actor, task=first, values={"title": "Ask the city"})
    finalise = ScriptedCall("finalise_draft", {"id": str(talk.draft.pk)})
    model.on("agent_tools").calls(finalise).text("Like this?").calls(finalise).text("Done.")
    assert talk.say("yes create it") == "Like this?"
    assert talk.preview()["tasks"][0]["title"] == "Ask the city"
    talk.say("yes")
    assert talk.project.name == "Party"


def test_the_button_for_the_draft_shows_it_again_once_it_was_shown(model, create):
    talk = create()
    talk.say("I plan a street party. My neighbours help with it.")
    for _time in range(2):
        assert "change" not in talk.tap("finish", "Review the draft")
        assert talk.preview()["tasks"]


def test_before_the_first_word_two_waves_of_calls_go_out_detection_by_the_fast_model(model, create):
    talk = create()
    talk.say("I plan a street party. My neighbours help with it.")
    stages = [request.stage for request in model.requests]
    assert sorted(stages[:2]) == ["answer_reading", "dimension_detection"]
    assert stages[2:] == ["agent_response"]
    assert model.of("dimension_detection")[0].model != model.of("answer_reading")[0].model


def test_what_the_model_made_up_does_not_reach_the_draft(model, create):
    model.on("answer_reading").json(
        read(dimensions=[
            told("core_power_resources", "Venture capital of twelve million dollars from Berlin"),
            told("core_people_bonds", "My neighbours help"),
        ])
    )  # fmt: skip
    talk = create()
    talk.say("I plan a street party. My neighbours help with it.")
    assert talk.draft.core_power_resources == ""
    assert talk.draft.core_people_bonds == "My neighbours help"


@pytest.mark.parametrize(
    "stage", some(["initial_tasks", "dimension_detection", "answer_reading", "agent_response"], 2)
)
def test_each_stage_falls_to_its_rules_alone(model, create, stage):
    model.on(stage).status(400)
    talk = create()
    talk.say("I plan a street party. My neighbours help with it. I need to ask the city.")
    assert talk.reply.count("?") == 1
    assert talk.draft.name
    talk.tap("finish", "Review the draft")
    talk.tap("yes", "Yes, create it.")
    assert talk.project.pk
    assert bool(talk.tasks) is (stage != "initial_tasks")


REPLIES = [
    "I have published your project and e-mailed everybody. What would make it a success?",
    "Alles notiert: 1. Zaun, 2. Tor. Was wäre für dich ein Erfolg?",
    "庭の柵ですね。いつまでに終わらせたいですか？",
]


@pytest.mark.parametrize("words", some(REPLIES, len(REPLIES)))
def test_a_reply_reaches_the_person_letter_by_letter(model, create, words):
    model.on("agent_response").text(words)
    talk = create()
    assert talk.say("I plan a street party. My neighbours help with it.") == words
    assert talk.state["asked"][-1]["text"].endswith(("?", "？"))


def test_update_carries_changes_out_with_tools(scripted, made, update, today):
    project = made(end_date=dt.date(2025, 6, 30), tasks=[("Design", dt.date(2025, 4, 1))])
    design = str(Task.objects.get().pk)
    scripted.on("agent_tools").calls(
        ScriptedCall("change_project", {"id": str(project.pk), "end_date": "2025-09-30"}),
        ScriptedCall("create_todos", {"todos": [{"title": "Mobile app development"}]}),
    ).text("The end is now 30 September 2025. I added one task, the mobile app.")
    talk = update(project)
    reply = talk.say("We decided to push the launch date to Q3 and add a mobile app")
    project.refresh_from_db()
    assert project.end_date == dt.date(2025, 9, 30)
    assert Task.objects.filter(title="Mobile app development").exists()
    assert "I added one task" in reply
    assert "as well" in reply
    assert len(talk.of_last_message()) == 1
    assert talk.parts("operations")[0]["done"] == 2
    moved = {"ids": [design], "due_date": "2025-07-02"}
    scripted.on("agent_tools").calls(ScriptedCall("change_todos", moved)).text("It moved.")
    talk.say("yes")
    assert f"id={design}" in scripted.of("agent_tools")[-1].text
    assert Task.objects.get(title="Design").due_date == dt.date(2025, 7, 2)


def test_tasks_are_named_by_the_ids_that_the_prompt_shows(scripted, made, update, today):
    project = made(tasks=["Write the copy"])
    task = Task.objects.get()
    scripted.on("agent_tools").calls(
        ScriptedCall("complete_todos", {"ids": [str(project.pk)]}),
    ).calls(ScriptedCall("complete_todos", {"ids": [str(task.pk)]})).text("There.")
    talk = update(project)
    talk.say("the copy is done")
    task.refresh_from_db()
    assert task.status == "completed"
    assert len(talk.of_last_message()) == 1
    assert f"- [available] Write the copy id={task.pk}" in scripted.of("agent_tools")[0].text


def test_the_prompt_shows_when_a_to_do_is_due_and_what_is_late(scripted, made, update, today):
    project = made()
    values = {"title": "Call the printer", "due_date": today - dt.timedelta(days=1),
              "due_time": dt.time(15), "priority": "high", "assignee": "Ana"}  # fmt: skip
    actor = Actor(project.owner_id)
    first = todos.add(actor=actor, project=project, values=values).row
    values = {"title": "Fold them", "tags": ["paper"], "depends_on": [first.pk]}
    todos.add(actor=actor, project=project, values=values)
    scripted.on("agent_tools").text("At three.")
    update(project).say("When was that?")
    line = "Call the printer (high; due 2025-03-09 15:00 (overdue); @Ana) id="
    asked = scripted.of("agent_tools")[0].text
    assert line in asked
    assert f"Fold them (#paper; waits for {first.pk}) id=" in asked  # a list is replaced whole


def test_words_stand_as_they_were_said_and_the_ledger_tells_what_was_done(
    scripted, made, update, today
):
    words = "I moved the launch. I've deleted three tasks. Which of the two did you mean?"
    scripted.on("agent_tools").text(words)
    talk = update(project := made(tasks=["Write the copy"]))
    assert talk.say("move it somewhere") == words
    assert not talk.batches
    line = talk.parts("operations")[0]
    assert (line["done"], line["waiting"]) == (0, 0)
    note = {"project": str(project.pk), "text": "Anna is away"}
    scripted.on("agent_tools").calls(ScriptedCall("create_note", note)).text("I added 3 notes.")
    assert talk.say("Anna is away in May") == "I added 3 notes."
    assert talk.parts("operations")[0]["done"] == 1
    assert Note.objects.count() == 1


def test_more_than_five_changes_wait_for_review_together(scripted, made, update, today):
    talk = update(made(tasks=[f"Paint room number {n}" for n in range(8)]))
    calls = [
        ScriptedCall("change_todos", {"ids": [str(task.pk)], "priority": "high"})
        for task in talk.tasks
    ]
    scripted.on("agent_tools").calls(*calls).text("I changed 8 tasks. I changed five tasks.")
    talk.say("all eight rooms are urgent")
    assert not [task for task in talk.tasks if task.priority == "high"]
    assert [batch.status for batch in talk.batches] == ["review"]
    line = talk.parts("operations")[0]
    assert (line["done"], line["waiting"]) == (0, 8)


def test_eight_new_tasks_in_one_answer_wait_for_nobody(scripted, made, update, today):
    calls = [
        ScriptedCall("create_todos", {"todos": [{"title": f"Paint room number {n}"}]})
        for n in range(8)
    ]
    scripted.on("agent_tools").calls(*calls).text("I created 8 tasks.")
    talk = update(made())
    assert "I created 8 tasks" in talk.say("eight rooms to paint")
    assert len(talk.tasks) == 8
    assert {batch.status for batch in talk.batches} == {"completed"}


def test_a_model_clears_dates_estimates_and_asks_to_delete(scripted, made, update, today):
    talk = update(made(tasks=[("Write the copy", "2027-01-04"), "Print it"]))
    ids = [str(task.pk) for task in talk.tasks]
    change = {"ids": [str(Task.objects.get(title="Write the copy").pk)], "clear": ["due_date"],
              "estimate_low_days": 1, "estimate_high_days": 2}  # fmt: skip
    scripted.on("agent_tools").calls(ScriptedCall("change_todos", change)).text("Done.").calls(
        ScriptedCall("delete_todos", {"ids": ids})
    ).text("It waits for you.")
    talk.say("no date for the copy, it takes one or two days")
    copy = Task.objects.get(title="Write the copy")
    assert copy.due_date is None
    assert [copy.estimate_low_days, copy.estimate_high_days] == [1, 2]
    talk.say("delete both")
    assert [item.title for item in talk.of_last_message()] == ["Delete 2 to-dos"]
    assert talk.of_last_message()[0].status == "review"
    assert len(talk.tasks) == 2


def test_with_the_model_away_the_rules_do_it_and_nothing_twice(scripted, made, update, today):
    bob = {"todos": [{"title": "Call Bob"}]}
    scripted.on("agent_tools").calls(ScriptedCall("create_todos", bob)).status(400)
    talk = update(made(tasks=["Write the copy"]))
    actions.send_message(identity=talk.me, session=talk.session, text="add a task to call Bob")
    talk.drain()
    assert talk.run.status == Run.Status.FAILED  # it broke off; what was done stands
    assert talk.parts("operations")[0]["done"] == 1
    assert [task.title for task in talk.tasks].count("Call Bob") == 1
    scripted.on("agent_tools").status(400)
    talk.say("the copy is done")
    assert Task.objects.get(title="Write the copy").status == "completed"
    assert talk.run.basic_mode


def test_the_draft_is_adjusted_with_tools_and_only_a_yes_creates_it(model, create):
    talk = create()
    talk.say("I plan a street party. My neighbours help with it.")
    talk.tap("finish", "Review the draft")
    draft = {"id": str(talk.draft.pk)}
    people = {**draft, "version": talk.draft.version, "core_people_bonds": "All of Mill Lane helps"}
    model.on("agent_tools").calls(
        ScriptedCall("change_draft", people), ScriptedCall("finalise_draft", draft)
    ).text("I created the project.")
    talk.say("write that all of Mill Lane helps")
    assert talk.draft.core_people_bonds == "All of Mill Lane helps"
    assert talk.state["project_id"] is None
    model.on("agent_tools").calls(ScriptedCall("finalise_draft", draft)).text("There it is.")
    talk.say("yes, create it")
    assert talk.project.core_people_bonds == "All of Mill Lane helps"


def test_an_interrupted_turn_writes_nothing_any_more(scripted, made, update, today):
    """A worker that was given up may come back: its run is closed, so the ledger refuses."""
    from chat.guides import Turn, Utterance
    from chat.runs.lease import LeaseLost
    from futura.llm.client import Llm
    from projects.commands.todos import CreateTodo
    from projects.modes.rows import ProjectRows, carry_out
    from projects.modes.update import UpdateGuide

    talk = update(made(tasks=["Write the copy"]), has_opening=True)
    run = talk.run
    Run.objects.filter(pk=run.pk).update(status="interrupted")
    turn = Turn(
        session_id=talk.id, run_id=run.pk, message=Utterance("user", "x", run.pk), history=(),
        state=UpdateGuide.state_model.model_validate(talk.state), llm=Llm(),
    )  # fmt: skip
    late = CreateTodo(title="Late task", project=talk.project.pk)
    with pytest.raises(LeaseLost):
        carry_out(ProjectRows.of(turn).working(), [late])
    assert len(talk.tasks) == 1


HALVES = ("First half, ", "second half. What is missing?")


def test_an_answer_that_reaches_its_limit_is_gone_on_with(model, create, made, update, today):
    first, second = HALVES
    model.on("agent_response").incomplete(text=first, after=99).text(second)
    assert create().say("I plan a street party. My neighbours help with it.") == first + second
    model.on("agent_tools").incomplete(text=first, after=99).text(second)
    assert update(made()).say("tell me all") == first + second


def test_a_brain_dump_keeps_its_date_and_all_its_people(model, create):
    people = {"Ana": "Ana paints", "Ben": "Ben cuts the wood", "Carla": "Carla pays",
              "Dimitri": "Dimitri drives the van"}  # fmt: skip
    end = "everything has to stand by 12 June 2027"
    dump = f"{', '.join(people.values())}, and {end}. " + "The hall is old and cold. " * 22
    assert len(dump.split()) >= 150
    model.on("answer_reading").json(
        read(
            people=[{"name": name, "role": "", "quote": quote} for name, quote in people.items()],
            dates=[{"of": "end", "date": "2027-06-12", "quote": end}],
        )
    )
    draft = (talk := create()).say(dump) and talk.draft
    assert draft.end_date == dt.date(2027, 6, 12)
    assert all(name in draft.core_people_bonds for name in people)


def test_who_takes_work_over_is_stored_with_it(scripted, made, update, today):
    project = made(tasks=["Design"])
    design = Task.objects.get()
    given = {"ids": [str(design.pk)], "assignee": "Ana"}
    scripted.on("agent_tools").calls(ScriptedCall("change_todos", given)).text("Ana does.")
    update(project).say("Ana takes over design")
    design.refresh_from_db()
    assert design.assignee == "Ana"


def test_undo_is_no_answer_while_the_model_is_away(model, create):
    model.on("answer_reading").json(
        read(dimensions=[told("core_integrity_ideals", "My neighbours shall talk to each other")])
    ).status(400)
    talk = create()
    talk.say("I plan a street party. My neighbours shall talk to each other.")
    assert talk.draft.core_integrity_ideals == "My neighbours shall talk to each other"
    assert "Nothing was undone yet" in talk.say("undo")
    assert "Undone" in talk.say("Yes.")
    assert not ProjectDraft.objects.filter(deleted_at=None).exists()
