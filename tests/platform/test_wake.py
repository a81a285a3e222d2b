"""The message that wakes a worker for a person: the one that Celery itself would have sent."""

from __future__ import annotations

import json
from base64 import b64decode
from typing import Any

import pytest
from django.conf import settings
from redis import Redis

from futura.celery import TURNS, app, wake

NAME, ARGUMENT = "chat.perform_run", "4b1e2f6e-3c5b-4f0e-9f63-0d8f7f0a3c11"


@pytest.fixture
def queue():
    """Takes the one message of the queue out of Redis as it lies there."""
    with Redis.from_url(settings.REDIS_URL) as redis:
        redis.delete(TURNS)

        def taken() -> dict[str, Any]:
            assert redis.llen(TURNS) == 1
            message: dict[str, Any] = json.loads(redis.lpop(TURNS))
            return message

        yield taken


def test_it_is_what_celery_sends(queue) -> None:
    app.send_task(NAME, args=[ARGUMENT, "7"], queue=TURNS)
    theirs = queue()
    assert wake(NAME, ARGUMENT, "7")
    ours = queue()

    assert ours.keys() == theirs.keys()
    assert ours["properties"].keys() == theirs["properties"].keys()
    assert ours["properties"]["delivery_info"] == theirs["properties"]["delivery_info"]
    for name in ("content-type", "content-encoding"):
        assert ours[name] == theirs[name]
    for name in ("body_encoding", "delivery_mode", "priority"):
        assert ours["properties"][name] == theirs["properties"][name]
    for name in ("lang", "task"):
        assert ours["headers"][name] == theirs["headers"][name]
    # what a message may say more is nothing here
    assert not any(
        value
        for name, value in theirs["headers"].items()
        if name not in ours["headers"] and name not in {"origin", "argsrepr", "kwargsrepr"}
        if value != [None, None]
    )
    assert _body(ours)[:2] == _body(theirs)[:2] == [[ARGUMENT, "7"], {}]
    assert not any(_body(theirs)[2].values())


def test_each_has_an_id_of_its_own(queue) -> None:
    ids = set()
    for _ in range(2):
        assert wake(NAME, ARGUMENT)
        message = queue()
        ids.add(message["headers"]["id"])
        assert message["properties"]["correlation_id"] == message["headers"]["id"]
    assert len(ids) == 2


def test_celery_reads_it(queue) -> None:
    assert wake(NAME, ARGUMENT)
    with app.connection_for_read() as broker, broker.channel() as channel:
        received = app.amqp.queues[TURNS](channel).get(no_ack=True)
    assert received.headers["task"] == NAME
    args, kwargs, _embed = received.payload
    assert (args, kwargs) == ([ARGUMENT], {})


def test_without_a_broker_it_says_that_nobody_was_told(settings, caplog) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert not wake(NAME, ARGUMENT)
    assert ARGUMENT in caplog.text


def _body(message: dict[str, Any]) -> Any:
    return json.loads(b64decode(message["body"]))
