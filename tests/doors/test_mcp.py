"""Other programs' agents at `/mcp`, with the SDK's own client: each tool, each scope, strangers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

import httpx2
import pytest
from channels.db import database_sync_to_async
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from chat.commands import run
from chat.commands.tokens import SCOPES
from chat.events.log import redis
from chat.models import AccessToken
from chat.operations.models import OperationBatch
from futura.asgi import application
from projects.models import Project, Task
from tests.doors.portfolios import portfolio_commands
from tests.doors.test_tokens import commands_on, token_for
from tests.doors.world import stored
from tests.extent import some

URL = "http://testserver/mcp"
token = database_sync_to_async(token_for)


@asynccontextmanager
async def agent(text: str) -> AsyncIterator[Client]:
    """The SDK's client over HTTP, with a token."""
    transport = httpx2.ASGITransport(app=application)
    async with (
        httpx2.AsyncClient(
            transport=transport, headers={"Authorization": f"Bearer {text}"}
        ) as http,
        Client(streamable_http_client(URL, http_client=http)) as client,
    ):
        yield client


def arguments_of(world: Any) -> dict[str, dict[str, Any]]:
    """What each tool that takes a row is called with to reach alice's."""
    ids = {key: str(value) for key, value in world.ids.items()}
    todo, project, draft = ids["todo_id"], ids["project_id"], ids["draft_id"]
    known: dict[str, dict[str, Any]] = {
        "create_todo": {"title": "Mine", "project": project},
        "create_todos": {"todos": [{"title": "Mine", "project": project}]},
        "change_todos": {"ids": [todo], "title": "Mine"},
        "complete_todos": {"ids": [todo]},
        "reopen_todos": {"ids": [todo]},
        "delete_todos": {"ids": [todo]},
        "place_todo": {"id": todo, "to": "first"},
        "change_project": {"id": project, "name": "Mine"},
        "delete_project": {"id": project},
        "change_draft": {"id": draft, "name": "Mine"},
        "abandon_draft": {"id": draft},
        "resume_draft": {"id": draft},
        "delete_draft": {"id": draft},
        "finalise_draft": {"id": draft},
        "create_draft_tasks": {"draft": draft, "tasks": [{"title": "Mine"}]},
        "change_draft_tasks": {"ids": [ids["draft_task_id"]], "title": "Mine"},
        "delete_draft_tasks": {"ids": [ids["draft_task_id"]]},
        "create_note": {"project": project, "text": "Mine"},
        "change_note": {"id": ids["note_id"], "text": "Mine"},
        "delete_note": {"id": ids["note_id"]},
        "start_conversation": {"kind": "project_update", "project": project, "says": "Mine"},
        "undo": {"batch": ids["batch_id"]},
        "read_todo": {"id": todo},
        "read_project": {"id": project},
        "read_draft": {"id": draft},
        "read_note": {"id": ids["note_id"]},
        "make_forecast": {"project": project},
        "list_forecasts": {"project": project},
        "list_findings": {"project": project},
        "read_forecast": {"id": ids["forecast_id"]},
        "read_survey": {"survey": str(world.survey.response.pk)},
        "read_portfolio": {"id": ids["portfolio_id"]},
    }
    return known | commands_on(world) | portfolio_commands(ids)


# reads that take no row, with arguments that fit rows of alice's
READS: dict[str, dict[str, Any]] = {
    "list_todos": {},
    "list_projects": {},
    "list_drafts": {},
    "list_surveys": {},
    "list_portfolios": {},
}
OWNERLESS = {"create_project", "create_draft", "create_portfolio", *READS}


def _every_tool_is_tried_here_or_takes_no_row(world):
    names = {kind.name for kind in run.all_commands()}
    tried = set(arguments_of(world))
    assert names - tried - OWNERLESS == set(), "arguments_of or OWNERLESS must have them"
    assert (tried | OWNERLESS) - names == set()


async def test_a_scope_opens_its_own_tools_and_wrong_calls_change_nothing(committed):
    _every_tool_is_tried_here_or_takes_no_row(committed)
    before = await database_sync_to_async(stored)()
    for part in (_each_scope_lists_its_own_tools, _each_tool_has_a_meaning_and_a_schema,
                 _what_cannot_be_is_told, _nobody_comes_in_from_elsewhere):  # fmt: skip
        redis().flushall()  # each with the rates of a minute of its own
        await part(committed)
    assert await database_sync_to_async(stored)() == before


async def _each_scope_lists_its_own_tools(_world):
    for scope in SCOPES:
        names = {k.name for k in run.all_commands() if k.token_scope() == scope}
        async with agent(await token("alice", scope)) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == names
            others = {k.token_scope(): k for k in run.all_commands() if k.name not in names}
            for kind in others.values():  # one of each: all of them are too many for a minute
                answer = await client.call_tool(kind.name, {})
                assert answer.is_error, (scope, kind.name)
                assert kind.token_scope() in answer.content[0].text


