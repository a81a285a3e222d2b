"""/healthz and /readyz."""

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
