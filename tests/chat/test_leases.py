"""Who may write: one of many claimers, whoever holds the lease, and nobody who only thinks so."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from chat.actions import send_message, stop_run
from chat.events.kinds import Reference
from chat.events.log import append, tail
from chat.models import Message, Run, Session
from chat.runs import lease, lease_renewal
from chat.runs.lease import LeaseLost, claim, held
from chat.runs.perform import perform
from chat.runs.sweep import SILENT_FOR, reap
from chat.runs.writer import ReplyWriter
from futura.llm.client import CancelToken
from tests.event_log import replay_now

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def elsewhere() -> Iterator[Callable]:
    """Runs a function in a thread with a connection of its own; gives a future."""
    with ThreadPoolExecutor(8) as pool:

        def there(work):
            try:
                return work()
            finally:
                connections.close_all()

        yield lambda work: pool.submit(there, work)


def _await_a_waiter() -> None:
    """Returns when some connection waits for a lock that another has."""
    with connection.cursor() as cursor:
        for _ in range(2000):
            cursor.execute("SELECT count(*), pg_sleep(0.01) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return
    pytest.fail("nobody waits")


def test_of_many_claimers_one_gets_the_run(start, alice, elsewhere):
    run = start(alice).runs.get()
    at_once = threading.Barrier(8)

    def try_it():
        at_once.wait(60)
        return claim(run.pk, uuid.uuid4())

    claims = [future.result(60) for future in [elsewhere(try_it) for _ in range(8)]]
    assert sum(item is not None for item in claims) == 1
    assert Message.objects.filter(session=run.session, role="assistant").count() == 1


def test_a_run_begins_at_the_place_in_the_log_that_its_message_named(start, alice):
    """Where it named none, as a message of the sweep, the log is asked for its end."""
    for names_it in (True, False):
        run = start(alice).runs.get()
        sent_at = tail(run.session_id)
        append(run.session_id, Reference("run", str(run.pk)))
        assert claim(run.pk, uuid.uuid4(), str(sent_at) if names_it else "")
        run.refresh_from_db()
        assert run.log_cursor == str(sent_at if names_it else tail(run.session_id))


def test_a_claim_whose_acknowledgement_was_lost_is_asked_for_again(start, alice):
    run, lease = start(alice).runs.get(), uuid.uuid4()
    first, second = claim(run.pk, lease), claim(run.pk, lease)
    assert first is not None
    assert second is not None
    assert first.reply == second.reply
    assert claim(run.pk, uuid.uuid4()) is None
    run.refresh_from_db()
    assert run.attempt == 1


def test_an_end_whose_acknowledgement_was_lost_is_written_once_and_told(
    start, alice, drain, monkeypatch, caplog
):
    session = start(alice, "/end")
    begin = tail(session.pk)
    run = session.runs.get()
    wrapper: Any = BaseDatabaseWrapper
    commit, lost = wrapper._commit, list[uuid.UUID]()

    def commit_and_break(self):
        commit(self)
        with self.connection.cursor() as cursor:
            cursor.execute("SELECT status FROM chat_run WHERE id = %s", [run.pk])
            is_over = cursor.fetchone() == ("completed",)
        commit(self)  # of the look
        if is_over and not lost:
            lost.append(run.pk)
            raise OperationalError("the line to the database broke")

    monkeypatch.setattr(BaseDatabaseWrapper, "_commit", commit_and_break)
    perform(run.pk)
    monkeypatch.undo()
    assert lost
    assert "the database did not take a write" in caplog.text
    run.refresh_from_db()
    assert run.status == Run.Status.COMPLETED
    assert session.messages.get(role="assistant").text == "Good bye."
    assert begin is not None
    found = replay_now(session.pk, begin)
    assert found is not None
    told = [entry.event.kind for entry in found.entries if hasattr(entry.event, "kind")]
    assert told[-3:] == ["message", "run", "ended"]


def test_a_write_waits_for_the_session_before_it_locks_the_run(start, alice, elsewhere):
    run, lease = start(alice).runs.get(), uuid.uuid4()
    assert claim(run.pk, lease)

    def write():
        with held(run.pk, lease, locking=run.session_id):
            pass

    with transaction.atomic():
        Session.objects.select_for_update().get(pk=run.session_id)
        writing = elsewhere(write)
        _await_a_waiter()
        Run.objects.select_for_update(nowait=True).get(pk=run.pk)  # as a stop does, in this order
    writing.result(60)


def test_nothing_is_written_under_a_lease_that_was_lost(start, alice):
    session = start(alice)
    run = session.runs.get()
    held_by_us = claim(run.pk, uuid.uuid4())
    assert held_by_us is not None
    Run.objects.filter(pk=run.pk).update(status=Run.Status.INTERRUPTED)
    with pytest.raises(LeaseLost), held(run.pk, held_by_us.lease):
        Message.objects.filter(pk=held_by_us.reply.pk).update(text="from the grave")
    held_by_us.reply.refresh_from_db()
    assert held_by_us.reply.text == ""


def test_a_stalled_worker_logs_no_text(start, alice):
    session = start(alice)
    hold = lease_renewal.Hold(session.runs.get().pk, uuid.uuid4(), CancelToken())
    writer = ReplyWriter(session.pk, uuid.uuid4(), hold.lease, may_log=lambda: hold.is_fresh)
    begin = tail(session.pk)
    assert begin is not None
    writer.add("too late")
    found = replay_now(session.pk, begin)
    assert found is not None
    assert found.entries == []
    assert writer.has_hole


def test_a_stop_is_heard_before_the_claim_is_through():
    cancel, run_id = CancelToken(), uuid.uuid4()
    with lease_renewal.watched(run_id, uuid.uuid4(), cancel):
        for _ in range(100):  # the thread may only just be subscribing
            lease.tell_worker_to_stop(run_id)
            if cancel.wait(0.1):
                return
    pytest.fail("the stop was not heard")


def test_a_locked_run_does_not_hold_up_the_heartbeats_of_the_others(start, alice, elsewhere):
    runs = [start(alice).runs.get(), start(alice).runs.get()]
    holds = [lease_renewal.Hold(run.pk, uuid.uuid4(), CancelToken()) for run in runs]
    for hold in holds:
        assert claim(hold.run_id, hold.lease)
    with transaction.atomic():
        Run.objects.select_for_update().get(pk=runs[0].pk)
        elsewhere(lambda: lease_renewal._beat(holds)).result(60)
    assert [hold.is_fresh for hold in holds] == [False, True]
    assert not any(hold.cancel.cancelled for hold in holds)
    Run.objects.filter(pk=runs[0].pk).update(status=Run.Status.INTERRUPTED)
    lease_renewal._beat(holds)
    assert [hold.cancel.cancelled for hold in holds] == [True, False]


def test_a_database_that_has_only_just_started_has_heard_nobody_and_ends_nothing(start, alice):
    run = start(alice).runs.get()
    assert claim(run.pk, uuid.uuid4())
    Run.objects.filter(pk=run.pk).update(heartbeat_at=run.created_at - timedelta(days=90))
    assert reap(timedelta(days=60)) == 0
    assert reap(timedelta(milliseconds=1)) == 1


def test_a_stop_of_the_first_in_line_lets_the_next_one_go(start, alice, identity_for, drain):
    session = start(alice, "first")
    identity = identity_for(alice)
    second = send_message(identity=identity, session=session, text="second")
    Run.objects.filter(pk=second.pk).update(enqueued_at=None)
    stop_run(identity=identity, run_id=session.runs.get(message__text="first").pk)
    second.refresh_from_db()
    assert second.enqueued_at is not None


def test_a_lease_is_trusted_while_four_heartbeats_fail_and_gone_after_five():
    given_up_s = SILENT_FOR.total_seconds()
    assert 4 * lease_renewal.BEAT_S < lease_renewal.FRESH_S < given_up_s == 5 * lease_renewal.BEAT_S