@pytest.mark.parametrize(("who", "every"), some([("bob", 9), ("bob", 1), ("stan", 1)], 3))
async def test_strangers_with_every_scope_reach_no_row_by_any_tool(committed, who, every):
    before = await database_sync_to_async(stored)()
    arguments = arguments_of(committed)
    owned = [kind for kind in run.all_commands() if kind.name not in OWNERLESS]
    async with agent(await token(who, *SCOPES)) as client:
        for kind in owned[::every]:
            answer = await client.call_tool(kind.name, arguments[kind.name])
            assert answer.is_error, (who, kind.name)
            assert "Hidden" not in answer.content[0].text
        for name, given in READS.items():
            listed = await client.call_tool(name, given)
            for key in ("todo_id", "project_id", "draft_id", "session_id", "portfolio_id"):
                assert str(committed.ids[key]) not in listed.content[0].text
    redis().flushall()
    await _who_has_nothing_reads_and_counts_nothing()
    assert await database_sync_to_async(stored)() == before


async def _who_has_nothing_reads_and_counts_nothing():
    async with agent(await token("charlie", *SCOPES)) as client:
        for name, given in READS.items():
            answer = (await client.call_tool(name, given)).structured_content
            listed = [value for value in answer.values() if isinstance(value, list)]
            assert not any([*listed, answer.get("total", 0)]), name


async def test_an_agent_reads_changes_deletes_its_own_and_its_owner_undoes(committed):
    await _an_agent_deletes_nothing_of_a_persons_by_taking_its_creation_back(committed)
    redis().flushall()
    await _what_the_products_own_agent_would_let_wait_waits(committed)
    redis().flushall()
    todo = str(committed.ids["todo_id"])
    async with agent(await token("alice", *SCOPES)) as client:
        listed = (await client.call_tool("list_todos", {"q": "wood"})).structured_content
        assert [item["id"] for item in listed["todos"]] == [todo]
        wish = {"ids": [todo], "due_date": "2027-03-01"}
        done = (await client.call_tool("change_todos", wish)).structured_content
        assert (done["status"], done["ledger"]) == ("done", "1 change")
        again = (await client.call_tool("change_todos", wish)).structured_content
        assert (again["status"], again["ledger"]) == ("done", "No changes")
        drafts = (await client.call_tool("list_drafts", {})).structured_content["drafts"]
        assert str(committed.ids["draft_id"]) in [draft["id"] for draft in drafts]
        for draft in drafts:
            read = (await client.call_tool("read_draft", {"id": draft["id"]})).structured_content
            assert read["id"] == draft["id"]
        read = (await client.call_tool("read_todo", {"id": todo})).structured_content
        assert read["due_date"] == "2027-03-01"
        await _an_agent_finds_what_it_could_change(committed, client)
        batch = await OperationBatch.objects.aget(pk=done["batch_id"])
        assert (batch.actor, batch.reason) == ("program", "By the access token “Script”.")
        took = (await client.call_tool("undo", {"batch": done["batch_id"]})).structured_content
        assert took["status"] == "done"
        read = (await client.call_tool("read_todo", {"id": todo})).structured_content
        assert read["due_date"] is None
        assert client.server_info.version == version("futura")


async def _an_agent_finds_what_it_could_change(committed, client):
    surveys = (await client.call_tool("list_surveys", {})).structured_content["surveys"]
    survey = str(committed.survey.response.pk)
    assert survey in [item["id"] for item in surveys]
    read = (await client.call_tool("read_survey", {"survey": survey})).structured_content
    assert [task["id"] for task in read["tasks"]] == [str(it.pk) for it in committed.survey.tasks]
    listed = (await client.call_tool("list_portfolios", {})).structured_content["portfolios"]
    portfolio = str(committed.ids["portfolio_id"])
    assert portfolio in [item["id"] for item in listed]
    read = (await client.call_tool("read_portfolio", {"id": portfolio})).structured_content
    assert str(committed.ids["entry_id"]) in [entry["id"] for entry in read["entries"]]


async def _what_the_products_own_agent_would_let_wait_waits(committed):
    todo, project = str(committed.ids["todo_id"]), str(committed.ids["project_id"])
    waits = [
        ("delete_todos", {"ids": [todo]}, "deletes"),
        ("change_project", {"id": project, "name": "X", "untrusted_text": True}, "did not write"),
        ("create_todos", {"todos": [{"title": f"T{n}"} for n in range(21)]}, "twenty"),
    ]
    async with agent(await token("alice", *SCOPES)) as client:
        for name, arguments, why in waits:
            told = (await client.call_tool(name, arguments)).structured_content
            assert told["status"] == "waiting", name
            assert why in " ".join(told["reasons"])
            proposed = OperationBatch.objects.filter(pk=told["batch_id"])
            assert (await proposed.aget()).is_atomic  # a review lets it happen whole
        many = [{"title": f"T{n}"} for n in range(20)]
        made = await client.call_tool("create_todos", {"todos": many})
        assert made.structured_content["ledger"] == "20 changes"
    assert await Task.objects.filter(pk=todo, deleted_at=None).aexists()
    assert not await Project.objects.filter(name="X").aexists()


