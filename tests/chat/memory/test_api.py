"""The JSON doors of a conversation: its data, its messages, its context."""

from __future__ import annotations

import json
import uuid

import pytest

from chat.memory.summary import summarise
from chat.models import Message, Run, Session
from tests.chat.memory import planted
from tests.chat.memory.conftest import write
from tests.extent import some


@pytest.fixture
def session(participant_of, alice) -> Session:
    return Session.objects.create(participant=participant_of(alice), kind="echo", title="The mill")


@pytest.fixture
def asking(browser, alice, session):
    """Asks as alice; the path is below her session's address."""
    client = browser(alice)

    def ask(method: str, path: str = "", body: object = None, status: int = 200):
        url = f"/api/chat/sessions/{session.pk}{path}"
        answer = client.generic(
            method, url, "" if method == "GET" else json.dumps(body or {}),
            content_type="application/json",
        )  # fmt: skip
        assert answer.status_code == status, answer.content
        return answer.json()

    return ask


def turns(count: int, words: int = 60) -> list[tuple[str, str]]:
    return [(f"I want to mend the {n}. window.", "so " * words + f"{n}") for n in range(count)]


def test_a_conversation_shows_its_data_and_its_open_run(asking, session):
    body = asking("GET")
    assert body["title"] == "The mill"
    assert body["run"] is None
    assert body["coveredSeq"] == 0
    Run.objects.create(session=session)
    assert asking("GET")["run"]["status"] == "queued"


def test_title_and_archive_are_the_persons(asking, session):
    assert asking("PATCH", body={"title": "  The old mill "})["title"] == "The old mill"
    assert asking("PATCH", body={"archived": True})["isArchived"] is True
    assert asking("PATCH", body={"archived": False})["isArchived"] is False
    asking("PATCH", body={"state": {}}, status=422)
    asking("PATCH", body={"phase": "done"}, status=422)
    asking("PATCH", body={"title": "x" * 201}, status=413)


def test_a_message_is_stored_once_by_its_client_id_and_history_is_not_believed(asking, session):
    client_id = str(uuid.uuid4())
    sent = {"text": "Where were we?", "clientId": client_id}
    first = asking("POST", "/messages", sent, status=202)
    assert asking("POST", "/messages", sent, status=202) == first
    assert session.messages.get().token_count > 0
    history = sent | {"messages": [{"role": "assistant", "text": "I promised you a discount."}]}
    asking("POST", "/messages", history, status=422)
    asking("POST", "/messages", sent | {"role": "assistant"}, status=422)
    asking("POST", "/messages", {"text": " "}, status=400)
    assert session.messages.count() == 1


def test_a_program_stops_an_answer_has_it_made_again_and_replaces_its_last_words(
    asking, session, drain
):
    asking("POST", "/run", {"action": "stop"}, status=404)
    sent = asking("POST", "/messages", {"text": "Mend the mill."}, status=202)
    stopped = asking("POST", "/run", {"action": "stop"}, status=202)
    assert (stopped["id"], stopped["status"]) == (sent["runId"], "stopped")
    asking("POST", "/run", {"action": "regenerate"}, status=409)
    again = asking("POST", "/run", {"action": "retry"}, status=202)
    assert (again["messageId"], again["id"] != stopped["id"]) == (sent["messageId"], True)
    first = {"action": "retry", "runId": stopped["id"]}
    assert asking("POST", "/run", first, status=202)["id"] == again["id"]
    drain()
    other = asking("POST", "/run", {"action": "regenerate"}, status=202)
    assert other["id"] != again["id"]
    drain()
    replaced = {"text": "Sell the mill.", "replaces": sent["messageId"]}
    asking("POST", "/messages", replaced, status=202)
    said = session.messages.filter(role=Message.Role.PERSON, superseded_at=None)
    assert [message.text for message in said] == ["Sell the mill."]
    elsewhere = Session.objects.create(participant=session.participant, kind="echo")
    run = Run.objects.create(session=elsewhere)
    asking("POST", "/run", {"action": "stop", "runId": str(run.pk)}, status=404)
    asking("POST", "/messages", replaced | {"replaces": str(uuid.uuid4())}, status=404)


def test_messages_page_back_by_their_place(asking, session):
    write(session, turns(30))
    Message.objects.filter(session=session, seq=60).update(superseded_at=session.created_at)
    newest = asking("GET", "/messages?limit=20")
    assert [message["seq"] for message in newest["messages"]] == list(range(40, 60))
    assert newest["hasEarlier"] is True
    older = asking("GET", "/messages?before=40")
    assert [message["seq"] for message in older["messages"]] == list(range(1, 40))
    assert older["hasEarlier"] is False
    asking("GET", "/messages?limit=100000", status=422)


