"""Projects and drafts by JSON: every field, parts of long texts, to-dos of drafts, finalising."""

from __future__ import annotations

import pytest

from chat.operations.changes import Actor
from chat.operations.replay import differences
from projects.dimensions import FIELDS
from projects.models import Project
from tests import project_rows

pytestmark = pytest.mark.django_db
WHOLE = {
    **{field: f"About {field}." for field in FIELDS},
    "name": "Garden", "description": "Beds and a shed.", "context": "Behind the house.",
    "executive_summary": "In short.", "tags": ["home", "spring"],
    "start_date": "2027-03-01", "end_date": "2027-06-01",
}  # fmt: skip


@pytest.mark.parametrize(("path", "kind"), [("/projects", "project"), ("/drafts", "draft")])
def test_every_field_is_set_read_back_cleared_and_undone(call, path, kind):
    row = call("post", path, WHOLE, expect=201)[kind]
    address = f"{path}/{row['id']}"
    assert {name: call("get", address)[name] for name in WHOLE} == WHOLE
    optional = {name: None for name in WHOLE if name != "name"}
    cleared = call("patch", address, optional)
    assert not any(cleared[kind][name] for name in optional)
    call("post", f"/operations/{cleared['batch_id']}/undo", {"digest": ""})
    assert call("get", address)["description"] == "Beds and a shed."
    assert not differences()


@pytest.mark.parametrize(("path", "kind"), [("/projects", "project"), ("/drafts", "draft")])
def test_a_long_text_is_changed_by_parts_or_whole_by_who_has_read_it(call, path, kind):
    text = "First.\n\n" + "The middle. " * 300 + "\n\nLast."
    row = call("post", path, {"name": "A", "core_goals_momentum": text}, expect=201)[kind]
    address = f"{path}/{row['id']}"
    parts = [
        {"field": "core_goals_momentum", "text": "The end.", "replaced": "Last."},
        {"field": "core_goals_momentum", "text": "And more."},
        {"field": "description", "text": "New."},
    ]
    changed = call("patch", address, {"parts": parts})[kind]
    expected = text.strip().replace("Last.", "The end.") + "\n\nAnd more."
    assert (changed["core_goals_momentum"], changed["description"]) == (expected, "New.")
    for missing in ("Nowhere.", "The middle."):
        wrong = {"parts": [{**parts[0], "replaced": missing}]}
        call("patch", address, wrong, expect=409)
    unseen = {"core_goals_momentum": "Only this."}
    assert call("patch", address, unseen, expect=400)["error"]["field"] == "version"
    call("patch", address, {**unseen, "version": row["version"]}, expect=409)
    whole = call("patch", address, {**unseen, "version": changed["version"]})[kind]
    assert whole["core_goals_momentum"] == "Only this."
    assert call("get", address)["version"] == whole["version"]


def test_a_project_is_listed_put_away_deleted_and_comes_back(call):
    row = call("post", "/projects", {"name": "A", "todos": ["One", "Two"]}, expect=201)["project"]
    line = call("get", "/projects")["projects"][0]
    assert (line["name"], line["todos"], line["todos_done"]) == ("A", 2, 0)
    address = f"/projects/{row['id']}"
    assert call("patch", address, {"status": "archived"})["project"]["status"] == "archived"
    assert call("get", "/projects?status=active")["total"] == 0
    gone = call("delete", address)
    call("get", address, expect=404)
    call("post", f"/operations/{gone['batch_id']}/undo", {"digest": ""})
    assert call("get", address)["status"] == "archived"
    assert call("get", "/todos?project=" + row["id"])["total"] == 2


@pytest.mark.parametrize(("path", "kind"), [("/projects", "project"), ("/drafts", "draft")])
def test_a_text_that_is_emptied_and_added_to_has_only_what_is_added(call, path, kind):
    row = call("post", path, {"name": "A", "description": "Old."}, expect=201)[kind]
    change = {"description": None, "parts": [{"field": "description", "text": "New."}]}
    assert call("patch", f"{path}/{row['id']}", change)[kind]["description"] == "New."


def test_a_project_is_found_whatever_the_sign_of_its_apostrophe(call):
    names = ("L’atelier", "L'atelier")
    for title in (*names, "Garden"):
        call("post", "/projects", {"name": title}, expect=201)
    for words in ("l’atelier", "L'atelier", "atelier"):
        found = {row["name"] for row in call("get", f"/projects?q={words}")["projects"]}
        assert found == {*names}, words


def test_a_draft_becomes_a_project_with_its_to_dos(call):
    draft = call("post", "/drafts", {"description": "Grow food."}, expect=201)["draft"]
    address = f"/drafts/{draft['id']}"
    task = {"title": "Dig", "priority": "high", "due_date": "2027-03-01", "due_time": "09:00:00",
            "estimate_low_days": "1.00", "estimate_high_days": "2.00"}  # fmt: skip
    for title in ("Dig", "Sow", "Burn"):
        draft = call("post", f"{address}/tasks", {**task, "title": title}, expect=201)["draft"]
    dig, sow, burn = (item["id"] for item in draft["tasks"])
    assert draft["tasks"][0].items() >= task.items()
    call("patch", f"{address}/tasks/{sow}", {"due_date": None, "title": "Sow beans"})
    call("delete", f"{address}/tasks/{burn}")
    assert call("post", f"{address}/finalise", {}, expect=400)["error"]["field"] == "name"
    call("post", f"{address}/abandon")
    call("patch", address, {"name": "B"}, expect=409)
    call("post", f"{address}/resume")
    done = call("post", f"{address}/finalise", {"name": "Kitchen garden"}, expect=201)
    assert call("get", f"/projects/{done['project']}")["name"] == "Kitchen garden"
    todos = call("get", f"/todos?project={done['project']}")["todos"]
    assert {todo["title"]: todo["due_date"] for todo in todos} == {
        "Dig": "2027-03-01", "Sow beans": None,
    }  # fmt: skip
    call("patch", address, {"name": "B"}, expect=409)
    call("post", f"/operations/{done['batch_id']}/undo", {"digest": ""})
    call("get", f"/projects/{done['project']}", expect=404)
    gone = call("delete", address)
    assert call("get", "/drafts")["drafts"] == []
    call("post", f"/operations/{gone['batch_id']}/undo", {"digest": ""})
    assert [item["title"] for item in call("get", address)["tasks"]] == ["Dig", "Sow beans"]
    assert dig
    assert not differences()


