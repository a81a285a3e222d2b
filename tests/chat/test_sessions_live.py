"""What open pages tell and are told of the list: what was seen, and that a talk was deleted."""

from __future__ import annotations

import asyncio
import json

import pytest
from channels.db import database_sync_to_async

from chat import actions
from chat.models import Session
from tests.chat.test_live import page

pytestmark = pytest.mark.django_db(transaction=True)

in_thread = database_sync_to_async


async def frame_with(socket, words):
    """The next frame that has these words."""
    async with asyncio.timeout(60):
        while words not in (told := await socket.receive_from(timeout=60)):
            pass
    return told


async def test_a_page_says_what_was_seen_on_it(start, alice, drain):
    session = await in_thread(start)(alice)
    await in_thread(drain)()
    async with page(alice, session.pk) as socket:
        for frame in ({"seq": 1}, {"seq": 0}):
            await socket.send_to(text_data=json.dumps({"type": "seen", **frame}))
        # frames are taken in order, and only a refused one is answered
        for wrong in ({}, {"seq": "1"}, {"seq": -1}, {"seq": 2**40}, {"seq": None}, {"seq": 1.5}):
            await socket.send_to(text_data=json.dumps({"type": "seen", **wrong}))
            await frame_with(socket, "composer-note")
    kept = await Session.objects.aget(pk=session.pk)
    assert kept.seen_seq == 1


async def test_open_pages_leave_a_deleted_conversation(start, alice, drain, identity_for):
    session = await in_thread(start)(alice)
    await in_thread(drain)()
    identity = await in_thread(identity_for)(alice)
    async with page(alice, session.pk) as socket:
        await socket.receive_from(timeout=60)
        await in_thread(actions.delete_session)(identity=identity, session_id=session.pk)
        told = await frame_with(socket, "data-goes-to")
        assert f'data-goes-to="/conversations?moved={session.pk}"' in told
        await socket.send_to(text_data=json.dumps({"type": "seen", "seq": 1}))
        refused = await frame_with(socket, "composer-note")
        assert "in the bin" in refused
