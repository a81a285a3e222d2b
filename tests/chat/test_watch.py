"""The watching thread while Redis is away: one word about it, and one when it is back."""

from __future__ import annotations

import logging
import queue
import uuid
from collections.abc import Callable, Iterator

import pytest
from redis import Redis

from chat.events.log import redis
from chat.runs import lease_renewal
from futura.llm.client import CancelToken


class _Ear(logging.Handler):
    """Hands on what a logger says as soon as it is said."""

    def __init__(self) -> None:
        super().__init__()
        self.said: queue.Queue[str] = queue.Queue()

    def emit(self, record: logging.LogRecord) -> None:
        self.said.put(record.getMessage())


@pytest.fixture
def said(monkeypatch) -> Iterator[queue.Queue[str]]:
    """What the watch logs, with short pauses between its tries."""
    monkeypatch.setattr(lease_renewal, "LISTEN_S", 0.01)
    ear = _Ear()
    logger = logging.getLogger(lease_renewal.__name__)
    logger.addHandler(ear)
    yield ear.said
    logger.removeHandler(ear)


@pytest.fixture
def watched(db) -> Iterator[lease_renewal._Watch]:
    """A watch of its own with one run in hand."""
    watcher, hold = (
        lease_renewal._Watch(),
        lease_renewal.Hold(uuid.uuid4(), uuid.uuid4(), CancelToken()),
    )
    watcher.add(hold)
    yield watcher
    watcher.remove(hold)


@pytest.fixture
def redis_away(monkeypatch) -> Callable[[], None]:
    """Redis is not there, until this is called; other threads keep their own client."""
    nowhere = Redis.from_url("unix:///nowhere/redis.sock")
    monkeypatch.setattr(lease_renewal, "redis", lambda: nowhere)
    return lambda: monkeypatch.setattr(lease_renewal, "redis", redis)


def test_an_outage_is_told_once_and_so_is_its_end(redis_away, said, watched):
    assert said.get(timeout=10).startswith("not listening for stops until Redis is back")
    with pytest.raises(queue.Empty):
        said.get(timeout=0.2)  # time for several more tries
    redis_away()
    assert said.get(timeout=10) == "listening for stops again"
    assert watched._thread is not None
    assert watched._thread.daemon
