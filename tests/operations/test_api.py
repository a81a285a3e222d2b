"""Programs list changes, look at an undo before they do it, approve and reject."""

from __future__ import annotations

import json

import pytest

from chat.operations.changes import Change, Create, Update
from chat.operations.execute import execute
from chat.operations.models import OperationBatch
from chat.operations.review import propose
from projects.models import Task

pytestmark = pytest.mark.django_db


@pytest.fixture
def call(browser, alice):
    client = browser(alice)

    def one(method: str, path: str, body: object = None, *, who=client):
        sent = {} if body is None else {"data": json.dumps(body)}
        answer = getattr(who, method)(
            f"/api/operations{path}", content_type="application/json", **sent
        )
        return answer.status_code, answer.json()

    return one


@pytest.fixture
def done(agent, project, cause) -> OperationBatch:
    changes: list[Change] = [
        Update("project", project.pk, {"name": "Fit"}),
        Create("task", {"title": "Draw", "project": str(project.pk)}),
    ]
    return execute(actor=agent, changes=changes, cause=cause)


def test_changes_are_listed_by_conversation_and_by_row(call, browser, bob, talk, project, done):
    status, body = call("get", f"?session={talk.pk}")
    assert status == 200
    (batch,) = body["batches"]
    assert (batch["id"], batch["count"], batch["actor"]) == (str(done.pk), 2, "agent")
    update = batch["operations"][0]
    assert (update["before"], update["after"]) == ({"name": "Fitness app"}, {"name": "Fit"})
    assert (update["headline"], update["baseVersion"]) == ("Project updated", 1)
    _status, of_row = call("get", f"?entity=project&entityId={project.pk}")
    assert [len(item["operations"]) for item in of_row["batches"]] == [1, 1]
    assert call("get", "?entity=todo")[0] == 422
    assert call("get", f"?session={talk.pk}", who=browser(bob))[0] == 404
    _status, of_bob = call("get", f"?entity=project&entityId={project.pk}", who=browser(bob))
    assert of_bob["batches"] == []


def test_a_program_reads_what_happened_since_the_last_time(call, browser, bob, actor, done):
    _status, all_changes = call("get", "")
    last = all_changes["batches"][0]["id"]
    execute(actor=actor, changes=[Create("task", {"title": "Call"})])
    _status, body = call("get", "")
    ids = [batch["id"] for batch in body["batches"]]
    assert ids.index(last) == 1
    _status, of_tasks = call("get", "?entity=task")
    operations = [item for batch in of_tasks["batches"] for item in batch["operations"]]
    assert {item["entity"] for item in operations} == {"task"}
    assert call("get", "", who=browser(bob))[1]["batches"] == []


def test_undo_and_reject_need_no_body(call, agent, cause, done):
    assert call("post", f"/{done.pk}/undo")[0] == 200
    batch = propose(
        actor=agent, changes=[Create("task", {"title": "One"})], reasons=["Many"], cause=cause
    )
    assert call("post", f"/{batch.pk}/reject")[1]["status"] == "rejected"


def test_a_program_looks_at_an_undo_and_does_it(call, browser, bob, actor, project, done):
    _status, plan = call("get", f"/{done.pk}/undo")
    assert {field["outcome"] for field in plan["fields"]} == {"restore"}
    assert call("post", f"/{done.pk}/undo", {}, who=browser(bob))[0] == 404
    execute(actor=actor, changes=[Update("project", project.pk, {"name": "By hand"})])
    assert call("post", f"/{done.pk}/undo", {"digest": plan["digest"]})[0] == 409
    assert call("post", f"/{done.pk}/undo", {})[0] == 409
    _status, plan = call("get", f"/{done.pk}/undo")
    conflict = next(field for field in plan["fields"] if field["outcome"] == "conflict")
    choice = {"operationId": conflict["operationId"], "field": "name", "choice": "restore"}
    status, made = call("post", f"/{done.pk}/undo", {"digest": plan["digest"], "choices": [choice]})
    assert (status, made["actor"], made["undoesId"]) == (200, "program", str(done.pk))
    project.refresh_from_db()
    assert project.name == "Fitness app"


def test_a_program_undoes_one_operation_of_several(call, project, done):
    renamed, drawn = done.operations.order_by("sequence")
    _status, plan = call("get", f"/{done.pk}/undo?operationIds={drawn.pk}")
    assert {field["entity"] for field in plan["fields"]} == {"task"}
    one = {"operationIds": [str(drawn.pk)], "digest": plan["digest"]}
    status, undone = call("post", f"/{done.pk}/undo", one)
    assert (status, undone["count"]) == (200, 1)
    project.refresh_from_db()
    assert project.name == "Fit"
    assert Task.objects.get().deleted_at is not None
    both = {"operationIds": [str(renamed.pk), str(drawn.pk)]}
    assert call("post", f"/{done.pk}/undo", both)[0] == 409  # one of them is undone already
    assert call("post", f"/{done.pk}/undo")[1]["count"] == 1


def test_a_program_approves_what_it_looked_at_and_rejects_the_rest(call, agent, talk, cause):
    wanted: list[Change] = [Create("task", {"title": name}) for name in ("One", "Two", "Three")]
    batch = propose(actor=agent, changes=wanted, reasons=["Many"], cause=cause)
    _status, body = call("get", f"?session={talk.pk}&status=pending")
    first = body["batches"][0]["operations"][0]
    wrong = {"digests": {first["id"]: "0" * 64}}
    assert call("post", f"/{batch.pk}/approve", wrong)[0] == 409
    right = {"digests": {first["id"]: first["digest"]}}
    assert call("post", f"/{batch.pk}/approve", right)[0] == 200
    status, body = call("post", f"/{batch.pk}/reject", {})
    assert (status, body["status"]) == (200, "completed")
    assert Task.objects.get().title == "One"
    assert call("post", f"/{batch.pk}/reject", {})[0] in {400, 409}
