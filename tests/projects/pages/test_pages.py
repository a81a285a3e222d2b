"""The pages of projects as a person walks them, without JavaScript unless a test says so."""

from __future__ import annotations

import html
import json
import re
import uuid
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from chat.models import Participant
from chat.operations.changes import Actor, Create, Kind
from chat.operations.models import OperationBatch
from chat.operations.replay import differences
from chat.operations.review import approve, propose
from projects import queries
from projects.models import Note, Project, Task
from tests import project_rows, todos

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def url(name, *args):
    return reverse(f"projects:{name}", args=args)


def words(answer):
    return answer.content.decode()


def test_a_newcomer_finds_the_way_to_a_first_project_and_leaves_no_row(browser):
    answer = browser().get(url("list"))
    assert "Create a project" in words(answer)
    assert url("new") in words(answer)


def test_the_list_shows_progress_dates_and_status(client, actor, project, todo):
    todos.complete(actor=actor, task=todo())
    todo("Second")
    project_rows.edit_project(actor=actor, project=project, values={"end_date": "2027-06-30"})
    page = words(client.get(url("list")))
    assert "1 of 2 done" in page
    assert "30 Jun 2027" in page
    project_rows.change_status(actor=actor, project=project, status="paused")
    assert "Paused" in words(client.get(url("list")))
    assert "Weekly sheet" not in words(client.get(url("list") + "?status=active"))
    assert "Weekly sheet" in words(client.get(url("list") + "?status=paused"))


def test_active_projects_stand_before_those_that_are_over(client, actor):
    for status in ("active", "paused", "completed", "archived"):  # the last changed is archived
        row = project_rows.create_project(actor=actor, values={"name": f"Is {status}"}).row
        project_rows.change_status(actor=actor, project=row, status=status)
    page = words(client.get(url("list")))
    places = [page.index(f"Is {name}") for name in ("active", "paused", "completed", "archived")]
    assert places == sorted(places)


def queries_of(client, *addresses):
    counts = []
    for address in addresses:
        with CaptureQueriesContext(connection) as made:
            assert client.get(address).status_code == 200
        counts.append(len(made))
    return counts


@pytest.mark.thorough
def test_pages_ask_the_database_as_often_for_many_as_for_one(client, actor, project, todo):
    addresses = (url("list"), url("drafts"), url("new"), url("project", project.pk))

    def fill(number):
        project_rows.create_project(actor=actor, values={"name": f"Project {number}"})
        project_rows.start_draft(actor=actor, values={"name": f"Draft {number}"})
        first = todo(f"To-do {number}")
        todos.add_note(actor=actor, project=project, values={"text": f"Note {number}"})
        todos.wait_for(actor=actor, task=todo(f"Next {number}"), needed=[first.pk])

    fill(0)
    few = queries_of(client, *addresses)
    for number in range(1, 5):
        fill(number)
    assert queries_of(client, *addresses) == few
    assert max(few) <= 17


def test_a_project_is_written_down_on_one_page(client):
    sent = {
        "name": "Garden shed",
        "start_date": "2027-03-01",
        "todos": "- Buy wood\n\n* Draw a plan",
        "tags": "home, wood, Home",
        "core_people_bonds": "My sister and I.",
    }
    answer = client.post(url("new"), sent)
    project = Project.objects.get()
    assert answer.url.startswith(url("project", project.pk))
    assert [task.title for task in queries.tasks_of(project)] == ["Buy wood", "Draw a plan"]
    assert project.tags == ["home", "wood"]
    page = words(client.get(answer.url))
    assert "My sister and I." in page
    assert "Created project." in page


def test_somebody_without_an_account_gets_a_project_and_a_cookie(browser):
    visitor = browser()
    answer = visitor.post(url("new"), {"name": "Mine"})
    assert "futura_participant" in answer.cookies
    assert "Mine" in words(visitor.get(answer.url))
    assert browser().get(answer.url).status_code == 404


@pytest.mark.parametrize(
    ("page", "door", "field"),
    [
        ("/projects/new", "/projects/new", "description"),
        ("/projects/agent/new", "/projects/agent/new", "text"),
        ("/concierge", "/concierge/say", "text"),
        ("/survey", "/survey", "title"),
    ],
)
def test_a_form_left_open_after_signing_out_begins_nothing_for_a_stranger(
    client, page, door, field
):
    forms = re.findall(rf'<form[^>]*action="{door}".*?</form>', client.get(page).text, re.DOTALL)
    assert forms
    assert all('<input type="hidden" name="account" value="1">' in form for form in forms)
    client.logout()
    people = Participant.objects.count()
    sent = {"name": "New", "kind": "project_create", field: "Print the plan", "account": "1"}
    answer = client.post(door, sent)
    assert answer.status_code == 401
    assert "You are signed out." in answer.text
    assert "Print the plan</textarea>" in answer.text
    assert Participant.objects.count() == people
    assert 'name="account"' not in client.get(page).text


