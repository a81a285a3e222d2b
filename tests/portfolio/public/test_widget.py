"""The widget: one script, one frame, no cookies; the conversation belongs to the frame's token."""

from __future__ import annotations

import re

import pytest
from asgiref.sync import async_to_sync
from channels.testing import WebsocketCommunicator
from django.test import Client

from chat.identity import FRAME_FIELD, frame_token, identity_of_frame
from chat.models import Participant, Session
from futura.asgi import application
from projects.portfolio.visitors.contract import KIND

pytestmark = pytest.mark.django_db


def token_in(page) -> str:
    return re.search(r'name="visitor" value="([^"]+)"', page.content.decode())[1]


def test_only_the_frame_may_stand_on_other_sites(opened, browser):
    visitor = browser()
    frame, page = visitor.get("/p/mara/widget"), visitor.get("/p/mara")
    assert "frame-ancestors *" in frame.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in frame.headers
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
    assert page.headers["X-Frame-Options"] == "DENY"


def test_a_conversation_in_the_frame_needs_and_sets_no_cookie(opened, drain):
    strict = Client(enforce_csrf_checks=True)
    frame = strict.get("/p/mara/widget")
    token = token_in(frame)
    assert not Participant.objects.exclude(pk=opened.owner_id).exists()
    for text in ("Have you used Go at work?", "And Kafka?"):
        answer = strict.post("/p/mara/widget/ask", {"visitor": token, "text": text})
        assert answer.status_code == 200
        drain()
    shown = strict.post("/p/mara/widget/ask", {"visitor": token, "text": "How does this work?"})
    assert "Have you used Go at work?" in shown.content.decode()
    assert 'class="claim"' in shown.content.decode()
    assert not strict.cookies
    assert Session.objects.filter(kind=KIND).count() == 1


def test_another_frame_begins_another_conversation(opened, browser):
    visitor = browser()
    for _ in range(2):
        token = token_in(visitor.get("/p/mara/widget"))
        visitor.post("/p/mara/widget/ask", {"visitor": token, "text": "Have you used Go?"})
    assert Session.objects.filter(kind=KIND).values("participant").distinct().count() == 2


def test_a_token_that_was_not_given_out_here_is_refused(opened, browser):
    for token in ("", "made-up", "a:b:c"):
        sent = browser().post("/p/mara/widget/ask", {"visitor": token, "text": "Have you used Go?"})
        assert sent.status_code == 403, token
        assert not Session.objects.filter(kind=KIND).exists()


def test_the_cookie_of_a_participant_is_no_token_and_the_other_way_round(opened, browser):
    visitor = browser()
    visitor.post("/p/mara/ask", {"text": "Have you used Go?"})
    cookie = visitor.cookies["futura_participant"].value
    assert identity_of_frame(cookie).frame_key == ""
    visitor.cookies["futura_participant"] = frame_token()
    assert "Have you used Go?" not in re.findall(
        r'data-source="([^"]*)"', visitor.get("/p/mara").content.decode()
    )


@pytest.mark.django_db(transaction=True)
def test_the_frame_follows_its_own_conversation_by_socket_and_no_other(opened, browser):
    visitor = browser()
    token = token_in(visitor.get("/p/mara/widget"))
    visitor.post("/p/mara/widget/ask", {"visitor": token, "text": "Have you used Go?"})
    session = Session.objects.get(kind=KIND)

    async def refused(words: str) -> int | None:
        headers = [(b"origin", b"http://testserver"), (b"host", b"testserver")]
        address = f"/ws/session/{session.pk}/?view=chat&{FRAME_FIELD}={words}"
        socket = WebsocketCommunicator(application, address, headers=headers)
        assert (await socket.connect(20))[0]
        said = await socket.receive_output(20)  # what is shown, or a closing with its code
        await socket.disconnect(20)
        return said.get("code")

    assert async_to_sync(refused)(token) is None
    assert async_to_sync(refused)(frame_token()) == 4401


def test_the_script_names_the_frame_and_sets_nothing(opened, browser):
    script = browser().get("/p/mara/widget.js")
    assert script.headers["Content-Type"].startswith("text/javascript")
    assert "/p/mara/widget" in script.content.decode()
    assert "Ask Mara Lindqvist" in script.content.decode()
    assert not script.cookies
    assert "cookie" not in re.sub(r"/\*.*?\*/", "", script.content.decode(), flags=re.DOTALL)
