"""The product as real processes: it answers, survives a crash of each part, and says so."""

import urllib.request

import pytest

thorough = pytest.mark.thorough  # the walks in a browser drive the same processes every day


@pytest.fixture(autouse=True)
def _complete(stack):
    yield
    for name in ("web", "turns", "jobs"):
        stack.start(name)


@thorough
def test_pages_are_served(stack):
    with urllib.request.urlopen(f"{stack.url}/healthz") as answer:
        assert answer.read() == b"ok"


@pytest.mark.breaking
def test_a_crashed_worker_makes_it_unready_until_another_serves_the_queue(stack):
    stack.kill("turns")
    assert stack.readiness() == (
        503,
        {"database": True, "redis": True, "workers": {"turns": 0, "jobs": 1}},
    )
    stack.start("turns")
    assert stack.readiness()[0] == 200


@thorough
def test_the_web_process_comes_back_after_a_restart(stack):
    stack.restart("web")
    assert stack.readiness()[0] == 200


@thorough
def test_the_catalogue_is_there(stack):
    assert stack.rows("SELECT count(*) FROM onet_release WHERE is_active") == [(1,)]