def test_the_navigation_stays_on_the_pages_of_a_project_for_people_without_an_account(browser):
    visitor = browser()
    visitor.post("/projects/new", {"name": "Shed"})
    project = Project.objects.get()
    for page in (f"/projects/{project.pk}", f"/projects/{project.pk}/agent/update?new"):
        assert 'aria-label="Main"' in visitor.get(page).content.decode(), page


def test_a_refused_form_comes_back_whole(client):
    sent = {"name": "", "description": "Kept words", "end_date": "soon"}
    answer = client.post(url("new"), sent)
    assert answer.status_code == 422
    assert "Kept words" in words(answer)
    assert 'value="soon"' in words(answer)
    assert "field__error" in words(answer)
    assert not Project.objects.exists()


def test_dimensions_are_markdown_made_safe(client, actor, project):
    text = "**Two** of us\n\n- Ann\n\n<script>alert(1)</script> [x](javascript:alert(1))"
    project_rows.edit_dimension(actor=actor, of=project, field="core_people_bonds", text=text)
    page = words(client.get(url("project", project.pk)))
    assert "<strong>Two</strong>" in page
    assert "<li>Ann</li>" in page
    assert "<script>alert" not in page
    assert 'href="javascript' not in page


def test_a_dimension_is_edited_in_place(client, project):
    address = url("dimension", project.pk, "core_people_bonds")
    form = words(client.get(address, headers=HTMX))
    assert "<html" not in form
    assert 'name="content"' in form
    answer = client.post(address, {"content": "Ann", "version": "1"}, headers=HTMX)
    page = words(answer)
    assert "Ann" in page
    assert 'id="nine"' in page
    assert 'id="history"' in page
    assert "Undo" in page


def test_the_history_tells_of_a_batch_what_was_approved_and_not_what_waits(client, actor, project):
    changes = [Create("task", {"title": t, "project": str(project.pk)}) for t in ("Boxes", "Keys")]
    agent = Actor(actor.owner_id, "agent")
    batch = propose(actor=agent, changes=changes, reasons=["Many."], title="Movers cancelled")
    assert "Movers cancelled" not in words(client.get(url("history", project.pk)))
    first = batch.operations.select_related("payload").order_by("sequence")[0]
    approve(actor=actor, batch_id=batch.pk, digests={first.pk: first.payload.digest})
    page = words(client.get(url("history", project.pk)))
    assert "Movers cancelled" in page
    assert "Boxes" in page
    assert "Keys" not in page
    client.post(url("undo", batch.pk))
    assert Task.objects.filter(title="Boxes", deleted_at=None).count() == 0
    assert batch.operations.filter(status="pending").count() == 1


@pytest.mark.thorough
def test_the_history_of_a_project_goes_back_to_its_beginning(client, actor, project):
    task = todos.add(actor=actor, project=project, values={"title": "First of all"}).row
    for number in range(60):
        todos.change(actor=actor, task=task, values={"title": f"Name {number}"})
    page = words(client.get(url("history", project.pk)))
    assert "Name 59" in page
    assert "Added to-do" not in page
    (earlier,) = re.findall(r'href="(\?after=[^"]+)"', page)
    assert "Added to-do" in words(client.get(url("history", project.pk) + earlier))


def test_a_project_shows_what_was_closed_last_and_leads_to_all_of_it(client, actor, project):
    titles = [f"To-do {number}" for number in range(queries.CLOSED_SHOWN + 2)]
    all_values = [{"title": title} for title in titles]
    for task in todos.add_all(actor=actor, project=project, all_values=all_values):
        todos.complete(actor=actor, task=task)
    project_rows.change_status(actor=actor, project=project, status="completed")
    page = words(client.get(url("project", project.pk)))
    assert f"Show {len(titles)} completed or dropped to-dos" in page
    assert page.index(f">{titles[-1]}<") < page.index(f">{titles[-2]}<")
    assert ">To-do 0<" not in page
    (address,) = re.findall(r'<a class="action" href="(/todos[^"]+)">\s*Show all 27', page)
    listed = words(client.get(html.unescape(address)))
    assert all(f">{title}<" in listed for title in titles)
    assert re.search(rf'value="{project.pk}"\s+selected', listed)


