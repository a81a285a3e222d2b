"""What structure refuses of answers is counted by stage and reason, and staff see the rate."""

from __future__ import annotations

import re
import threading
from datetime import date, timedelta

import pytest
from django.db import connection
from django.utils import timezone

from futura.llm.checks import Reason
from futura.llm.client import Llm
from futura.llm.models import AnswerCheck

pytestmark = pytest.mark.django_db

PAGE = "/staff/models"


def sums() -> dict[tuple[str, str], int]:
    return {(row.stage, row.reason): row.items for row in AnswerCheck.objects.all()}


def row_of(stage: str, page: str) -> str:
    section = page.partition('id="checks"')[2]
    return next(row for row in re.findall(r"<tr>.*?</tr>", section, re.DOTALL) if stage in row)


def test_items_add_up_by_day_stage_and_reason():
    llm = Llm()
    llm.checked("extraction", used=3, refused={Reason.QUOTE_NOT_FOUND: 1, Reason.TOO_LONG: 0})
    llm.checked("extraction", used=2, refused={Reason.QUOTE_NOT_FOUND: 4})
    llm.checked("normalisation", used=5)
    llm.checked("deduplication", used=0)
    assert sums() == {
        ("extraction", ""): 5,
        ("extraction", "quote_not_found"): 5,
        ("normalisation", ""): 5,
    }
    assert set(AnswerCheck.objects.values_list("day", flat=True)) == {timezone.localdate()}


def test_a_stage_that_no_app_has_is_a_programming_error():
    with pytest.raises(KeyError):
        Llm().checked("astrology", used=1)


@pytest.mark.django_db(transaction=True)
def test_two_workers_that_count_at_once_lose_nothing():
    reasons = [reason.value for reason in Reason]

    def count(order: list[str]) -> None:
        for _round in range(20):
            Llm().checked("extraction", used=1, refused=dict.fromkeys(order, 1))
        connection.close()

    workers = [threading.Thread(target=count, args=[order]) for order in (reasons, reasons[::-1])]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert set(sums().values()) == {40}
    assert len(sums()) == len(reasons) + 1


def test_staff_see_the_rate_of_each_stage_with_its_reasons(browser, stan):
    llm = Llm()
    llm.checked("extraction", used=6, refused={Reason.QUOTE_NOT_FOUND: 1, Reason.UNKNOWN_ID: 1})
    llm.checked("normalisation", used=9)
    page = browser(stan).get(PAGE).text
    assert ">25 %<" in row_of("extraction", page)
    assert f"<b>1</b> {Reason.QUOTE_NOT_FOUND.label}" in row_of("extraction", page)
    assert ">0 %<" in row_of("normalisation", page)


def test_the_checks_follow_the_period_and_the_stage(browser, stan):
    today: date = timezone.localdate()
    for stage, ago in (("extraction", 0), ("normalisation", 0), ("deduplication", 20)):
        day = today - timedelta(days=ago)
        AnswerCheck.objects.create(day=day, stage=stage, reason="too_long", items=1)
    staff = browser(stan)
    week, month = staff.get(PAGE).text, staff.get(PAGE, {"span": "30"}).text
    assert "deduplication" not in week.partition('id="checks"')[2]
    assert ">100 %<" in row_of("deduplication", month)
    narrowed = staff.get(PAGE, {"span": "30", "stage": "extraction"}).text
    section = narrowed.partition('id="checks"')[2]
    assert "extraction" in section
    assert "normalisation" not in section


def test_a_page_without_checks_says_nothing_of_them(browser, stan):
    assert 'id="checks"' not in browser(stan).get(PAGE).text


def test_a_stranger_sees_no_figures(browser, charlie):
    assert browser(charlie).get(PAGE).status_code in {403, 404}
