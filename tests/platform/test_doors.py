"""/healthz and /readyz."""

import socketserver
import threading
from typing import ClassVar

import pytest

from futura import heartbeats


@pytest.fixture
def redis_client():
    with heartbeats.connect() as client:
        client.delete(heartbeats.KEY)
        yield client
        client.delete(heartbeats.KEY)


def test_a_living_process_says_so_without_asking_anybody(client):
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok")


@pytest.mark.django_db
def test_it_is_not_ready_while_nobody_would_answer(client, redis_client):
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json() == {
        "database": True,
        "redis": True,
        "workers": {"turns": 0, "jobs": 0},
    }


@pytest.mark.django_db
def test_it_is_ready_once_every_queue_has_a_worker(client, redis_client):
    heartbeats.beat(redis_client, queues=["turns"], worker="turns-1@here")
    heartbeats.beat(redis_client, queues=["turns"], worker="turns-2@here")
    assert client.get("/readyz").status_code == 503
    heartbeats.beat(redis_client, queues=["jobs"], worker="jobs@here")
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["workers"] == {"turns": 2, "jobs": 1}
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_a_worker_that_fell_silent_does_not_count_and_is_forgotten(client, redis_client):
    redis_client.hset(heartbeats.KEY, "jobs old@here", 1.0)
    heartbeats.beat(redis_client, queues=["turns"], worker="turns-1@here")
    assert client.get("/readyz").json()["workers"] == {"turns": 1, "jobs": 0}
    assert redis_client.hkeys(heartbeats.KEY) == ["turns turns-1@here"]


@pytest.mark.django_db
def test_without_redis_it_says_which_part_is_missing(client, settings, tmp_path):
    settings.REDIS_URL = f"unix://{tmp_path}/nobody.sock?db=0"
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["redis"] is False


class FullDisk(socketserver.StreamRequestHandler):
    """Redis whose disk is full: it reads, and refuses to write and PING."""

    answers: ClassVar = {
        b"HELLO": b"%1\r\n$5\r\nproto\r\n:3\r\n",
        b"PING": b"-MISCONF Errors writing to the AOF file: No space left on device\r\n",
    }

    def handle(self):
        while head := self.rfile.readline():
            sizes = (int(self.rfile.readline()[1:]) for _ in range(int(head[1:])))
            words = [self.rfile.read(size + 2).strip() for size in sizes]
            self.wfile.write(self.answers.get(words[0], b"%0\r\n"))


@pytest.mark.django_db
def test_redis_that_cannot_write_is_named_before_its_workers_fall_silent(client, settings):
    with socketserver.TCPServer(("127.0.0.1", 0), FullDisk) as server:
        reader = threading.Thread(target=server.handle_request)
        reader.start()
        settings.REDIS_URL = "redis://{}:{}".format(*server.server_address)
        answer = client.get("/readyz")
        reader.join()
    assert answer.status_code == 503
    assert answer.json()["redis"] is False
