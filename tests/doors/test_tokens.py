"""Access tokens at every address of the JSON API: each scope opens its own area and no other."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.utils import timezone

from chat.commands import run
from chat.commands.mcp import carried_out
from chat.commands.tokens import AREAS, SCOPES, create_token, door_of, scopes_for
from chat.models import AccessToken
from chat.operations.changes import Actor, Delete, Kind
from chat.operations.models import OperationBatch
from chat.operations.review import propose
from futura.errors import NotAllowed
from projects.models import Task
from tests.doors.world import OURS, Route, World, stored
from tests.extent import some

METHODS = ("get", "post", "patch", "put", "delete")
OF_STAFF = {
    *("api:campaigns", "api:campaign", "api:campaign_person", "api:dictionary", "api:insights"),
    "api:table_rows",
}


def token_for(name: str, *scopes: str) -> str:
    user = User.objects.get(username=name)
    return create_token(user_id=user.pk, name="Script", scopes=scopes, days=30)[1]


def send(client: Client, method: str, url: str, token: str, body: Any = None) -> Any:
    client.raise_request_exception = False
    asked = {} if method == "get" else {"content_type": "application/json"}
    data = {} if method == "get" else {"data": json.dumps(body or {})}
    return getattr(client, method)(
        url, **data, **asked, headers={"Authorization": f"Bearer {token}"}
    )


def addresses(world: World) -> list[tuple[Route, str]]:
    """Every address of the API that the world has ids for."""
    known = [route for route in OURS if route.parameters <= set(world.ids)]
    found = [(route, route.url(world.ids)) for route in known]
    return [(route, url) for route, url in found if url.startswith("/api/")]


def test_a_scope_opens_its_own_area_and_no_other(world):
    """Each method of each address is asked with the next scope, so that each meets every area."""
    tokens = {scope: token_for("alice", scope) for scope in SCOPES}
    client = Client()
    wrong, opened, before = [], set(), stored()
    for place, (route, url) in enumerate(addresses(world)):
        for nth, method in enumerate(METHODS):
            scope = SCOPES[(place + nth) % len(SCOPES)]
            opened |= {(sole, route.name) for sole in SCOPES if is_open(url, method, sole)}
            if is_open(url, method, scope):
                continue  # what is behind an open door is tried below
            answer = send(client, method, url, tokens[scope])
            if answer.status_code != 403:
                wrong.append((scope, route.name, method, answer.status_code))
    assert wrong == []
    assert stored() == before
    areas = {"todos": "api:todo", "projects": "api:draft_task", "portfolio": "api:entry",
             "surveys": None, "campaigns": "api:dictionary",
             "ledger": "api:operation_batch"}  # fmt: skip
    for scope in SCOPES:
        expected = areas[scope.partition(":")[0]]
        assert expected is None or (scope, expected) in opened


def is_open(url: str, method: str, scope: str) -> bool:
    """Whether an address asks for nothing more than this scope."""
    door = door_of(url)
    needed = None if door is None else scopes_for(door, method.upper())
    return needed is not None and needed <= {scope}


@pytest.mark.parametrize("who", some(["stan", "bob"], 2))
def test_strangers_with_every_scope_find_nothing_of_anothers(world, who):
    before, wrong = stored(), []
    token, client = token_for(who, *SCOPES), Client()
    for route, url in addresses(world):
        if not route.parameters or route.name in OF_STAFF:
            continue
        for method in METHODS:
            answer = send(client, method, url, token)
            if answer.status_code not in {403, 404, 405}:
                wrong.append((route.name, method, answer.status_code))
            if b"Hidden" in answer.content:
                wrong.append((route.name, method, "tells what it hides"))
    assert wrong == []
    assert stored() == before


@pytest.mark.parametrize("sort", ["unknown", "expired", "revoked", "of nobody active"])
def test_a_token_that_is_worth_nothing_is_refused_everywhere(world, sort):
    text = token_for("alice", *SCOPES)
    own = AccessToken.objects.filter(name="Script")
    if sort == "unknown":
        text = "futura_pat_" + "x" * 43
    elif sort == "expired":
        own.update(expires_at=timezone.now())
    elif sort == "revoked":
        own.update(revoked_at=timezone.now())
    else:
        User.objects.filter(username="alice").update(is_active=False)
    signed_in = world.clients["alice"]  # a session beside it does not help
    for client in (Client(), signed_in):
        for url in ("/api/todos", f"/api/todos/{world.ids['todo_id']}", "/api/commands"):
            answer = send(client, "get", url, text)
            assert answer.status_code == 401
            assert answer["WWW-Authenticate"] == "Bearer"


def test_a_token_works_without_a_cookie_and_reads_what_its_owner_reads(world):
    url = f"/api/todos/{world.ids['todo_id']}"
    token = token_for("alice", "todos:read")
    answer = send(Client(), "get", url, token)
    assert answer.json()["title"] == "Hidden wood"
    assert not answer.cookies
    assert AccessToken.objects.get(name="Script").used_at
    refused = send(Client(), "post", f"{url}/complete", token)
    assert refused.status_code == 403
    assert "todos:write" in refused.json()["error"]["message"]
    # what the token may not, the session of another does not lend it
    assert send(world.clients["bob"], "get", url, token).status_code == 200
    assert send(world.clients["alice"], "post", f"{url}/complete", token).status_code == 403


def test_a_program_with_a_token_needs_no_body_where_nothing_is_to_be_said(world):
    url = f"/api/todos/{world.ids['todo_id']}"
    key = {"Authorization": f"Bearer {token_for('alice', 'todos:write')}"}
    assert Client().generic("POST", f"{url}/complete", headers=key).status_code == 200
    assert Client().generic("DELETE", url, headers=key).status_code == 200
    form = Client().post(f"{url}/complete", {"a": "b"}, headers=key)
    assert form.status_code == 415


def test_a_change_by_a_token_carries_its_name_and_is_undone_like_any_other(world):
    url = f"/api/todos/{world.ids['todo_id']}"
    token = token_for("alice", "todos:read", "todos:write", "ledger:undo")
    done = send(Client(), "post", f"{url}/complete", token).json()
    batch = OperationBatch.objects.get(pk=done["batch_id"])
    assert (batch.actor, batch.reason) == ("program", "By the access token “Script”.")
    address = f"/api/operations/{batch.pk}/undo"
    undone = send(Client(), "post", address, token, {"digest": ""}).json()
    assert "Script" in undone["reason"]
    assert send(Client(), "get", url, token).json()["status"] == "available"


def test_a_token_that_reads_every_area_reads_changes_and_undoes_none(world):
    url = f"/api/todos/{world.ids['todo_id']}"
    done = send(Client(), "post", f"{url}/complete", token_for("alice", "todos:write")).json()
    address = f"/api/operations/{done['batch_id']}"
    reads = [f"{area}:read" for area in AREAS]
    reader = token_for("alice", *reads)
    for path in (address, f"{address}/undo"):
        assert send(Client(), "get", path, reader).status_code == 200
        assert send(Client(), "get", path, token_for("alice", *reads[1:])).status_code == 403
    refused = send(Client(), "post", f"{address}/undo", reader, {"digest": ""})
    assert refused.status_code == 403
    assert "ledger:undo" in refused.json()["error"]["message"]


def test_a_token_proposes_and_rejects_and_only_its_owner_approves(world):
    actor = Actor(Task.objects.get(pk=world.ids["todo_id"]).owner_id, kind=Kind.PROGRAM)
    waiting = [
        propose(actor=actor, changes=[Delete("task", world.ids["todo_id"])], reasons=["Deletes."])
        for _ in range(2)
    ]
    token = token_for("alice", *SCOPES)
    addresses = [f"/api/operations/{batch.pk}" for batch in waiting]
    listed = send(Client(), "get", addresses[0], token).json()["operations"][0]
    wish = {"digests": {listed["id"]: listed["digest"]}}
    refused = send(Client(), "post", f"{addresses[0]}/approve", token, wish)
    assert refused.status_code == 403
    assert Task.objects.get(pk=world.ids["todo_id"]).deleted_at is None
    assert send(Client(), "post", f"{addresses[1]}/reject", token).json()["status"] == "rejected"
    own = world.clients["alice"].post(
        f"{addresses[0]}/approve", json.dumps(wish), content_type="application/json"
    )
    assert own.json()["status"] == "completed"
    assert Task.objects.get(pk=world.ids["todo_id"]).deleted_at


def test_a_command_asks_for_the_scope_of_its_area(world):
    sent = {"name": "complete_todos", "arguments": {"ids": [str(world.ids["todo_id"])]}}
    poor, rich = token_for("alice", "todos:read"), token_for("alice", "todos:write")
    assert send(Client(), "post", "/api/commands", poor, sent).status_code == 403
    assert send(Client(), "post", "/api/commands", rich, sent).status_code == 200


def test_a_conversation_asks_for_the_areas_of_its_kind(world):
    talks = {"session_id": ("surveys",), "concierge_id": ("projects", "todos")}
    for key, areas in talks.items():
        url = f"/api/chat/sessions/{world.ids[key]}"
        poor = token_for("alice", *(scope for scope in SCOPES if scope != f"{areas[0]}:read"))
        rich = token_for("alice", *(f"{area}:read" for area in areas))
        for below in ("", "/messages", "/context"):
            assert send(Client(), "get", f"{url}{below}", poor).status_code == 403
            assert send(Client(), "get", f"{url}{below}", rich).status_code == 200
            stranger = token_for("charlie", *SCOPES)
            assert send(Client(), "get", f"{url}{below}", stranger).status_code == 404
        said = {"text": "Hello"}
        assert send(Client(), "post", f"{url}/messages", rich, said).status_code == 403
    visit = f"/api/chat/sessions/{world.ids['visit_id']}"
    answer = send(Client(), "get", visit, token_for("alice", *SCOPES))
    assert answer.status_code == 403
    assert "No token reaches this conversation." in answer.text


@pytest.mark.parametrize("scope", some(SCOPES, 2))
def test_every_tool_of_agents_is_refused_to_a_token_with_another_scope(world, scope):
    token_for("alice", scope)
    token = AccessToken.objects.get(name="Script")
    for kind in run.all_commands():
        if kind.token_scope() != scope:
            with pytest.raises(NotAllowed):
                carried_out(token, kind.name, {})


def commands_on(world: World) -> dict[str, dict[str, Any]]:
    """Every command of a survey's list with arguments that fit alice's."""
    first, second, _third = (str(task.pk) for task in world.survey.tasks)
    survey = {"survey": str(world.survey.response.pk)}
    return {
        "add_task": {**survey, "statement": "Order paper"},
        "edit_task": {**survey, "task": first, "statement": "Scrub data"},
        "merge_tasks": {**survey, "task": first, "others": [second]},
        "split_task": {**survey, "task": first, "statements": ["Sort data", "Check data"]},
        "delete_tasks": {**survey, "tasks": [second]},
        "move_task": {**survey, "task": first, "to": "down"},
        "rate_task": {**survey, "task": first, "time_share": 12.5, "ai_tools": ["Excel"]},
        "balance_time": survey,
        "choose_match": {**survey, "task": first, "candidate": "c2"},
        "retry_match": {**survey, "task": first},
    }


def test_every_command_of_a_survey_is_in_reach_of_its_token_and_of_no_strangers(world):
    commands, before = commands_on(world), stored()
    kinds = [kind for kind in run.all_commands() if kind.area == "surveys" and kind.writes]
    assert set(commands) == {kind.name for kind in kinds}
    tokens = {
        "alice": token_for("alice", "surveys:read", "todos:write"),
        **{name: token_for(name, *SCOPES) for name in ("bob", "charlie", "stan")},
    }
    for name, arguments in commands.items():
        sent = {"name": name, "arguments": arguments}
        statuses = [
            send(Client(), "post", "/api/commands", token, sent).status_code
            for token in tokens.values()
        ]
        assert statuses == [403, 404, 404, 404], name
    assert stored() == before
    writes = token_for("alice", "surveys:write")
    for name, arguments in commands.items():
        sent = {"name": name, "arguments": arguments}
        sid = transaction.savepoint()
        done = send(Client(), "post", "/api/commands", writes, sent)
        assert done.status_code == 200, (name, done.content)
        if name == "retry_match":
            assert done.json()["batch_id"] is None  # nothing had failed
        else:
            batch = OperationBatch.objects.get(pk=done.json()["batch_id"])
            assert (batch.session_id, batch.actor) == (world.survey.response.pk, "program")
        transaction.savepoint_rollback(sid)


def test_a_survey_is_changed_by_a_program_and_the_change_is_taken_back(world):
    token = token_for("alice", "surveys:read", "surveys:write", "ledger:undo")
    survey, task = world.survey, world.survey.tasks[0]
    arguments = {"survey": str(survey.response.pk), "task": str(task.pk), "statement": "Scrub data"}
    sent = {"name": "edit_task", "arguments": {**arguments, "version": task.version}}
    done = send(Client(), "post", "/api/commands", token, sent).json()
    assert done["title"] == "Edited a task"
    assert survey.statements()[0] == "Scrub data"
    assert send(Client(), "post", "/api/commands", token, sent).status_code == 409  # moved on
    of_another = {**arguments, "survey": str(world.bobs["session_id"])}
    sent = {"name": "edit_task", "arguments": of_another}
    assert send(Client(), "post", "/api/commands", token, sent).status_code == 404
    address = f"/api/operations/{done['batch_id']}/undo"
    assert send(Client(), "post", address, token, {"digest": ""}).status_code == 200
    assert survey.statements()[0] == "Clean data"


def test_a_token_is_made_shown_once_and_revoked_on_the_account_page(world):
    client = world.clients["alice"]
    assert "/account/tokens" in client.get("/account").text
    sent = {"name": "Backup", "scopes": ["todos:read"], "days": "30"}
    page = client.post("/account/tokens", sent).text
    token = AccessToken.objects.get(name="Backup")
    text = page.partition('id="new-token" value="')[2].partition('"')[0]
    assert text.startswith("futura_pat_")
    assert token.digest not in page
    again = client.get("/account/tokens").text
    assert "Backup" in again
    assert text not in again
    assert send(Client(), "get", "/api/todos", text).status_code == 200
    assert client.post(f"/account/tokens/{token.pk}/revoke").status_code == 302
    assert send(Client(), "get", "/api/todos", text).status_code == 401
    for wrong in ({"name": ""}, {"scopes": []}, {"scopes": ["all"]}, {"days": "9999"}):
        assert client.post("/account/tokens", {**sent, **wrong}).status_code == 422
    assert AccessToken.objects.filter(name="Backup").count() == 1


def test_a_form_for_a_token_that_is_pressed_twice_makes_one_and_shows_it_both_times(world):
    client = world.clients["alice"]

    def shown(**changed: str) -> str:
        page = client.post("/account/tokens", sent | changed).text
        return page.partition('id="new-token" value="')[2].partition('"')[0]

    form = client.get("/account/tokens").text
    client_id = form.partition('name="client_id" value="')[2].partition('"')[0]
    sent = {"name": "Backup", "scopes": "todos:read", "days": "30", "client_id": client_id}
    first = shown()
    assert len(first) == len(token_for("alice", "todos:read"))
    assert shown() == first
    assert send(Client(), "get", "/api/todos", first).status_code == 200
    assert shown(name="Other") not in {first, ""}
    token = AccessToken.objects.get(name="Backup")
    assert client_id not in str(AccessToken.objects.filter(pk=token.pk).values().get())
    client.post(f"/account/tokens/{token.pk}/revoke")
    after = shown()
    assert after != first
    assert send(Client(), "get", "/api/todos", first).status_code == 401
    assert send(Client(), "get", "/api/todos", after).status_code == 200
    other = world.clients["bob"].post("/account/tokens", sent).text
    assert first not in other
    assert "futura_pat_" in other


def test_a_token_is_stored_hashed_and_its_page_tells_its_last_use_and_its_end(world):
    text = token_for("alice", "todos:read")
    stored_token = AccessToken.objects.get(name="Script")
    assert text.removeprefix("futura_pat_") not in str(
        AccessToken.objects.filter(pk=stored_token.pk).values().get()
    )
    page = world.clients["alice"].get("/account/tokens").text
    assert "never" in page
    send(Client(), "get", "/api/todos", text)
    page = world.clients["alice"].get("/account/tokens").text
    stored_token.refresh_from_db()
    assert f"{timezone.localtime(stored_token.used_at):%H:%M}" in page
    assert f"{timezone.localtime(stored_token.expires_at):%b %Y}" in page


def test_the_answers_to_campaigns_open_to_staff_who_may_export_only(world):
    assert send(Client(), "get", "/api/campaigns", token_for("stan", *SCOPES)).status_code == 200
    assert send(Client(), "get", "/api/campaigns", token_for("alice", *SCOPES)).status_code == 403


def test_a_token_that_is_not_shown_as_a_bearers_is_refused_and_a_misspelled_address_not_found(
    world,
):
    client, before = Client(), stored()
    own = token_for("alice", "todos:write")
    for shown in ("Bearer", "Bearer ", "bearer  ", f"Token {own}", own):
        answer = client.post(
            "/api/todos", '{"title": "Lost"}', content_type="application/json",
            headers={"Authorization": shown},
        )  # fmt: skip
        assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")
    assert stored() == before
    token = token_for("alice", "todos:read")
    assert send(client, "get", "/api/todo", token).json()["error"]["code"] == "not_found"
