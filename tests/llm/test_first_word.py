"""One deadline lies over all calls of a turn until something of its answer can be seen."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import pytest

from futura.errors import ModelUnavailable
from futura.llm.cancel import first_word_within
from futura.llm.client import Llm
from futura.llm.models import ModelCall
from futura.llm.tools import CallFinished, Tool
from tests.llm.conftest import GOOD, HELLO, Verdict, outcomes
from tests.llm.test_tools import Find, Shed

pytestmark = pytest.mark.django_db(transaction=True)
SHORT_S = 0.6
LONG_S = 5.0


@pytest.fixture(autouse=True)
def _warm(scripted):
    """What the first call of a process loads counts in no deadline."""
    scripted.on("response").text("Well.")
    assert list(Llm().stream_text("response", HELLO))
    ModelCall.objects.all().delete()
    scripted.reset()


def took_s(work):
    began = time.monotonic()
    with pytest.raises(ModelUnavailable) as caught:
        work()
    assert "timeout" in caught.value.reason
    return time.monotonic() - began


@pytest.mark.thorough
def test_a_stream_that_says_nothing_ends_with_it_and_nothing_is_asked_again(scripted):
    scripted.on("response").silence()
    with first_word_within(SHORT_S):
        assert took_s(lambda: list(Llm().stream_text("response", HELLO))) < LONG_S
        assert took_s(lambda: Llm().structured("suggestions", HELLO, Verdict)) < LONG_S
    assert outcomes() == ["first_token_timeout"]


def test_an_answer_in_one_piece_ends_with_it(scripted):
    scripted.on("suggestions").silence()
    with first_word_within(SHORT_S):
        assert took_s(lambda: Llm().structured("suggestions", HELLO, Verdict)) < LONG_S
    assert outcomes() == ["first_token_timeout"]


def test_a_call_in_another_thread_has_the_deadline_of_its_turn(scripted):
    scripted.on("suggestions").silence()
    with first_word_within(SHORT_S), ThreadPoolExecutor(1) as pool:
        asked = pool.submit(
            copy_context().run, lambda: Llm().structured("suggestions", HELLO, Verdict)
        )
        assert took_s(asked.result) < LONG_S


@pytest.mark.thorough
def test_words_that_nobody_can_see_yet_do_not_stop_it(scripted):
    scripted.on("response").text("drip " * 200, chunk_delay_s=0.05)
    with first_word_within(1.0):  # so that the first of them is there by then
        assert took_s(lambda: list(Llm().stream_text("response", HELLO))) < LONG_S
    assert outcomes() == ["total_timeout"]


@pytest.mark.thorough
def test_once_a_word_can_be_seen_the_answer_takes_its_time(scripted):
    scripted.on("response").text("one two three four five six", chunk_delay_s=0.21)
    said = []
    with first_word_within(1.0) as deadline:  # less than all of it takes
        for text in Llm().stream_text("response", HELLO):
            said.append(text)
            deadline.came()
    assert "".join(said) == "one two three four five six"


def test_a_word_that_comes_late_brings_the_model_back_no_more(scripted):
    scripted.on("suggestions").json(GOOD)
    with first_word_within(0.0) as deadline:
        deadline.came()
        assert deadline.is_late
        assert took_s(lambda: Llm().structured("suggestions", HELLO, Verdict)) < LONG_S
    assert scripted.requests == []
    assert Llm().structured("suggestions", HELLO, Verdict).word == "bake"


def test_a_tool_that_only_reads_is_not_waited_for_any_longer(scripted):
    shed = Shed()
    scripted.on("response").call("hang", {"words": "x"}).text("Never asked.")
    tool = Tool("hang", "Hangs.", Find, lambda given, call_id: shed.gate.wait(LONG_S))
    events = []
    with first_word_within(SHORT_S):
        work = Llm().run_tools("response", HELLO, [tool])
        assert took_s(lambda: events.extend(work)) < LONG_S
    shed.gate.set()
    assert [event.status for event in events if isinstance(event, CallFinished)] == ["timed_out"]
    assert len(scripted.requests) == 1
