"""Thousands of lookups are worked off in some threads of a worker, and people see how far it is."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from chat.models import Session
from chat.operations.steps import open_ledger
from tasks.campaigns import match_progress
from tasks.coding import announce, backlog, sweep
from tasks.models import Lookup, TaskMatch
from tasks.simulation.invented import fill, invented_campaign, jobs_of_catalogue

Status = TaskMatch.Status


@pytest.fixture
def campaign(starter):
    """Some invented people whose tasks wait, and have waited for a while."""
    made = invented_campaign("Many")
    fill(made, 5, seed=4, jobs=jobs_of_catalogue(), is_pending=True)
    connection.run_on_commit.clear()  # nothing is committed here, so nobody was told in time
    open_ledger()
    TaskMatch.objects.update(updated_at=timezone.now() - timedelta(minutes=1))
    return made


def pending() -> int:
    return TaskMatch.objects.filter(status=Status.PENDING).count()


def test_a_backlog_is_worked_off_by_few_words_and_told_of(campaign, drain, monkeypatch):
    monkeypatch.setattr(sweep, "BATCH", 10)
    whole = pending()
    assert match_progress.of(campaign).pending == match_progress.of(campaign).total == whole > 10
    assert sweep.sweep() == 11
    assert drain() == announce.HANDS
    assert pending() == 0
    assert not Lookup.objects.exists()
    sweep.sweep()
    assert match_progress.of(campaign).pending == 0
    assert match_progress.of(campaign).percent == 100


def test_whoever_writes_thousands_of_lists_fills_no_queue(campaign, drain):
    response = TaskMatch.objects.values_list("task__response", flat=True).first()
    with announce.left_to_the_sweep():
        announce.matches(response, 20)
    assert drain() == 0
    announce.matches(response, 20)
    assert drain() == 3


def test_a_worker_gives_some_of_its_threads_and_no_more(campaign, monkeypatch):
    monkeypatch.setattr(backlog, "_busy", backlog.HANDS_BY_RULES)
    whole = pending()
    assert backlog.work_off() == 0
    monkeypatch.setattr(backlog, "_busy", 0)
    assert backlog.work_off() == whole


def test_what_another_worker_has_is_left_to_it(campaign):
    session = Session.objects.filter(survey_response__tasks__isnull=False).first()
    has = TaskMatch.objects.filter(task__response=session.pk)
    Lookup.objects.bulk_create(
        Lookup(match=one, lease=session.pk, seen_at=timezone.now()) for one in has
    )
    backlog.work_off()
    assert pending() == has.count()


def test_staff_see_how_far_the_lookups_are(campaign, browser, stan):
    place, live = (reverse(f"campaigns:{one}", args=[campaign.pk]) for one in ("campaign", "live"))
    page = browser(stan).get(place)
    assert "tasks are still being looked up" in page.text
    assert live in page.text  # although it is closed, the page follows
    sums = browser(stan).get(reverse("insights:page", args=[campaign.pk]))
    assert "tasks are still being looked up in the catalogue" in sums.text
    backlog.work_off()
    match_progress.count()
    assert "being looked up" not in browser(stan).get(place).text
