"""The engine's doors over HTTP: what they do for owners, and that strangers find nothing."""

from __future__ import annotations

import time
import uuid

import pytest
from django.core import signing
from django.core.files.uploadedfile import SimpleUploadedFile

from chat.identity import COOKIE, COOKIE_AGE_S, RENEWAL_AFTER_S, Identity, cookie_for, key_hash
from chat.models import Participant, Run, Session
from tests.chat.echo import EchoState

JSON = {"HTTP_ACCEPT": "application/json"}


def post(client, path, body=None, **more):
    return client.post(path, body or {}, **more)


def test_a_form_without_javascript_comes_back_to_the_page(start, alice, browser, drain):
    session = start(alice)
    drain()
    answer = post(browser(alice), f"/chat/sessions/{session.pk}/messages", {"text": "hello"})
    assert answer.status_code == 303
    assert answer["Location"] == f"/echo/{session.pk}/"
    drain()
    assert session.messages.get(seq=3).text == "You said: hello "


def test_a_script_gets_the_run_and_the_resend_gets_the_same(start, alice, browser, drain):
    session = start(alice)
    drain()
    client, client_id = browser(alice), str(uuid.uuid4())
    path = f"/chat/sessions/{session.pk}/messages"
    answers = [post(client, path, {"text": "hi", "client_id": client_id}, **JSON) for _ in "ab"]
    assert [answer.status_code for answer in answers] == [202, 202]
    assert answers[0].json() == answers[1].json()


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"text": ""}, 400, "bad_input"),
        ({}, 400, "bad_input"),
        ({"text": "x" * 20_000}, 413, "too_long"),
        ({"text": "hi", "client_id": "no id"}, 400, "bad_input"),
    ],
)
def test_a_refused_message_says_why_and_keeps_the_text(start, alice, browser, body, status, code):
    session = start(alice)
    answer = post(browser(alice), f"/chat/sessions/{session.pk}/messages", body, **JSON)
    assert answer.status_code == status
    assert answer.json()["error"]["code"] == code
    session.refresh_from_db()
    assert session.draft == body.get("text", "")
    assert session.messages.count() == 0


def test_a_draft_is_kept_and_cleared_by_sending(start, alice, browser, drain):
    session = start(alice)
    drain()
    client = browser(alice)
    post(client, f"/chat/sessions/{session.pk}/draft", {"text": "half a tho"})
    session.refresh_from_db()
    assert session.draft == "half a tho"
    post(client, f"/chat/sessions/{session.pk}/messages", {"text": "half a thought"})
    session.refresh_from_db()
    assert session.draft == ""


def test_stop_is_idempotent_and_quiet_when_nothing_runs(start, alice, browser, drain):
    session = start(alice)
    client = browser(alice)
    path = f"/chat/sessions/{session.pk}/stop"
    first = post(client, path, **JSON)
    assert (first.status_code, first.json()["status"]) == (202, "stopped")
    assert post(client, path, **JSON).json() == {"run": None}
    run = session.runs.get()
    assert post(client, path, {"run": str(run.pk)}, **JSON).json()["status"] == "stopped"
    drain()
    assert session.messages.count() == 0


def test_a_failed_answer_can_be_tried_again(start, alice, browser, drain, caplog):
    session = start(alice, "/broken")
    drain()
    run = session.runs.get()
    answer = post(browser(alice), f"/chat/runs/{run.pk}/retry", HTTP_HX_REQUEST="true")
    assert answer.status_code == 204
    assert session.runs.filter(status=Run.Status.QUEUED).count() == 1


DOORS = [
    "/chat/sessions/{session}/messages",
    "/chat/sessions/{session}/stop",
    "/chat/sessions/{session}/draft",
    "/chat/sessions/{session}/transcribe",
    "/chat/runs/{run}/retry",
]


@pytest.mark.parametrize("who", ["charlie", "nobody"])
def test_a_strangers_script_is_told_that_there_is_nothing(start, alice, charlie, browser, who):
    session = start(alice)
    client = browser(charlie if who == "charlie" else None)
    for door in DOORS:
        path = door.format(session=session.pk, run=session.runs.get().pk)
        for address in (path, door.format(session=uuid.uuid4(), run=uuid.uuid4())):
            answer = post(client, address, {"text": "let me in"}, **JSON)
            assert answer.status_code == 404, address
            assert answer.json()["error"]["code"] == "not_found"
    session.refresh_from_db()
    assert session.draft == ""
    assert session.runs.get().status == Run.Status.QUEUED


def test_doors_that_change_something_take_posts_only(start, alice, browser):
    session, client = start(alice), browser(alice)
    for door in DOORS:
        path = door.format(session=session.pk, run=session.runs.get().pk)
        assert client.get(path).status_code == 405, path


