"""A first message whose answer fails: the program can reach the conversation that has it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import close_old_connections, connections
from django.test import AsyncClient, Client
from django.utils import timezone

from chat.events.kinds import Reference
from chat.events.log import append
from chat.models import Message, Participant, Run

pytestmark = pytest.mark.django_db(transaction=True)

FIRST = {
    "/api/chat": {"action": "start", "jobTitle": "Baker", "initialTasks": "I bake rye bread."},
    "/api/concierge/chat": {"message": "What is due today?"},
    "/api/concierge/stream": {"message": "What is due today?"},
    "/api/agent/stream": {"chat_type": "project_create", "message": "A garden behind the house."},
}


@pytest.fixture
def failing_worker(transactional_db) -> Iterator[None]:
    """Every run fails, as it does when its worker cannot work at all."""
    over = threading.Event()

    def work() -> None:
        while not over.wait(0.02):
            close_old_connections()
            for run in Run.objects.filter(status=Run.Status.QUEUED):
                Run.objects.filter(pk=run.pk).update(
                    status=Run.Status.FAILED,
                    error_code="error",
                    error_text="Futura could not reply. Your message is saved.",
                    finished_at=timezone.now(),
                )
                append(run.session_id, Reference("run", str(run.pk)))
        connections.close_all()

    thread = threading.Thread(target=work)
    thread.start()
    yield
    over.set()
    thread.join()


def post(client, address):
    return client.post(address, json.dumps(FIRST[address]), content_type="application/json")


async def _events(answer: Any) -> list[dict[str, Any]]:
    sent = b"".join([part async for part in answer.streaming_content]).decode()
    return [json.loads(item.removeprefix("data: ")) for item in sent.split("\n\n") if item]


@pytest.mark.parametrize("address", ["/api/chat", "/api/concierge/chat"])
def test_an_answer_that_fails_carries_the_cookie_and_the_conversation(failing_worker, address):
    client = Client()
    answer = post(client, address)
    assert answer.status_code == 503
    assert answer.cookies["futura_participant"]["httponly"]
    error = answer.json()["error"]
    assert error["message"] == "Futura could not reply. Your message is saved."
    kept = client.get(f"/api/chat/sessions/{error['sessionId']}/messages")
    assert kept.status_code == 200
    said = [message["text"] for message in kept.json()["messages"] if message["role"] == "user"]
    assert said == [FIRST[address].get("initialTasks") or FIRST[address]["message"]]
    assert Client().get(f"/api/chat/sessions/{error['sessionId']}").status_code == 404


def test_a_failed_answer_of_the_asynchronous_chain_carries_the_cookie_too(failing_worker):
    address = "/api/concierge/chat"
    answer = async_to_sync(AsyncClient().post)(
        address, json.dumps(FIRST[address]), content_type="application/json"
    )
    assert answer.status_code == 503
    client = Client()
    client.cookies = answer.cookies
    named = answer.json()["error"]["sessionId"]
    assert client.get(f"/api/chat/sessions/{named}").status_code == 200


@pytest.mark.parametrize("address", ["/api/concierge/stream", "/api/agent/stream"])
def test_a_stream_that_ends_in_an_error_carries_the_cookie(failing_worker, address):
    client = Client()
    answer = post(client, address)
    assert answer.cookies["futura_participant"]["httponly"]
    first, *_rest, last = async_to_sync(_events)(answer)
    assert last["type"] == "error"
    named = first.get("sessionId") or first["session"]["id"]
    assert client.get(f"/api/chat/sessions/{named}").status_code == 200


def test_what_is_refused_leaves_no_participant_and_no_cookie(transactional_db):
    for address, body in (
        ("/api/chat", {"action": "start", "jobTitle": " "}),
        ("/api/concierge/chat", {"message": " "}),
        ("/api/agent/stream", {"chat_type": "project_create", "message": "x" * 60_000}),
    ):
        answer = Client().post(address, json.dumps(body), content_type="application/json")
        assert 400 <= answer.status_code < 500, address
        assert "futura_participant" not in answer.cookies
    assert not Participant.objects.exists()
    assert not Message.objects.exists()