async def _an_agent_deletes_nothing_of_a_persons_by_taking_its_creation_back(committed):
    todo = str(committed.ids["todo_id"])
    created = OperationBatch.objects.filter(operations__entity_id=todo, operations__type="create")
    async with agent(await token("alice", *SCOPES)) as client:
        undone = await client.call_tool("undo", {"batch": str((await created.aget()).pk)})
        assert undone.is_error
        assert "It deletes something." in undone.content[0].text
        own = (await client.call_tool("create_todo", {"title": "Mine"})).structured_content
        others = {"batch": own["batch_id"], "untrusted_text": True}
        assert (await client.call_tool("undo", others)).is_error
        assert (
            await Task.objects.filter(pk__in=[todo, *own["created"]], deleted_at=None).acount() == 2
        )
        undone = await client.call_tool("undo", {"batch": own["batch_id"]})
        assert undone.structured_content["ledger"] == "1 change"
    assert await Task.objects.filter(pk__in=[todo, *own["created"]], deleted_at=None).acount() == 1


async def _what_cannot_be_is_told(committed):
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("explode", {}),
        ("create_todo", {"title": ""}),
        ("create_todo", {"title": "A", "owner": "me"}),
        ("create_todo", {"title": "A\x00"}),
        ("change_todos", {"ids": ["x"]}),
        ("change_todos", {"ids": [str(committed.ids["todo_id"])], "due_date": "soon"}),
    ]
    async with agent(await token("alice", *SCOPES)) as client:
        for name, arguments in wrong:
            refused = await client.call_tool(name, arguments)
            assert refused.is_error, (name, arguments)
            assert {"code", "message", "retry"} <= refused.structured_content["error"].keys()


async def _nobody_comes_in_from_elsewhere(_world):
    text = await token("alice", *SCOPES)
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    good = {"Authorization": f"Bearer {text}", "Accept": "application/json, text/event-stream"}
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=application)) as http:
        assert (await http.post(URL, json=body, headers=good)).status_code == 200
        for headers, status, code in (
            ({**good, "Authorization": ""}, 401, "sign_in_needed"),
            ({**good, "Authorization": "Bearer futura_pat_wrong"}, 401, "sign_in_needed"),
            ({**good, "Origin": "https://evil.example"}, 403, "not_allowed"),
            ({**good, "Host": "evil.example"}, 400, "bad_input"),
        ):
            refused = await http.post(URL, json=body, headers=headers)
            assert (refused.status_code, refused.json()["error"]["code"]) == (status, code)
        unread = await http.get(URL, headers=good)
        assert (unread.status_code, unread.headers["Allow"]) == (405, "POST")
        assert unread.json()["error"]["code"] == "wrong_method"
        await AccessToken.objects.all().aupdate(revoked_at="2020-01-01T00:00Z")
        assert (await http.post(URL, json=body, headers=good)).status_code == 401


async def _each_tool_has_a_meaning_and_a_schema(_world):
    async with agent(await token("alice", *SCOPES)) as client:
        tools = (await client.list_tools()).tools
    assert {tool.name for tool in tools} == {kind.name for kind in run.all_commands()}
    for tool in tools:
        assert tool.description
        assert "\n " not in tool.description
        assert not {"title", "description"} & set(tool.input_schema)
        assert tool.input_schema["type"] == "object"


@pytest.mark.thorough
async def test_the_running_server_serves_agents(stack):
    make = (
        "from django.contrib.auth.models import User; "
        "from chat.commands.tokens import SCOPES; from chat.commands.tokens import create_token; "
        "user = User.objects.create_user('agentive'); "
        "print('TOKEN', create_token(user_id=user.pk, name='A', scopes=SCOPES, days=30)[1])"
    )
    printed = await database_sync_to_async(stack.manage)("shell", "-c", make)
    text = printed.rpartition("TOKEN ")[2].split()[0]
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {text}"}) as http,
        Client(streamable_http_client(f"{stack.url}/mcp", http_client=http)) as client,
    ):
        made = await client.call_tool("create_todo", {"title": "Water the beans"})
        assert made.structured_content["ledger"] == "1 change"
        listed = await client.call_tool("list_todos", {})
        assert [todo["title"] for todo in listed.structured_content["todos"]] == ["Water the beans"]