def test_speech_is_written_down_by_the_model(start, alice, browser, scripted):
    scripted.on("transcription").text("I mend shoes")
    session = start(alice)
    recording = SimpleUploadedFile("speech.webm", b"\x1aE\xdf\xa3 some sound", "audio/webm")
    path = f"/chat/sessions/{session.pk}/transcribe"
    answer = post(browser(alice), path, {"audio": recording}, **JSON)
    assert answer.status_code == 200
    assert answer.json() == {"text": "I mend shoes"}


def test_speech_without_a_model_or_recording_is_told(start, alice, browser):
    session = start(alice)
    client, path = browser(alice), f"/chat/sessions/{session.pk}/transcribe"
    assert post(client, path, **JSON).status_code == 400
    recording = SimpleUploadedFile("speech.webm", b"sound", "audio/webm")
    answer = post(client, path, {"audio": recording}, **JSON)
    assert answer.status_code == 503
    assert answer.json()["error"]["code"] == "model_unavailable"


# Who is who -------------------------------------------------------------------------------------


@pytest.fixture
def anonymous(db, browser):
    """A browser that owns a session by its cookie."""
    participant = Participant.objects.create(key_hash=None)
    Participant.objects.filter(pk=participant.pk).update(key_hash=key_hash("a key"))
    client = browser()
    client.cookies[COOKIE] = cookie_for("a key")
    session = Session.objects.create(
        participant=participant, kind="echo", state=EchoState().model_dump()
    )
    return client, session


def test_an_anonymous_browser_owns_what_it_made(anonymous):
    client, session = anonymous
    path = f"/chat/sessions/{session.pk}/draft"
    assert post(client, path, {"text": "mine"}).status_code == 204
    client.cookies[COOKIE] = cookie_for("another key")
    assert post(client, path, {"text": "yours"}, **JSON).status_code == 404
    client.cookies[COOKIE] = "a key"
    assert post(client, path, {"text": "forged"}, **JSON).status_code == 404


def test_a_cookie_is_given_anew_while_somebody_comes_again(anonymous, monkeypatch):
    client, session = anonymous
    path = f"/echo/{session.pk}/"
    assert COOKIE not in client.get(path).cookies
    month_ago = time.time() - RENEWAL_AFTER_S - 1
    with monkeypatch.context() as past:
        past.setattr("django.core.signing.time.time", lambda: month_ago)
        client.cookies[COOKIE] = cookie_for("a key")
    renewed = client.get(path).cookies[COOKIE]
    assert renewed["max-age"] == COOKIE_AGE_S
    assert signing.loads(renewed.value, salt="chat.participant", max_age=60) == "a key"
    assert COOKIE not in client.get(path).cookies


def test_the_privacy_page_says_how_long_the_cookie_lasts(anonymous):
    client, _session = anonymous
    assert COOKIE_AGE_S - RENEWAL_AFTER_S >= 365 * 24 * 3600
    assert "at least a year from your last visit" in client.get("/about/answers").text


def test_after_another_secret_key_the_earlier_one_leads_to_what_was_written(anonymous, settings):
    client, session = anonymous
    path = f"/chat/sessions/{session.pk}/draft"
    earlier, settings.SECRET_KEY = settings.SECRET_KEY, "another-" + "z" * 50
    assert post(client, path, {"text": "lost"}, **JSON).status_code == 404
    settings.SECRET_KEY_FALLBACKS = [earlier]
    assert post(client, path, {"text": "mine"}).status_code == 204


def test_claiming_moves_it_to_the_account_and_the_cookie_opens_nothing(anonymous, alice):
    client, session = anonymous
    old_cookie = client.cookies[COOKIE].value
    assert post(client, "/chat/claim", **JSON).status_code == 401
    client.force_login(alice)
    answer = post(client, "/chat/claim", {"next": "//evil.example/"})
    assert (answer.status_code, answer["Location"]) == (303, "/")
    session.refresh_from_db()
    assert session.participant.user == alice
    path = f"/chat/sessions/{session.pk}/draft"
    assert post(client, path, {"text": "still mine"}).status_code == 204
    client.logout()
    client.cookies[COOKIE] = old_cookie
    assert post(client, path, {"text": "who?"}, **JSON).status_code == 404


def test_a_new_participant_gets_a_cookie_that_scripts_cannot_read(db, rf):
    from django.http import HttpResponse

    identity, response = Identity(), HttpResponse()
    made = identity.participant()
    assert identity.participant() == made
    identity.attach(response)
    cookie = response.cookies[COOKIE]
    assert cookie["max-age"] == 400 * 24 * 3600, "the longest that browsers keep"
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert made.key_hash not in cookie.value
