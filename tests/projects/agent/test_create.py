"""Creating a project without a model: word for word, from the brain dump to the project."""

from __future__ import annotations

import re

import pytest

from chat.operations.undo import UndoConflict
from projects.models import Project, ProjectDraft, Task
from projects.modes.create.guards import QUESTIONS
from tests import project_rows, todos
from tests.extent import some
from tests.markup import flat

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
    talk = create(has_opening=True)
    assert talk.reply
    assert talk.state["phase"] == "gathering_info"
    assert talk.state["questions_asked"] == 0
    assert not ProjectDraft.objects.exists()


def test_a_short_first_message_gets_one_tell_me_more_and_the_draft_begins(create):
    talk = create()
    reply = talk.say("Building a fitness app for tracking workouts")
    assert "?" not in reply
    assert talk.state["phase"] == "gathering_info"
    assert talk.draft.name == "Building a fitness app for tracking workouts"
    assert talk.draft.context == "Building a fitness app for tracking workouts"
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


def test_a_stop_behind_a_name_is_no_part_of_it(create):
    talk = create()
    talk.say("We paint the old fence. It is done in May.\n- Paint the fence @Jean-Luc.")
    assert talk.draft_tasks[0].assignee == "Jean-Luc"


def test_the_spec_conversation_ends_with_a_project_its_tasks_and_a_way_back(create):
    talk = create()
    talk.say("Fitness app")
    dump = (
        "It shall count as done when beginners stick with it. Right now they write into notebooks."
        "\n- Sketch the screens by 20 December @Ana 2d\n- Talk to ten gym members"
    )
    talk.say(dump)
    assert talk.draft.context == f"Fitness app\n\n{dump}"
    before = talk.draft.version
    talk.say("Get 1000 users in first 3 months")
    assert talk.draft.version > before
    assert talk.draft.core_integrity_ideals == "Get 1000 users in first 3 months"
    talk.say("Just me for now")
    talk.say("Review the draft")
    assert talk.state["phase"] == "finalizing"
    preview = talk.preview()
    assert preview["name"] == "Fitness app"
    said = [item["title"] for item in preview["tasks"]]
    assert said == ["Sketch the screens", "Talk to ten gym members"]
    first = talk.draft_tasks[0]
    assert (first.due_date.month, first.due_date.day) == (12, 20)
    assert (first.assignee, first.estimate_low_days) == ("Ana", 2)

    reply = talk.say("Yes!")
    project = talk.project
    assert project.name == "Fitness app"
    assert "Fitness app" in reply
    assert [task.title for task in talk.tasks] == said
    assert talk.state["phase"] == "completed"

    batch = talk.of_last_message()[0]
    created = batch.operations.filter(type="create", entity="task").first()
    talk.undo(created)
    assert not Task.objects.filter(pk=created.entity_id, deleted_at=None).exists()
    rest = batch.operations.filter(status="completed")
    talk.undo(*rest)
    assert not Project.objects.filter(pk=project.pk, deleted_at=None).exists()
    assert talk.draft.status == "in_progress"
    talk.say("Hm, let me see it again")
    assert talk.preview()["name"] == "Fitness app"
    assert talk.state["phase"] == "finalizing"


def test_undoing_a_created_task_that_was_edited_since_is_a_conflict(create, owner):
    talk = create(f"{DUMP}\n- Find a room")
    talk.say("create it")
    talk.say("yes")
    task = talk.tasks[0]
    made = talk.operations(entity="task", entity_id=task.pk, type="create")[0]
    from chat.operations.changes import Actor

    todos.change(actor=Actor(owner.pk), task=task, values={"title": "Mine now"})
    with pytest.raises(UndoConflict):
        talk.undo(made)


def test_a_brain_dump_is_kept_whole_and_nothing_in_it_is_guessed(create):
    talk = create(DUMP)
    draft = talk.draft
    assert draft.context == DUMP
    assert draft.dimensions_covered == []
    assert draft.end_date is None
    assert talk.draft_tasks == []
    # one batch for the message besides the draft itself
    first, said = talk.batches
    assert first.title == "Created draft"
    assert said.title.startswith("“")  # the first words of the message
    assert all(batch.status == "completed" for batch in talk.batches)


def test_each_answer_is_one_batch_linked_to_its_message_and_run(create):
    talk = create("I plan a street party. My neighbours help with it.")
    talk.say("Everybody knows everybody afterwards")
    batches = talk.of_last_message()
    assert len(batches) == 1
    assert batches[0].run_id == talk.run.pk
    assert batches[0].actor == "agent"
    part = talk.parts("operations")[0]
    assert part["batch"] == str(batches[0].pk)
    assert part["done"] == 1


