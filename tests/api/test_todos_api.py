"""To-dos by JSON: read, made, changed, cleared, done, deleted, in single calls and by commands."""

from __future__ import annotations

import uuid

import pytest

from chat.operations.models import OperationBatch
from chat.operations.replay import differences
from projects.models import Task
from tests import todos

pytestmark = pytest.mark.django_db


def test_a_to_do_is_made_with_every_field_and_read_back(call, actor, project):
    first = todos.add(actor=actor, values={"title": "Buy wood"}).row
    sent = {
        "title": "Build the shed", "details": "With **oak**.", "priority": "high",
        "status": "scheduled", "project": str(project.pk), "start_date": "2027-03-01",
        "due_date": "2027-03-09", "due_time": "15:00:00", "estimate_low_days": "1",
        "estimate_high_days": "2.5",
    }  # fmt: skip
    made = call("post", "/todos", sent, expect=201)
    todo = call("get", f"/todos/{made['todo']['id']}")
    assert {name: todo[name] for name in sent} == sent | {
        "estimate_low_days": "1.00", "estimate_high_days": "2.50",
    }  # fmt: skip
    changed = call("patch", f"/todos/{todo['id']}", {"depends_on": [str(first.pk)]})
    assert changed["todo"]["depends_on"] == [str(first.pk)]
    batch = OperationBatch.objects.get(pk=made["batch_id"])
    assert (batch.actor, batch.title) == ("program", "Added to-do")
    call("post", f"/operations/{changed['batch_id']}/undo", {"digest": ""})
    assert call("get", f"/todos/{todo['id']}")["depends_on"] == []
    assert not differences()


def test_null_empties_a_field_and_what_is_left_out_stays(call, actor):
    values = {"title": "Call", "details": "Loud", "due_date": "2027-03-01", "due_time": "15:00"}
    task = todos.add(actor=actor, values=values).row
    todo = call("patch", f"/todos/{task.pk}", {"due_date": None, "details": None})["todo"]
    assert (todo["due_date"], todo["due_time"], todo["details"]) == (None, None, "")
    assert todo["title"] == "Call"


@pytest.mark.parametrize(("details", "expected"), [("New.", "New.\n\nMore."), (None, "More.")])
def test_what_is_added_comes_below_the_details_of_the_same_change(call, details, expected):
    todo = call("post", "/todos", {"title": "Call", "details": "Old."}, expect=201)["todo"]
    change = {"details": details, "append_details": "More."}
    assert call("patch", f"/todos/{todo['id']}", change)["todo"]["details"] == expected


def test_done_reopened_deleted_and_each_undone(call, actor):
    task = todos.add(actor=actor, values={"title": "Call"}).row
    path = f"/todos/{task.pk}"
    assert call("post", f"{path}/complete")["todo"]["completed_at"]
    assert call("post", f"{path}/reopen")["todo"]["status"] == "available"
    gone = call("delete", path)
    call("get", path, expect=404)
    call("post", f"/operations/{gone['batch_id']}/undo", {"digest": ""})
    assert call("get", path)["title"] == "Call"


def test_a_list_is_narrowed_and_comes_in_pages(call, actor, project):
    for number in range(51):
        todos.add(actor=actor, values={"title": f"Loose {number}"})
    todos.add(actor=actor, project=project, values={"title": "Sow", "due_date": "2027-03-01"})
    page = call("get", "/todos")
    assert (len(page["todos"]), page["total"], page["has_more"]) == (50, 52, True)
    assert len(call("get", "/todos?page=2")["todos"]) == 2
    assert [todo["title"] for todo in call("get", f"/todos?project={project.pk}")["todos"]] == [
        "Sow"
    ]
    assert [todo["title"] for todo in call("get", "/todos?due=later")["todos"]] == ["Sow"]
    assert call("get", "/todos?tab=sideways", expect=422)["error"]["field"] == "tab"


