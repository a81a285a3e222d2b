"""A finished project's records as the first draft of an entry: each sentence names its source."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from chat.commands.base import build
from chat.operations.changes import Actor, Kind, Update
from chat.operations.models import Operation
from chat.operations.review import approve, propose
from projects.commands.drafts import ChangeDraft, FinaliseDraft
from projects.models import Project, ProjectDraft
from projects.modes.starting import start
from projects.portfolio.builder import starting
from projects.portfolio.builder.starting import story_of
from projects.portfolio.models import Entry
from tests import project_rows, todos
from tests.portfolio.builder.conftest import Talk
from tests.scripted import ScriptedCall

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(actor) -> Project:
    """A shed that is finished: a task done, a decision noted, something private noted."""
    values = {
        "name": "Garden shed",
        "description": "A shed of larch for two bicycles.",
        "core_reality_understanding": "The old shed leaked on both sides.",
        "core_people_bonds": "- Anna: lends tools\n\nMy brother and I build it.",
        "core_power_resources": "Larch, oak beams, a table saw.",
    }
    made = project_rows.create_project(actor=actor, values=values).row
    task = todos.add(actor=actor, project=made, values={"title": "Lay the floor"}).row
    todos.complete(actor=actor, task=task)
    for text in ("We decided on larch instead of pine.", "Anna owes me money."):
        todos.add_note(actor=actor, project=made, values={"text": text})
    changed = {"status": "completed"}
    project_rows.edit_project(actor=actor, project=made, values=changed, version=made.version)
    return Project.objects.get(pk=made.pk)


@pytest.fixture
def alices(alice) -> Client:
    client = Client()
    client.force_login(alice)
    return client


def test_the_page_of_a_finished_project_offers_to_tell_its_story(
    alices, project, portfolio, me, drain
):
    page = alices.get(reverse("projects:project", args=[project.pk])).content.decode()
    assert "Portfolio entry" in page
    answer = alices.post(reverse("builder:story", args=[project.pk]))
    entry = Entry.objects.get(project=project)
    assert answer["Location"] == reverse("entries:workspace", args=[portfolio.pk, entry.pk])
    drain()
    shown = alices.get(answer["Location"]).content.decode()
    assert "The old shed leaked on both sides." in shown
    assert "Anna owes me money" not in shown
    assert (
        alices.post(reverse("builder:story", args=[project.pk]))["Location"] == answer["Location"]
    )
    assert Entry.objects.count() == 1


def test_each_sentence_is_linked_and_nothing_is_taken_before_a_yes(portfolio, project, me, drain):
    talk = Talk(starting.tell_project(portfolio, project), me, drain)
    told = talk.parts("sourced")[0]["sentences"]
    assert all(item["url"].startswith("/") for item in told)
    milestone = next(item for item in told if "Lay the floor" in item["text"])
    operation = Operation.objects.get(entity="task", payload__after__status="completed")
    assert str(operation.pk) in milestone["url"]
    assert talk.entry.blocks == []
    assert talk.parts("operations")[0]["waiting"] == 1
    talk.say("Yes, use it.")
    entry = talk.entry
    assert talk.parts("operations")[0]["done"] == 1
    assert entry.summary == "A shed of larch for two bicycles."
    assert entry.role == "My brother and I build it."
    assert "The old shed leaked" in str(entry.blocks)
    assert "Anna" not in str(entry.blocks)
    sources = [source for block in entry.blocks for source in block.get("sources", ())]
    assert {item["sentence"] for item in sources} == {item["text"] for item in told}
    assert all(item["url"] for item in sources)
    assert [batch.status for batch in talk.batches] == ["rejected", "completed"]
    page = talk.page
    marked = re.findall(r'<a class="claim"[^>]*href="#([^"]+)"', page)
    notes = [page.split(f'id="{item}"')[1].split("</div>")[0] for item in marked]
    assert any(milestone["url"] in note for note in notes)


@pytest.mark.django_db(transaction=True)  # a tool that acts has a connection of its own
def test_a_part_of_the_first_draft_can_be_taken_because_the_model_sees_it(
    portfolio, project, me, drain, scripted
):
    talk = Talk(starting.tell_project(portfolio, project), me, drain)
    words = "A shed of larch for two bicycles."
    summary = ScriptedCall("updateField", {"field": "summary", "value": words})
    scripted.on("portfolio_builder").calls(summary, ScriptedCall("dropDraft", {})).text("Nur das.")
    talk.say("Ja, aber nur die Zusammenfassung.")
    [request, *_more] = scripted.of("portfolio_builder")
    draft = re.search(r"«\w+:draft»\n(.*?)\n«/", request.text, re.DOTALL)[1]
    assert f"summary: {words}" in draft
    assert "The old shed leaked on both sides." in draft
    assert f":today»\n{timezone.localdate():%A, %Y-%m-%d}\n" in request.text
    assert (talk.entry.summary, talk.entry.blocks) == (words, [])
    assert talk.state["draft"] is None


def test_a_project_that_was_done_before_its_planned_start_is_not_told_as_going_on(
    portfolio, project, actor, me, drain
):
    project = Project.objects.get(pk=project.pk)
    later = {"start_date": f"{timezone.localdate().year + 1}-03-01"}
    project_rows.edit_project(actor=actor, project=project, values=later, version=project.version)
    talk = Talk(starting.tell_project(portfolio, project), me, drain)
    talk.say("Yes, use it.")
    assert (talk.entry.started, talk.entry.ended) == ("", f"{timezone.localdate():%Y-%m}")


def test_a_draft_that_is_left_changes_nothing(portfolio, project, me, drain):
    talk = Talk(starting.tell_project(portfolio, project), me, drain)
    talk.say("No, leave it as it is.")
    assert talk.entry.blocks == []
    assert talk.state["draft"] is None


def test_a_project_that_goes_on_offers_nothing(actor, portfolio):
    made = project_rows.create_project(actor=actor, values={"name": "Boat"}).row
    assert story_of(made) is None


def test_what_a_model_worded_is_no_source(portfolio, project, actor, me, drain, scripted):
    before = {"core_meaning_identity": "Wet saddles ruined our mornings."}
    project_rows.edit_project(actor=actor, project=project, values=before, version=project.version)
    worded = {"core_meaning_identity": f"{before['core_meaning_identity']} It won three awards."}
    agent = Actor(actor.owner_id, Kind.AGENT)
    row = Project.objects.get(pk=project.pk)
    project_rows.edit_project(actor=agent, project=row, values=worded, version=row.version)
    wish = [Update("project", project.pk, {"core_goals_momentum": "Dry by spring."})]
    waiting = propose(actor=agent, changes=wish, reasons=["policy"])
    todos.add_note(actor=agent, project=project, values={"text": "Ten thousand people saw it."})
    shown = {item.pk: item.payload.digest for item in waiting.operations.all()}
    approve(actor=actor, batch_id=waiting.pk, digests=shown)
    talk = Talk(starting.tell_project(portfolio, project), me, drain)
    shown = {item["text"]: item["is_supported"] for item in talk.parts("sourced")[0]["sentences"]}
    assert shown["Dry by spring."]
    assert shown["Wet saddles ruined our mornings."]
    assert not shown["It won three awards."]
    talk.say("No, leave it as it is.")
    sentences = [
        {"text": text, "quote": text}
        for text in ("Ten thousand people saw it.", "Larch, oak beams, a table saw.")
    ]
    draft = ScriptedCall("generatePortfolioContent", {"sections": [{"sentences": sentences}]})
    scripted.on("portfolio_builder").calls(draft).text("A draft.")
    talk.say("Write the entry.")
    assert [item["is_supported"] for item in talk.parts("sourced")[0]["sentences"]] == [False, True]


def test_a_project_of_a_draft_stands_on_what_its_owner_said(portfolio, me, owner, drain):
    session = start(participant=owner, first_text="A shed of larch. It leaked before.")
    drain()
    made = ProjectDraft.objects.get(session=session)
    agent = Actor(owner.pk, Kind.AGENT)
    worded = {"description": "A shed of larch. It won three awards. Lea.", "name": "Shed"}
    project_rows.carried_out(agent, build(ChangeDraft, worded, id=made.pk, version=made.version))
    project_rows.carried_out(
        Actor(owner.pk, user_id=me.user_id), build(FinaliseDraft, {}, id=made.pk)
    )
    project = Project.objects.get(name="Shed")
    talk = Talk(starting.tell_project(portfolio, project), me, drain)
    shown = {item["text"]: item["is_supported"] for item in talk.parts("sourced")[0]["sentences"]}
    assert shown["A shed of larch."]
    assert not shown["It won three awards."]
    assert not shown["Lea."]  # the owner said "leaked"
