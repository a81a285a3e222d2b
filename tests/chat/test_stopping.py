"""Stopping an answer: every character that was shown stays, and what was held back is kept."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connections
from django.test import Client

from chat.models import Message, Run, Session
from chat.runs.lease_renewal import hand_over
from chat.runs.perform import perform
from tests.scripted import ScriptedServer

pytestmark = pytest.mark.django_db(transaction=True)

WORDS = " ".join(f"word{number}" for number in range(40))
"""No sentence ends in it."""
SCRIPT = {"HTTP_ACCEPT": "application/json"}
STARTS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "concierge": ("concierge", "/api/concierge/stream", {"message": "Tell me a long story"}),
    "project agent": (
        "agent_response",
        "/api/agent/stream",
        {
            "chat_type": "project_create",
            "message": "Building a fitness app for tracking workouts. It is for people alone.",
        },
    ),
}


def _in_thread(run: Run) -> threading.Thread:
    """Performs a run as a worker would."""

    def work() -> None:
        try:
            perform(run.pk)
        finally:
            connections.close_all()

    thread = threading.Thread(target=work)
    thread.start()
    return thread


@pytest.fixture
def stop(browser, alice) -> Callable[..., dict[str, Any]]:
    """Stops a run by its door and waits until its worker is done; the reply as programs get it."""
    client: Client = browser(alice)

    def stopped(run: Run, working: threading.Thread) -> dict[str, Any]:
        answer = client.post(
            f"/chat/sessions/{run.session_id}/stop", {"run": str(run.pk)}, **SCRIPT
        )
        assert answer.status_code == 202
        working.join(60)
        assert not working.is_alive()
        run.refresh_from_db()
        assert run.status == Run.Status.STOPPED
        past = client.get(f"/api/chat/sessions/{run.session_id}/messages").json()["messages"]
        reply: dict[str, Any] = next(item for item in past if item["id"] == str(run.reply_id))
        return reply

    return stopped


def test_words_that_a_guide_holds_back_are_kept_when_it_is_stopped(start, alice, echo_guide, stop):
    run = start(alice, "/held door").runs.get()
    working = _in_thread(run)
    assert echo_guide.gate("door").arrived.wait(60)
    reply = stop(run, working)
    assert (reply["text"], reply["status"]) == ("Before. Held back.", "stopped")


def test_a_run_that_is_handed_over_keeps_only_what_was_shown(start, alice, echo_guide):
    """Who goes on with it says the rest again."""
    run = start(alice, "/held door").runs.get()
    working = _in_thread(run)
    assert echo_guide.gate("door").arrived.wait(60)
    assert hand_over() == 1
    working.join(60)
    run.refresh_from_db()
    assert run.status == Run.Status.INTERRUPTED
    assert run.reply is not None
    assert run.reply.text == "Before. "


@pytest.mark.parametrize("surface", STARTS)
def test_a_sentence_that_never_ended_is_kept_word_for_word(
    alice, browser, scripted: ScriptedServer, stop, surface
):
    stage, address, first = STARTS[surface]
    scripted.default_agent()
    scripted.on(stage).stall(after=40, text=WORDS)
    answer = browser(alice).post(address, json.dumps(first), content_type="application/json")
    assert answer.status_code == 200
    run = Run.objects.get(session=Session.objects.get())
    working = _in_thread(run)
    assert scripted.stalled.wait(60)
    assert stop(run, working)["text"].strip().startswith(WORDS)
    assert Message.objects.get(pk=run.reply_id).status == "stopped"


def test_the_builder_keeps_it_too(alice, browser, scripted: ScriptedServer, stop):
    client = browser(alice)
    form = {
        "slug": "alice", "owner_name": "Alice", "domain_label": "baker", "pronouns": "",
        "kind": "individual",
    }  # fmt: skip
    assert client.post("/portfolio", form).status_code == 302
    scripted.on("portfolio_builder").stall(after=40, text=WORDS)
    said = {"message": "I built a reading app."}
    address = "/api/portfolio/builder/chat"
    assert (
        client.post(address, json.dumps(said), content_type="application/json").status_code == 200
    )
    run = Run.objects.get()
    working = _in_thread(run)
    assert scripted.stalled.wait(60)
    assert stop(run, working)["text"].strip().startswith(WORDS)


def test_the_survey_keeps_it_too(alice, browser, scripted: ScriptedServer, stop, drain):
    client = browser(alice)
    scripted.default_survey()
    form = {"title": "Baker", "occupation": "none"}
    assert client.post("/survey", form).status_code == 302
    drain()
    session = Session.objects.get()
    scripted.on("response").stall(after=40, text=WORDS)
    said = {"text": "I bake bread and sell it in the shop."}
    assert client.post(f"/chat/sessions/{session.pk}/messages", said).status_code == 303
    run = session.runs.get(message__text=said["text"])
    working = _in_thread(run)
    assert scripted.stalled.wait(60)
    assert WORDS in stop(run, working)["text"]
