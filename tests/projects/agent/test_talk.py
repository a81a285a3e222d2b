"""How the agent talks by rules: in kind, without repeating itself, asking back where it must."""

from __future__ import annotations

import datetime as dt
import uuid
from decimal import Decimal
from itertools import pairwise

import pytest
from django.urls import reverse

from chat import actions as chat_actions
from chat.models import Session
from chat.presenters import presenter_for
from projects.agent.presenters import AgentPresenter
from projects.agent.starting import start_about
from projects.models import Project, Task
from projects.modes.audit.implementing import implement
from tests import project_rows, todos
from tests.projects.agent.conftest import Talk

pytestmark = pytest.mark.django_db

FENCE = "I want to repaint the fence. It is old and grey."


# Creating -------------------------------------------------------------------------------------
def test_a_greeting_begins_nothing_and_is_answered_in_kind(create):
    talk = create()
    assert talk.say("Good morning!").startswith("Hello")
    assert talk.state["draft_id"] is None
    talk.say(FENCE)
    assert talk.draft.name == "Repaint the fence"


def test_not_knowing_is_never_written_down(create):
    talk = create()
    talk.say("I don't know")
    assert (talk.draft.context, talk.draft.name) == ("", "")
    talk.say(FENCE)
    asked = talk.state["current"]
    talk.say("no idea")
    assert asked in talk.state["later"]
    assert getattr(talk.draft, asked) == ""
    assert talk.state["current"] != asked


def test_an_answer_to_something_else_goes_where_it_belongs_and_the_question_comes_once_more(create):
    talk = create(FENCE)
    assert talk.state["current"] == "core_integrity_ideals"
    first = talk.state["asked"][-1]["text"]
    reply = talk.say("Just me for now")
    assert "People and bonds" in reply
    assert talk.draft.core_people_bonds == "Just me for now"
    assert talk.draft.core_integrity_ideals == ""
    again = talk.state["asked"][-1]
    assert again["field"] == "core_integrity_ideals"
    assert again["text"] != first
    talk.say("only me")
    assert talk.state["current"] != "core_integrity_ideals"  # not a third time


def test_what_was_asked_for_is_asked_about(create):
    talk = create(FENCE)
    reply = talk.say("ask me about money")
    assert "money" in reply or "budget" in reply
    assert talk.state["current"] == "core_power_resources"


def test_no_wording_comes_twice_running(create):
    talk = create(
        "I plan a festival with a team and many risks. The budget is 900 euros, because I love "
        "music, and options are open."
    )
    said = ("Eighty guests", "A hall is there already", "In May", "Rain, so we need tents")
    leads = [talk.say(one).split(".")[0] for one in said]
    assert all(one != two for one, two in pairwise(leads))
    questions = [one["text"] for one in talk.state["asked"]]
    assert len(questions) == len(set(questions))


def test_a_number_is_corrected_without_doubling_its_noun(create):
    talk = create(FENCE)
    talk.say("Get 1000 users in three months")
    talk.say("no, 500 users, not 1000")
    assert talk.draft.core_integrity_ideals == "Get 500 users in three months"


def test_loose_words_at_the_last_look_leave_the_draft_as_it_is(create):
    talk = create(FENCE)
    talk.say("create it")
    talk.say("we also want a little gate")
    assert "little gate" not in talk.draft.context
    assert talk.preview()["name"] == "Repaint the fence"


def test_tasks_that_are_on_the_list_are_not_told_again_in_a_dimension(create):
    talk = create()
    talk.say("Opening a studio with my sister. I need to find a room by the end of May 2030.")
    assert [task.title for task in talk.draft_tasks] == ["Find a room"]
    assert "find a room" not in " ".join(
        str(getattr(talk.draft, one)) for one in talk.draft.dimensions_covered
    )


def test_a_created_project_is_not_created_twice(create):
    talk = create(FENCE)
    talk.say("create it")
    talk.say("yes")
    assert "already" in talk.say("create it")
    assert Project.objects.count() == 1


def test_a_draft_without_a_talk_is_taken_into_one(me, owner, browser, alice, drain):
    from chat.operations.changes import Actor

    values = {"name": "Less typing", "core_reality_understanding": "Typing takes 20 % of the day."}
    draft = project_rows.start_draft(actor=Actor(owner.pk), values=values).row
    client = browser(alice)
    new = reverse("projects:agent_new")
    assert f"{new}?draft={draft.pk}" in client.get(
        reverse("projects:draft", args=[draft.pk])
    ).content.decode()  # fmt: skip
    assert "Less typing" in client.get(f"{new}?draft={draft.pk}").content.decode()
    gone_to = client.post(new, {"draft": str(draft.pk), "text": ""})
    talk = Talk(Session.objects.get(), me, drain)
    assert str(talk.id) in gone_to.url
    assert "Less typing" in talk.reply
    talk.say("I want to dictate instead. My colleagues do that already.")
    assert talk.draft.pk == draft.pk
    assert "Typing takes 20 %" in talk.draft.core_reality_understanding
    # the second time it leads to the talk
    assert str(talk.id) in client.post(new, {"draft": str(draft.pk)}).url
    assert Session.objects.count() == 1


