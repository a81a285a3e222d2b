"""What is told at every door when a rate is reached; what people wrote is kept."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections
from django.test import RequestFactory

from chat import rates as persons
from chat.actions import send_message
from chat.events.log import redis
from chat.models import Run, Session
from futura import limits
from futura.errors import TooMany, Unavailable
from futura.limits import rates
from futura.middleware import answer as answer_to

SOON = re.compile(r"You can send again in (0:\d\d|1:00)\.")


@pytest.fixture
def use_up(identity_for):
    """Everything that a minute allows is used by a user."""
    redis().flushall()

    def use(user, rate):
        for _ in range(rate.person[0].uses):
            persons.check(rate, identity_for(user))

    yield use
    redis().flushall()


@pytest.fixture
def talk(starter, alice, browser, drain):
    """A browser of alice in a conversation, and its id."""
    client = browser(alice)
    answer = client.post("/survey", {"title": "Baker", "occupation": "none"})
    drain()
    return client, re.findall(r"/survey/([0-9a-f-]{36})/", answer["Location"])[0]


def _is_told(answer):
    assert answer.status_code == 429
    assert 0 < int(answer["Retry-After"]) <= 60


@pytest.mark.parametrize("path", ["/api/drafts", "/api/agent/drafts"])
def test_a_program_begins_drafts_at_a_rate_of_their_own(db, alice, browser, use_up, path):
    use_up(alice, limits.DRAFT)
    client = browser(alice)
    _is_told(client.post(path, {"name": "One more"}, content_type="application/json"))
    assert client.get(path).status_code == 200


def test_a_message_by_a_plain_form_leaves_a_page_that_says_when_and_a_draft(talk, alice, use_up):
    client, session_id = talk
    use_up(alice, limits.SEND)
    answer = client.post(f"/chat/sessions/{session_id}/messages", {"text": "I bake bread."})
    _is_told(answer)
    page = answer.content.decode()
    assert SOON.search(page)
    assert "What you wrote is saved." in page
    assert Session.objects.get(pk=session_id).draft == "I bake bread."
    assert "I bake bread." in client.get(f"/survey/{session_id}/chat").content.decode()


def test_scripts_and_programs_are_told_in_numbers(talk, alice, use_up):
    client, session_id = talk
    use_up(alice, limits.SEND)
    by_script = client.post(
        f"/chat/sessions/{session_id}/messages",
        {"text": "x"},
        headers={"Accept": "application/json"},
    )
    _is_told(by_script)
    assert by_script.json()["error"]["code"] == "too_many"
    assert by_script.json()["error"]["retryAfterMs"] == int(by_script["Retry-After"]) * 1000


@pytest.mark.django_db(transaction=True)
def test_the_api_tells_its_rates(browser, alice, use_up, starter):
    client = browser(alice)
    use_up(alice, limits.START)
    body = json.dumps({"action": "start", "jobTitle": "Baker"})
    answer = client.post("/api/chat", body, content_type="application/json")
    _is_told(answer)
    assert SOON.match(answer.json()["error"]["message"])
    assert not Session.objects.exists()


def test_a_start_keeps_the_form_and_makes_nothing(starter, alice, browser, use_up):
    use_up(alice, limits.START)
    sent = {"title": "Baker of bread", "occupation": "none", "initial_tasks": "I knead dough."}
    answer = browser(alice).post("/survey", sent)
    _is_told(answer)
    page = answer.content.decode()
    assert SOON.search(page)
    assert 'value="Baker of bread"' in page
    assert "I knead dough." in page
    assert not Session.objects.exists()


def test_what_cannot_be_used_is_not_counted(starter, alice, browser, use_up, identity_for):
    use_up(alice, limits.TRANSCRIBE)  # another rate
    client = browser(alice)
    for title in ("", "x" * 300):
        refused = client.post("/survey", {"title": title, "occupation": "none"})
        assert refused.status_code == 422
    assert not redis().keys("rate:start:*")
    client.post("/survey", {"title": "Baker", "occupation": "none"})
    assert redis().keys("rate:start:*")


def test_a_recording_waits_too(talk, alice, use_up):
    client, session_id = talk
    use_up(alice, limits.TRANSCRIBE)
    recording = SimpleUploadedFile("a.webm", b"sound", "audio/webm")
    answer = client.post(
        f"/chat/sessions/{session_id}/transcribe",
        {"audio": recording},
        headers={"Accept": "application/json"},
    )
    _is_told(answer)


def test_an_account_is_one_person_whatever_cookies_it_carries(alice, identity_for, use_up):
    use_up(alice, limits.TRANSCRIBE)
    other_device = identity_for(alice)
    other_device.cookie_participant_id = None
    with pytest.raises(TooMany):
        persons.check(limits.TRANSCRIBE, other_device)


@pytest.mark.django_db(transaction=True)
def test_runs_of_one_person_are_few_however_many_conversations_ask_at_once(
    alice, identity_for, participant_of, use_up
):
    participant = participant_of(alice)
    identity = identity_for(alice)
    sessions = [
        Session.objects.create(participant=participant, kind="survey", state={}) for _ in range(8)
    ]

    def send(session):
        try:
            return send_message(identity=identity, session=session, text="Hello") and 1
        except TooMany:
            return 0
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(send, sessions)) == limits.RUNS_PER_PERSON
    assert Run.objects.count() == limits.RUNS_PER_PERSON


def test_a_visitors_rate_without_redis_is_a_503(settings, tmp_path):
    settings.REDIS_URL = f"unix://{tmp_path}/nobody.sock?db=0"
    with pytest.raises(Unavailable) as refusal:
        rates.check(limits.PORTFOLIO, address="192.0.2.1", place="one")
    told = answer_to(RequestFactory().post("/api/portfolio/chat"), refusal.value)
    assert told.status_code == 503
