"""Who is let into sockets and streams, and what a socket is sent."""

from __future__ import annotations

import asyncio
import json
import uuid
from typing import Any

from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import AsyncClient, Client
from django.urls import reverse

from chat.models import Message
from futura.asgi import application
from futura.urls import websocket_urlpatterns
from tests.doors.test_tokens import token_for


async def _closing_code(client: Client, session_id: uuid.UUID) -> int | None:
    """What a socket is told: its close code, None when it is let in."""
    cookies = "; ".join(f"{name}={item.value}" for name, item in client.cookies.items())
    headers = [(b"origin", b"http://testserver"), (b"host", b"testserver")]
    if cookies:
        headers.append((b"cookie", cookies.encode()))
    socket = WebsocketCommunicator(application, f"/ws/session/{session_id}/?view=chat", headers)
    connected, code = await socket.connect(timeout=20)
    if not connected:
        refused: int | None = code
        return refused
    try:
        told = await socket.receive_output(timeout=20)
        return told.get("code") if told["type"] == "websocket.close" else None
    finally:
        await socket.disconnect(timeout=20)


async def test_sockets_and_streams_let_in_owners_only_and_nothing_sent_breaks_them(committed):
    await _streams_are_for_owners_only(committed)
    await _a_socket_from_another_site_is_refused(committed)
    assert [str(route.pattern) for route in websocket_urlpatterns] == [
        "ws/session/<uuid:session_id>/"
    ]
    world = committed
    for who, code in {
        "alice": None, "bob": 4404, "charlie": 4404, "stan": 4404, "nobody": 4401,
    }.items():  # fmt: skip
        told = await _closing_code(world.clients[who], world.ids["session_id"])
        assert told == code, who
    assert await _closing_code(world.clients["alice"], uuid.uuid4()) == 4404
    await _nothing_that_a_socket_is_sent_breaks_it(world)


async def _streams_are_for_owners_only(committed):
    url = reverse("api:session_events", args=[committed.ids["session_id"]])
    for who, status in {
        "alice": 200, "bob": 404, "charlie": 404, "stan": 404, "nobody": 404,
    }.items():  # fmt: skip
        client = AsyncClient()
        client.cookies = committed.clients[who].cookies
        answer: Any = await client.get(url)
        assert answer.status_code == status, who
        if status == 200:
            first = await anext(aiter(answer.streaming_content))
            assert b"event: snapshot" in first
            assert b"I clean data and write reports." in first
        answer.close()
    make_token = database_sync_to_async(token_for)
    for scope, status in {"surveys:read": 200, "todos:read": 403, "campaigns:read": 403}.items():
        token = await make_token("alice", scope)
        bearer: Any = {"Authorization": f"Bearer {token}"}
        answer = await AsyncClient().get(url, headers=bearer)
        assert answer.status_code == status, scope
        answer.close()


async def _a_socket_from_another_site_is_refused(committed):
    headers = [(b"origin", b"http://evil.example"), (b"host", b"testserver")]
    path = f"/ws/session/{committed.ids['session_id']}/"
    socket = WebsocketCommunicator(application, path, headers)
    connected, _code = await socket.connect(timeout=20)
    assert not connected


async def _nothing_that_a_socket_is_sent_breaks_it(world):
    cookie = world.clients["alice"].cookies[settings.SESSION_COOKIE_NAME].value
    headers = [(b"origin", b"http://testserver"), (b"host", b"testserver"),
               (b"cookie", f"{settings.SESSION_COOKIE_NAME}={cookie}".encode())]  # fmt: skip
    path = f"/ws/session/{world.ids['session_id']}/?view=chat"
    count = database_sync_to_async(Message.objects.count)
    before = await count()
    frames = [
        "null", "[]", "{", '"x"', "1e999", '{"type": "drop"}', '{"type": ["seen"]}',
        '{"type": "seen"}', '{"type": "seen", "seq": "5"}', '{"type": "seen", "seq": [1]}',
        '{"type": "send", "text": "x"}', '{"type":"seen","seq":"\\u0000"}',
        json.dumps({"type": "seen", "text": "x" * 20_000}),
        json.dumps({"type": "stop", "run": str(world.bobs["run_id"])}),
    ]  # fmt: skip
    for frame in frames:
        socket = WebsocketCommunicator(application, path, headers)
        assert (await socket.connect(timeout=20))[0]
        await socket.receive_from(timeout=20)
        await socket.send_to(text_data=frame)
        await socket.send_to(text_data='{"type": "drop"}')  # answered when the first one was
        told = await asyncio.wait_for(socket.receive_from(timeout=20), 20)
        assert "composer-note" in told, frame
        await socket.disconnect(timeout=20)
    assert await count() == before
