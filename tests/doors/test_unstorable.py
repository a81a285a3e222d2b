"""What pages do with characters that PostgreSQL cannot keep; programs: test_api.py."""

from __future__ import annotations

import pytest
from django.conf import settings

from chat.models import Message, Session
from projects.models import Task
from tests.extent import some

NUL = "\x00"


def test_no_address_has_such_a_character(world):
    addresses = ("/p/ann%00a", "/p/%00", "/s/%00", "/api/campaigns/%00/tasks",
                 "/api/chat/sessions/%00", "/admin/auth/user/%00/change/", "/%00")  # fmt: skip
    for who in ("nobody", "stan"):
        client = world.clients[who]
        client.raise_request_exception = False
        statuses = {address: client.get(address).status_code for address in addresses}
        assert set(statuses.values()) == {404}, (who, statuses)


def test_a_form_is_taken_without_them(world):
    client = world.clients["alice"]
    assert client.post("/todos/add", {"text": f"Call{NUL} the plumber"}).status_code in {302, 303}
    assert Task.objects.filter(title__startswith="Call the plumber").exists()
    session_id = world.ids["session_id"]
    answer = client.post(f"/chat/sessions/{session_id}/draft", {"text": f"I{NUL} bake"})
    assert answer.status_code == 204
    assert Session.objects.get(pk=session_id).draft == "I bake"
    assert not Message.objects.filter(text__contains="\ufffd").exists()


def test_a_page_is_shown_whatever_the_query_holds(world):
    client = world.clients["alice"]
    client.raise_request_exception = False
    queries = ("q=%00", "next=%00", "%00=%00", "q=%ED%A0%BD", "page=%00&tab=%00")
    asked = [f"/todos?{query}" for query in queries]
    asked += [f"{page}?{queries[-1]}" for page in ("/conversations", "/account/login")]
    for address in (*asked, "/admin/login/?next=%00"):
        assert client.get(address).status_code < 500, address


@pytest.mark.parametrize(
    "name", some([settings.SESSION_COOKIE_NAME, "futura_participant", "csrftoken"], 2)
)
def test_a_cookie_that_cannot_be_stored_names_nobody(world, name):
    client = world.clients["nobody"]
    client.raise_request_exception = False
    client.cookies.load({name: "abcdefgh"})
    client.cookies[name].set(name, "x", '"abcdefgh\\000ijk"')
    assert client.get("/").status_code in {200, 302}
    assert client.get("/conversations").status_code < 500
