"""A worker that is asked to end: what it has is finished or handed over, nothing new is taken."""

import threading
import uuid

import pytest
from django.db import connections

from chat.jobs import perform_run
from chat.models import Message, Run
from chat.runs import lease_renewal as draining
from chat.runs.perform import perform
from futura.llm.client import CancelToken

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _goes_on():
    yield
    draining.call_off()


def _perform(run_id: uuid.UUID) -> None:
    try:
        perform(run_id)
    finally:
        connections.close_all()


@pytest.fixture
def working(start, alice, echo_guide):
    """A run that has said something and waits, in a worker's thread."""
    session = start(alice, "/gate drain")
    run = Run.objects.get(session=session)
    thread = threading.Thread(target=_perform, args=(run.pk,))
    thread.start()
    assert echo_guide.gate("drain").arrived.wait(60)
    yield run, thread
    echo_guide.gate("drain").open.set()
    thread.join(60)


def test_an_answer_longer_than_the_grace_keeps_its_text_and_is_marked_interrupted(working):
    run, thread = working
    draining.begin(0.01)
    thread.join(60)
    run.refresh_from_db()
    assert (run.status, run.error_code) == (Run.Status.INTERRUPTED, "interrupted")
    assert run.reply.status == Message.Status.INTERRUPTED
    assert run.reply.text == "Before the gate. "


def test_an_answer_that_is_done_in_time_is_whole(working, echo_guide):
    run, thread = working
    draining.begin(60)
    echo_guide.gate("drain").open.set()
    thread.join(60)
    run.refresh_from_db()
    assert run.status == Run.Status.COMPLETED
    assert run.reply.text.startswith("Before the gate. After the gate. You said:")


def test_what_comes_meanwhile_is_left_to_other_workers(start, alice, drain):
    session = start(alice, "hello")
    run = Run.objects.get(session=session)
    draining.begin(60)
    perform_run(str(run.pk))
    run.refresh_from_db()
    assert run.status == Run.Status.QUEUED
    draining._ending.clear()
    drain()
    run.refresh_from_db()
    assert run.status == Run.Status.COMPLETED


def test_a_worker_that_is_done_before_its_grace_is_over_need_not_wait_for_it():
    draining.begin(60)
    assert [timer.daemon for timer in draining._timers] == [True]


def test_a_run_that_is_not_claimed_yet_is_not_given_up():
    cancel = CancelToken()
    with draining.watched(uuid.uuid4(), uuid.uuid4(), cancel):
        assert draining.hand_over() == 0
        assert not cancel.cancelled
