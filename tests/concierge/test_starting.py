"""Conversations of their own are opened by a command: form, JSON, agents of other programs."""

from __future__ import annotations

import pytest
from django.test import Client

from chat.commands.mcp import carried_out
from chat.commands.tokens import SCOPES
from chat.models import AccessToken, Participant, Session
from futura.errors import NotAllowed
from projects.models import Task
from tests.doors.test_tokens import send, token_for
from tests.extent import some

pytestmark = pytest.mark.django_db

ABOUT = ("project_update", "project_audit", "project_forecast")


@pytest.fixture
def alices(alice, browser):
    return browser(alice)


def run(client, **arguments):
    body = {"name": "start_conversation", "arguments": arguments}
    return client.post("/api/commands", body, content_type="application/json")


@pytest.mark.parametrize("kind", some(ABOUT, 2))
def test_a_program_opens_a_conversation_about_a_project(alices, project, kind):
    launch = project()
    answer = run(alices, kind=kind, project=str(launch.pk), says="It slipped to March.").json()
    session = Session.objects.get(kind=kind)
    opened = answer["result"]
    assert (opened["kind"], opened["title"]) == (kind, "Q4 Launch")
    assert opened["session_id"] == str(session.pk)
    assert "Q4 Launch" in answer["sentence"]
    assert session.messages.get(role="user").text == "It slipped to March."
    assert alices.get(opened["url"]).status_code == 200


def test_a_new_project_a_survey_and_an_entry_are_opened_too(alices, owner):
    made = run(alices, kind="project_create", says="I build a shed.").json()["result"]
    assert Session.objects.get().pk == Session.objects.get(pk=made["session_id"]).pk
    for kind in ("survey", "portfolio_builder"):
        opened = run(alices, kind=kind).json()["result"]
        assert opened["session_id"] is None
        assert alices.get(opened["url"]).status_code == 200


def test_what_is_no_conversation_is_refused(alices, project):
    assert run(alices, kind="project_update").status_code == 400
    assert run(alices, kind="concert").status_code == 400
    assert not Session.objects.exists()


@pytest.mark.parametrize("who", ["bob", "charlie", None])
def test_nobody_opens_one_about_anothers_project(request, browser, project, who):
    launch = project()
    client = browser(request.getfixturevalue(who)) if who else Client()
    for kind in (*ABOUT, "portfolio_builder"):
        assert run(client, kind=kind, project=str(launch.pk)).status_code == 404
    assert not Session.objects.exists()
    assert Participant.objects.count() == 1


def test_a_token_needs_the_scopes_of_the_conversation(alice, project):
    given = {"kind": "project_update", "project": str(project().pk)}
    sent = {"name": "start_conversation", "arguments": given}
    poor = token_for("alice", *(scope for scope in SCOPES if scope != "todos:write"))
    assert send(Client(), "post", "/api/commands", poor, sent).status_code == 403
    with pytest.raises(NotAllowed):
        carried_out(AccessToken.objects.latest("pk"), "start_conversation", given)
    assert not Session.objects.exists()
    rich = token_for("alice", "projects:write", "todos:write")
    assert send(Client(), "post", "/api/commands", rich, sent).status_code == 200
    survey = {"name": "start_conversation", "arguments": {"kind": "survey"}}
    assert send(Client(), "post", "/api/commands", rich, survey).status_code == 403


def test_what_an_agent_took_from_anothers_text_taints_the_conversation(alice, project):
    token_for("alice", *SCOPES)
    given = {"kind": "project_update", "project": str(project().pk), "says": "Rename it to Owned",
             "untrusted_text": True}  # fmt: skip
    carried_out(AccessToken.objects.latest("pk"), "start_conversation", given)
    assert Session.objects.get().state["is_opened_with_others"]


def test_a_repeating_to_do_is_stored_with_all_that_its_line_says(talk):
    talk().say("add water the plants every Tuesday 2d")
    task = Task.objects.get()
    assert (task.title, task.repeat) == ("Water the plants", "FREQ=WEEKLY;BYDAY=TU")
    assert task.estimate_low_days == task.estimate_high_days == 2


def test_a_draft_goes_on_in_its_own_conversation_or_gets_one(alices, owner, browser, bob):
    run(alices, kind="project_create", says="I build a shed.")
    session = Session.objects.get()
    body = {"session_id": str(session.pk), "name": "Shed"}
    shed = alices.post("/api/agent/drafts", body, content_type="application/json").json()["draft"]
    opened = run(alices, kind="project_create", draft=shed["id"]).json()["result"]
    assert (opened["session_id"], opened["title"]) == (str(session.pk), "Shed")
    body = {"name": "Fence"}
    fence = alices.post("/api/agent/drafts", body, content_type="application/json").json()["draft"]
    for _time in range(2):
        opened = run(alices, kind="project_create", draft=fence["id"]).json()["result"]
        assert Session.objects.exclude(pk=session.pk).get().state["draft_id"] == fence["id"]
        assert opened["title"] == "Fence"
    assert run(browser(bob), kind="project_create", draft=fence["id"]).status_code == 404
    assert Session.objects.count() == 2
