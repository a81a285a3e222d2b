"""Queries compiled once give what the ORM gives, for every number of ids."""

from __future__ import annotations

import uuid

import pytest
from django.db import connection, transaction
from django.db.models import F, Q
from django.test.utils import CaptureQueriesContext

from chat.models import Message, Run, Session
from futura.statements import Prepared

pytestmark = pytest.mark.django_db(transaction=True)


def said(session, ids):
    named = Q(pk__in=ids) | Q(role=Message.Role.ASSISTANT)
    messages = Message.objects.filter(named, session=session)
    return messages.annotate(place=F("seq") * 10).defer("text").order_by("-seq")


@pytest.fixture
def talk(start, alice, drain):
    """A session with two messages and their answers."""
    session = start(alice, "one")
    drain()
    return session


def facts(messages) -> list[tuple]:
    return [(m.pk, m.role, m.parts, m.place, m.get_deferred_fields(), m.text) for m in messages]


def test_rows_are_those_of_the_queryset(talk):
    prepared = Prepared(said)
    known = [message.pk for message in talk.messages.all()]
    for ids in ([], known[:1], known, [uuid.uuid4()], [*known, uuid.uuid4()], known[::-1]):
        for _ in range(2):
            expected = facts(said(talk.pk, ids))
            assert facts(prepared.all(session=talk.pk, ids=ids)) == expected
    assert prepared.all(session=uuid.uuid4(), ids=known) == []


def test_json_and_dates_come_as_the_orm_reads_them(talk):
    run = talk.runs.get()
    kept = Prepared(lambda pk: Run.objects.filter(pk=pk)).first(pk=run.pk)
    assert kept is not None
    fields = [field.attname for field in Run._meta.concrete_fields]
    assert {name: getattr(kept, name) for name in fields} == {
        name: getattr(run, name) for name in fields
    }
    kept.stage = "saved like any other"
    kept.save(update_fields=["stage"])
    run.refresh_from_db()
    assert run.stage == "saved like any other"


def test_a_locking_query_locks_each_time(talk):
    locked = Prepared(lambda pk: Session.objects.select_for_update().filter(pk=pk))
    for _ in range(2):
        with transaction.atomic(), CaptureQueriesContext(connection) as queries:
            assert locked.first(pk=talk.pk) == talk
        assert "FOR UPDATE" in queries.captured_queries[0]["sql"]


def test_a_query_over_two_tables_is_refused(talk):
    joined = Prepared(lambda pk: Run.objects.select_related("message").filter(pk=pk))
    with pytest.raises(ValueError, match="one table"):
        joined.first(pk=talk.runs.get().pk)
