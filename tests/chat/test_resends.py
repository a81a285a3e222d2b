"""A message that comes again under its client id: the same text is harmless, another is refused."""

from __future__ import annotations

import json
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections, transaction

from chat.models import Run, Session
from tests.waiting import until_waiting

pytestmark = pytest.mark.django_db(transaction=True)

SCRIPT = {"HTTP_ACCEPT": "application/json"}


def form(client, session, text, client_id, **headers):
    sent = {"text": text, "client_id": str(client_id)}
    return client.post(f"/chat/sessions/{session.pk}/messages", sent, **headers)


def program(client, session, text, client_id):
    body = json.dumps({"text": text, "clientId": str(client_id)})
    address = f"/api/chat/sessions/{session.pk}/messages"
    return client.post(address, body, content_type="application/json")


def said(session):
    return list(session.messages.filter(role="user").values_list("text", flat=True))


@pytest.mark.parametrize("door", [form, program], ids=["form", "program"])
def test_two_resends_at_once_are_one_message_and_one_run(start, alice, browser, drain, door):
    """Both have seen nothing of each other when they come to the lock of the session."""
    session, client_id = start(alice), uuid.uuid4()
    drain()

    def send() -> tuple[int, bytes]:
        client = browser(alice)
        client.raise_request_exception = False
        more = SCRIPT if door is form else {}
        try:
            answer = door(client, session, "once", client_id, **more)
            return answer.status_code, answer.content
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        with transaction.atomic():
            Session.objects.select_for_update().get(pk=session.pk)
            sent = [pool.submit(send) for _ in range(2)]
            until_waiting(2)
        answers = [item.result() for item in sent]
    assert [status for status, _body in answers] == [202, 202]
    assert answers[0] == answers[1]
    assert said(session) == ["once"]
    assert Run.objects.filter(session=session, message__client_id=client_id).count() == 1


@pytest.mark.parametrize("door", [form, program], ids=["form", "program"])
def test_another_text_under_a_known_id_is_refused_and_stays_with_its_sender(
    start, alice, browser, drain, door
):
    session, client_id, client = start(alice), uuid.uuid4(), browser(alice)
    drain()
    more = SCRIPT if door is form else {}
    first = door(client, session, "I bake bread", client_id, **more)
    drain()
    refused = door(client, session, "I sell bread", client_id, **more)
    assert refused.status_code == 409
    error = refused.json()["error"]
    assert (error["code"], error["retry"]) == ("id_taken", False)
    assert "Not sent" in error["message"]
    assert said(session) == ["I bake bread"]
    again = door(client, session, " I bake bread ", client_id, **more)
    assert (again.status_code, again.json()) == (202, {**first.json(), **_status_of(again)})
    assert door(client, session, "I sell bread", uuid.uuid4(), **more).status_code == 202
    assert said(session) == ["I bake bread", "I sell bread"]


def _status_of(answer):
    """The only thing of an answer that changes while its run goes on."""
    return {name: value for name, value in answer.json().items() if name == "status"}


def test_a_plain_form_with_a_known_id_keeps_its_text_in_the_composer(start, alice, browser, drain):
    session, client_id, client = start(alice), uuid.uuid4(), browser(alice)
    drain()
    form(client, session, "I bake bread", client_id)
    answer = form(client, session, "I sell bread", client_id)
    assert answer.status_code == 409
    assert "Not sent" in answer.text
    session.refresh_from_db()
    assert session.draft == "I sell bread"


def test_a_fragment_says_why_it_was_not_sent(start, alice, browser, drain):
    session, client_id, client = start(alice), uuid.uuid4(), browser(alice)
    drain()
    form(client, session, "I bake bread", client_id)
    answer = form(client, session, "I sell bread", client_id, HTTP_HX_REQUEST="true")
    assert answer.status_code == 409
    assert answer["HX-Retarget"] == "#toasts"
    assert "Not sent" in answer.text


def test_a_resend_of_what_was_taken_back_stays_harmless(start, alice, browser):
    session, client_id, client = start(alice), uuid.uuid4(), browser(alice)
    form(client, session, "I bake bread", client_id)
    message = session.messages.get(client_id=client_id)
    assert client.post(f"/chat/messages/{message.pk}/remove").status_code == 303
    assert form(client, session, "I bake bread", client_id).status_code == 303
    assert said(session) == [""]
