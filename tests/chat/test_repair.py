"""What is put right afterwards: forgotten runs, dead workers, and pages that stay cheap."""

from __future__ import annotations

import uuid
from contextlib import closing
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from chat import events
from chat.events.kinds import Token
from chat.events.log import redis
from chat.models import Message, Run
from chat.queries import conversation
from chat.runs.lease import claim
from chat.runs.sweep import reap, sweep

SILENT = timedelta(milliseconds=10)  # the database has been up for longer: the reaper may look


def age(run: Run, **fields: timedelta) -> None:
    Run.objects.filter(pk=run.pk).update(
        **{name: timezone.now() - ago for name, ago in fields.items()}
    )


def test_a_run_that_nobody_heard_of_is_announced_again(start, alice, drain):
    session = start(alice)
    run = session.runs.get()
    assert sweep() == 0
    age(run, created_at=timedelta(seconds=6))
    assert sweep() == 1
    assert sweep() == 0  # it has just been announced
    drain()
    run.refresh_from_db()
    assert run.status == Run.Status.COMPLETED


def test_what_another_process_puts_right_just_now_is_left_to_it(start, alice):
    queued, silent = start(alice).runs.get(), start(alice).runs.get()
    age(queued, created_at=timedelta(seconds=6))
    claim(silent.pk, uuid.uuid4())
    age(silent, heartbeat_at=2 * SILENT)
    with closing(connection.copy()) as other:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            for name in ("sweep of runs", "reaping of runs"):
                cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        assert (sweep(), reap(SILENT)) == (0, 0)
        other.rollback()
    assert (sweep(), reap(SILENT)) == (1, 1)


@pytest.mark.parametrize(("stop_asked", "status"), [(False, "interrupted"), (True, "stopped")])
def test_a_dead_workers_run_ends_with_the_text_that_was_shown(start, alice, stop_asked, status):
    session = start(alice, "hello")
    run = session.runs.get()
    held = claim(run.pk, uuid.uuid4())
    assert held is not None
    Message.objects.filter(pk=held.reply.pk).update(text="It was ")
    events.append(session.pk, Token(held.reply.pk, 0, held.lease, "It was "))
    events.append(session.pk, Token(held.reply.pk, 7, uuid.uuid4(), "not mine"))
    events.append(session.pk, Token(held.reply.pk, 7, held.lease, "going well"))
    age(run, heartbeat_at=-timedelta(hours=1))
    assert reap(SILENT) == 0
    age(run, heartbeat_at=2 * SILENT)
    if stop_asked:
        Run.objects.filter(pk=run.pk).update(stop_requested_at=timezone.now())
    assert reap(SILENT) == 1
    assert reap(SILENT) == 0
    run.refresh_from_db()
    reply = session.messages.get(seq=2)
    assert (run.status, reply.status, reply.text) == (status, status, "It was going well")
    shown = conversation(session).messages[-1]
    assert shown.can_retry


def test_turns_complete_while_redis_forgets_everything(start, alice, drain):
    session = start(alice, "hello")
    redis().flushall()
    drain()
    assert session.runs.get().status == Run.Status.COMPLETED
    assert session.messages.get(seq=2).text == "You said: hello "


def test_a_page_costs_the_same_queries_with_one_and_with_sixty_messages(
    start, alice, drain, django_assert_num_queries
):
    session = start(alice)
    drain()
    with django_assert_num_queries(2):
        conversation(session)
    Message.objects.bulk_create(
        Message(session=session, seq=10 + n, role="user", text=str(n)) for n in range(60)
    )
    with django_assert_num_queries(2):
        shown = conversation(session)
    assert len(shown.messages) == 50
    assert shown.has_earlier
