"""What the first version remembered is brought into today's form while conversations go on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any

import pytest
from django.db import connection, transaction

from chat.memory.facts import from_json, to_json
from chat.memory.shapes import Fact
from chat.models import Participant, Run, Session
from tests.waiting import until_waiting

pytestmark = pytest.mark.django_db(transaction=True)

MIGRATION = import_module("chat.migrations.0022_one_form")
FACTS = [Fact("My name is Ada.", "name", "m1", 1), Fact("I live in Rome.", "place", "m2", 2)]


def of_first_version(fact: Fact, *, withdrawn: bool = False) -> dict[str, Any]:
    return {**to_json([fact])[0], "score": 3, "about": ["ada"], "withdrawn": withdrawn}


def conversation(**fields: Any) -> Session:
    return Session.objects.create(
        participant=Participant.objects.create(), kind="concierge", **fields
    )


def bring(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def bring_beside(statement: str) -> None:
    """The same by another connection, as while the version before serves."""
    try:
        bring(statement)
    finally:
        connection.close()


def test_facts_lose_fields_that_are_gone_and_what_was_taken_back():
    first, second = FACTS
    old = conversation(
        key_facts=[
            of_first_version(first),
            of_first_version(first, withdrawn=True),
            of_first_version(second),
        ]
    )
    none, present = conversation(), conversation(key_facts=to_json(FACTS))
    bring(MIGRATION.CURRENT_FACTS)
    for session, facts in ((old, FACTS), (none, []), (present, FACTS)):
        session.refresh_from_db()
        assert from_json(session.key_facts) == facts


def test_what_a_turn_saves_meanwhile_stays():
    session = conversation(
        state={"has_untrusted_text": True}, key_facts=[of_first_version(FACTS[0])]
    )
    run = Run.objects.create(session=session)
    for statement in (MIGRATION.CURRENT_FACTS, MIGRATION.READERS_OF_OTHERS):
        with ThreadPoolExecutor(1) as migrating:
            with transaction.atomic():
                session.state = {**session.state, "turns": session.state.get("turns", 0) + 1}
                session.key_facts = [*session.key_facts, of_first_version(FACTS[1])]
                session.save()
                brought = migrating.submit(bring_beside, statement)
                until_waiting(1)
            brought.result()
        session.refresh_from_db()
    assert session.state == {"has_untrusted_text": True, "turns": 2, "others": [str(run.pk)]}
    assert session.key_facts == [*to_json(FACTS), of_first_version(FACTS[1])]
