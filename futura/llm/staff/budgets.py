"""How a month's budget stands, and mails to the admins when it reaches a threshold.

The row of a notice is the fact, the job only the wake-up: what no broker took, no mail server took
or a dying process left behind is found by the same job, which runs every minute.
"""

from __future__ import annotations

import logging
import smtplib
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from futura.llm import budget
from futura.llm.budget import LEVELS, BudgetState
from futura.llm.models import BudgetMonth, BudgetNotice
from futura.templatetags.figures import budget_name

log = logging.getLogger(__name__)

OLDEST: Final = timedelta(days=3)  # older news of a threshold is no news


def this_month() -> list[tuple[BudgetState, list[dict[str, Any]]]]:
    """How every budget stands in this month, by name, with its thresholds: the notice of each says
    when the spending reached it.
    """
    return [(state, _thresholds(state)) for state in budget.states()]


def _thresholds(state: BudgetState) -> list[dict[str, Any]]:
    rows = BudgetNotice.objects.filter(month__scope=state.scope, month__month=state.month)
    notices = {notice.level: notice for notice in rows}
    amounts = (None, state.warn_at, state.critical_at, state.cap)
    return [
        {"label": str(level.label), "at_usd": amount, "notice": notices.get(int(level))}
        for level, amount in zip(BudgetMonth.Level, amounts, strict=True)
        if amount is not None
    ]


# Mails ----------------------------------------------------------------------------------------
def mail_due() -> int:
    """Mails every notice that has not been mailed; how many went out. Safe to run twice at once."""
    due = BudgetNotice.objects.filter(mailed_at=None, crossed_at__gte=timezone.now() - OLDEST)
    return sum(_mail(notice) for notice in due.select_related("month").order_by("pk"))


def _mail(notice: BudgetNotice) -> bool:
    """Takes the notice, then mails it; gives it back when the mail server does not take it."""
    unmailed = BudgetNotice.objects.filter(pk=notice.pk, mailed_at=None)
    if not unmailed.update(mailed_at=timezone.now()):
        return False
    recipients = admins()
    if not recipients:
        log.warning("nobody to mail about the budget: set FUTURA_ADMINS, or a superuser's address")
        return False
    try:
        mail_of(notice, recipients).send()
    except (OSError, smtplib.SMTPException) as error:
        log.warning("mail about budget %s not sent: %s", notice.month.scope, error)
        BudgetNotice.objects.filter(pk=notice.pk).update(mailed_at=None)
        return False
    return True


def admins() -> list[str]:
    """Who is mailed: FUTURA_ADMINS, or else every superuser with an address."""
    if settings.ADMIN_ADDRESSES:
        return list(settings.ADMIN_ADDRESSES)
    people = get_user_model().objects.filter(is_superuser=True, is_active=True).exclude(email="")
    return sorted(people.values_list("email", flat=True).distinct())


def mail_of(notice: BudgetNotice, recipients: list[str]) -> EmailMessage:
    """The mail about one threshold, each admin hidden from the others."""
    month = notice.month
    level = BudgetMonth.Level(notice.level)
    subject = _("Futura: the budget “%(scope)s” is %(level)s") % {
        "scope": budget_name(month.scope),
        "level": level.label,
    }
    context = {
        "notice": notice,
        "level": LEVELS[notice.level],
        "state": budget.state(month.scope, month.month),
        "page": f"{settings.SITE_URL}{reverse('ledger:budget')}",
    }
    body = render_to_string("staff/models_budget_mail.txt", context)
    return EmailMessage(subject, body, settings.DEFAULT_FROM_EMAIL, bcc=recipients)
