"""Statements that are not compiled each time write what the ORM would write."""

from __future__ import annotations

import uuid
from decimal import Decimal

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chat.models import Message, Run, Session
from chat.queries import NEXT_SEQ
from futura.llm.models import ModelCall
from futura.statements import NOW, insert, rows, update

pytestmark = pytest.mark.django_db(transaction=True)
HARD = "it's 100 % <b>\u202e\U0001f600</b> %(id)s $1"


@pytest.fixture
def talk(start, alice):
    """A session with one message, which waits for its answer."""
    return start(alice, "one")


def kept(instance) -> dict:
    """What the database has of an object."""
    again = type(instance)._base_manager.get(pk=instance.pk)
    return {field.attname: getattr(again, field.attname) for field in again._meta.concrete_fields}


def own(instance) -> dict:
    return {field.attname: getattr(instance, field.attname) for field in instance._meta.fields}


@pytest.mark.parametrize("logged", [False, True])
def test_a_row_is_inserted_as_the_object_says(talk, logged):
    said = Message(
        session=talk,
        role=Message.Role.PERSON,
        status=Message.Status.QUEUED,
        text=HARD,
        parts=[{"kind": HARD, "n": [1, None, 2.5]}],
        client_id=uuid.uuid4(),
    )
    connection.force_debug_cursor = logged
    try:
        assert insert(said, seq=NEXT_SEQ) is said
    finally:
        connection.force_debug_cursor = False
    assert said.seq == 2
    assert kept(said) == own(said)
    said.text = "saved like any other"
    said.save()
    assert Message.objects.count() == 2


def test_what_the_database_fills_is_read_back(talk):
    run = insert(Run(session=talk, message=talk.messages.get()))
    assert run.created_at <= timezone.now()
    assert kept(run) == own(run)
    call = ModelCall(
        created_at=timezone.now(),
        stage="response",
        attempt=1,
        wire="chat",
        model_asked="m",
        latency_ms=5,
        outcome="ok",
        cost_usd=Decimal("0.00000123"),
    )
    insert(call, soon=True)
    assert call.pk
    assert kept(call) == own(call)


def test_a_row_that_may_not_be_is_refused(talk):
    twice = Message(session=talk, role="user", status="complete", client_id=uuid.uuid4())
    insert(twice, seq=NEXT_SEQ)
    again = Message(session=talk, role="user", status="complete", client_id=twice.client_id)
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(again, seq=NEXT_SEQ)
    assert talk.messages.count() == 2


@pytest.mark.parametrize("soon", [False, True])
def test_only_the_rows_that_were_named_are_changed(talk, soon):
    run, lease = talk.runs.get(), uuid.uuid4()
    mine = {"pk": run.pk, "status": Run.Status.QUEUED}
    assert update(Run, {**mine, "lease": lease}, soon=soon, stage="x") == 0
    assert update(Run, mine, soon=soon, lease=lease, trace=[{"at": HARD}], started_at=NOW) == 1
    assert update(Run, {**mine, "lease": lease}, soon=soon, stage=HARD, reply=None) == 1
    run.refresh_from_db()
    assert (run.lease, run.trace, run.stage, run.reply) == (lease, [{"at": HARD}], HARD, None)
    assert run.started_at <= timezone.now()
    assert update(Session, {"pk": uuid.uuid4()}, draft="x") == 0


def test_a_statement_is_planned_once_and_told_as_all_others(talk):
    sql = "SELECT text FROM chat_message WHERE session_id = %s"
    for _ in range(4):
        assert rows(sql, [talk.pk]) == [("one",)]
    planned = rows("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE %s", ["%$1%"])
    assert planned[0][0] >= 1
    with CaptureQueriesContext(connection) as told:
        rows(sql, [talk.pk])
    assert [str(talk.pk).replace("-", "") in one["sql"] for one in told] == [True]
