"""Opening a conversation of 2,000 messages beside one of 50: the same queries, hardly more time."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from statistics import median

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from chat.models import Message, Participant, Run, Session
from tests.bench.product import show
from tests.tasks.pages.conftest import make_survey

pytestmark = [pytest.mark.bench, pytest.mark.django_db]
VISITS = 40
AT_MOST = 1.3
STATE = {"cards": [{"id": f"c-{n}", "statement": "Plan the week " * 4} for n in range(40)]}


def talk_of(participant: Participant, count: int) -> Session:
    """A survey with so many messages; each answer has its run, as the engine leaves it."""
    session = make_survey(participant).response.session
    said = [
        Message(
            session=session,
            seq=seq,
            role=("user", "assistant")[seq % 2],
            text=f"Turn {seq}. " + "I plan the week and write it into the calendar. " * 4,
        )
        for seq in range(3, count + 1)
    ]
    Message.objects.bulk_create(said)
    by_seq = {item.seq: item for item in said}
    Run.objects.bulk_create(
        Run(
            session=session,
            message=by_seq.get(item.seq - 1),
            reply=item,
            status=Run.Status.COMPLETED,
            lease=uuid.uuid4(),
            state_before=STATE,
            trace=[{"name": "analysis", "at_ms": n} for n in range(8)],
        )
        for item in said
        if item.role == "assistant"
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE chat_message, chat_run, chat_session")
    return session


def visit(page: Client, address: str) -> float:
    begun = time.perf_counter()
    assert page.get(address).status_code == 200
    return time.perf_counter() - begun


def queries_of(page: Client, address: str) -> int:
    page.get(address)  # marks as seen, once
    with CaptureQueriesContext(connection) as queries:
        page.get(address)
    return len(queries)


def test_two_thousand_messages_open_like_fifty(
    browser: Callable[..., Client],
    alice: User,
    participant_of: Callable[[User], Participant],
) -> None:
    owner, page = participant_of(alice), browser(alice)
    short, long = (reverse("survey:chat", args=[talk_of(owner, count).pk]) for count in (50, 2_000))
    counts = [queries_of(page, address) for address in (short, long)]
    taken: dict[str, list[float]] = {short: [], long: []}
    for _visit in range(VISITS):  # turn by turn, so that a busy moment hits both
        for address, times in taken.items():
            times.append(visit(page, address))
    short_s, long_s = (median(times) for times in taken.values())
    show(
        messages=[50, 2_000],
        queries=counts,
        open_ms=[round(short_s * 1000, 1), round(long_s * 1000, 1)],
        times=round(long_s / short_s, 2),
    )
    assert counts[0] == counts[1] > 0
    assert long_s < AT_MOST * short_s
