"""The survey by JSON: shapes, ownership, limits; what is wrong is told and changes nothing."""

import json
import uuid

import pytest
from django.test import Client

from chat.models import Message, Participant, Session
from tests.waiting import TRIES

pytestmark = pytest.mark.django_db(transaction=True)

CHAT = "/api/chat"


def post(client, body, **more):
    """Sends JSON as a program would."""
    data = body if isinstance(body, (str, bytes)) else json.dumps(body)
    return client.generic("POST", CHAT, data, content_type="application/json", **more)


def patch(client, body):
    return client.generic("PATCH", CHAT, json.dumps(body), content_type="application/json")


def error_of(answer):
    return answer.json()["error"]


@pytest.fixture
def talk(client, catalogue, worker):
    """A started survey and the answer to its start."""
    answer = post(client, {"action": "start", "jobTitle": "Data Analyst"})
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_start_answers_with_the_opening_and_sets_the_cookie(client, catalogue, worker):
    answer = post(client, {"action": "start", "jobTitle": "Data Analyst"})
    body = answer.json()
    assert answer.status_code == 200
    assert set(body) == {
        "sessionId",
        "catalogue",
        "message",
        "shouldShowSuggestions",
        "isComplete",
        "extractedTasks",
        "toolUsed",
        "basicMode",
        "updatedState",
    }
    shapes = client.get("/api/openapi.json").json()["components"]["schemas"]
    assert set(shapes["ChatOut"]["required"]) <= set(body)
    assert set(shapes["StateOut"]["required"]) <= set(body["updatedState"])
    assert body["basicMode"] is True
    assert body["catalogue"] == "starter"
    assert body["toolUsed"] == "open_ended_prompt"
    assert body["message"]["role"] == "assistant"
    assert body["updatedState"]["turnCount"] == 0
    assert set(body["updatedState"]["gwaCoverage"].values()) == {"none"}
    cookie = answer.cookies["futura_participant"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_an_answer_says_whether_rules_stood_in_for_the_model(client, catalogue, worker, scripted):
    scripted.default_survey()
    start = post(client, {"action": "start", "jobTitle": "Data Analyst"}).json()
    assert start["basicMode"] is False
    scripted.on("response").refuse()
    said = {"action": "message", "sessionId": start["sessionId"], "message": "I clean data."}
    assert post(client, said).json()["basicMode"] is True


def test_a_dump_with_the_start_is_answered_with_a_question(client, catalogue, worker):
    body = post(
        client,
        {
            "action": "start",
            "jobTitle": "Social media manager",
            "initialTasks": "I create content calendars, analyze engagement metrics and "
            "respond to customer comments.",
        },
    ).json()
    assert body["toolUsed"] == "custom_question"
    assert body["updatedState"]["turnCount"] == 1
    assert len(body["extractedTasks"]) >= 3
    first = body["extractedTasks"][0]
    assert first["quote"]["messageId"] == first["sourceMessageId"]
    assert first["quote"]["start"] < first["quote"]["end"]


def test_with_an_occupation_the_state_says_how_much_of_a_week_is_told(client, catalogue, worker):
    dump = "I clean data, build dashboards, write reports and automate recurring reports."
    start = {"action": "start", "jobTitle": "Data Analyst", "initialTasks": dump}
    assert post(client, start).json()["updatedState"].get("weekPercent") is None
    body = post(client, {**start, "occupationCode": "15-2051.00"}).json()
    assert body["updatedState"]["weekPercent"] in range(10, 60, 10)


def test_a_terse_answer_brings_cards_and_the_selection_replaces_itself(client, talk):
    said = {"action": "message", "sessionId": talk["sessionId"], "message": "mostly reports"}
    body = post(client, said).json()
    assert body["toolUsed"] == "show_suggestions"
    assert body["shouldShowSuggestions"] is True
    assert len(body["suggestions"]) == 5
    assert set(body["suggestions"][0]) == {"id", "statement", "gwaCategory"}
    ids = [card["id"] for card in body["suggestions"]]
    for chosen in (ids[:2], ids[1:4], []):
        answer = patch(client, {"sessionId": talk["sessionId"], "selectedSuggestionIds": chosen})
        assert answer.status_code == 200
        assert answer.json()["selectedSuggestionIds"] == chosen


def test_a_card_that_was_never_shown_is_refused(client, talk):
    answer = patch(client, {"sessionId": talk["sessionId"], "selectedSuggestionIds": ["made-up"]})
    assert answer.status_code == 400
    assert error_of(answer)["field"] == "selectedSuggestionIds"


def test_the_same_client_id_twice_is_one_message(client, talk):
    said = {
        "action": "message",
        "sessionId": talk["sessionId"],
        "message": "I write weekly reports.",
        "clientId": str(uuid.uuid4()),
    }
    first, second = post(client, said).json(), post(client, said).json()
    assert first == second
    assert Message.objects.filter(role="user").count() == 1
    other = post(client, said | {"message": "I answer letters."})
    assert (other.status_code, error_of(other)["code"]) == (409, "id_taken")
    assert Message.objects.filter(role="user").count() == 1


def test_a_stop_ends_the_talk_and_the_tasks_can_be_fetched(client, talk, drain):
    said = {
        "action": "message",
        "sessionId": talk["sessionId"],
        "message": "I write weekly sales reports and train new colleagues. That's all!",
    }
    body = post(client, said).json()
    assert body["toolUsed"] == "proceed"
    assert body["isComplete"] is True
    for _try in range(TRIES):  # the worker's thread may announce it after the answer
        drain()
        answer = client.get(f"/api/survey/{talk['sessionId']}/tasks").json()
        if answer["status"] == "done":
            break
    assert answer["status"] == "done"
    assert {task["matchStatus"] for task in answer["tasks"]} <= {"matched", "none"}
    first = answer["tasks"][0]
    assert first["normalizedDescription"].startswith("Write")
    assert first["quote"] in said["message"]
    assert first["source"] == "chat"
    assert answer["catalogue"] == "starter"
    found = [match for task in answer["tasks"] for match in task["matches"]]
    assert found
    assert {match["catalogue"] for match in found} == {"starter"}
    assert not any(key.startswith("onet") for match in found for key in match)
    assert {"id", "userDescription", "gwaCategory", "timePercentage", "aiUsage"} <= set(first)


def test_a_program_has_the_list_made_without_a_word_that_ends_the_talk(client, talk, drain):
    url = f"/api/survey/{talk['sessionId']}/tasks"
    said = {"action": "message", "sessionId": talk["sessionId"], "message": "I write weekly plans."}
    assert post(client, said).json()["isComplete"] is False
    assert client.get(url).json()["status"] == "idle"
    made = client.post(url, {}, content_type="application/json")
    assert (made.status_code, made.json()["status"]) == (202, "queued")
    drain()
    (task,) = client.get(url).json()["tasks"]
    assert task["normalizedDescription"] == "Write weekly plans"
    post(client, said | {"message": "I train newcomers."})
    assert client.post(url, {}, content_type="application/json").status_code == 202
    drain()
    assert len(client.get(url).json()["tasks"]) == 2


def test_a_program_submits_a_list_once_and_reads_it_afterwards(client, talk, drain):
    url = f"/api/survey/{talk['sessionId']}"

    def submitted():
        return client.post(f"{url}/submit", {}, content_type="application/json")

    assert submitted().status_code == 400  # an empty list
    post(client, {"action": "message", "sessionId": talk["sessionId"], "message": "I write plans."})
    client.post(f"{url}/tasks", {}, content_type="application/json")
    waits = submitted()
    assert (waits.status_code, error_of(waits)["retry"]) == (409, True)
    drain()
    listed = client.get(f"{url}/tasks").json()
    assert listed["submittedAt"] is None
    (task,) = listed["tasks"]
    seen = {"survey": talk["sessionId"], "task": task["id"], "version": task["version"]}
    rated = {"name": "rate_task", "version": 1, "arguments": seen | {"time_share": 100}}
    for status in (200, 409):  # what was read is out of date then
        done = client.post("/api/commands", rated, content_type="application/json")
        assert done.status_code == status
    seen["version"] = task["matchVersion"]
    chosen = rated | {"name": "choose_match", "arguments": seen | {"candidate": "none"}}
    assert client.post("/api/commands", chosen, content_type="application/json").status_code == 200
    sent = submitted()
    assert (sent.status_code, len(sent.json()["tasks"])) == (200, 1)
    assert sent.json()["submittedAt"]
    assert submitted().json() == sent.json() == client.get(f"{url}/tasks").json()
    again = client.post(f"{url}/tasks", {}, content_type="application/json")
    assert (again.status_code, error_of(again)["code"]) == (409, "conflict")
    assert Client().post(f"{url}/submit", {}, content_type="application/json").status_code == 404


def test_an_unknown_session_looks_like_somebody_elses(client, talk):
    unknown = str(uuid.uuid4())
    answer = post(client, {"action": "message", "sessionId": unknown, "message": "hello"})
    assert answer.status_code == 404
    assert error_of(answer)["code"] == "not_found"


WRONG = (
    ("{not json", 400),
    ("", 415),
    ([], 422),
    ({}, 422),
    ({"action": "dance"}, 422),
    ({"action": "start"}, 422),
    ({"action": "start", "jobTitle": 7}, 422),
    ({"action": "start", "jobTitle": "x", "jobtitle": "typo"}, 422),
    ({"action": "start", "jobTitle": "   "}, 400),
    ({"action": "start", "jobTitle": "x" * 300}, 413),
    ({"action": "start", "jobTitle": "Baker", "occupationCode": "99-9999.99"}, 400),
    ({"action": "start", "jobTitle": "Baker", "initialTasks": "y" * 10_001}, 413),
    ({"action": "message", "sessionId": "not-a-uuid", "message": "x"}, 422),
    ({"action": "message", "sessionId": None, "message": "x"}, 422),
)


def test_wrong_input_is_told_and_makes_nothing(client, catalogue):
    for body, status in WRONG:
        answer = post(client, body)
        assert answer.status_code == status, body
        assert error_of(answer)["message"]
    assert not Session.objects.exists()
    assert not Participant.objects.exists()


def test_empty_and_endless_messages_are_refused(client, talk):
    for text, status in (("", 400), (" \n ", 400), ("x" * 20_000, 413)):
        said = {"action": "message", "sessionId": talk["sessionId"], "message": text}
        assert post(client, said).status_code == status, text[:9]
    assert Message.objects.filter(role="user").count() == 0


def test_a_body_over_the_limit_is_refused(client, db):
    answer = post(client, {"action": "start", "jobTitle": "x" * 2_000_000})
    assert answer.status_code == 413
    assert error_of(answer)["code"] == "too_long"


def test_other_origins_and_other_content_types_are_refused(client, db):
    start = {"action": "start", "jobTitle": "Baker"}
    assert post(client, start, headers={"Origin": "https://evil.example"}).status_code == 403
    assert post(client, start, headers={"Origin": "null"}).status_code == 403
    assert post(client, start, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    form = client.post(CHAT, {"action": "start", "jobTitle": "Baker"})
    assert form.status_code == 415
    assert not Session.objects.exists()


def test_own_pages_may_call(client, catalogue, worker):
    start = {"action": "start", "jobTitle": "Baker"}
    answer = post(client, start, headers={"Origin": "http://testserver"})
    assert answer.status_code == 200


def test_html_is_kept_as_text(client, catalogue, worker):
    title = "<img src=x onerror=alert(1)>"
    body = post(client, {"action": "start", "jobTitle": title}).json()
    assert Session.objects.get(pk=body["sessionId"]).title == title
