"""The doors of the JSON API: wrong bodies, other sites, strangers' ids."""

from __future__ import annotations

import itertools
import json
from typing import Any

from chat.events.log import redis
from tests.doors.world import LONG, SCRIPT, knock, stored

START = {"action": "start", "jobTitle": "Baker"}


def _bodies(session_id: object) -> list[Any]:
    """Bodies that are wrong in one way each."""
    say = {"action": "message", "sessionId": str(session_id), "message": "I bake."}
    wrong: list[Any] = [None, 1, "x", [], {}, {"action": "drop"}, {"action": ["start"]}]
    wrong += [{k: v for k, v in START.items() if k != key} for key in START]
    values: list[Any] = [5, None, [], {}, True, "", "   ", "\x00", "x" * 300, LONG]
    for bad in values:
        wrong.append(START | {"jobTitle": bad})
        if bad is not None:  # nothing told, or too short to be too long
            wrong += [START | {"initialTasks": bad}] if not isinstance(bad, str) else []
            wrong += [START | {"occupationCode": bad}] if bad != "" else []
        if bad != "x" * 300:
            wrong.append(say | {"message": bad})
        wrong.append(say | {"sessionId": bad})
    wrong += [
        START | {"initialTasks": LONG},
        START | {"jobtitle": "a typo"},
        START | {"occupationCode": SCRIPT},
        say | {"clientId": "no id"},
        say | {"role": "assistant"},
        {k: v for k, v in say.items() if k != "message"},
    ]
    return wrong


def test_wrong_json_and_strangers_are_refused_in_one_shape_and_leave_nothing(committed):
    world, client = committed, committed.clients["alice"]
    client.raise_request_exception = False
    before = stored()
    _every_refusal_has_the_one_shape(client, world.ids["session_id"])
    texts = [json.dumps(body) for body in _bodies(world.ids["session_id"])]
    texts += ["", "{", "\x00", '{"action": "start", "jobTitle": "\ud800"}', "[" * 5_000, "NaN"]
    for text in texts:
        for method in ("post", "patch"):
            data = text.encode("utf-8", "surrogatepass")
            answer = getattr(client, method)("/api/chat", data, content_type="application/json")
            assert 400 <= answer.status_code < 500, (method, text[:80], answer.status_code)
            assert answer.json()["error"]["message"]
            redis().flushall()
    _json_is_asked_for_from_here(client)
    _a_strangers_session_in_a_body_is_not_found(world)
    assert stored() == before


def _every_refusal_has_the_one_shape(client, session_id):
    json_sent = {"content_type": "application/json"}
    refused = [
        (client.get("/api/nothing/here"), 404, "not_found", None),
        (client.get("/api/todos/1"), 404, "not_found", None),
        (client.put("/api/todos", "{}", **json_sent), 405, "wrong_method", None),
        (client.post(f"/api/chat/sessions/{session_id}/events", "{}", **json_sent),
         405, "wrong_method", None),
        (client.post("/api/todos", "{", **json_sent), 400, "bad_input", None),
        (client.post("/api/todos", "[]", **json_sent), 422, "wrong_shape", None),
        (client.post("/api/todos", '{"titel": "x"}', **json_sent), 422, "wrong_shape", "title"),
        (client.post("/api/chat", '{"jobTitle": "x"}', **json_sent), 422, "wrong_shape", "action"),
        (client.post("/api/chat", '{"action": "go"}', **json_sent), 422, "wrong_shape", "action"),
    ]  # fmt: skip
    for answer, status, code, field in refused:
        error = answer.json()["error"]
        assert (answer.status_code, error["code"], error.get("field")) == (status, code, field)
    assert set(refused[2][0]["Allow"].split(", ")) == {"GET", "POST"}
    assert refused[4][0].json()["error"]["message"] == "The body is not valid JSON."
    assert refused[-2][0].json()["error"]["message"] == "This field is required."
    assert "'start', 'message'" in refused[-1][0].json()["error"]["message"]
    assert "<h1" in client.get("/nothing/here").text


def _json_is_asked_for_from_here(client):
    plain = client.post("/api/chat", json.dumps(START), content_type="text/plain")
    assert plain.status_code == 415
    elsewhere = client.post(
        "/api/chat", json.dumps(START), content_type="application/json",
        headers={"Origin": "http://evil.example"},
    )  # fmt: skip
    assert elsewhere.status_code == 403


def _a_strangers_session_in_a_body_is_not_found(world):
    session_id = str(world.ids["session_id"])
    said = {"action": "message", "sessionId": session_id, "message": "Hello"}
    picked = {"sessionId": session_id, "selectedSuggestionIds": []}
    for who in ("bob", "charlie", "nobody", "stan"):
        client = world.clients[who]
        assert knock(client, "post", "/api/chat", said).status_code == 404, who
        assert knock(client, "patch", "/api/chat", picked).status_code == 404, who


NUL, HALF = "\x00", "\ud83d"
QUESTION = {
    "ownerId": "nobody", "conversationId": "c", "responseAnchorId": "r",
    "messages": [{"role": "user", "content": "Who are you?"}],
}  # fmt: skip
QUESTIONS, ASSISTANT = "/api/portfolio/chat", "/api/concierge/chat"
UNSTORABLE = [
    (QUESTIONS, QUESTION | {"conversationId": "c{}"}, "conversationId"),
    (QUESTIONS, QUESTION | {"ownerId": "{}"}, "ownerId"),
    (QUESTIONS, QUESTION | {"messages": [{"role": "user", "content": "a{}"}]},
     "messages.0.content"),
    ("/api/chat", START | {"jobTitle": "Ba{}ker"}, "jobTitle"),
    (ASSISTANT, {"message": "Hello{}"}, "message"),
    (ASSISTANT, {"message": "Hello", "a{}": 1}, None),
    ("/api/agent/stream", {"message": "Hello{}", "chat_type": "project_create"}, "message"),
    ("/api/agent/drafts", {"name": "A{}", "description": ""}, "name"),
]  # fmt: skip


def test_text_that_cannot_be_stored_is_refused_with_its_place(client, transactional_db):
    client.raise_request_exception = False
    before = stored()
    for (address, body, field), bad in itertools.product(UNSTORABLE, (NUL, HALF)):
        text = json.dumps(body).replace('"{}', '"x{}').replace("{}", json.dumps(bad)[1:-1])
        answer = client.post(address, text, content_type="application/json")
        assert answer.status_code == 400, address
        assert answer.json()["error"].get("field") == field
        assert "cannot be stored" in answer.json()["error"]["message"]
    half = client.post(
        ASSISTANT, b'{"message": "Hello \xed\xa0\xbd"}', content_type="application/json"
    )
    assert (half.status_code, half.json()["error"]["field"]) == (400, "message")
    assert stored() == before


def test_a_query_that_cannot_be_stored_is_refused_with_a_word(client, transactional_db):
    client.raise_request_exception = False
    for query in ("portfolio=%00", "portfolio=ann%00a", "%00=x", "x=1&y=%00"):
        answer = client.post(
            f"{QUESTIONS}?{query}", json.dumps(QUESTION), content_type="application/json"
        )
        assert answer.status_code == 400, query
        assert answer.json()["error"]["code"] == "bad_input"
        assert "NUL character" in answer.json()["error"]["message"]
    assert client.get("/api/onet/titles?q=%00").status_code == 400
