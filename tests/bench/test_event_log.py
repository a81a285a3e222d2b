"""What the event log takes and gives in a second, beside bare Redis Streams on the same server."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from chat.events.follow import follow
from chat.events.kinds import Token, encode
from chat.events.log import append_or_raise, async_redis, redis
from tests.bench.product import show

pytestmark = pytest.mark.bench
ENTRIES = 6000
SESSIONS = 30
ROUNDS = 3
WORDS = "some words of a reply "


@pytest.fixture(autouse=True)
def _empty():
    redis().flushall()


def token(number: int = 0) -> Token:
    return Token(uuid.UUID(int=7), number * len(WORDS), uuid.UUID(int=9), WORDS)


def rate(work: Callable[[], None]) -> int:
    """Entries a second, of the quickest round."""
    taken = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return round(ENTRIES / min(taken))


def one_by_one() -> None:
    session = uuid.uuid4()
    for number in range(ENTRIES):
        append_or_raise(session, token(number))


def bare_one_by_one() -> None:
    client, stored = redis(), encode(token())
    for _ in range(ENTRIES):
        client.xadd("bare", {"e": "0123456789abcdef", "d": stored}, maxlen=4000)


def test_appends_a_second() -> None:
    ours, bare = rate(one_by_one), rate(bare_one_by_one)
    show(appends_per_s=ours, bare_xadd_per_s=bare, share_of_bare=round(ours / bare, 2))
    assert ours > 0


async def followed(session: uuid.UUID, all_follow: asyncio.Barrier) -> None:
    """Reads a session's part as a socket does."""
    async with follow(session) as place:
        await place.seek_end()
        await all_follow.wait()
        seen = 0
        while seen < ENTRIES // SESSIONS:
            batch = await place.batch(10)
            assert not batch.is_lost
            seen += len(batch.entries)


async def bare_reader(streams: list[str]) -> None:
    """Reads as many streams with one XREAD after another."""
    client: Any = async_redis()
    places: dict[str, str] = dict.fromkeys(streams, "0-0")
    seen = 0
    while seen < ENTRIES:
        found = await client.xread(places, count=200, block=5000)
        for name, items in found:
            places[name] = items[-1][0]
            seen += len(items)
    await client.aclose()


def write(sessions: list[uuid.UUID]) -> None:
    for number in range(ENTRIES // SESSIONS):
        for session in sessions:
            append_or_raise(session, token(number))
        time.sleep(0.002)  # no faster than the slower side reads, or this would measure snapshots


def write_bare(streams: list[str]) -> None:
    stored = encode(token())
    for _ in range(ENTRIES // SESSIONS):
        with redis().pipeline(transaction=False) as pipe:
            for name in streams:
                pipe.xadd(name, {"e": "0123456789abcdef", "d": stored}, maxlen=4000)
            pipe.execute()
        time.sleep(0.002)


async def test_reading_costs() -> None:
    """Processor time to read what is written by a thread; entries a second of one core."""
    ours, theirs = [], []
    for _ in range(ROUNDS):
        sessions = [uuid.uuid4() for _ in range(SESSIONS)]
        barrier = asyncio.Barrier(SESSIONS + 1)
        readers = [asyncio.create_task(followed(session, barrier)) for session in sessions]
        await barrier.wait()
        begun = time.thread_time()
        await asyncio.gather(asyncio.to_thread(write, sessions), *readers)
        ours.append(time.thread_time() - begun)
        streams = [f"bare:{uuid.uuid4()}" for _ in range(SESSIONS)]
        begun = time.thread_time()
        await asyncio.gather(asyncio.to_thread(write_bare, streams), bare_reader(streams))
        theirs.append(time.thread_time() - begun)
    figures = [round(ENTRIES / min(taken)) for taken in (ours, theirs)]
    show(
        followed_per_core_s=figures[0],
        bare_xread_per_core_s=figures[1],
        share_of_bare=round(figures[0] / figures[1], 2),
        sessions=SESSIONS,
    )
    assert figures[0] > 0
