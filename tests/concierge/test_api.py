"""`POST /api/concierge/chat` in the specification's shape, and the same as a stream."""

from __future__ import annotations

import asyncio
import json
import uuid
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient, Client

from chat.models import Message, Participant, Session
from projects.models import Task
from tests.api.conftest import worker  # noqa: F401 (a fixture)
from tests.extent import some
from tests.scripted import ScriptedCall

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker")]


def post(client, message, **more):
    body = {"message": message, **more}
    return client.post("/api/concierge/chat", body, content_type="application/json")


@pytest.fixture
def alices(alice) -> Client:
    client = Client()
    client.force_login(alice)
    return client


def test_auto_greet_a_task_and_a_question_have_the_shape_of_the_specification(alices):
    greeted = post(alices, "[AUTO_GREET]")
    assert greeted.status_code == 200
    body = greeted.json()
    assert set(body) == {
        *("message", "toolsUsed", "sessionId", "basicMode"),
        *("changes", "waiting", "opened"),
    }
    assert body["toolsUsed"] == []
    assert [f"\n{n}. " in body["message"] for n in range(1, 6)] == [True] * 5
    assert "\n6. " not in body["message"]

    session = body["sessionId"]
    made = post(alices, "Create a task to review weekly metrics", sessionId=session).json()
    assert made == {
        "message": "Created **Review weekly metrics**.",
        "toolsUsed": ["create_task"],
        "sessionId": session,
        "basicMode": True,
        "changes": 1,
        "waiting": 0,
        "opened": [],
    }
    assert Task.objects.get().title == "Review weekly metrics"
    asked = post(alices, "What should I focus on today?", sessionId=session).json()
    assert "Review weekly metrics" in asked["message"]

    again = post(alices, "[AUTO_GREET]", sessionId=session).json()
    assert "\n5. " in again["message"]
    assert not Message.objects.filter(role="user", text__contains="AUTO_GREET").exists()


def test_without_a_session_the_running_conversation_goes_on(alices):
    first = post(alices, "list my tasks").json()["sessionId"]
    assert post(alices, "what is overdue?").json()["sessionId"] == first


def test_a_visitor_without_an_account_is_kept_by_a_cookie():
    client = Client()
    first = post(client, "Create a task to buy bread").json()
    again = post(client, "list my tasks", sessionId=first["sessionId"])
    assert "buy bread" in again.json()["message"].lower()
    assert post(Client(), "list my tasks", sessionId=first["sessionId"]).status_code == 404


def test_what_is_refused_leaves_nothing_behind(alices, bob):
    theirs = post(alices, "list my tasks").json()["sessionId"]
    bobs = Client()
    bobs.force_login(bob)
    people = Participant.objects.count()
    assert post(bobs, "hello", sessionId=theirs).status_code == 404
    assert post(bobs, "hello", sessionId=str(uuid.uuid4())).status_code == 404
    assert post(bobs, "", sessionId=theirs).status_code == 404
    assert post(bobs, "  ").status_code == 400
    assert post(bobs, "x" * 50_001).status_code == 413
    own = post(bobs, "list my tasks").json()["sessionId"]
    for refused in (post(bobs, "  ", sessionId=own), post(bobs, "x" * 50_001, sessionId=own)):
        assert refused.json()["error"]["field"] == "message"
    assert post(bobs, "hello", history=[]).status_code == 422
    assert post(bobs, None).status_code == 422
    wrong = bobs.post("/api/concierge/chat", "not json", content_type="application/json")
    assert wrong.status_code in {400, 422}
    assert bobs.get("/api/concierge/chat").status_code == 405
    assert Participant.objects.count() == people + 1
    assert Session.objects.filter(kind="concierge").count() == 2


def test_the_same_client_id_twice_is_one_message(alices):
    session = post(alices, "list my tasks").json()["sessionId"]
    key = str(uuid.uuid4())
    for _ in range(2):
        post(alices, "create a task to buy bread", sessionId=session, clientId=key)
    assert Task.objects.count() == 1


def test_another_text_under_a_known_client_id_is_refused(alices):
    key = str(uuid.uuid4())
    session = post(alices, "create a task to buy bread", clientId=key).json()["sessionId"]
    for where in ({"sessionId": session}, {}):
        answer = post(alices, "create a task to buy milk", clientId=key, **where)
        assert answer.status_code == 409
        assert answer.json()["error"]["code"] == "id_taken"
    assert [task.title for task in Task.objects.all()] == ["Buy bread"]
    sent = {"text": "create a task to buy milk", "client_id": key}
    page = alices.post("/concierge/say", sent)
    assert page.status_code == 409
    assert "Not sent" in page.text
    assert Session.objects.get(pk=session).draft == "create a task to buy milk"


