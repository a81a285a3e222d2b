"""The conversation for programs: its stream, the entry's one session, its past."""

from __future__ import annotations

import asyncio
import json
import uuid
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient, Client

from chat.models import Run, Session
from chat.runs.perform import perform
from projects.portfolio.models import Entry

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def alices(alice) -> Client:
    client = Client()
    client.force_login(alice)
    return client


@pytest.fixture
def stream(alice):
    """Posts to the stream, does the runs meanwhile, and gives its events."""

    async def read(**body: Any) -> list[dict[str, Any]]:
        client = AsyncClient()
        await sync_to_async(client.force_login)(alice)
        answer = await client.post(
            "/api/portfolio/builder/chat", body, content_type="application/json"
        )
        assert answer.status_code == 200, answer.content
        work = asyncio.create_task(sync_to_async(_work, thread_sensitive=False)())
        events = []
        async for chunk in answer.streaming_content:  # type: ignore[attr-defined]
            events += [
                json.loads(line.removeprefix("data: "))
                for line in chunk.decode().splitlines()
                if line.startswith("data: ")
            ]
        await work
        return events

    def _work() -> None:
        for run in Run.objects.filter(status=Run.Status.QUEUED).order_by("created_at"):
            perform(run.pk)

    return read


async def test_the_first_message_makes_the_entry_and_later_ones_change_it(stream, portfolio, alice):
    key = str(uuid.uuid4())
    events = await stream(message="I built a reading app for Deichman in Oslo.", clientId=key)
    kinds = [event["type"] for event in events]
    assert kinds[0] == "session"
    assert kinds[-1] == "done"
    assert {"text", "operation", "entry", "quick_actions", "tools"} <= set(kinds)
    entry_id = events[0]["entryId"]
    told = next(event for event in events if event["type"] == "entry")["entry"]["blocks"]
    assert told[0]["text"] == "I built a reading app for Deichman in Oslo."
    again = await stream(message="I built a reading app for Deichman in Oslo.", clientId=key)
    assert again[0]["entryId"] == entry_id
    client = AsyncClient()
    await client.aforce_login(alice)
    other = await client.post(
        "/api/portfolio/builder/chat",
        {"message": "I built a map.", "clientId": key},
        content_type="application/json",
    )
    assert (other.status_code, other.json()["error"]["code"]) == (409, "id_taken")
    assert await Entry.objects.acount() == 1
    events = await stream(entryId=entry_id, message="Nobody knew which books were free.")
    assert events[-1] == {"type": "done", "changes": 1, "waiting": 0}


def test_an_entry_has_one_session_whose_messages_come_with_its_context(alices, talk):
    chat = talk("I built a reading app for Deichman in Oslo.")
    there = f"/api/chat/sessions/by-project/{chat.entry.pk}"
    found = alices.get(there).json()
    assert found["session"]["id"] == str(chat.id)
    assert not found["isNew"]
    assert "messages" not in found["session"]
    assert found["session"]["extractedData"]["what"].startswith("I built")
    assert not alices.post(there, {}, content_type="application/json").json()["isNew"]
    context = alices.get(found["session"]["contextUrl"]).json()
    assert context["projectData"]["id"] == str(chat.entry.pk)
    assert context["projectData"]["status"] == "draft"
    assert [message["role"] for message in context["messages"]] == ["user", "assistant"]


def test_the_session_is_made_by_post_alone(alices, actor, portfolio, drain):
    from tests.portfolio import actions

    entry = actions.create(actor, portfolio, title="Kiln").row
    there = f"/api/chat/sessions/by-project/{entry.pk}"
    assert alices.get(there).json() == {"session": None, "isNew": False}
    assert Session.objects.count() == 0
    assert alices.post(there, {}, content_type="application/json").json()["isNew"]
    drain()
    assert not alices.post(there, {}, content_type="application/json").json()["isNew"]


def test_strangers_and_missing_places_are_refused(alices, bob, talk):
    entry = talk("I built a chair.").entry
    other = Client()
    other.force_login(bob)
    said = {"message": "publish it", "entryId": str(entry.pk)}
    there = "/api/portfolio/builder/chat"
    assert other.post(there, said, content_type="application/json").status_code == 404
    assert other.get(f"/api/chat/sessions/by-project/{entry.pk}").status_code == 404
    told = {"message": "hello", "history": []}
    assert alices.post(there, told, content_type="application/json").status_code == 422
    none = other.post(there, {"message": "hello"}, content_type="application/json")
    assert none.status_code == 400
