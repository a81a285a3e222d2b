"""What web reads of all workers: which are alive, each under its queue's name, and failed jobs.

The time is Redis's, since the clocks of several machines differ.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import Any, Final

from celery.signals import heartbeat_sent, task_failure, worker_shutdown
from django.conf import settings
from redis import Redis, RedisError

KEY: Final = "futura:workers"
FAILED_KEY: Final = "futura:jobs-failed"  # how many since Redis was emptied, by their name
# workers beat every 2 seconds; a minute later their entry is swept away
ALIVE_S: Final = 10.0
FORGET_S: Final = 60.0
QUEUES: Final = ("turns", "jobs")


def connect() -> Redis:
    return Redis.from_url(
        settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2, decode_responses=True
    )


def workers_alive(client: Redis) -> dict[str, int]:
    """How many workers serve each queue right now; raises RedisError when Redis is away."""
    now = _now(client)
    alive = Counter(
        name.split(" ", 1)[0] for name, last in _entries(client).items() if now - last < ALIVE_S
    )
    return {queue: alive[queue] for queue in QUEUES}


def _entries(client: Redis) -> dict[str, float]:
    return {str(name): float(last) for name, last in client.hgetall(KEY).items()}


def _now(client: Redis) -> float:
    seconds, microseconds = client.time()
    return float(seconds) + microseconds / 1_000_000


def beat(client: Redis, *, queues: list[str], worker: str) -> None:
    """Writes one sign of life, and sweeps the long silent away."""
    now = _now(client)
    client.hset(KEY, mapping={f"{queue} {worker}": now for queue in queues})
    silent = [name for name, last in _entries(client).items() if now - last > FORGET_S]
    if silent:
        client.hdel(KEY, *silent)


_client: Redis | None = None


@heartbeat_sent.connect
def _on_heartbeat(sender: Any, **_signal: object) -> None:
    """In a worker, every two seconds, from the loop that takes messages."""
    global _client
    _client = _client or connect()
    eventer = sender.eventer
    beat(_client, queues=list(eventer.app.amqp.queues.consume_from), worker=eventer.hostname)


@worker_shutdown.connect
def _on_shutdown(sender: Any, **_signal: object) -> None:
    if _client is not None:
        queues = sender.app.amqp.queues.consume_from
        _client.hdel(KEY, *(f"{queue} {sender.hostname}" for queue in queues))


@task_failure.connect
def _on_failure(sender: Any, **_signal: object) -> None:
    with suppress(RedisError), connect() as client:
        client.hincrby(FAILED_KEY, sender.name)