def test_anothers_draft_is_not_talked_about(owner, bob, browser):
    from chat.operations.changes import Actor

    draft = project_rows.start_draft(actor=Actor(owner.pk), values={"name": "Mine"}).row
    client = browser(bob)
    new = reverse("projects:agent_new")
    for named in (str(draft.pk), "nonsense"):
        assert client.get(f"{new}?draft={named}").status_code == 404
        assert client.post(new, {"draft": named}).status_code == 404
    assert not Session.objects.exists()


# Updating -------------------------------------------------------------------------------------
def test_courtesy_and_questions_are_no_changes(made, update, today):
    talk = update(made(tasks=["Write the copy"], end_date=dt.date(2025, 6, 30)))
    assert "did not find" not in talk.say("thanks, that's all for now")
    assert talk.say("yes").rstrip().endswith("?")
    told = talk.say("What is still open?")
    assert "Write the copy" in told
    assert "30 June 2025" in told
    first, second = talk.say("blue skies"), talk.say("green hills")
    assert first != second
    assert not talk.batches


def test_a_task_that_is_not_there_is_asked_about(made, update, today):
    talk = update(made(tasks=["Write the copy", "Test it"]))
    reply = talk.say("the landing page is done")
    assert "no task like “landing page”" in reply
    assert "“Write the copy” or “Test it”" in reply
    talk.say("the second one")
    assert Task.objects.get(title="Test it").status == "completed"
    assert Task.objects.get(title="Write the copy").status != "completed"


@pytest.mark.parametrize(
    ("said", "answer", "day"),
    [
        ("push it back a bit", "two weeks", dt.date(2025, 7, 14)),
        ("push the launch", "to 1 September", dt.date(2025, 9, 1)),
        ("postpone the project", "in two months", dt.date(2025, 5, 10)),
    ],
)
def test_a_move_without_a_day_asks_for_it_and_takes_the_answer(
    made, update, today, said, answer, day
):
    project = made(end_date=dt.date(2025, 6, 30))
    talk = update(project)
    assert "By how much, or to which day" in talk.say(said)
    talk.say(answer)
    project.refresh_from_db()
    assert project.end_date == day
    assert talk.state["update"]["questions"] == []


def test_a_day_that_was_asked_for_can_be_left_open(made, update, today):
    talk = update(made(end_date=dt.date(2025, 6, 30)))
    talk.say("push it back a bit")
    assert "leave" in talk.say("never mind")
    assert not talk.batches


def test_what_stands_already_is_told_and_not_written_again(made, update, today):
    talk = update(made(end_date=dt.date(2025, 9, 30), tasks=["Mobile app"]))
    reply = talk.say("We decided to push the launch date to Q3 and add a mobile app")
    assert "30 September 2025" in reply
    assert "on the list already" in reply
    assert Task.objects.count() == 1
    assert not talk.operations(entity="project")


def test_several_tasks_come_in_one_sentence(made, update, today):
    talk = update(made())
    talk.say("add tasks: buy paint, sand the wood and call the neighbour")
    titles = [task.title for task in talk.tasks]
    assert titles == ["Buy paint", "Sand the wood", "Call the neighbour"]


@pytest.mark.parametrize("said", ["the name should be Calm Fit", "rename it to Calm Fit"])
def test_the_project_gets_another_name(made, update, today, said):
    project = made()
    talk = update(project)
    talk.say(said)
    project.refresh_from_db()
    assert project.name == "Calm Fit"
    assert talk.session.title == "Calm Fit"


def test_those_who_wait_for_a_deleted_task_let_go_of_it_in_the_same_batch(made, update, owner):
    from chat.operations.along import shown_digests
    from chat.operations.changes import Actor
    from chat.operations.queries import pending
    from chat.operations.review import approve

    project = made(tasks=["Build", "Test"])
    build, test = Task.objects.order_by("position")
    actor = Actor(owner.pk)
    todos.wait_for(actor=actor, task=test, needed=[build.pk])
    talk = update(project)
    assert "2 changes wait" in talk.say("delete the build task")
    batch = talk.of_last_message()[0]
    approve(actor=actor, batch_id=batch.pk, digests=shown_digests(pending(batch)))
    assert list(test.depends_on.all()) == []
    talk.undo(*batch.operations.filter(status="completed"))
    assert list(test.depends_on.all()) == [build]
    # and the same by hand, one or several
    build.refresh_from_db()
    done = todos.delete(actor=actor, tasks=[build])
    assert done.operations.count() == 2
    assert list(test.depends_on.all()) == []
    talk.undo(*done.operations.all())
    build.refresh_from_db()
    assert todos.delete(actor=actor, tasks=[build]).operations.count() == 2
    assert list(test.depends_on.all()) == []


