"""Thousands of lookups are worked off in some threads of a worker, and people see how far it is."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from chat.models import Session
from chat.operations.steps import open_ledger
from tasks.campaigns.queries import lookups_of
from tasks.coding import queue
from tasks.models import Lookup, TaskMatch
from tasks.simulation.invented import fill, invented_campaign, jobs_of_catalogue

Status = TaskMatch.Status


@pytest.fixture
def campaign(starter):
    """Some invented people whose tasks wait, and have waited for a while."""
    made = invented_campaign("Many")
    fill(made, 3, seed=4, jobs=jobs_of_catalogue(), is_pending=True)
    connection.run_on_commit.clear()  # nothing is committed here, so nobody was told in time
    open_ledger()
    TaskMatch.objects.update(updated_at=timezone.now() - timedelta(minutes=1))
    return made


def pending() -> int:
    return TaskMatch.objects.filter(status=Status.PENDING).count()


def test_a_backlog_is_worked_off_by_few_words_and_told_of(campaign, drain, browser, stan):
    staff, place = _staff_see_how_far_it_is(campaign, browser(stan))
    whole = pending()
    lookups = lookups_of(campaign)
    assert lookups.pending == lookups.total == whole > 10
    assert lookups.percent == 0
    words = -(-queue.sweep() // queue.EACH)
    assert 0 < drain() == words <= queue.HANDS
    assert pending() == 0
    assert not Lookup.objects.exists()
    assert lookups_of(campaign) is None
    assert "being matched" not in staff.get(place).text


@pytest.mark.thorough
def test_whoever_writes_thousands_of_lists_fills_no_queue(campaign, drain):
    response = TaskMatch.objects.values_list("task__response", flat=True).first()
    with queue.left_to_the_sweep():
        queue.announce_matches(response, 20)
    assert drain() == 0
    queue.announce_matches(response, 20)
    assert drain() == 3


@pytest.mark.thorough
def test_a_worker_gives_some_of_its_threads_and_leaves_what_another_has(campaign, monkeypatch):
    monkeypatch.setattr(queue, "_busy", queue.HANDS_BY_RULES)
    whole = pending()
    assert queue.work_off() == 0
    monkeypatch.setattr(queue, "_busy", 0)
    session = Session.objects.filter(survey_response__tasks__isnull=False).first()
    has = TaskMatch.objects.filter(task__response=session.pk)
    Lookup.objects.bulk_create(
        Lookup(match=item, lease=session.pk, seen_at=timezone.now()) for item in has
    )
    assert queue.work_off() == whole - has.count()
    assert pending() == has.count() > 0


def _staff_see_how_far_it_is(campaign, staff):
    place, live = (
        reverse(f"campaigns:{item}", args=[campaign.pk]) for item in ("campaign", "live")
    )
    page = staff.get(place)
    assert "tasks are still being matched" in page.text
    assert live in page.text  # although it is closed, the page follows
    sums = staff.get(reverse("insights:page", args=[campaign.pk]))
    assert "tasks are still being matched with the catalogue" in sums.text
    return staff, place
