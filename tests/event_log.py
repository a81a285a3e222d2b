"""What a reader of a session's log gets, for tests that are not asynchronous."""

from __future__ import annotations

import uuid

from asgiref.sync import async_to_sync

from chat.events.kinds import Cursor
from chat.events.log import Replay, async_redis, replay


def replay_now(session_id: uuid.UUID, after: Cursor) -> Replay | None:
    async def read() -> Replay | None:
        client = async_redis()
        try:
            return await replay(client, session_id, after)
        finally:
            await client.aclose()

    return async_to_sync(read)()
