"""Pages of staff about a campaign of fifty people and of thousands: like times, equal queries."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from onet.actions import ensure_starter
from tasks.campaigns.models import Campaign
from tasks.datasets import rows
from tasks.datasets.rows import Choice
from tasks.insights import stored_reports
from tasks.insights.forms import Selection
from tasks.models import SurveyResponse, WorkTask
from tasks.simulation.invented import fill, invented_campaign
from tests.bench.product import show

pytestmark = [pytest.mark.bench, pytest.mark.django_db]
FEW = 50
MANY = int(os.environ.get("BENCH_PEOPLE", "7000"))  # 6,600 responses with 60,000 tasks
TIMES = 25


def grow(campaign: Campaign, people: int) -> tuple[float, float]:
    """Fills it as `manage.py simulate` does: milliseconds of a task; seconds its sums take."""
    began = time.perf_counter()
    tasks = fill(campaign, people, seed=people)
    each_ms = 1000 * (time.perf_counter() - began) / tasks
    connection.run_on_commit.clear()  # news for pages that nobody has open
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    began = time.perf_counter()
    stored_reports.count(stored_reports.want(campaign, Selection()).pk)
    connection.run_on_commit.clear()
    return round(each_ms, 2), round(time.perf_counter() - began, 2)


def looks(campaign: Campaign, client: Any) -> dict[str, Callable[[], object]]:
    """What staff look at, by name."""

    def page(name: str, *of: object, query: str = "") -> Callable[[], object]:
        address = reverse(name, args=of) + query

        def get() -> None:
            assert client.get(address).status_code == 200

        return get

    wanted = rows.columns(campaign, "tasks", Choice())
    return {
        "campaigns": page("campaigns:list"),
        "campaign": page("campaigns:campaign", campaign.pk),
        "live": page("campaigns:live", campaign.pk),
        "queue": page("staff:sessions", query=f"?group={campaign.pk}"),
        "doubtful": page("staff:sessions", query=f"?group={campaign.pk}&queue=doubtful"),
        "insights": page("insights:page", campaign.pk),
        "data": page("datasets:page", campaign.pk),
        "chunk": lambda: rows.chunk(campaign, "tasks", wanted, people=FEW),
    }


def measured(campaign: Campaign, client: Any) -> dict[str, tuple[int, float]]:
    """Queries and milliseconds of each look; the best of some, since others use this machine."""
    told = {}
    for name, look in looks(campaign, client).items():
        look()
        with CaptureQueriesContext(connection) as queries:
            look()
        number, taken = len(queries), []
        for _time in range(TIMES):
            began = time.perf_counter()
            look()
            taken.append(1000 * (time.perf_counter() - began))
        told[name] = (number, round(min(taken), 1))
    return told


def test_pages_of_staff_do_not_grow_with_a_campaign(browser, stan) -> None:
    campaign, client = invented_campaign("Grows"), browser(stan)
    ensure_starter()  # their words are coded by it
    grow(campaign, FEW)
    few = measured(campaign, client)
    each_ms, sums_s = grow(campaign, MANY - FEW)
    many = measured(campaign, client)
    ratio = {name: round(many[name][1] / few[name][1], 2) for name in few}
    show(
        responses=SurveyResponse.objects.filter(campaign=campaign).count(),
        tasks=WorkTask.objects.filter(response__campaign=campaign).count(),
        few=few, many=many, ratio=ratio, fill_ms_per_task=each_ms, sums_s=sums_s,
    )  # fmt: skip
    assert {name: item[0] for name, item in many.items()} == {
        name: item[0] for name, item in few.items()
    }
    assert max(ratio.values()) < 2
