"""How long visitors' conversations are kept, and what stays of them."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest
from django.utils import timezone

from chat.models import Message, Participant, Run, Session
from futura.celery import app
from futura.llm.models import ModelCall
from projects.portfolio.desk.queries import costs_of
from projects.portfolio.models import OpenQuestion
from projects.portfolio.visitors.retention import purge_visits

pytestmark = pytest.mark.django_db


def aged(session: Session, days: float) -> Session:
    """As if nothing had happened in it since."""
    at = timezone.now() - dt.timedelta(days=days)
    Session.objects.filter(pk=session.pk).update(updated_at=at)
    return session


def paid(session: Session, cost: str | None) -> None:
    ModelCall.objects.create(
        created_at=timezone.now(), session_id=session.pk, stage="portfolio_answer", attempt=1,
        wire="responses", model_asked="m", latency_ms=1, outcome="ok",
        cost_usd=Decimal(cost) if cost else None,
    )  # fmt: skip


def test_old_visits_go_with_their_people_and_leave_questions_and_costs(
    opened, asked, make, desk, browser, alice, participant_of, settings
):
    settings.PORTFOLIO_VISIT_DAYS = 30
    nobody = [Participant.objects.create(time_zone="UTC") for _ in range(3)]
    old, busy, young = (
        asked(opened, "Have you used Rust?", "unknown", who=item) for item in nobody
    )
    previews = aged(asked(opened, "Me again?", "yes", who=opened.owner), 31)
    both = Participant.objects.create(key_hash="k" * 64)
    talks = [asked(opened, f"Have you used {item}?", "yes", who=both) for item in ("Go", "Java")]
    for one in (old, busy, talks[0]):
        aged(one, 30.1)
    aged(young, 29.9)
    Run.objects.create(session=busy, status=Run.Status.RUNNING, lease=busy.pk)
    make("portfolio_question", portfolio=opened.pk, question="Have you used Rust?")
    paid(old, "0.002")
    paid(old, None)
    paid(young, "0.001")
    (before,) = costs_of(opened)
    assert (before["questions"], before["calls"]) == (6, 3)
    assert before["cost_usd"] == Decimal("0.003")

    assert purge_visits() == 3
    assert purge_visits() == 0

    left = set(Session.objects.filter(kind="portfolio_visit"))
    assert left == {busy, young, talks[1]}
    assert previews not in left
    assert not Message.objects.filter(session=old.pk).exists()
    # who owned nothing else is gone; accounts, and who still has a conversation, are not
    assert not Participant.objects.filter(pk=nobody[0].pk).exists()
    there = Participant.objects.filter(pk__in=[*(item.pk for item in nobody[1:]), both.pk])
    assert there.count() == 3
    assert Participant.objects.filter(pk=opened.owner_id).exists()
    assert OpenQuestion.objects.get(portfolio=opened).question == "Have you used Rust?"
    (after,) = costs_of(opened)
    assert after == before
    aged(talks[1], 31)
    assert purge_visits() == 1
    assert not Participant.objects.filter(pk=both.pk).exists()
    assert costs_of(opened) == [before]

    page = desk.get(f"/portfolio/{opened.pk}/desk").text
    assert "deleted permanently 30 days after its last question" in page
    kept = browser(None).get(f"/p/{opened.slug}/kept").text
    assert "deleted permanently 30 days after its last question" in kept


def test_zero_days_keep_visits_and_the_purge_is_due_every_hour(opened, asked, settings):
    settings.PORTFOLIO_VISIT_DAYS = 0
    aged(asked(opened, "Have you used Rust?", "unknown"), 4_000)
    assert purge_visits() == 0
    app.finalize()
    assert app.conf.beat_schedule["portfolio-purge-visits"]["schedule"] == 3600.0
    assert "portfolio.purge_visits" in app.tasks