def test_a_project_shows_its_newest_notes_and_leads_to_all(client, actor, project):
    for number in range(25):
        values = {"text": f"Entry {number}."}
        todos.add_note(actor=actor, project=project, values=values)
    page = words(client.get(url("project", project.pk)))
    assert "Entry 24." in page
    assert "Entry 0." not in page
    (way,) = re.findall(r'href="([^"]+)#notes">Show all', page)
    assert "Entry 0." in words(client.get(way))


def test_a_deleted_project_comes_back_from_the_page_of_all_changes(
    client, browser, bob, project, todo
):
    todo("Buy boxes")
    client.post(url("delete", project.pk))
    assert client.get(url("project", project.pk)).status_code == 404
    assert reverse("operations:log") in words(client.get(url("list")))
    page = words(client.get(reverse("operations:log")))
    assert "Project deleted" in page
    assert "To-do deleted" not in page
    undo = re.findall(r'href="([^"]+/undo)"', page.split("Project deleted", 1)[1])[0]
    digest = re.findall(r'name="digest" value="([^"]+)"', words(client.get(undo)))[0]
    client.post(undo, {"digest": digest})
    assert "Buy boxes" in words(client.get(url("project", project.pk)))
    assert "Project deleted" not in words(browser(bob).get(reverse("operations:log")))


def test_all_changes_are_narrowed_to_a_project_a_kind_and_who_did_it(client, actor, project, todo):
    todo("Buy boxes")
    todos.add_note(actor=actor, project=project, values={"text": "Ask Tom."})
    garden = project_rows.create_project(actor=actor, values={"name": "Garden"}).row
    for kind, title in ((Kind.AGENT, "Sow beans"), (Kind.PROGRAM, "Water beans")):
        by = replace(actor, kind=kind)
        todos.add(actor=by, project=garden, values={"title": title})
    log = reverse("operations:log")

    def listed(**narrowed: object) -> set[str]:
        form = words(client.get(log, narrowed)).split('class="log__filters"', 1)[1]
        text = form.split("</form>", 1)[1]
        names = ("Buy boxes", "Ask Tom.", "Sow beans", "Water beans", "Garden")
        return {name for name in names if name in text}

    assert listed() == {"Buy boxes", "Ask Tom.", "Sow beans", "Water beans", "Garden"}
    assert listed(project=project.pk) == {"Buy boxes", "Ask Tom."}
    assert listed(project=garden.pk, entity="project") == {"Garden"}
    assert listed(project=project.pk, entity="note") == {"Ask Tom."}
    assert "Buy boxes" not in listed(who="agent")
    assert listed(who="program", entity="task", project=garden.pk) >= {"Water beans"}
    assert "Sow beans" not in listed(who="program", entity="task", project=garden.pk)
    assert listed(project="x", entity="nonsense", who="charlie") == listed()


def test_narrowed_changes_say_so_stay_so_from_page_to_page_and_are_nobody_elses(
    client, browser, bob, actor, project, todo
):
    for number in range(53):
        todo(f"To-do {number}")
    narrowed = {"project": project.pk, "entity": "task", "who": "person"}
    log = reverse("operations:log")
    page = words(client.get(log, narrowed))
    assert re.search(rf'value="{project.pk}" selected>', page)
    (earlier,) = re.findall(r'href="(\?[^"]*after=[^"]+)"', page)
    rest = words(client.get(log + earlier.replace("&amp;", "&")))
    assert [number for number in range(53) if f">To-do {number}<" in rest] == [0, 1, 2]
    assert "Project created" not in rest
    empty = words(client.get(log, narrowed | {"who": "program"}))
    assert f"No changes match this filter. Project: {project.name}, Type: To-do" in empty
    assert "No changes yet" not in empty
    assert project.name not in words(browser(bob).get(log, narrowed))
    assert "No changes yet" in words(browser(bob).get(log))


def test_the_history_names_fields_as_people_know_them(client, actor, draft):
    project = project_rows.finalise_draft(actor=actor, draft=draft).row
    page = words(client.get(url("history", project.pk)))
    assert "Draft updated: Project, Status" in page
    assert "finalized_project" not in page