@pytest.mark.parametrize("word", some(["Later", "I don't know", "skip"], 3))
def test_what_is_left_for_later_is_never_asked_again(create, word):
    talk = create("I plan a street party. My neighbours help with it.")
    field = talk.state["current"]
    reply = talk.say(word)
    assert talk.state["later"] == [field]
    assert talk.state["current"] != field
    assert "?" in reply
    for _ in range(10):
        if talk.state["phase"] != "clarifying":
            break
        talk.say(word)
    assert len(talk.state["asked"]) == len({item["field"] for item in talk.state["asked"]})
    assert talk.state["phase"] == "finalizing"
    assert talk.draft.dimensions_covered == []


@pytest.mark.parametrize(
    "answer",
    some(
        [
            "no idea how to say it, but the fence must be green by May",
            "please do not create it yet",
            "Es soll grün werden, und zwar bis Mai.",
            "庭の柵を緑に塗る。",
            "1. green\n2. dry\n\n**not** red",
        ],
        4,
    ),
)
def test_an_answer_is_kept_word_for_word_under_what_was_asked(create, answer):
    talk = create("I want to repaint the fence. It is old and grey.")
    field = talk.state["current"]
    talk.say(answer)
    assert getattr(talk.draft, field) == answer
    assert talk.draft.dimensions_covered == [field]
    assert talk.state["current"] != field


def test_lines_with_a_dash_are_tasks_and_the_rest_is_the_answer(create):
    talk = create("I want to repaint the fence. It is old and grey.")
    field = talk.state["current"]
    talk.say("- buy paint tomorrow\nNobody has to paint it again for ten years.\n- call Ana @Ben")
    assert [task.title for task in talk.draft_tasks] == ["Buy paint", "Call Ana"]
    assert talk.draft_tasks[1].assignee == "Ben"
    assert getattr(talk.draft, field) == "Nobody has to paint it again for ten years."


def test_every_dimension_is_asked_about_once_and_the_fifth_question_says_it_may_be_enough(create):
    talk = create("I learn the names of birds. It is just for me.")
    for number in range(12):
        if talk.state["phase"] != "clarifying":
            break
        [choices] = talk.parts("choices")
        assert choices["buttons"] == [["later", "Later"], ["finish", "Review the draft"]]
        assert choices["has_hint"] == (talk.state["questions_asked"] == 5)
        talk.say(f"Answer number {number} is about {number} herons and a pond")
    assert talk.state["questions_asked"] == 9
    assert len(talk.draft.dimensions_covered) == 9
    assert talk.state["phase"] == "finalizing"


def test_questions_are_worded_differently_and_never_repeated(create):
    wordings: set[str] = set()
    for _try in range(20):
        talk = create("I plan a street party. My neighbours help with it.")
        wordings.add(talk.state["asked"][0]["text"])
        if len(wordings) > 1:
            break
    assert len(wordings) > 1
    assert all(len({str(item) for item in many}) >= 3 for many in QUESTIONS.values())


def test_only_the_draft_that_was_shown_is_created(create, owner):
    talk = create(DUMP)
    talk.say("create it")
    from chat.operations.changes import Actor

    project_rows.edit_draft(actor=Actor(owner.pk), draft=talk.draft, values={"name": "Other name"})
    reply = talk.say("yes")
    assert talk.state["project_id"] is None
    assert "has changed since you last saw it" in reply
    talk.say("yes")
    assert talk.project.name == "Other name"


def test_at_the_last_look_lines_are_tasks_and_other_words_change_nothing(create):
    talk = create(DUMP)
    talk.say("that's all")
    before = talk.draft.version
    talk.say("call it Clay Corner")
    assert talk.draft.version == before
    talk.say("- buy shelves by Friday")
    assert [task.title for task in talk.draft_tasks] == ["Buy shelves"]
    assert talk.state["phase"] == "finalizing"
    talk.say("looks good")
    assert [task.title for task in talk.tasks] == ["Buy shelves"]


def test_after_creating_the_conversation_goes_on_updating(create, today):
    talk = create(DUMP)
    talk.say("create it")
    talk.say("yes")
    talk.say("add paint the walls by 21 March 2025")
    assert talk.tasks[-1].title == "Paint the walls"
    assert talk.tasks[-1].due_date.isoformat() == "2025-03-21"


def test_review_first_lets_the_draft_wait_and_the_talk_go_on(create):
    talk = create(policy="review")
    reply = talk.say(DUMP)
    assert "?" in reply
    waiting = [batch for batch in talk.batches if batch.status == "review"]
    assert len(waiting) == 1
    assert talk.draft.context == ""
    assert waiting[0].review_reasons


def test_more_than_five_said_tasks_do_not_hold_up_the_draft(create):
    talk = create(
        "I renovate the attic. These things:\n- buy planks\n- order a window\n- call the roofer\n"
        "- paint the beams\n- clean the floor\n- install lights\n- move the boxes"
    )
    assert len(talk.draft_tasks) == 7
    assert all(batch.status == "completed" for batch in talk.batches)


