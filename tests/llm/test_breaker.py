"""The circuit breaker: a failing server is left alone, probed by one, taken back; fallbacks."""

from __future__ import annotations

import threading
import time

import pytest
from django.db import connection
from redis.exceptions import ConnectionError as RedisAway

from futura.errors import ModelUnavailable
from futura.llm import breaker, shared, stages
from futura.llm.client import Cancelled, Llm
from futura.llm.models import ModelCall
from futura.llm.outcomes import Outcome
from tests.llm.conftest import GOOD, HELLO, Verdict, outcomes

MODEL = "gpt-4o"


class Clock:
    """Lets time pass for the breaker."""

    ahead_ms = 0


clock = Clock()


@pytest.fixture(autouse=True)
def _own_place(settings, scripted, monkeypatch):
    monkeypatch.setattr(shared, "_away_until", 0.0)
    monkeypatch.setattr(clock, "ahead_ms", 0)
    monkeypatch.setattr(breaker, "_now_ms", lambda: round(time.time() * 1000) + clock.ahead_ms)
    settings.LLM_BREAKER_FAILURES = 3
    settings.LLM_BREAKER_OPEN_S = 60


@pytest.fixture
def stage_with(monkeypatch):
    """Changes values of the stage `response` for one test."""

    def change(**values):
        for name, value in values.items():
            monkeypatch.setenv(f"FUTURA_STAGE_RESPONSE_{name.upper()}", str(value))
        stages.all_stages.cache_clear()

    yield change
    monkeypatch.undo()
    stages.all_stages.cache_clear()


def enter():
    return breaker.enter(MODEL, longest_s=5)


def passed():
    given = enter()
    assert given is not None
    return given


def fail(times, outcome=Outcome.SERVER_ERROR):
    for _ in range(times):
        breaker.leave(MODEL, passed(), outcome)


def opened():
    fail(3)
    assert breaker.state(MODEL) == "open"


def wait_half_open():
    clock.ahead_ms += 60_000
    assert breaker.state(MODEL) == "half-open"


def test_repeated_failures_open_it_and_an_answer_between_does_not(caplog):
    fail(2)
    breaker.leave(MODEL, passed(), Outcome.OK)
    fail(2)
    assert breaker.state(MODEL) == "closed"
    fail(1)
    assert breaker.state(MODEL) == "open"
    assert caplog.messages.count(f"circuit of model {MODEL} opened") == 1
    assert enter() is None
    assert breaker.enter("another-model", longest_s=5) is not None


def test_failures_are_counted_for_a_minute(settings):
    began = time.monotonic()
    fail(1)
    failures, *_others = breaker._keys(MODEL)
    remaining_ms = shared.client(settings.REDIS_URL).pttl(failures)
    took_ms = 1_000 * (time.monotonic() - began)
    assert 60_000 - took_ms - 1 <= remaining_ms <= 60_000


@pytest.mark.parametrize(
    "outcome", [Outcome.UNAUTHORISED, Outcome.RATE_LIMITED, Outcome.REFUSED, Outcome.WRONG_SCHEMA]
)
def test_what_is_not_the_servers_failure_does_not_open_it(outcome):
    fail(9, outcome)
    assert breaker.state(MODEL) == "closed"


def test_a_server_that_is_not_there_is_found_out_sooner():
    fail(2, Outcome.UNREACHABLE)
    assert breaker.state(MODEL) == "open"


def test_of_many_who_ask_when_its_time_is_over_exactly_one_is_the_probe():
    opened()
    wait_half_open()
    given = []
    start = threading.Barrier(16)

    def ask():
        start.wait()
        given.append(enter())

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    probes = [item for item in given if item is not None]
    assert len(probes) == 1
    breaker.leave(MODEL, probes[0], Outcome.OK)
    assert breaker.state(MODEL) == "closed"
    assert passed()
    assert passed(), "others, too"


def test_a_probe_that_fails_opens_it_again_at_once():
    opened()
    wait_half_open()
    breaker.leave(MODEL, passed(), Outcome.SERVER_ERROR)
    assert breaker.state(MODEL) == "open"


def test_a_probe_that_says_nothing_leaves_the_question_to_the_next():
    opened()
    wait_half_open()
    breaker.leave(MODEL, passed(), Outcome.CANCELLED)
    assert passed()
    assert enter() is None, "that was the probe"


def test_only_the_probe_closes_it_not_an_answer_from_before():
    early = passed()
    opened()
    breaker.leave(MODEL, early, Outcome.OK)
    assert breaker.state(MODEL) == "open"


def test_a_probe_whose_process_died_does_not_block_for_ever():
    opened()
    wait_half_open()
    assert breaker.enter(MODEL, longest_s=-0.9) is not None
    deadline = time.monotonic() + 5
    while enter() is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)  # the dead one's right expires in Redis
    assert enter() is None, "that was the probe"


def test_without_redis_calls_pass_and_redis_is_not_asked_each_time(monkeypatch, caplog):
    asked = []

    class Away:
        def get(self, *_):
            asked.append(1)
            raise RedisAway("gone")

    monkeypatch.setattr(shared, "client", lambda _url: Away())
    for _ in range(5):
        given = passed()
        breaker.leave(MODEL, given, Outcome.SERVER_ERROR)
        assert given == ""
    assert asked == [1]
    assert "Redis does not answer, calls pass" in caplog.text