def test_todos_are_added_ticked_moved_and_deleted_in_place(client, project):
    add = client.post(url("task_add", project.pk), {"title": "First"}, headers=HTMX)
    assert "First" in words(add)
    assert "<html" not in words(add)
    client.post(url("task_add", project.pk), {"title": "Second"})
    first, second = queries.tasks_of(project)
    client.post(url("task_move", project.pk, second.pk), {"to": "up"}, headers=HTMX)
    assert queries.tasks_of(project)[0] == second
    done = client.post(
        url("task_status", project.pk, first.pk), {"status": "completed"}, headers=HTMX
    )
    assert "1 of 2 done" in words(done)
    gone = client.post(url("task_delete", project.pk, second.pk), headers=HTMX)
    assert "Undo" in words(gone)
    assert [task.title for task in queries.tasks_of(project)] == ["First"]
    assert differences() == []


def test_a_line_on_the_page_of_a_project_is_shown_as_understood_and_then_stored_so(
    client, project, browser, bob
):
    line = "call Ana by December 20 3pm !high"
    asked = {"project": project.pk, "title": line}
    shown = words(client.get(reverse("todos:quick"), asked, headers=HTMX))
    assert all(word in shown for word in ("Call Ana", "20", "High", project.name, 'name="seen"'))
    assert not queries.tasks_of(project)
    client.post(url("task_add", project.pk), {"title": line, "seen": "1"}, headers=HTMX)
    client.post(url("task_add", project.pk), {"title": line, "seen": "1", "plain": "1"})
    client.post(url("task_add", project.pk), {"title": line})  # nothing was shown of it
    read, *whole = queries.tasks_of(project)
    assert (read.title, read.due_date.day, read.due_time.hour) == ("Call Ana", 20, 15)
    assert (read.priority, {task.title for task in whole}) == ("high", {line})
    assert browser(bob).get(reverse("todos:quick"), asked).status_code == 404


def test_an_empty_todo_is_refused_beside_the_field(client, project):
    answer = client.post(url("task_add", project.pk), {"title": " "}, headers=HTMX)
    assert answer.status_code == 422
    assert "Enter a title." in words(answer)


def test_all_of_a_todo_is_edited_on_its_page(client, project, todo):
    first, second = todo("First"), todo("Second")
    sent = {
        "title": "Second, better", "priority": "high", "due_date": "2027-01-08",
        "estimate_low_days": "1", "estimate_high_days": "2,5", "depends_on": [str(first.pk)],
        "status": "blocked", "version": str(second.version),
    }  # fmt: skip
    refused = client.post(url("task_edit", project.pk, second.pk), sent)
    assert refused.status_code == 422
    client.post(url("task_edit", project.pk, second.pk), sent | {"estimate_high_days": "2.5"})
    page = words(client.get(url("project", project.pk)))
    assert "Second, better" in page
    assert "1–2.5 days" in page
    assert "Waiting for:" in page
    loop = {"title": "First", "depends_on": [str(second.pk)]}
    looped = client.post(url("task_edit", project.pk, first.pk), loop)
    assert "wait for each other" in words(looped)


def test_notes_are_kept_edited_and_deleted(client, project):
    client.post(url("note_add", project.pk), {"title": "Call", "content": "They *agree*."})
    note = Note.objects.get()
    assert "<em>agree</em>" in words(client.get(url("project", project.pk)))
    client.post(
        url("note_edit", project.pk, note.pk), {"title": "Call 2", "content": "No.", "version": "1"}
    )
    note.refresh_from_db()
    assert (note.title, note.text) == ("Call 2", "No.")
    client.post(url("note_delete", project.pk, note.pk))
    assert queries.notes_of(project) == []
    refused = client.post(url("note_add", project.pk), {"title": "Kept", "content": ""})
    assert refused.status_code == 422
    assert 'value="Kept"' in words(refused)


def test_deleting_is_asked_and_undone_from_the_list(client, project, todo):
    todo()
    assert "This also deletes its to-dos (1)" in words(client.get(url("delete", project.pk)))
    after = client.post(url("delete", project.pk))
    page = words(client.get(after.url))
    batch = OperationBatch.objects.latest("created_at")
    assert url("undo", batch.pk) in page
    assert client.get(url("project", project.pk)).status_code == 404
    client.post(url("undo", batch.pk), {"next": url("list")})
    assert "Agree on the columns" in words(client.get(url("project", project.pk)))


