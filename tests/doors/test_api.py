"""The doors of the JSON API: wrong bodies, other sites, strangers' ids."""

from __future__ import annotations

import json
from typing import Any

import pytest

from chat.events.connection import redis
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


def test_wrong_json_is_refused_in_one_shape_and_leaves_nothing(committed):
    world, client = committed, committed.clients["alice"]
    client.raise_request_exception = False
    before = stored()
    texts = [json.dumps(body) for body in _bodies(world.ids["session_id"])]
    texts += ["", "{", "\x00", '{"action": "start", "jobTitle": "\ud800"}', "[" * 5_000, "NaN"]
    for text in texts:
        for method in ("post", "patch"):
            data = text.encode("utf-8", "surrogatepass")
            answer = getattr(client, method)("/api/chat", data, content_type="application/json")
            assert 400 <= answer.status_code < 500, (method, text[:80], answer.status_code)
            assert answer.json()["error"]["message"]
            redis().flushall()
    assert stored() == before


def test_the_json_api_asks_for_json_from_here(committed):
    client = committed.clients["alice"]
    plain = client.post("/api/chat", json.dumps(START), content_type="text/plain")
    assert plain.status_code == 415
    elsewhere = client.post(
        "/api/chat", json.dumps(START), content_type="application/json",
        headers={"Origin": "http://evil.example"},
    )  # fmt: skip
    assert elsewhere.status_code == 403


@pytest.mark.parametrize("who", ["bob", "charlie", "nobody", "stan"])
def test_a_strangers_session_in_a_body_is_not_found(committed, who):
    client, before = committed.clients[who], stored()
    session_id = str(committed.ids["session_id"])
    said = {"action": "message", "sessionId": session_id, "message": "Hello"}
    picked = {"sessionId": session_id, "selectedSuggestionIds": []}
    assert knock(client, "post", "/api/chat", said).status_code == 404
    assert knock(client, "patch", "/api/chat", picked).status_code == 404
    assert stored() == before