def test_to_dos_of_a_draft_wait_for_each_other_and_so_do_those_of_the_project(call, actor):
    draft = call("post", "/drafts", {"name": "Garden"}, expect=201)["draft"]
    address = f"/drafts/{draft['id']}"
    for title in ("Harvest", "Sow", "Dig"):
        draft = call("post", f"{address}/tasks", {"title": title}, expect=201)["draft"]
    harvest, sow, dig = (task["id"] for task in draft["tasks"])
    other = project_rows.start_draft(actor=actor, values={"name": "Boat"}).row
    foreign = project_rows.add_draft_task(actor=actor, draft=other, values={"title": "Tar"}).row
    call("patch", f"{address}/tasks/{harvest}", {"depends_on": [sow, dig]})
    draft = call("patch", f"{address}/tasks/{sow}", {"depends_on": [dig]})["draft"]
    assert [set(task["depends_on"]) for task in draft["tasks"]] == [{sow, dig}, {dig}, set()]
    for needed in ([harvest], [dig], [str(foreign.pk)]):  # a circle, itself, of another draft
        refused = call("patch", f"{address}/tasks/{dig}", {"depends_on": needed}, expect=400)
        assert refused["error"]["field"] == "depends_on"
    gone = call("delete", f"{address}/tasks/{sow}")
    assert gone["draft"]["tasks"][0]["depends_on"] == [dig]
    call("post", f"/operations/{gone['batch_id']}/undo", {"digest": ""})
    done = call("post", f"{address}/finalise", {}, expect=201)
    assert not call("post", f"{address}/finalise", {}, expect=409)["error"]["retry"]
    todos = {todo["id"]: todo for todo in call("get", f"/todos?project={done['project']}")["todos"]}
    waits = {
        todo["title"]: {todos[key]["title"] for key in todo["depends_on"]}
        for todo in todos.values()
    }
    assert waits == {"Harvest": {"Sow", "Dig"}, "Sow": {"Dig"}, "Dig": set()}
    assert not differences()


REFUSED = (
    ({"name": ""}, 400, "name"),
    ({"name": None}, 400, None),
    ({"name": "x" * 201}, 413, "name"),
    ({"end_date": "2020-01-01", "start_date": "2021-01-01"}, 400, "end_date"),
    ({"tags": ["x" * 41]}, 413, "tags"),
    ({"status": "lost"}, 422, "status"),
    ({"survey_task": "x"}, 422, "survey_task"),
    ({"core_goals_momentum": "x" * 50_001}, 413, "core_goals_momentum"),
    ({}, 400, None),
    ({"name": "B", "version": 7}, 409, None),
)


def test_what_cannot_be_is_refused_with_its_place(call, project):
    for change, status, field in REFUSED:
        error = call("patch", f"/projects/{project.pk}", change, expect=status)["error"]
        assert (error.get("field") or "").rpartition(".")[2] == (field or ""), change
        project.refresh_from_db()
        assert (project.version, project.name) == (1, "Garden")


def test_commands_reach_only_the_callers_own_projects(call, bob, participant_of):
    bobs = Actor(participant_of(bob).pk)
    theirs = project_rows.create_project(actor=bobs, values={"name": "Secret"}).row
    draft = project_rows.start_draft(actor=bobs, values={"name": "Secret"}).row
    for name, arguments in (
        ("change_project", {"id": str(theirs.pk), "name": "Mine"}),
        ("delete_project", {"id": str(theirs.pk)}),
        ("change_draft", {"id": str(draft.pk), "name": "Mine"}),
        ("finalise_draft", {"id": str(draft.pk)}),
        ("create_draft_tasks", {"draft": str(draft.pk), "tasks": [{"title": "Mine"}]}),
        ("undo", {"batch": str(theirs.pk)}),
    ):
        call("post", "/commands", {"name": name, "arguments": arguments}, expect=404)
    assert Project.objects.get().version == 1


def test_undo_is_a_command_that_names_what_it_takes_back(call, project):
    sent = {"name": "change_project", "arguments": {"id": str(project.pk), "name": "Yard"}}
    done = call("post", "/commands", sent)
    assert done["sentence"] == "Edit Garden: name “Yard”"
    undone = call("post", "/commands", {"name": "undo", "arguments": {"batch": done["batch_id"]}})
    assert undone["sentence"] == "Undo: Yard (changed)"
    project.refresh_from_db()
    assert project.name == "Garden"
    again = {"name": "undo", "arguments": {"batch": done["batch_id"]}}
    call("post", "/commands", again, expect=409)
    call("post", "/commands", {"name": "undo", "arguments": {}}, expect=400)
