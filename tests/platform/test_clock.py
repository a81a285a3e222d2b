"""What runs by the clock."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from futura.celery import app


@pytest.fixture(scope="module")
def jobs():
    """The names of all periodic jobs, as a worker knows them."""
    app.loader.import_default_modules()
    return sorted(entry["task"] for entry in app.conf.beat_schedule.values())


def test_the_clock_can_send_whatever_it_has(jobs):
    assert "portfolio.sweep_sources" in jobs
    for name in jobs:
        # what Celery checks the arguments with before it sends
        app.tasks[name].__header__()  # type: ignore[attr-defined]


@pytest.mark.django_db
def test_sign_ins_that_are_over_are_deleted_and_others_stay(jobs, browser, alice, bob):
    over, going_on = browser(alice).session.session_key, browser(bob).session.session_key
    Session.objects.filter(pk=over).update(expire_date=timezone.now() - dt.timedelta(hours=1))
    app.tasks["chat.purge_sign_ins"]()
    assert list(Session.objects.values_list("pk", flat=True)) == [going_on]
