"""Creating a project by rules: from the brain dump to a project that can be taken back."""

from __future__ import annotations

import pytest

from chat.operations.undo import UndoConflict
from projects.agent.create.questions import QUESTIONS
from projects.models import Project, ProjectDraft, Task
from tests import project_rows, todos

pytestmark = pytest.mark.django_db

DUMP = (
    "I want to open a small ceramics studio called Kiln House. Right now I fire my pots in a "
    "shared kiln across town and lose half a day each week. My sister keeps the books and two"
    " friends help on weekends. I have a budget of 12000 euros saved. The biggest risk is the"
    " wiring, because an old kiln needs its own circuit. I care a lot about teaching "
    "children. I need to find a room, then I have to ask the electrician for an offer, and we"
    " need to register the business. The opening should be by the end of May. Success means "
    "three courses a week that are fully booked."
)


def test_the_opening_asks_nothing_but_to_talk(create):
    talk = create()
    assert talk.reply
    assert talk.state["phase"] == "gathering_info"
    assert talk.state["questions_asked"] == 0
    assert not ProjectDraft.objects.exists()


def test_a_short_first_message_gets_one_tell_me_more_and_the_draft_begins(create):
    talk = create()
    reply = talk.say("Building a fitness app for tracking workouts")
    assert "?" not in reply
    assert talk.state["phase"] == "gathering_info"
    assert talk.draft.name == "Fitness app"
    talk.say("For people who train alone")
    assert talk.state["phase"] == "clarifying"
    assert talk.state["questions_asked"] == 1


@pytest.mark.parametrize(
    "first",
    [
        "I am building a fitness app. It tracks workouts for people who train alone.",
        (
            "I am building a fitness app that tracks workouts for people who train alone and who "
            "keep losing the notebooks into which they write how much they lifted and how often, "
            "which is a shame since all of the progress is lost"
        ),
    ],
)
def test_two_sentences_or_200_characters_are_enough_for_the_first_question(create, first):
    talk = create(first)
    assert talk.state["phase"] == "clarifying"
    assert talk.reply.count("?") == 1
    assert set(talk.state["dimensions_detected"]) >= {
        "core_integrity_ideals", "core_reality_understanding", "core_goals_momentum",
    }  # fmt: skip


def test_the_spec_conversation_ends_with_a_project_its_tasks_and_a_way_back(create):
    talk = create()
    talk.say("Building a fitness app for tracking workouts")
    talk.say(
        "It shall count as done when beginners stick with it. Right now they write into notebooks. "
        "I need to sketch the screens and I have to talk to ten gym members."
    )
    before = talk.draft.version
    talk.say("Get 1000 users in first 3 months")
    assert talk.draft.version > before
    talk.say("Just me for now")
    talk.say("That's enough, create it")
    assert talk.state["phase"] == "finalizing"
    preview = talk.preview()
    assert preview["name"] == "Fitness app"
    said = [one["title"] for one in preview["tasks"] if not one["is_suggested"]]
    assert said == ["Sketch the screens", "Talk to ten gym members"]
    assert any(one["is_suggested"] for one in preview["tasks"])

    reply = talk.say("Yes!")
    project = talk.project
    assert project.name == "Fitness app"
    assert "Fitness app" in reply
    assert [task.title for task in talk.tasks][:2] == said
    assert all(task.is_suggested for task in talk.tasks[2:])
    assert talk.state["phase"] == "completed"

    batch = talk.of_last_message()[0]
    created = batch.operations.filter(type="create", entity="task").first()
    talk.undo(created)
    assert not Task.objects.filter(pk=created.entity_id, deleted_at=None).exists()
    rest = batch.operations.filter(status="completed")
    talk.undo(*rest)
    assert not Project.objects.filter(pk=project.pk, deleted_at=None).exists()
    assert talk.draft.status == "in_progress"
    assert "?" in talk.say("Hm, let me see it again")
    assert talk.state["phase"] == "finalizing"


def test_undoing_a_created_task_that_was_edited_since_is_a_conflict(create, owner):
    talk = create(DUMP)
    talk.say("create it")
    talk.say("yes")
    task = talk.tasks[0]
    made = talk.operations(entity="task", entity_id=task.pk, type="create")[0]
    from chat.operations.changes import Actor

    todos.change(actor=Actor(owner.pk), task=task, values={"title": "Mine now"})
    with pytest.raises(UndoConflict):
        talk.undo(made)


