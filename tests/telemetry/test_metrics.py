"""`/metrics`: who may look, and that its figures are those of the tables."""

from __future__ import annotations

import time
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from chat import metrics as engine
from chat.events.log import redis
from chat.models import Run, Session
from futura import heartbeats
from futura.celery import app
from futura.llm import budget
from futura.telemetry import metrics
from tests.telemetry.conftest import called, failed

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_stored(settings):
    settings.METRICS_TOKEN = "let-me-see"
    redis().flushall()
    forget()
    yield
    forget()


def forget() -> None:
    """As in another process."""
    for totals in (metrics.CALLS, engine.RUNS):
        totals.forget()


def scraped() -> dict[tuple, float]:
    """Every sample by its name and labels."""
    answer = shown(Client(), Authorization="Bearer let-me-see")
    assert answer.status_code == 200
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def one(found: dict[tuple, float], name: str, **labels: str) -> float:
    return found[name, *sorted(labels.items())]


def shown(client, **headers):
    return client.get("/metrics", headers=headers)


def test_a_token_opens_and_nothing_else_does(client):
    refused = shown(client)
    assert refused.status_code == 401
    assert refused["WWW-Authenticate"].startswith("Bearer")
    for wrong in ("Bearer", "Bearer let-me-se", "Basic let-me-see", "let-me-see", "Bearer ü"):
        assert shown(client, Authorization=wrong).status_code == 401
    answer = shown(client, Authorization="Bearer let-me-see")
    assert answer.status_code == 200
    assert "futura_scrape_success" in answer.text
    assert "no-cache" in answer["Cache-Control"]


def test_where_no_token_is_set_nothing_is_there(client, settings):
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics").status_code == 404


def test_model_calls_are_those_of_the_ledger():
    called(latency_ms=300, ttft_ms=90)
    called(latency_ms=3000, ttft_ms=900, cost_usd=None, ago=timedelta(days=40))
    failed("rate_limited", latency_ms=20)
    called(stage="embedding", model_asked="text-embedding-3-small", ttft_ms=None)
    found = scraped()
    response = {"stage": "response", "model": "gpt-4o"}
    assert one(found, "futura_model_calls_total", **response, outcome="ok") == 2
    assert one(found, "futura_model_calls_total", **response, outcome="rate_limited") == 1
    assert one(found, "futura_model_tokens_total", **response, **{"class": "input"}) == 2000
    assert one(found, "futura_model_cost_usd_total", **response) == pytest.approx(0.003)
    assert one(found, "futura_model_call_seconds_count", **response) == 3
    assert one(found, "futura_model_call_seconds_sum", **response) == pytest.approx(3.32)
    assert one(found, "futura_model_first_text_seconds_count", **response) == 2
    assert one(found, "futura_scrape_success", part="model_calls") == 1


def test_old_rows_are_read_once_by_a_process_and_never_again():
    old = [called(ago=timedelta(days=days)) for days in range(1, 5)]
    name = {"stage": "response", "model": "gpt-4o", "outcome": "ok"}
    assert one(scraped(), "futura_model_calls_total", **name) == 4
    called()
    with CaptureQueriesContext(connection) as seen:
        assert one(scraped(), "futura_model_calls_total", **name) == 5
    read = [entry["sql"] for entry in seen if "FROM llm_modelcall WHERE id >" in entry["sql"]]
    assert len(read) == 1
    assert f"id > {old[0].pk} " in read[0]
    forget()
    assert one(scraped(), "futura_model_calls_total", **name) == 5


def test_runs_are_told_by_what_they_do_and_how_they_ended(participant_of, alice):
    now = timezone.now()
    participant = participant_of(alice)

    def run(status, age_s, **more):
        session = Session.objects.create(participant=participant, kind="survey")
        made = now - timedelta(seconds=age_s)
        return Run.objects.create(session=session, status=status, created_at=made, **more)

    run("queued", 30)
    run("queued", 90)
    run("running", 10)
    for age_s in (100, 4000):
        since = now - timedelta(seconds=age_s)
        run(
            "completed", age_s, basic_mode=True, started_at=since + timedelta(seconds=0.2),
            finished_at=since + timedelta(seconds=5),
        )  # fmt: skip
    run("failed", 50, finished_at=now)
    found = scraped()
    assert one(found, "futura_runs", status="queued") == 2
    assert one(found, "futura_runs", status="running") == 1
    assert 90 <= one(found, "futura_oldest_queued_run_seconds") < 120
    done = {"kind": "survey", "outcome": "completed", "basic_mode": "true"}
    assert one(found, "futura_runs_finished_total", **done) == 2
    failed_ones = {"kind": "survey", "outcome": "failed", "basic_mode": "false"}
    assert one(found, "futura_runs_finished_total", **failed_ones) == 1
    assert one(found, "futura_run_wait_seconds_sum", kind="survey") == pytest.approx(0.4)
    assert one(found, "futura_run_seconds_sum", kind="survey") == pytest.approx(9.6)
    assert one(scraped(), "futura_runs_finished_total", **done) == 2


def test_workers_queues_and_logs_are_told():
    heartbeats.beat(redis(), queues=["turns"], worker="turns-1@here")
    redis().rpush("jobs", "one", "two")
    found = scraped()
    assert one(found, "futura_workers_alive", queue="turns") == 1
    assert one(found, "futura_workers_alive", queue="jobs") == 0
    assert one(found, "futura_queue_length", queue="jobs") == 2
    assert found["process_resident_memory_bytes",] > 1_000_000


def test_jobs_that_failed_are_counted_by_their_name():
    @app.task(name="tests.broken")
    def broken() -> None:
        raise ValueError("broken")

    broken.apply()
    broken.apply()
    app.tasks.unregister("tests.broken")
    assert one(scraped(), "futura_jobs_failed_total", job="tests.broken") == 2


def test_machines_whose_clocks_differ_count_each_others_workers(monkeypatch):
    heartbeats.beat(redis(), queues=["turns"], worker="turns-1@here")
    ahead = time.time() + 300
    monkeypatch.setattr(time, "time", lambda: ahead)
    heartbeats.beat(redis(), queues=["jobs"], worker="jobs@there")
    assert heartbeats.workers_alive(redis()) == {"turns": 1, "jobs": 1}


def test_the_month_is_told_by_budget():
    held = budget.reserve("default", Decimal("0.5"))
    assert held is not None
    budget.settle(held, Decimal("0.25"))
    found = scraped()
    assert one(found, "futura_budget_usd", scope="default", of="spent") == pytest.approx(0.25)
    assert one(found, "futura_budget_usd", scope="default", of="reserved") == 0
    assert one(found, "futura_budget_level", scope="default") == 0


def test_a_part_that_is_away_is_told_of_and_the_others_are_not_lost(settings, monkeypatch):
    called()
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    found = scraped()
    assert one(found, "futura_scrape_success", part="workers") == 0
    assert one(found, "futura_scrape_success", part="runs") == 1
    calls = {"stage": "response", "model": "gpt-4o", "outcome": "ok"}
    assert one(found, "futura_model_calls_total", **calls) == 1


def test_two_parts_of_one_name_are_a_mistake():
    with pytest.raises(ValueError, match="runs"):
        metrics.register("runs", list)
