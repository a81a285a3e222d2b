"""The sample workspace: made by one tap, looked at, deleted by another; nothing else is touched."""

from __future__ import annotations

import io

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from chat.identity import Identity
from chat.models import Session
from chat.operations.models import OperationBatch
from projects.models import Project, Task
from projects.portfolio.models import Portfolio
from projects.sample import actions
from projects.sample.models import SampleWorkspace
from tasks.models import SurveyResponse

pytestmark = pytest.mark.django_db
LIVING = {"deleted_at": None}


def test_a_newcomer_looks_at_a_sample_and_deletes_it(browser):
    client = browser()
    assert "A sample workspace" in client.get("/").content.decode()
    assert client.post("/sample/create")["Location"] == "/"
    page = client.get("/").content.decode()
    assert "All of it is made up" in page
    assert "Ring the permit office" in page
    assert "Sample: roof garden" in client.get("/projects").content.decode()
    assert "Sample: Kim Rivers" in client.get("/portfolio", follow=True).content.decode()
    client.post("/sample/create")  # a second tap
    assert Project.objects.filter(**LIVING).count() == 2
    assert client.post("/sample/delete")["Location"] == "/"
    for model in (Project, Task, Portfolio):
        assert not model.objects.filter(**LIVING).exists()
    assert client.post("/sample/delete").status_code == 404


def test_it_has_a_history_no_stranger_deletes_it_and_what_is_the_persons_own_stays(
    browser, alice, charlie, make
):
    own = make("project", name="My own")
    client = browser(alice)
    assert "Try a sample workspace" not in client.get("/").content.decode()
    client.post("/sample/create")
    assert browser(charlie).post("/sample/delete").status_code == 404
    sample = SampleWorkspace.objects.get()
    page = client.get(f"/projects/{sample.projects[0]}/history").content.decode()
    assert "Edited project" in page
    assert OperationBatch.objects.filter(reason=actions.REASON).count() == len(actions._steps())
    # what they deleted of it themselves is no hindrance
    client.post(f"/projects/{sample.projects[1]}/delete")
    client.post("/sample/delete")
    assert list(Project.objects.filter(**LIVING)) == [own]
    assert not Portfolio.objects.filter(**LIVING).exists()


@pytest.mark.thorough
def test_the_command_fills_an_installation_once(starter):
    said = io.StringIO()
    call_command("demo", stdout=said)
    assert "Sign in as demo, password" in said.getvalue()
    demo = User.objects.get(username="demo")
    call_command("demo", stdout=said)
    owner = Identity(user_id=demo.pk).participant()
    assert SurveyResponse.objects.filter(session__participant=owner).count() == 1
    assert Session.objects.filter(participant=owner, title__startswith="Sample: ").count() == 1
    assert SurveyResponse.objects.count() > 50
    assert SampleWorkspace.objects.count() == 1