def test_the_mailed_words_of_others_make_everything_wait(create):
    talk = create()
    mail = "We want a shop. It must be ready by the end of May.\nThe budget is 9000 euros."
    talk.say("Here is what the client wrote:", pasted=mail)
    assert talk.state["has_untrusted_text"]
    content = [batch for batch in talk.batches if batch.title.startswith("“")]
    assert [item.status for item in content] == ["review"]
    assert talk.draft.context == ""


def test_a_turn_can_be_done_anew_and_its_changes_are_taken_back_first(create, me):
    from chat import actions as chat_actions

    talk = create("I plan a street party. My neighbours help with it.")
    draft, before = talk.draft, len(talk.operations(status="completed"))
    chat_actions.regenerate(identity=me, run_id=talk.run.pk)
    talk.drain()
    assert talk.run.status == "completed"
    assert talk.draft.pk == draft.pk
    assert talk.draft.context == draft.context
    assert before
    talk.say("Eighty guests and no complaints")
    said = talk.session.messages.filter(role="user").order_by("seq").last()
    chat_actions.edit_last(identity=me, message_id=said.pk, text="Ninety guests and one complaint")
    talk.drain()
    assert "Ninety" in talk.draft.core_integrity_ideals
    assert "Eighty" not in talk.draft.core_integrity_ideals


def test_undo_takes_the_last_answer_back_and_puts_the_open_question_again(create):
    talk = create(DUMP)
    talk.say("Three courses a week")
    assert talk.draft.core_integrity_ideals == "Three courses a week"
    reply = talk.say("Undo that.")
    assert talk.draft.core_integrity_ideals == ""
    assert "Undone" in reply
    assert reply.endswith(talk.state["asked"][-1]["text"])
    assert talk.parts("choices")
    assert talk.draft.dimensions_covered == []
    talk.say("undo the damage that the old kiln has done")
    assert len(talk.draft.dimensions_covered) == 1


def test_what_a_full_context_cannot_hold_is_said_and_not_only_cut(create):
    talk = create("A shop.")
    reply = talk.say("The kiln needs a circuit. " * 1_900)
    assert "is full" not in reply
    assert talk.state["phase"] == "clarifying"
    talk = create("A bakery of our own in the old mill")
    reply = talk.say("The oven needs a chimney. " * 1_922)
    assert "“Context” is full" in reply
    assert len(talk.draft.context) > 49_990


def test_undo_at_the_preview_shows_what_is_left_and_asks_before_it_deletes(create):
    talk = create(DUMP)
    talk.say("- Find a room")
    talk.say("review the draft")
    reply = talk.say("undo")
    assert "Find a room" in reply
    assert talk.draft_tasks != []
    talk.say("no")
    assert talk.draft_tasks != []
    talk.say("undo")
    talk.say("Yes.")
    assert talk.draft_tasks == []
    assert talk.preview()["tasks"] == []
    assert not Project.objects.exists()
    talk.say("yes")
    assert Project.objects.count() == 1


def ledger_lines(page):
    """What stands under each answer of a page: changes, and what their Undo takes back."""
    lines = [part.partition("</p>")[0] for part in flat(page).split('ledger-line">')[1:]]
    return [re.sub(r"<[^>]+>", " ", line) for line in lines]


def test_the_line_under_an_answer_counts_every_change_and_what_its_undo_takes_back(
    create, browser, alice
):
    talk, page = create(f"{DUMP}\n- Step 1\n- Step 2\n- Step 3"), browser(alice)
    address = f"/projects/agent/{talk.id}"
    (line,) = ledger_lines(page.get(address))
    assert line.split() == ["5", "changes", "·", "Undo"]
    created, taken_in = talk.batches
    assert "Undo 4 changes?" in page.get(f"/operations/{taken_in.pk}/undo").text
    assert "Undo 5 changes?" in page.get(f"/operations/{created.pk}/undo?turn").text

    talk.say("\n".join(f"- Step {number}" for number in range(4, 9)))
    talk.say("create it")
    talk.say("yes")
    assert ledger_lines(page.get(address))[-1].split() == ["10", "changes", "·", "Undo"]


@pytest.mark.parametrize("headers", some([{}, {"HX-Request": "true"}], 2), ids=["page", "dialog"])
def test_one_undo_takes_back_all_that_an_answer_did_and_nothing_redoes_it_unasked(
    create, browser, alice, headers
):
    talk, page = create(f"{DUMP}\n- Step 1\n- Step 2\n- Step 3"), browser(alice)
    address = f"/projects/agent/{talk.id}"
    (link,) = re.findall(r'<a href="(/operations/[^"]+/undo[?]turn)"', page.get(address).text)
    preview = page.get(link, headers=headers).text
    assert f'action="{link}"' in preview
    digest = re.findall(r'name="digest" value="([^"]+)"', preview)[0]
    page.post(link, {"digest": digest}, headers=headers)
    assert talk.draft_tasks == []
    assert ledger_lines(page.get(address))[0].split() == ["Undone"]
    assert talk.batches[-1].title == "Undid changes"
    talk.say("undo")
    assert talk.draft_tasks == []
