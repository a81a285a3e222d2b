"""What writing a list of thirty tasks costs, and looking them up, beside the bare search."""

from __future__ import annotations

import time

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chat.models import Message, Participant, Session
from onet import matching as catalogue
from onet.actions import ensure_starter
from tasks.coding import matching, run
from tasks.models import SurveyResponse
from tests.bench.product import show

pytestmark = [pytest.mark.bench, pytest.mark.django_db]
VERBS = (
    "bake weld sew plant sell pack paint mop iron count file sort ship mend polish grind fold "
    "print scan label wash stack weigh trim drill cut glue sand coat rinse"
).split()


def survey() -> SurveyResponse:
    """A talk in which thirty tasks are told."""
    session = Session.objects.create(participant=Participant.objects.create(), kind="survey")
    told = ", ".join(f"{verb} {verb}er parts" for verb in VERBS)
    Message.objects.create(session=session, seq=1, role="user", text=f"I {told}.")
    queued = SurveyResponse.Step.QUEUED
    return SurveyResponse.objects.create(session=session, job_title="Worker", step=queued)


def test_writing_and_looking_up_thirty_tasks() -> None:
    ensure_starter()
    first = survey()
    run.process(first.pk)  # warm
    matching.match_responses(first.pk)
    response = survey()
    begun = time.perf_counter()
    with CaptureQueriesContext(connection) as written:
        run.process(response.pk)
    process_s = time.perf_counter() - begun
    begun = time.perf_counter()
    with CaptureQueriesContext(connection) as found:
        matching.match_responses(response.pk)
    match_s = time.perf_counter() - begun
    begun = time.perf_counter()
    with CaptureQueriesContext(connection) as searched:
        for task in response.tasks.all():
            catalogue.code(task.statement)
    search_s = time.perf_counter() - begun
    show(
        tasks=response.tasks.count(),
        queries={"write": len(written), "look up": len(found), "search alone": len(searched)},
        ms={
            "write": round(1000 * process_s),
            "look up": round(1000 * match_s),
            "search alone": round(1000 * search_s),
        },
    )
    assert len(found) < 2 * len(searched)