@pytest.mark.django_db
def test_an_open_circuit_gives_way_to_the_rules_at_once(scripted, llm):
    opened()
    scripted.on().text("Never asked.").json(GOOD)
    with pytest.raises(ModelUnavailable) as caught:
        next(llm.stream_text("response", HELLO))
    assert caught.value.reason == "circuit_open"
    with pytest.raises(ModelUnavailable):
        llm.structured("tool_selection", HELLO, Verdict)
    assert scripted.requests == []
    assert outcomes() == ["circuit_open"] * 2


@pytest.mark.django_db
def test_calls_open_it_and_one_answer_closes_it_again(scripted, llm):
    scripted.on("response").status(500).status(500).status(500).text("Back.")
    with pytest.raises(ModelUnavailable):
        next(llm.stream_text("response", HELLO))
    assert breaker.state(MODEL) == "open"
    wait_half_open()
    assert list(llm.stream_text("response", HELLO)) == ["Back."]
    assert breaker.state(MODEL) == "closed"
    assert outcomes() == ["server_error"] * 3 + ["ok"]


@pytest.mark.django_db
def test_the_next_model_answers_while_the_first_is_left_alone(scripted, llm, stage_with):
    stage_with(fallbacks="gpt-4.1")
    opened()
    scripted.on("response").text("From the second.")
    assert "".join(llm.stream_text("response", HELLO)) == "From the second."
    assert [request.model for request in scripted.requests] == ["gpt-4.1"]
    assert outcomes() == ["circuit_open", "ok"]


@pytest.mark.django_db
def test_the_next_model_answers_when_the_first_has_used_up_its_attempts(
    scripted, llm, stage_with, settings
):
    settings.LLM_BREAKER_FAILURES = 50
    stage_with(fallbacks="gpt-4.1", attempts=2)
    scripted.on("response").status(500).status(500).text("From the second.")
    assert "".join(llm.stream_text("response", HELLO)) == "From the second."
    asked = list(ModelCall.objects.order_by("id").values_list("attempt", "model_asked"))
    assert asked == [(1, "gpt-4o"), (2, "gpt-4o"), (3, "gpt-4.1")]


@pytest.mark.django_db
def test_a_second_model_may_give_the_form_that_the_first_did_not(scripted, llm, stage_with):
    stage_with(fallbacks="gpt-4.1")
    scripted.on("response").json({"no": 1}).json({"no": 2}).json(GOOD)
    assert llm.structured("response", HELLO, Verdict).word == "bake"
    assert [request.model for request in scripted.requests] == ["gpt-4o"] * 2 + ["gpt-4.1"]
    assert len(scripted.requests[2].messages) == len(HELLO), "without the first one's attempts"


@pytest.mark.django_db
def test_a_long_retry_after_is_left_to_the_next_model(scripted, llm, stage_with):
    stage_with(fallbacks="gpt-4.1")
    scripted.on("response").status(429, retry_after=60).text("From the second.")
    began = time.monotonic()
    assert "".join(llm.stream_text("response", HELLO)) == "From the second."
    assert time.monotonic() - began < 5


@pytest.mark.django_db
def test_a_retry_after_beyond_the_stages_time_is_not_waited_for(scripted, llm, stage_with):
    stage_with(total_s=10)
    scripted.on("response").status(429, retry_after=30).text("Too late.")
    began = time.monotonic()
    with pytest.raises(ModelUnavailable):
        next(llm.stream_text("response", HELLO))
    assert time.monotonic() - began < 5
    assert outcomes() == ["rate_limited"]


@pytest.mark.thorough
@pytest.mark.django_db
def test_a_server_that_is_not_there_costs_no_seconds(scripted, llm, settings):
    settings.LLM_BACKOFF_S = 0.4  # as in production
    settings.LLM_BREAKER_FAILURES = 5
    scripted.refuse_connections()
    began = time.monotonic()
    with pytest.raises(ModelUnavailable):
        next(llm.stream_text("response", HELLO))
    first_s = time.monotonic() - began
    settings.LLM_BACKOFF_S = 30  # nothing is waited for now
    began = time.monotonic()
    with pytest.raises(ModelUnavailable):
        next(llm.stream_text("response", HELLO))
    assert first_s < 5
    assert time.monotonic() - began < 5
    assert outcomes() == ["unreachable"] * 3 + ["circuit_open"]


@pytest.mark.django_db(transaction=True)
def test_threads_that_call_at_once_send_one_probe(scripted):
    opened()
    wait_half_open()
    scripted.on("response").stall(after=1, text="Back again")
    prober = Llm()
    probing = prober.stream_text("response", HELLO)
    next(probing)
    refused = []

    def ask():
        try:
            next(Llm().stream_text("response", HELLO))
        except ModelUnavailable as error:
            refused.append(error.reason)
        finally:
            connection.close()

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    prober.cancel.cancel()
    with pytest.raises(Cancelled):
        next(probing)
    assert refused == ["circuit_open"] * 6
    assert len(scripted.requests) == 1