def test_the_tools_of_the_model_are_named_in_their_order(alices, scripted):
    scripted.on("concierge").calls(
        ScriptedCall("list_tasks", {}), ScriptedCall("create_task", {"title": "Buy bread"})
    ).text("Created “Buy bread”.")
    body = post(alices, "put bread on my list").json()
    assert body["toolsUsed"] == ["list_tasks", "create_task"]
    assert body["message"] == "Created “Buy bread”."
    assert (body["changes"], body["waiting"]) == (1, 0)


def test_an_answer_that_claims_a_deed_is_told_with_the_ledgers_count(alices, scripted):
    scripted.on("concierge").text("Consider it done.")
    body = post(alices, "put bread on my list").json()
    assert body["message"] == "Consider it done."
    assert (body["changes"], body["waiting"]) == (0, 0)


def streamed(user, message, **more) -> list[dict]:
    """The events of the stream that answers a message."""

    async def read() -> list[dict]:
        client = AsyncClient()
        await sync_to_async(client.force_login)(user)
        answer: Any = await client.post(
            "/api/concierge/stream",
            {"message": message, **more},
            content_type="application/json",
        )
        assert answer["Content-Type"] == "text/event-stream"
        lines = b"".join([chunk async for chunk in answer.streaming_content]).decode()
        return [json.loads(line[6:]) for line in lines.splitlines() if line.startswith("data: ")]

    return asyncio.run(read())


def text_of(events) -> str:
    return "".join(event["content"] for event in events if event["type"] == "text")


def test_the_stream_tells_text_and_operations_and_ends_with_the_whole_answer(alice):
    events = streamed(alice, "Create a task to buy bread")
    assert events[0]["type"] == "session"
    assert [event["type"] for event in events].count("done") == 1
    assert text_of(events) == "Created **Buy bread**."
    assert any(event["type"] == "operation" for event in events)
    last = events[-1]
    assert (last["type"], last["toolsUsed"]) == ("done", ["create_task"])
    assert last["sessionId"] == events[0]["sessionId"]


TALKS = {
    "en": ("Put bread on my list", "Buy bread",
           "It is there, e.g. for Dr. Miller at 5 p.m. *Anything* else?", "I deleted it."),
    "de": ("Setz Brot auf meine Liste", "Brot kaufen",
           "Steht drauf, z. B. für 17 Uhr. Noch etwas?", "Erledigt, ich habe es gelöscht."),
    "es": ("Apunta el pan", "Comprar pan", "¡Hecho! ¿Algo más?", "Ya lo he borrado."),
    "fr": ("Note le pain", "Acheter du pain", "C’est noté. Autre chose ?", "Je l’ai supprimé."),
    "ja": ("パンをリストに入れて", "パンを買う", "入れました。他には？", "削除しました。"),
}  # fmt: skip


@pytest.mark.parametrize("language", some(TALKS, len(TALKS)))
def test_a_right_models_calls_and_its_false_claims_in_any_language(
    alice, alices, scripted, language
):
    asked, title, answer, claim = TALKS[language]
    scripted.on("concierge").calls(ScriptedCall("create_task", {"title": title})).text(answer)
    made = post(alices, asked).json()
    task = Task.objects.get()
    assert (task.title, made["message"]) == (title, answer)
    assert (made["changes"], made["waiting"], made["basicMode"]) == (1, 0, False)
    gone = ScriptedCall("delete_tasks", {"ids": [str(task.pk)]})
    scripted.on("concierge").calls(gone).text(claim).text(claim)
    for waiting in (1, 0):  # one proposal; then a claim with nothing behind it
        events = streamed(alice, f"{title}?", sessionId=made["sessionId"])
        assert text_of(events) == events[-1]["message"] == claim
        assert (events[-1]["changes"], events[-1]["waiting"]) == (0, waiting)
    task.refresh_from_db()
    assert task.deleted_at is None


def test_what_the_turn_opened_is_told_by_its_page(scripted, alices):
    build = {"kind": "project_create", "says": "build a shed"}
    scripted.on("concierge").call("start_conversation", build).text("It is open.")
    answer = post(alices, "I want to build a shed").json()
    session = Session.objects.get(kind="project_create")
    assert answer["opened"] == [f"/projects/agent/{session.pk}"]


def test_a_tool_that_did_nothing_was_not_used(scripted, alices):
    scripted.on("concierge").calls(
        ScriptedCall("drop_database"),
        ScriptedCall("complete_task", {"id": str(uuid.uuid4())}),
        ScriptedCall("create_task", {"title": "Buy bread"}),
    ).text("There.")
    assert post(alices, "buy bread, and the rest").json()["toolsUsed"] == ["create_task"]
