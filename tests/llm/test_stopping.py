"""Stop and deadlines: a call ends at once, its HTTP stream is closed, the ledger says why."""

from __future__ import annotations

import threading
import time

import pytest
from openai import AsyncOpenAI

from futura.errors import ModelUnavailable
from futura.llm import stages
from futura.llm.client import Cancelled, CancelToken, Llm
from futura.llm.models import ModelCall
from tests.llm.conftest import GOOD, HELLO, Verdict, outcomes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("either_wire")]


@pytest.fixture
def impatient(monkeypatch):
    """Changes a stage's times for one test."""

    def change(stage, **times):
        for name, value in times.items():
            monkeypatch.setenv(f"FUTURA_STAGE_{stage.upper()}_{name.upper()}", str(value))
        stages.all_stages.cache_clear()

    yield change
    monkeypatch.undo()
    stages.all_stages.cache_clear()


def cancel_when(event, token):
    """Cancels from another thread as soon as the server stands still; notes the moment."""
    moment = []

    def work():
        event.wait(60)
        moment.append(time.monotonic())
        token.cancel()

    thread = threading.Thread(target=work)
    thread.start()
    return moment, thread


def test_a_stalled_stream_stops_at_once(scripted):
    scripted.on("response").stall(after=2, text="One two three")
    llm = Llm(cancel=CancelToken())
    received: list[str] = []
    texts = llm.stream_text("response", HELLO)
    while "".join(received) != "One two":
        received.append(next(texts))
    moment, thread = cancel_when(scripted.stalled, llm.cancel)
    with pytest.raises(Cancelled):
        next(texts)
    ended = time.monotonic()
    thread.join()
    assert ended - moment[0] < 5, "the ledger row included"
    assert scripted.wait_for_hang_ups(1), "the HTTP stream was closed"
    assert outcomes() == ["cancelled"]


def test_a_structured_call_stops_the_same_way(scripted):
    scripted.on("tool_selection").silence()
    llm = Llm()
    moment, thread = cancel_when(scripted.stalled, llm.cancel)
    with pytest.raises(Cancelled):
        llm.structured("tool_selection", HELLO, Verdict)
    assert time.monotonic() - moment[0] < 5
    thread.join()
    assert scripted.wait_for_hang_ups(1)
    assert outcomes() == ["cancelled"]


def test_a_thrown_switch_lets_no_call_start(scripted, llm):
    scripted.on().text("No.")
    llm.cancel.cancel()
    with pytest.raises(Cancelled):
        next(llm.stream_text("response", HELLO))
    assert scripted.requests == []


def test_a_pause_between_attempts_can_be_stopped(scripted, llm, settings):
    settings.LLM_BACKOFF_S = 30
    scripted.on("response").status(500)
    timer = threading.Thread(target=lambda: (scripted.wait_for_requests(1), llm.cancel.cancel()))
    timer.start()
    started = time.monotonic()
    with pytest.raises(Cancelled):
        next(llm.stream_text("response", HELLO))
    assert time.monotonic() - started < 5
    timer.join()


def test_closing_the_iterator_closes_the_stream(scripted, llm):
    scripted.on("response").stall(after=2, text="One two three")
    texts = llm.stream_text("response", HELLO)
    assert next(texts).startswith("One")
    texts.close()
    assert scripted.wait_for_hang_ups(1)
    assert outcomes() == ["cancelled"]


def test_silence_ends_at_the_first_token_deadline(scripted, llm, impatient):
    impatient("response", first_token_s=0.3, attempts=2)
    scripted.on("response").silence()
    with pytest.raises(ModelUnavailable) as caught:
        next(llm.stream_text("response", HELLO))
    assert caught.value.reason == "first_token_timeout"
    assert outcomes() == ["first_token_timeout"] * 2
    assert scripted.wait_for_hang_ups(2)


def test_headers_without_text_end_at_the_first_token_deadline(scripted, llm, impatient):
    impatient("response", first_token_s=0.1, attempts=1)
    scripted.on("response").stall(after=0)
    with pytest.raises(ModelUnavailable) as caught:
        next(llm.stream_text("response", HELLO))
    assert caught.value.reason == "first_token_timeout"


def test_a_stalled_stream_ends_at_the_idle_deadline_without_another_attempt(
    scripted, llm, impatient
):
    impatient("response", idle_s=0.1)
    scripted.on("response").stall(after=2).text("No.")
    with pytest.raises(ModelUnavailable) as caught:
        list(llm.stream_text("response", HELLO))
    assert caught.value.reason == "idle_timeout"
    assert outcomes() == ["idle_timeout"]


@pytest.mark.parametrize("chunk_delay_s", [0.02, 0.001], ids=["slow", "something is always left"])
def test_a_stream_that_drips_for_ever_ends_at_the_total_deadline(
    scripted, llm, impatient, chunk_delay_s
):
    impatient("response", total_s=0.3)
    scripted.on("response").text("drip " * 1000, chunk_delay_s=chunk_delay_s)
    with pytest.raises(ModelUnavailable) as caught:
        list(llm.stream_text("response", HELLO))
    assert caught.value.reason == "total_timeout"
    assert ModelCall.objects.get().latency_ms < 2000


def test_a_structured_call_without_answer_ends_at_its_deadline(scripted, llm, impatient):
    impatient("tool_selection", total_s=0.1)
    scripted.on("tool_selection").silence()
    with pytest.raises(ModelUnavailable) as caught:
        llm.structured("tool_selection", HELLO, Verdict)
    assert caught.value.reason == "total_timeout"
    assert outcomes() == ["total_timeout"]


@pytest.mark.thorough
def test_what_loading_the_sdk_takes_is_not_the_servers_time(scripted, llm, impatient, monkeypatch):
    """A worker that has just begun loads it while the first person waits already."""
    load_s = 3.0
    impatient("tool_selection", total_s=load_s)
    scripted.on("tool_selection").json(GOOD)
    build = AsyncOpenAI.__init__

    def load(client, **given):
        threading.Event().wait(load_s)
        build(client, **given)

    monkeypatch.setattr(AsyncOpenAI, "__init__", load)
    assert llm.structured("tool_selection", HELLO, Verdict) == Verdict(**GOOD)
    assert outcomes() == ["ok"]