def test_a_project_that_cannot_be_read_is_refused_and_narrows_nothing_silently(call, actor):
    todos.add(actor=actor, values={"title": "Loose"})
    error = call("get", "/todos?project=garden", expect=422)["error"]
    assert (error["field"], error["message"]) == ("project", "That is not an ID.")
    wish = {"name": "list_todos", "arguments": {"project": "garden"}}
    assert call("post", "/commands", wish, expect=400)["error"]["field"] == "project"
    assert call("get", "/todos?project=none")["total"] == 1


def test_whoever_reads_page_by_page_comes_to_an_end(call, actor):
    todos.add(actor=actor, values={"title": "Loose"})
    page = call("get", "/todos?page=2")
    assert (page["todos"], page["total"], page["page"], page["has_more"]) == ([], 1, 2, False)


REFUSED = (
    ({"title": ""}, 400, "title"),
    ({"title": "x" * 201}, 413, "title"),
    ({"due_time": "15:00"}, 400, "due_time"),
    ({"due_date": "2027-03-01", "due_time": "15:00+05:00"}, 400, "due_time"),
    ({"due_date": "2027-03-01", "due_time": "15:00Z"}, 400, "due_time"),
    ({"priority": "very"}, 422, "priority"),
    ({"due_date": "soon"}, 422, "due_date"),
    ({"colour": "red"}, 422, "colour"),
    ({"estimate_low_days": "-1"}, 400, "estimate_low_days"),
    ({"version": 0, "title": "B"}, 422, "version"),
    ({"tags": "red"}, 422, "tags"),
    ({"version": 7, "title": "B"}, 409, None),
)


def test_what_cannot_be_is_refused_with_its_place(call, actor):
    for change, status, field in REFUSED:
        task = todos.add(actor=actor, values={"title": "Call"}).row
        error = call("patch", f"/todos/{task.pk}", change, expect=status)["error"]
        assert (error.get("field") or "").rpartition(".")[2] == (field or ""), change
        assert "tuple" not in error["message"]
        assert error["retry"] is False
        task.refresh_from_db()
        assert task.version == 1


def test_commands_are_listed_with_schemas_and_carried_out_in_one_batch(call, actor, project):
    listed = {command["name"]: command for command in call("get", "/commands")["commands"]}
    assert {"create_todo", "create_todos", "change_todos", "complete_todos", "reopen_todos",
            "delete_todos", "place_todo"} <= set(listed)  # fmt: skip
    assert listed["change_todos"]["arguments"]["properties"]["due_date"]
    todos_ = [{"title": f"Task {number}", "project": str(project.pk)} for number in range(20)]
    made = call("post", "/commands", {"name": "create_todos", "arguments": {"todos": todos_}})
    assert (made["status"], made["title"]) == ("done", "Added 20 to-dos")
    titles = Task.objects.filter(project=project).order_by("position").values_list("title")
    assert [title for (title,) in titles] == [todo["title"] for todo in todos_]
    ids = made["created"][:3]
    change = {"ids": ids, "due_date": "2026-12-07", "clear": ["project"]}
    moved = call("post", "/commands", {"name": "change_todos", "arguments": change})
    assert moved["sentence"] == "Edit 3 to-dos: due 7 December 2026, no project"
    assert Task.objects.filter(pk__in=ids, project=None, due_date="2026-12-07").count() == 3
    assert OperationBatch.objects.get(pk=moved["batch_id"]).operations.count() == 3
    call("post", f"/operations/{moved['batch_id']}/undo", {"digest": ""})
    assert Task.objects.filter(project=project).count() == 20
    assert not differences()