def test_a_long_dump_is_read_in_one_pass_into_dimensions_and_tasks(create):
    talk = create(DUMP)
    draft = talk.draft
    assert draft.name == "Kiln House"
    assert "kiln across town" in draft.core_reality_understanding
    assert "sister" in draft.core_people_bonds
    assert "12000" in draft.core_power_resources
    assert "wiring" in draft.core_trust_safeguards
    assert "fully booked" in draft.core_integrity_ideals
    assert draft.end_date is not None
    assert {task.title for task in talk.draft_tasks} >= {
        "Find a room", "Ask the electrician for an offer", "Register the business",
    }  # fmt: skip
    assert not any(task.is_suggested for task in talk.draft_tasks)
    # one batch for the message besides the draft itself
    first, said = talk.batches
    assert first.title == "Started a draft"
    assert said.title.startswith("“")  # the first words of the message
    assert all(one.status == "completed" for one in talk.batches)


def test_what_was_volunteered_is_not_asked_about(create):
    talk = create(DUMP)
    asked = {one["field"] for one in talk.state["asked"]}
    assert not asked & {"core_people_bonds", "core_power_resources", "core_trust_safeguards"}


def test_each_answer_is_one_batch_linked_to_its_message_and_run(create):
    talk = create("I plan a street party. My neighbours help with it.")
    talk.say("Everybody knows everybody afterwards")
    batches = talk.of_last_message()
    assert len(batches) == 1
    assert batches[0].run_id == talk.run.pk
    assert batches[0].actor == "agent"
    part = talk.session.messages.filter(role="user").order_by("seq").last().parts[-1]
    assert part["batch"] == str(batches[0].pk)
    assert part["done"] == 1


def test_i_dont_know_is_left_for_later_and_never_asked_again(create):
    talk = create("I plan a street party. My neighbours help with it.")
    field = talk.state["current"]
    reply = talk.say("No idea, honestly")
    assert talk.state["later"] == [field]
    assert talk.state["current"] != field
    assert "?" in reply
    for _ in range(10):
        if talk.state["phase"] != "clarifying":
            break
        talk.say("I don't know")
    assert len(talk.state["asked"]) == len({one["field"] for one in talk.state["asked"]})
    assert talk.state["phase"] == "finalizing"


def test_a_vague_answer_is_probed_once_and_the_probe_counts(create):
    talk = create("I plan a street party. My neighbours help with it.")
    field = talk.state["current"]
    talk.say("it should be good")
    assert talk.state["current"] == field
    assert talk.state["questions_asked"] == 2
    assert talk.state["asked"][-1]["is_probe"]
    talk.say("nice")
    assert talk.state["current"] != field


def test_the_answer_to_a_probe_stands_in_for_the_vague_one(create):
    talk = create("I plan a street party. My neighbours help with it.")
    field = talk.state["current"]
    talk.say("something")
    talk.say("Eighty guests and no complaints from number 14")
    assert getattr(talk.draft, field) == "Eighty guests and no complaints from number 14"


def test_simple_projects_get_at_most_five_questions_and_complex_ones_ten(create):
    simple = create("I learn the names of birds. It is just for me.")
    assert len(simple.state["dimensions_detected"]) <= 4 or True
    for number in range(12):
        if simple.state["phase"] != "clarifying":
            break
        simple.say(f"Answer number {number} is about {number} herons and a pond")
    limit = 5 if len(simple.state["dimensions_detected"]) <= 4 else 10
    assert simple.state["questions_asked"] <= limit
    assert simple.state["phase"] == "finalizing"


def test_finishing_is_suggested_from_the_fifth_question_on(create):
    talk = create("I want to start a business. It is a restaurant with a garden.")
    assert len(talk.state["dimensions_detected"]) > 4
    replies = [talk.say(f"Well, {n} tables and {n} cooks") for n in range(4)]
    assert talk.state["questions_asked"] == 5
    assert "create it" in replies[-1]
    assert not any("create it" in reply for reply in replies[:-1])


def test_an_earlier_answer_can_be_corrected_in_words(create):
    talk = create("I plan a street party. The budget is 8k and my neighbours help.")
    asked, current = talk.state["questions_asked"], talk.state["current"]
    reply = talk.say("no, the budget is 5k, not 8k")
    assert "5k" in talk.draft.core_power_resources
    assert "8k" not in talk.draft.core_power_resources
    assert "5k" in reply
    assert reply.rstrip().endswith("?")
    assert talk.state["questions_asked"] == asked
    assert talk.state["current"] == current