def test_a_finished_project_of_a_survey_asks_for_the_new_share(made, update, today):
    project = made(survey_task=uuid.uuid4(), time_share_before=Decimal(40))
    talk = update(project)
    assert "40 %" in talk.say("the project is done")
    assert "0 to 100" in talk.say("400 percent")
    reply = talk.say("about 27.5 percent now")
    assert "12.5 points less" in reply
    project.refresh_from_db()
    assert (project.status, project.time_share_after) == ("completed", Decimal("27.50"))
    talk.undo(*talk.of_last_message()[0].operations.all())
    project.refresh_from_db()
    assert project.time_share_after is None


# Auditing -------------------------------------------------------------------------------------
@pytest.fixture
def audit(owner, me, drain, made):
    session = start_about(participant=owner, project=made(), mode="audit")
    return Talk(session, me, drain)


def test_findings_that_are_taken_up_wait_in_a_talk_that_says_so(audit, me, drain):
    keys = audit.state["audit"]["numbered"][:2]
    opened = implement(identity=me, session_id=audit.id, finding_ids=keys)
    assert not audit.batches
    update = Talk(opened, me, drain)
    assert "2 changes" in update.reply
    assert "approve" in update.reply
    assert [one.status for one in update.batches] == ["review"]


def test_the_page_of_a_talk_names_the_others_by_what_they_do(audit, me, drain, browser, alice):
    first = audit.state["audit"]["numbered"][0]
    made = implement(identity=me, session_id=audit.id, finding_ids=[first])
    drain()
    page = browser(alice).get(reverse("projects:agent_talk", args=[made.pk])).content.decode()
    assert ">Project audit<" in page
    title = browser(alice).get(reverse("projects:agent_talk", args=[audit.id])).content.decode()
    assert "Fitness app</h1>" in title
    assert "Findings" in title  # where the audit stands


def test_the_live_head_of_an_audit_keeps_its_title(audit):
    presenter = presenter_for("project_audit")
    assert isinstance(presenter, AgentPresenter)
    shown = presenter.phase(audit.session)
    assert shown.context["title"] == "Fitness app"


# Forecasting ----------------------------------------------------------------------------------
def test_a_refused_forecast_says_what_is_missing(owner, me, drain, made, today):
    project = made(tasks=["Buy paint", "Sand the wood", "Paint the fence"])
    talk = Talk(start_about(participant=owner, project=project, mode="forecast"), me, drain)
    assert "at least 3" in talk.reply
    assert "Buy paint" in talk.reply
    assert talk.parts("assume")
    assert not talk.state["forecast"]["forecast_id"]
    assert not talk.batches


def test_an_edited_message_takes_back_what_the_first_one_did(made, update, me, today):
    talk = update(made())
    talk.say("add a task to buy paint")
    said = talk.session.messages.filter(role="user").order_by("seq").last()
    chat_actions.edit_last(identity=me, message_id=said.pk, text="add a task to buy varnish")
    talk.drain()
    assert [task.title for task in talk.tasks] == ["Buy varnish"]


# Answering anew without scripts ---------------------------------------------------------------
def test_without_scripts_another_answer_asks_before_it_undoes(browser, alice, made, update):
    client = browser(alice)
    project = made(tasks=["Write the copy"])
    talk = update(project)
    talk.say("Write the copy is done")
    again = reverse("chat:regenerate", args=[talk.run.pk])
    asked = client.post(again)
    assert asked.status_code == 200
    assert "Undo it and answer anew" in asked.content.decode()
    assert "Write the copy" in asked.content.decode()
    assert Task.objects.get(title="Write the copy").status == "completed"
    reworded = reverse("chat:edit", args=[talk.run.message_id])
    edited = client.post(reworded, {"text": "Write the copy is\nblocked"})
    assert "blocked" in edited.content.decode()
    assert Task.objects.get(title="Write the copy").status == "completed"
    assert client.post(again, {"sure": "1"}).status_code == 303
    assert Task.objects.get(title="Write the copy").status == "available"
    talk.drain()
    assert Task.objects.get(title="Write the copy").status == "completed"


def test_without_scripts_another_answer_that_undoes_nothing_comes_at_once(
    browser, alice, made, update
):
    client = browser(alice)
    talk = update(made())
    talk.say("hm")
    assert client.post(reverse("chat:regenerate", args=[talk.run.pk])).status_code == 303