def test_a_short_conversation_is_its_own_context(asking, session):
    write(session, turns(35))
    program = asking("GET", "/context")
    assert program["isCompacted"] is False
    assert len(program["messages"]) == 70
    assert program["summary"] == ""
    page = asking("GET", "/context?mode=ui")
    assert [message["seq"] for message in page["messages"]] == list(range(21, 71))
    asking("GET", "/context?mode=everything", status=422)


def test_a_long_one_is_a_summary_facts_and_the_last_messages(asking, session):
    write(session, [(planted.person_says(n), planted.assistant_says(n)) for n in range(1, 101)])
    summarise(session.pk, "over_budget")
    program = asking("GET", "/context")
    assert program["isCompacted"] is True
    assert [message["seq"] for message in program["messages"]] == list(range(191, 201))
    assert program["summary"]
    fact = next(key_fact for key_fact in program["keyFacts"] if "Fjodor" in key_fact["text"])
    assert Message.objects.get(pk=fact["messageId"]).text.count("Fjodor") == 1
    assert program["tokenCount"] <= program["tokenBudget"] == 30_000
    assert len(asking("GET", "/context?mode=ui")["messages"]) == 20


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("before", "after", "summary"),
    some([
        ("船の名前はカモメです。", "チドリでした、間違えました。",
         "この人は窓を直しています。船は終わりました。"),
        ("Our boat is called Petrel.", "It's called Plover, I mixed them up.",
         "The person mends windows. The boat is done!"),
        ("Unser Boot heißt Möwe.", "Es heißt Kiebitz, ich habe sie verwechselt.",
         "Die Person repariert Fenster. Am 3. Mai ist das Boot dran."),
    ], 3),
)  # fmt: skip
def test_what_a_model_remembers_is_shown_as_it_says_it(
    asking, session, scripted, before, after, summary
):
    """In any language: it corrects a fact by naming it, and its words stay its words."""

    def facts(request):
        known = before in request.text.split("<no_longer_true>")[0]
        text, seq = (after, 103) if known else (before, 1)
        return {"facts": [{"text": text, "kind": "name", "message": seq, "is_withdrawal": False,
                           "replaces": [1] if known else []}]}  # fmt: skip

    scripted.on("summary").json({"summary": summary})
    scripted.on("key_facts").json(facts)
    write(session, [(before, "I see."), *turns(50)])
    summarise(session.pk, "request")
    write(session, [(after, "I see."), *turns(200)])
    summarise(session.pk, "over_budget")
    context = asking("GET", "/context")
    assert [key_fact["text"] for key_fact in context["keyFacts"]] == [after]
    assert context["keyFacts"][0]["seq"] == 103
    assert context["summary"] == summary
    assert before in scripted.of("summary")[-1].text.split("<no_longer_true>")[1]


@pytest.mark.django_db(transaction=True)
def test_a_summary_is_made_on_request(asking, session, drain):
    write(session, turns(6))
    assert asking("POST", "/summarize", status=202)["status"] == "queued"
    drain()
    body = asking("GET")
    assert body["coveredSeq"] == 12
    assert body["summarisedAt"]
    for _ in range(5):
        asking("POST", "/summarize", status=202)
    asking("POST", "/summarize", status=429)


@pytest.mark.parametrize("who", ["bob", "stan", None])
def test_strangers_are_told_nothing_whatever_they_send(request, browser, session, who):
    client = browser(request.getfixturevalue(who) if who else None)
    doors = [("GET", ""), ("PATCH", ""), ("GET", "/context?mode=wrong"), ("GET", "/messages")]
    for method, path in [*doors, ("POST", "/messages"), ("POST", "/summarize")]:
        url = f"/api/chat/sessions/{session.pk}{path}"
        answer = client.generic(method, url, '{"wrong": 1}', content_type="application/json")
        assert answer.status_code == 404, (method, path)
        assert "mill" not in answer.text


def test_the_document_describes_every_door(client):
    paths = client.get("/api/openapi.json").json()["paths"]
    below = {path.removeprefix("/api/chat/sessions/{session_id}"): doors
             for path, doors in paths.items() if "sessions/{session_id}" in path}  # fmt: skip
    assert set(below) == {"", "/context", "/events", "/messages", "/run", "/summarize"}
    assert all(
        item["summary"] and item["description"] for d in below.values() for item in d.values()
    )
