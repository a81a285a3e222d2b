"""A survey page costs the same queries whatever is on it; its time against the small survey's."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from chat.models import Message, Participant
from tests.bench.product import show
from tests.tasks import changing
from tests.tasks.pages.conftest import Survey, make_survey, make_task

pytestmark = [pytest.mark.bench, pytest.mark.django_db]
VISITS = 15


def survey_of(participant: Participant, *, tasks: int, messages: int) -> Survey:
    """A survey with so many tasks and messages."""
    survey = make_survey(participant)
    for place in range(len(survey.tasks) + 1, tasks + 1):
        make_task(survey.response, place, f"Prepare report {place}", group="workOutput")
    if survey.tasks[tasks:]:
        changing.take_off(*survey.tasks[tasks:])
    session = survey.response.session
    Message.objects.bulk_create(
        Message(session=session, seq=seq, role=("user", "assistant")[seq % 2], text=f"Said {seq}.")
        for seq in range(3, messages + 1)
    )
    return survey


def visited(page: Client, address: str) -> tuple[int, float]:
    """Queries of one visit, and the median seconds of several."""
    page.get(address)
    with CaptureQueriesContext(connection) as queries:
        assert page.get(address).status_code == 200
    count = len(queries)  # the next request empties the log
    taken = []
    for _ in range(VISITS):
        begun = time.perf_counter()
        page.get(address)
        taken.append(time.perf_counter() - begun)
    return count, median(taken)


@pytest.mark.parametrize("name", ["chat", "tasks"])
def test_a_full_survey_beside_a_small_one(
    browser: Callable[..., Client],
    alice: User,
    participant_of: Callable[[User], Participant],
    name: str,
) -> None:
    owner, page = participant_of(alice), browser(alice)
    small = survey_of(owner, tasks=2, messages=20)
    full = survey_of(owner, tasks=60, messages=400)
    few, short_s = visited(page, small.url(name))
    many, long_s = visited(page, full.url(name))
    show(
        page=name,
        queries={"2 tasks, 20 messages": few, "60 tasks, 400 messages": many},
        small_ms=round(short_s * 1000, 1),
        times_small=round(long_s / short_s, 1),
    )
    assert 0 < few == many