def test_a_gesture_is_undone_once(client, project):
    client.post(url("task_add", project.pk), {"title": "First"})
    batch = OperationBatch.objects.latest("created_at")
    assert client.post(url("undo", batch.pk)).status_code == 302
    assert client.post(url("undo", batch.pk)).status_code == 409
    assert not Task.objects.filter(deleted_at=None).exists()


def test_an_undo_after_a_later_edit_shows_both_and_lets_one_choose(client, actor, project):
    batch = project_rows.edit_project(actor=actor, project=project, values={"name": "Second"}).batch
    project.refresh_from_db()
    project_rows.edit_project(actor=actor, project=project, values={"name": "Third"})
    answer = client.post(url("undo", batch.pk), {"next": url("project", project.pk)}, follow=True)
    assert "Third" in words(answer)
    assert "Weekly sheet" in words(answer)
    page = answer.content.decode()
    sent = dict(re.findall(r'name="(digest|choice-[^"]+)" value="(\w{64}|restore)"', page))
    client.post(answer.request["PATH_INFO"], sent)
    project.refresh_from_db()
    assert project.name == "Weekly sheet"


def test_undo_sends_nobody_elsewhere(client, project):
    batch = OperationBatch.objects.latest("created_at")
    answer = client.post(url("undo", batch.pk), {"next": "https://evil.example/"})
    assert answer.url.startswith("/projects")


def test_copies_hold_everything(client, actor, project, todo):
    project_rows.edit_dimension(actor=actor, of=project, field="core_people_bonds", text="Ann")
    first = todo("Buy paper")
    last = todo(
        "Print", due_date="2030-05-02", estimate_low_days=2, estimate_high_days="3.5",
        assignee="Ann", tags=["office"], repeat="FREQ=DAILY",
    )  # fmt: skip
    todos.wait_for(actor=actor, task=last, needed=[first.pk])
    todos.complete(actor=actor, task=todo("Ticked"))
    todos.add_note(actor=actor, project=project, values={"title": "N", "text": "Kept"})
    text = words(client.get(url("export_md", project.pk)))
    for piece in ("# Weekly sheet", "## People and bonds\n\nAnn", "- [x] Ticked", "### N\n\nKept"):
        assert piece in text
    facts = "due 2030-05-02 · Waiting for: Buy paper · 2–3.5 days · every day · @Ann · #office"
    assert f"- [ ] Print {facts}" in text
    answer = client.get(url("export_json", project.pk))
    assert 'filename="weekly-sheet.json"' in answer["Content-Disposition"]
    told = json.loads(words(answer))
    assert told["core_people_bonds"] == "Ann"
    assert told["tasks"][2]["status"] == "completed"
    assert told["notes"][0]["text"] == "Kept"


def test_strangers_find_nothing_not_even_through_their_own_project(
    browser, bob, bobs, project, todo
):
    theirs = project_rows.create_project(actor=bobs, values={"name": "Bob's"}).row
    client, task = browser(bob), todo()
    for address in (
        url("project", project.pk),
        url("task_edit", project.pk, task.pk),
        url("task_edit", theirs.pk, task.pk),
        url("project", uuid.uuid4()),
    ):
        assert client.get(address).status_code == 404
    before = Task.objects.get(pk=task.pk).version
    for address in (
        url("task_delete", theirs.pk, task.pk),
        url("task_status", theirs.pk, task.pk),
        url("undo", OperationBatch.objects.earliest("created_at").pk),
    ):
        assert client.post(address, {"status": "completed"}).status_code == 404
    assert Task.objects.get(pk=task.pk).version == before


def test_the_way_to_the_agent_stands_in_the_masthead_and_knows_the_page(client, project):
    everywhere = words(client.get("/account"))
    assert f'href="{url("agent_new")}"' in everywhere
    here = words(client.get(url("project", project.pk)))
    for mode in ("update", "audit", "forecast"):
        assert url("agent", project.pk, mode) in here
    assert "Work on this project" in here
    assert f'href="{url("agent_new")}"' not in here


@pytest.mark.parametrize(("mode", "label"), [("audit", "Run audit"), ("forecast", "Run forecast")])
def test_audit_and_forecast_say_what_they_look_at_and_run_by_one_button(
    client, project, mode, label
):
    page = words(client.get(f"/projects/{project.pk}/agent/{mode}"))
    assert label in page
    assert "It changes nothing." in page
    begun = client.post(f"/projects/{project.pk}/agent/{mode}", {"text": ""})
    assert "/agent/" in begun["Location"]
