"""The admins' page of budgets, and the mails when a threshold is reached."""

from __future__ import annotations

import re
from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import Permission
from django.core import mail
from django.utils import timezone

from futura.env import Cap
from futura.llm import budget, stages
from futura.llm.models import BudgetMonth, BudgetNotice
from futura.llm.staff import budgets
from tests.markup import flat

pytestmark = pytest.mark.django_db

PAGE = "/staff/models/budget"


@pytest.fixture(autouse=True)
def _ten_dollars(settings):
    stages.all_stages()  # are read before, with the budgets that they name
    settings.LLM_BUDGETS = {"default": Cap(Decimal(10), Decimal(8), Decimal("9.5"))}


@pytest.fixture
def root(stan):
    """Stan, who may do everything."""
    stan.is_superuser = True
    stan.save()
    return stan


def spend(amount: str) -> None:
    """One call of that price, as the gateway books it."""
    held = budget.reserve("default", Decimal(0))
    assert held is not None
    budget.settle(held, Decimal(amount))


def test_only_staff_with_the_right_may_look(browser, alice, stan):
    assert browser().get(PAGE).status_code == 302
    assert browser(alice).get(PAGE).status_code == 404
    assert browser(stan).get(PAGE).status_code == 404
    assert "Budget" not in browser(stan).get("/staff/models").text
    stan.user_permissions.add(Permission.objects.get(codename="view_budgetmonth"))
    assert browser(stan).get(PAGE).status_code == 200
    assert PAGE in browser(stan).get("/staff/models").text


def test_a_month_without_calls_stands_at_nothing(browser, root):
    text = browser(root).get(PAGE).text
    assert "0 % of $10.00" in text
    assert text.count("not reached") == 3
    assert "within its limits" in text


def test_the_page_shows_what_is_spent_held_back_and_reached(browser, root):
    spend("8.40")
    assert budget.reserve("default", Decimal("0.30"))
    text = browser(root).get(PAGE).text
    assert "84 % of $10.00" in text
    assert "$0.3000" in text
    assert "$1.30" in text
    assert "getting short" in text
    assert text.count("not reached") == 2
    assert len(re.findall("reached on", text)) == 1
    assert 'class="fill-warned" width="840"' in flat(text)
    assert "Notices go to stan@example.org" in text


def test_a_budget_without_end_has_no_marks(browser, root, settings):
    settings.LLM_BUDGETS = {"default": Cap(None, None, None)}
    spend("3")
    text = browser(root).get(PAGE).text
    assert "This budget has no cap" in text
    assert "not reached" not in text


def test_each_threshold_is_mailed_once_to_the_admins(root, drain):
    for amount in ("7.9", "0.2", "0.1", "1.4", "0.1", "0.5", "0.1"):
        if budget.reserve("default", Decimal(0)):
            spend(amount)
        drain()
    assert [item.subject for item in mail.outbox] == [
        "Futura: the budget “default” is getting short",
        "Futura: the budget “default” is nearly used up",
        "Futura: the budget “default” is used up",
    ]
    first, _, last = mail.outbox
    assert (first.to, first.bcc) == ([], ["stan@example.org"])
    assert "$8.10 of $10.00 (81 %)" in first.body
    assert "Nothing changes yet" in first.body
    assert "basic mode" in last.body
    assert PAGE in last.body
    assert budgets.mail_due() == 0
    assert not BudgetNotice.objects.filter(mailed_at=None).exists()


def test_the_addresses_of_the_settings_win(root, settings, drain):
    settings.ADMIN_ADDRESSES = ["ops@example.org", "money@example.org"]
    spend("8.5")
    drain()
    assert mail.outbox[0].recipients() == ["ops@example.org", "money@example.org"]


def test_a_threshold_that_no_broker_took_is_found_by_the_clock(root):
    month = BudgetMonth.objects.create(
        scope="default", month=budget.this_month(), spent_usd=Decimal(9), told=1
    )
    BudgetNotice.objects.create(month=month, level=1, spent_usd=Decimal(9))
    assert budgets.mail_due() == 1
    assert "getting short" in mail.outbox[0].subject


def test_a_mail_that_no_server_took_is_tried_again(root, settings, drain):
    backend = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    spend("8.5")
    drain()
    assert BudgetNotice.objects.get().mailed_at is None
    settings.EMAIL_BACKEND = backend
    assert budgets.mail_due() == 1


def test_old_news_is_not_mailed(root):
    long_ago = timezone.now() - timedelta(days=9)
    gone = BudgetMonth.objects.create(
        scope="default", month=date(2026, 1, 1), spent_usd=Decimal(9), told=1
    )
    BudgetNotice.objects.create(month=gone, level=1, spent_usd=Decimal(9), crossed_at=long_ago)
    assert budgets.mail_due() == 0


def test_nobody_to_mail_is_said(browser, root, caplog):
    root.email = ""
    root.save()
    assert "No notices are sent" in browser(root).get(PAGE).text
    spend("8.5")
    assert budgets.mail_due() == 0
    assert "FUTURA_ADMINS" in caplog.text
    assert not mail.outbox


def test_the_budget_has_a_name_in_the_readers_language(browser, root):
    spend("8.5")
    page = flat(browser(root).get(PAGE, headers={"accept-language": "de"}).text)
    assert "Allgemein, " in page
    assert "Default" not in page