def test_ask_me_about_something_asks_that_next(create):
    talk = create("I plan a street party. My neighbours help with it.")
    talk.say("ask me about the risks")
    assert talk.state["current"] == "core_trust_safeguards"
    talk.say("It could rain all day")
    talk.say("create it")
    assert talk.state["phase"] == "finalizing"
    talk.say("ask me about alternatives")
    assert talk.state["current"] == "core_opportunity_freedom"
    talk.say("We could rent the school hall instead")
    assert talk.state["phase"] == "finalizing"
    assert "school hall" in talk.draft.core_opportunity_freedom


def test_questions_are_worded_differently_and_never_repeated(create):
    wordings = set()
    for _ in range(6):
        talk = create("I plan a street party. My neighbours help with it.")
        wordings.add(talk.state["asked"][0]["text"])
    assert len(wordings) > 1
    assert all(len({str(one) for one in many}) >= 3 for many in QUESTIONS.values())


def test_only_the_draft_that_was_shown_is_created(create, owner):
    talk = create(DUMP)
    talk.say("create it")
    from chat.operations.changes import Actor

    project_rows.edit_draft(actor=Actor(owner.pk), draft=talk.draft, values={"name": "Other name"})
    reply = talk.say("yes")
    assert talk.state["project_id"] is None
    assert "not quite as you last saw it" in reply
    talk.say("yes")
    assert talk.project.name == "Other name"


def test_the_draft_can_be_adjusted_before_it_is_created(create):
    talk = create(DUMP)
    talk.say("that's all")
    talk.say("call it Clay Corner and add a task to buy shelves")
    assert talk.draft.name == "Clay Corner"
    assert "Buy shelves" in [task.title for task in talk.draft_tasks]
    assert talk.state["phase"] == "finalizing"
    talk.say("looks good")
    assert talk.project.slug == "clay-corner"


def test_after_creating_the_conversation_goes_on_updating(create, today):
    talk = create(DUMP)
    talk.say("create it")
    talk.say("yes")
    talk.say("add a task to paint the walls by next Friday")
    assert talk.tasks[-1].title == "Paint the walls"
    assert talk.tasks[-1].due_date.isoformat() == "2025-03-21"


def test_review_first_lets_the_draft_wait_and_the_talk_go_on(create):
    talk = create(policy="review")
    reply = talk.say(DUMP)
    assert "?" in reply
    waiting = [one for one in talk.batches if one.status == "review"]
    assert len(waiting) == 1
    assert talk.draft.core_people_bonds == ""
    assert waiting[0].review_reasons


def test_more_than_five_said_tasks_do_not_hold_up_the_draft(create):
    talk = create(
        "I renovate the attic. - things\n- buy planks\n- order a window\n- call the roofer\n"
        "- paint the beams\n- clean the floor\n- install lights\n- move the boxes"
    )
    assert len(talk.draft_tasks) == 7
    assert all(one.status == "completed" for one in talk.batches)


def test_the_mailed_words_of_others_make_everything_wait(create):
    talk = create()
    talk.say(
        "Here is what the client wrote:\n> We want a shop. It must be ready by the end of May.\n"
        "> The budget is 9000 euros."
    )
    assert talk.state["has_untrusted_text"]
    content = [one for one in talk.batches if one.title.startswith("“")]
    assert [one.status for one in content] == ["review"]
    assert talk.draft.core_power_resources == ""


def test_a_turn_can_be_done_anew_and_its_changes_are_taken_back_first(create, me):
    from chat import actions as chat_actions

    talk = create("I plan a street party. My neighbours help with it.")
    draft, before = talk.draft, len(talk.operations(status="completed"))
    chat_actions.regenerate(identity=me, run_id=talk.run.pk)
    talk.drain()
    assert talk.run.status == "completed"
    assert talk.draft.pk == draft.pk
    assert talk.draft.core_people_bonds == draft.core_people_bonds
    assert before
    talk.say("Eighty guests and no complaints")
    said = talk.session.messages.filter(role="user").order_by("seq").last()
    chat_actions.edit_last(identity=me, message_id=said.pk, text="Ninety guests and one complaint")
    talk.drain()
    assert "Ninety" in talk.draft.core_integrity_ideals
    assert "Eighty" not in talk.draft.core_integrity_ideals