def test_a_start_moves_with_a_new_due_date_and_the_inbox_is_left_for_a_project(
    call, actor, project
):
    values = {"title": "Call", "start_date": "2027-03-05", "due_date": "2027-03-09"}
    task = todos.add(actor=actor, values=values).row
    todo = call("patch", f"/todos/{task.pk}", {"due_date": "2027-03-01"})["todo"]
    assert todo["start_date"] == "2027-03-01"
    todo = call("patch", f"/todos/{task.pk}", {"project": str(project.pk)})["todo"]
    assert (todo["status"], todo["project"]) == ("available", str(project.pk))


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"name": "explode"}, "name"),
        ({"name": "create_todo", "version": 2}, "version"),
        ({"name": "create_todo", "arguments": {"title": "A", "owner": "me"}}, "owner"),
        ({"name": "change_todos", "arguments": {"ids": [], "title": "A"}}, "ids"),
        ({"name": "delete_todos", "arguments": {"ids": ["x"]}}, "ids.0"),
        ({"name": "create_todos", "arguments": {"todos": []}}, "todos"),
    ],
)
def test_a_wrong_command_is_refused(call, sent, field):
    assert call("post", "/commands", sent, expect=400)["error"]["field"] == field


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:00:00-12:00"])
def test_a_moment_that_is_in_no_calendar_of_another_zone_is_refused(call, moment):
    wish = {"title": "A", "remind_at": moment}
    call("post", "/todos", wish, expect=400)
    sent = {"name": "create_todo", "arguments": wish}
    assert call("post", "/commands", sent, expect=400)["error"]["field"] == "remind_at"


@pytest.mark.parametrize("version", [-1, 0, 2**31, 10**30])
def test_a_version_that_no_row_has_is_refused(call, project, version):
    sent = {"name": "delete_project", "arguments": {"id": str(project.pk), "version": version}}
    assert call("post", "/commands", sent, expect=400)["error"]["field"] == "version"


def test_nobody_reaches_anothers_to_dos_by_a_command(call, bob, participant_of):
    from chat.operations.changes import Actor

    theirs = todos.add(actor=Actor(participant_of(bob).pk), values={"title": "Secret"}).row
    for name, more in (("change_todos", {"title": "Mine"}), ("delete_todos", {}),
                       ("complete_todos", {})):  # fmt: skip
        call("post", "/commands", {"name": name, "arguments": {"ids": [str(theirs.pk)], **more}},
             expect=404)  # fmt: skip
    wish = {"title": "Mine", "depends_on": [str(theirs.pk)]}
    call("post", "/todos", wish, expect=409)
    assert call("get", "/todos")["total"] == 0
    theirs.refresh_from_db()
    assert theirs.version == 1


def test_a_change_that_is_sent_again_under_its_key_is_made_once(call, bob_call):
    again = {"HTTP_IDEMPOTENCY_KEY": "sync-17"}
    made = call("post", "/todos", {"title": "Buy wood"}, expect=201, **again)
    assert call("post", "/todos", {"title": "Buy wood"}, expect=201, **again) == made
    path = f"/todos/{made['todo']['id']}"
    change = {"title": "Buy oak", "version": 1}
    changed = call("patch", path, change, **again)
    assert call("patch", path, change, **again) == changed
    call("patch", path, change, expect=409)
    done = {"name": "complete_todos", "arguments": {"ids": [made["todo"]["id"]]}}
    first = call("post", "/commands", done, **again)
    call("post", f"{path}/reopen")
    assert call("post", "/commands", done, **again)["batch_id"] == first["batch_id"]
    assert call("get", path)["status"] == "available"
    call("post", "/todos", {"title": "Buy nails"}, expect=201, **again)
    assert call("get", "/todos")["total"] == 2
    theirs = bob_call("post", "/todos", {"title": "Buy wood"}, expect=201, **again)
    assert theirs["batch_id"] != made["batch_id"]


def test_a_row_that_is_not_there_is_told_by_the_argument_that_names_it(call, actor):
    """A program that keeps two lists alike must not take its own to-do for gone."""
    task, gone = todos.add(actor=actor, values={"title": "Call"}).row, str(uuid.uuid4())
    path = f"/todos/{task.pk}"
    new = {"title": "A", "project": gone}
    for method, where, body in (("patch", path, {"project": gone}), ("post", "/todos", new)):
        assert call(method, where, body, expect=404)["error"]["field"] == "project"
    done = {"name": "complete_todos", "arguments": {"ids": [str(task.pk), gone]}}
    assert call("post", "/commands", done, expect=404)["error"]["field"] == "ids"
    assert "field" not in call("get", f"/todos/{gone}", expect=404)["error"]
