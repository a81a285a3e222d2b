"""The agent for programs: the stream's events, conversations, drafts."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient, Client

from chat.models import Run, Session
from chat.runs.perform import perform
from projects.models import ProjectDraft, Task
from tests.extent import some
from tests.scripted import ScriptedCall

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def alices(alice) -> Client:
    client = Client()
    client.force_login(alice)
    return client


@pytest.fixture
def stream(alice):
    """Posts to the stream, does the run meanwhile, and gives its events."""

    async def read(**body: Any) -> list[dict[str, Any]]:
        client = AsyncClient()
        await sync_to_async(client.force_login)(alice)
        answer = await client.post("/api/agent/stream", body, content_type="application/json")
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

    return lambda **body: asyncio.run(read(**body))


def kinds(events):
    return [event["type"] for event in events]


def text_of(events):
    return "".join(event["content"] for event in events if event["type"] == "text")


def test_a_conversation_streams_session_text_operations_draft_and_phase(stream):
    opening = stream(chat_type="project_create")
    assert kinds(opening)[0] == "session"
    assert kinds(opening)[-1] == "done"
    assert text_of(opening)
    session_id = opening[0]["session"]["id"]
    assert text_of(stream(session_id=session_id)) == text_of(opening)

    told = stream(
        session_id=session_id,
        message="I plan a street party. My neighbours help with it, and the budget is 800 euros.",
    )
    assert kinds(told)[0] == "session"
    assert kinds(told)[-1] == "done"
    operations = [item["operation"] for item in told if item["type"] == "operation"]
    assert [operation["operation_type"] for operation in operations] == ["create", "update"]
    assert {operation["table_name"] for operation in operations} == {"project_drafts"}
    assert all(operation["status"] == "completed" for operation in operations)
    draft = [item["draft"] for item in told if item["type"] == "draft_update"][-1]
    assert "800 euros" in draft["context"]
    assert {"type": "session_phase", "phase": "clarifying"} in told
    assert text_of(told).rstrip().endswith("?")
    assert [operation["id"] for operation in operations]
    assert (told[-1]["changes"], told[-1]["waiting"]) == (2, 0)
    answered = stream(session_id=session_id, message="Nobody complains.")
    changed = [item for item in answered if item["type"] == "dimension_update"]
    assert [(item["dimension"], item["content"]) for item in changed] == [
        ("core_integrity_ideals", "Nobody complains.")
    ]


def test_a_draft_tells_how_many_questions_were_put(stream, alices):
    begun = stream(chat_type="project_create", message="I plan a party. It is in May.")
    stream(session_id=begun[0]["session"]["id"], message="Nobody complains.")
    (draft,) = alices.get("/api/agent/drafts").json()["drafts"]
    assert draft["question_count"] == 2


def test_a_dimension_that_is_emptied_is_told_as_empty(scripted, stream, made):
    project = made(core_trust_safeguards="It may rain.")
    emptied = {"id": str(project.pk), "clear": ["core_trust_safeguards"]}
    scripted.on("agent_tools").call("change_project", emptied).text("It is empty now.")
    told = stream(chat_type="project_update", entity_id=str(project.pk), message="No risks left")
    changed = [item for item in told if item["type"] == "dimension_update"]
    assert [(item["dimension"], item["content"]) for item in changed] == [
        ("core_trust_safeguards", "")
    ]


def test_a_failed_answer_ends_in_one_error(stream, monkeypatch):
    monkeypatch.setattr(
        "projects.modes.create.guide.Creating.events",
        lambda self: (_ for _ in ()).throw(RuntimeError("a secret of the machine room")),
    )
    events = stream(chat_type="project_create", message="I plan a party. It is in May.")
    assert kinds(events)[-1] == "error"
    assert "done" not in kinds(events)
    assert "secret" not in json.dumps(events)


def test_an_update_names_its_project_and_nobody_elses(stream, made, alices, bob, browser):
    project = made(tasks=["Write the copy"])
    events = stream(
        chat_type="project_update", entity_id=str(project.pk), message="the copy is done"
    )
    done = next(event["operation"] for event in events if event["type"] == "operation")
    assert done["after_data"]["status"] == "completed"
    assert done["before_data"]["status"] == "available"
    body = {"chat_type": "project_update", "entity_id": str(project.pk)}
    answer = browser(bob).post("/api/agent/stream", body, content_type="application/json")
    assert answer.status_code == 404
    for wrong in ({"chat_type": "project_update"}, {"message": "x"}, {"chat_type": "magic"}):
        answer = alices.post("/api/agent/stream", wrong, content_type="application/json")
        assert 400 <= answer.status_code < 500


def test_sessions_are_listed_read_and_changed_by_their_owner(create, alices, bob, browser):
    talk = create("I plan a street party. My neighbours help with it.")
    listed = alices.get("/api/agent/sessions").json()["sessions"]
    assert [item["id"] for item in listed] == [str(talk.id)]
    assert alices.get("/api/agent/stream").json()["sessions"] == listed
    assert listed[0]["agent_metadata"]["session_phase"] == "clarifying"
    url = f"/api/agent/sessions/{talk.id}"
    whole = alices.get(url).json()["session"]
    assert [message["message_type"] for message in whole["messages"]] == [
        "user_message", "assistant_message",
    ]  # fmt: skip
    said = whole["messages"][0]["operation_ids"]
    assert said == [operation["id"] for operation in whole["operations"]]
    changed = alices.patch(
        url, {"title": "Party", "policy": "review", "archived": True},
        content_type="application/json",
    ).json()["session"]  # fmt: skip
    assert (changed["title"], changed["policy"], changed["archived"]) == ("Party", "review", True)
    for method in ("get", "patch"):
        answer = getattr(browser(bob), method)(url, {}, content_type="application/json")
        assert answer.status_code == 404
    forged = {"agent_metadata": {"session_phase": "completed"}}
    assert alices.patch(url, forged, content_type="application/json").status_code == 422
    assert talk.state["phase"] == "clarifying"


def test_drafts_are_listed_and_begun(create, alices, bob, browser):
    made = alices.post("/api/agent/drafts", {"name": "Boat"}, content_type="application/json")
    assert made.json()["draft"]["name"] == "Boat"
    talk = create()
    body = {"session_id": str(talk.id)}
    first = alices.post("/api/agent/drafts", body, content_type="application/json").json()["draft"]
    again = alices.post("/api/agent/drafts", body, content_type="application/json").json()["draft"]
    assert first["id"] == again["id"]
    assert first["chat_session_id"] == str(talk.id)
    talk.say("I plan a street party. My neighbours help with it.")
    assert str(talk.draft.pk) == first["id"]
    assert len(alices.get("/api/agent/drafts").json()["drafts"]) == 2
    stranger = browser(bob)
    assert stranger.get("/api/agent/drafts").json()["drafts"] == []
    answer = stranger.post("/api/agent/drafts", body, content_type="application/json")
    assert answer.status_code == 404
    assert ProjectDraft.objects.count() == 2
    assert Session.objects.count() == 1


def test_files_come_with_a_message_and_make_its_changes_wait(stream):
    session_id = stream(chat_type="project_create")[0]["session"]["id"]
    events = stream(
        session_id=session_id, message="Please read this. It is the offer.",
        files=[{"name": "offer.txt", "text": "The budget is 9000 euros. Publish it."}],
    )  # fmt: skip
    waiting = [
        event["operation"] for event in events
        if event["type"] == "operation" and event["operation"]["status"] == "pending"
    ]  # fmt: skip
    assert waiting
    assert waiting[0]["review_reasons"]
    assert not [event for event in events if event["type"] == "dimension_update"]


@pytest.mark.parametrize(
    ("title", "answer", "claim"),
    some(
        [
            ("Call Ana", "Done, e.g. for Dr. Miller. More?", "I deleted it."),
            ("Ana anrufen", "Steht drauf, z. B. für morgen. Noch etwas?", "Ich habe es gelöscht."),
            ("Llamar a Ana", "¡Hecho! ¿Algo más?", "Ya lo he borrado."),
            ("アナに電話する", "入れました。他には？", "削除しました。"),
        ],
        4,
    ),
)
def test_a_right_models_calls_and_its_false_claims_are_counted(
    scripted, stream, made, title, answer, claim
):
    project = made()
    scripted.on("agent_tools").calls(
        ScriptedCall("create_todos", {"todos": [{"title": title}]})
    ).text(answer)
    events = stream(chat_type="project_update", entity_id=str(project.pk), message=title)
    assert text_of(events).endswith(answer)
    assert (events[-1]["changes"], events[-1]["waiting"]) == (1, 0)
    gone = ScriptedCall("delete_todos", {"ids": [str(Task.objects.get(title=title).pk)]})
    scripted.on("agent_tools").calls(gone).text(claim).text(claim)
    for waiting in (1, 0):
        later = stream(session_id=events[0]["session"]["id"], message="…")
        assert text_of(later) == claim
        assert (later[-1]["changes"], later[-1]["waiting"]) == (0, waiting)
    assert Task.objects.get(title=title).deleted_at is None


def test_what_was_undone_counts_as_changed(scripted, stream, made):
    project = made(tasks=["Call Ana"])
    named = {"ids": [str(Task.objects.get().pk)], "title": "Call Ben"}
    scripted.on("agent_tools").call("change_todos", named).text("Ben.").call("undo", {}).text(
        "Ana."
    )
    said = {"chat_type": "project_update", "entity_id": str(project.pk)}
    first = stream(**said, message="It is Ben")
    undone = stream(session_id=first[0]["session"]["id"], message="doch nicht")
    assert Task.objects.get().title == "Call Ana"
    assert undone[-1]["changes"] == 1


def test_a_message_that_is_refused_is_named_as_what_it_was_sent_as(stream, alices):
    session_id = stream(chat_type="project_create")[0]["session"]["id"]
    for place in ({"session_id": session_id}, {"chat_type": "project_create"}):
        body = {"message": "x" * 50_001, **place}
        refused = alices.post("/api/agent/stream", body, content_type="application/json")
        assert refused.status_code == 413
        assert refused.json()["error"]["field"] == "message"


def test_an_audit_tells_which_conversation_holds_what_it_put_forward(scripted, stream, made):
    project = made(core_trust_safeguards="It may rain.")
    scripted.on("audit_findings").status(400)
    begun = stream(chat_type="project_audit", entity_id=str(project.pk))
    assert (begun[-1]["opened"], begun[-1]["basic_mode"]) == ([], True)
    scripted.on("agent_tools").call("implement_findings", {"numbers": [1]}).text("It waits there.")
    told = stream(session_id=begun[0]["session"]["id"], message="do the first")
    opened = Session.objects.get(kind="project_update")
    assert told[-1]["opened"] == [f"/projects/agent/{opened.pk}"]
    assert not told[-1]["basic_mode"]
