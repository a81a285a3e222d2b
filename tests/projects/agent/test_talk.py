"""How the agent talks by rules: in kind, without repeating itself, asking back where it must."""

from __future__ import annotations

import uuid
from decimal import Decimal
from itertools import pairwise

import pytest
from django.urls import reverse

from chat import actions as chat_actions
from chat.models import Session
from chat.presenters import presenter_for
from projects.models import Project, Task
from projects.modes.audit.findings import implement
from projects.modes.presenters import AgentPresenter
from projects.modes.starting import start
from tests import project_rows, todos
from tests.projects.agent.conftest import Talk

pytestmark = pytest.mark.django_db

FENCE = "I want to repaint the fence. It is old and grey."


def test_no_wording_comes_twice_running(create):
    talk = create(
        "I plan a festival with a team and many risks. The budget is 900 euros, because I love "
        "music, and options are open."
    )
    said = ("Eighty guests", "A hall is there already", "In May", "Rain, so we need tents")
    leads = [talk.say(item).split(".")[0] for item in said]
    assert all(item != two for item, two in pairwise(leads))
    questions = [item["text"] for item in talk.state["asked"]]
    assert len(questions) == len(set(questions))


def test_loose_words_at_the_last_look_leave_the_draft_as_it_is(create):
    talk = create(FENCE)
    talk.say("create it")
    talk.say("we also want a little gate")
    assert "little gate" not in talk.draft.context
    assert talk.preview()["name"] == "I want to repaint the fence"


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
    assert talk.draft.context == "I want to dictate instead. My colleagues do that already."
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
def test_the_project_gets_another_name(made, update, today):
    project = made()
    talk = update(project)
    talk.say("rename the project to Calm Fit")
    project.refresh_from_db()
    assert project.name == "Calm Fit"
    assert talk.session.title == "Calm Fit"


def test_those_who_wait_for_a_deleted_task_let_go_of_it_in_the_same_batch(made, update, owner):
    from chat.operations.cascade import display_digests
    from chat.operations.changes import Actor
    from chat.operations.queries import pending
    from chat.operations.review import approve

    project = made(tasks=["Build", "Test"])
    build, test = Task.objects.order_by("position")
    actor = Actor(owner.pk)
    todos.wait_for(actor=actor, task=test, needed=[build.pk])
    talk = update(project)
    talk.say("delete the build task")
    assert talk.parts("operations")[0]["waiting"] == 2
    batch = talk.of_last_message()[0]
    approve(actor=actor, batch_id=batch.pk, digests=display_digests(pending(batch)))
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


def test_a_finished_project_of_a_survey_leads_to_where_its_share_is_entered(made, update, today):
    project = made(survey_task=uuid.uuid4(), time_share_before=Decimal(40))
    reply = update(project).say("the project is done")
    assert f"(/projects/{project.pk}/finish)" in reply


def test_a_finished_project_with_open_todos_leads_to_where_they_are_ended(made, update, today):
    project = made(tasks=["Build", "Test"])
    reply = update(project).say("the project is done")
    assert f"2 to-dos are still open. [Decide](/projects/{project.pk}/finish)" in reply
    assert "working time" not in reply


# Auditing -------------------------------------------------------------------------------------
@pytest.fixture
def audit(owner, me, drain, made):
    session = start(participant=owner, project=made(), mode="audit")
    return Talk(session, me, drain)


def test_findings_that_are_taken_up_wait_in_a_talk_that_says_so(audit, me, drain):
    keys = audit.state["audit"]["numbered"][:2]
    opened = implement(identity=me, session_id=audit.id, finding_ids=keys)
    assert not audit.batches
    update = Talk(opened, me, drain)
    assert "2 changes" in update.reply
    assert "approve" in update.reply
    assert [batch.status for batch in update.batches] == ["review"]


def test_the_page_of_a_talk_is_called_by_its_project(audit, browser, alice):
    page = browser(alice).get(reverse("projects:agent_talk", args=[audit.id])).content.decode()
    assert "Fitness app</h1>" in page


def test_the_live_head_of_an_audit_keeps_its_title(audit):
    presenter = presenter_for("project_audit")
    assert isinstance(presenter, AgentPresenter)
    shown = presenter.phase(audit.session)
    assert shown.context["title"] == "Fitness app"


# Forecasting ----------------------------------------------------------------------------------
def test_a_refused_forecast_says_what_is_missing(owner, me, drain, made, today):
    project = made(tasks=["Buy paint", "Sand the wood", "Paint the fence"])
    talk = Talk(start(participant=owner, project=project, mode="forecast"), me, drain)
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
    assert "Undo and regenerate" in asked.content.decode()
    assert "Write the copy" in asked.content.decode()
    assert Task.objects.get(title="Write the copy").status == "completed"
    reworded = reverse("chat:edit", args=[talk.run.message_id])
    edited = client.post(reworded, {"text": "Write the copy\nis blocked"})
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
