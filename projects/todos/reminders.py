"""Mails people the reminders of their to-dos: each once, in their zone, also after a pause."""

from __future__ import annotations

import datetime as dt
import logging
import smtplib
from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Final

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Exists, OuterRef, Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from chat import languages, zones
from chat.operations.models import Operation
from futura import mail
from projects.checks import REMIND_MOST_MINUTES
from projects.commands.todo_changes import MORNING
from projects.models import Reminder, Task
from projects.todos.queries import CALLS

log = logging.getLogger(__name__)

STALE: Final = dt.timedelta(hours=24)  # what nobody could send for so long is not sent any more
LEASE: Final = dt.timedelta(minutes=10)  # after which a mail that a dead worker took is sent again
AT_ONCE: Final = 500
_MOMENT: Final = ("due_date", "due_time", "remind_at", "remind_minutes")


def send_due(now: dt.datetime | None = None) -> int:
    """Sends what is due; how many mails went out. Safe to run twice and side by side.

    A worker that dies between the mail server's answer and its own note sends that mail again,
    under the same Message-ID.
    """
    if not mail.is_sent():
        return 0
    moment = now or timezone.now()
    return sum(_send(task, at, moment) for task, at in due_at(moment))


def due_at(now: dt.datetime) -> Iterator[tuple[Task, dt.datetime]]:
    """Open to-dos whose reminder is due and was not sent, of people with a mail address."""
    days = dt.timedelta(minutes=REMIND_MOST_MINUTES) + dt.timedelta(days=2)
    is_moment = Q(remind_at__gt=now - STALE, remind_at__lte=now)
    is_before = Q(remind_minutes__isnull=False) & Q(
        due_date__gte=(now - STALE).date() - dt.timedelta(days=1), due_date__lte=(now + days).date()
    )
    # mailed as it stands: its owner's other time zone, on a journey, makes no other moment of it
    moved = Operation.objects.filter(
        reduce(or_, (Q(changed_fields__contains=name) for name in _MOMENT)),
        entity="task", entity_id=OuterRef("task"), batch__finished_at__gt=OuterRef("claimed_at"),
    )  # fmt: skip
    unchanged = Reminder.objects.filter(
        ~Exists(moved), task=OuterRef("pk"), sent_at__isnull=False, claimed_at__isnull=False
    )
    tasks = (
        Task.objects.filter(is_moment | is_before, CALLS, deleted_at=None, status__in=Task.ACTIVE)
        .filter(owner__user__is_active=True)
        .exclude(owner__user__email="")
        .exclude(Exists(unchanged))
        .select_related("owner__user", "project")
        .order_by("due_date", "pk")
    )
    sent = set(
        Reminder.objects.filter(at__gt=now - STALE, sent_at__isnull=False).values_list(
            "task_id", "at"
        )
    )
    number = 0
    for task in tasks.iterator(chunk_size=AT_ONCE):
        at = moment_of(task)
        if at is None or not now - STALE < at <= now or (task.pk, at) in sent:
            continue
        yield task, at
        number += 1
        if number == AT_ONCE:
            return


def moment_of(task: Task) -> dt.datetime | None:
    """When a to-do reminds: its moment, or so long before it is due by its owner's clock.

    A day before is at the same time of day, also where the clocks change in between.
    """
    if task.remind_minutes is None or task.due_date is None:
        return task.remind_at
    due = dt.datetime.combine(task.due_date, task.due_time or MORNING)
    zone = zones.zone(task.owner.time_zone) or timezone.get_default_timezone()
    days, minutes = divmod(task.remind_minutes, 24 * 60)
    day = (due - dt.timedelta(days=days)).replace(tzinfo=zone)
    return day.astimezone(dt.UTC) - dt.timedelta(minutes=minutes)


def _send(task: Task, at: dt.datetime, now: dt.datetime) -> bool:
    reminder, _created = Reminder.objects.get_or_create(task=task, at=at)
    is_free = Q(claimed_at=None) | Q(claimed_at__lt=now - LEASE)
    own = Reminder.objects.filter(is_free, pk=reminder.pk, sent_at=None)
    if not own.update(claimed_at=now):
        return False
    try:
        mail_of(task, reminder).send()
    except (OSError, smtplib.SMTPException) as error:
        log.warning("the reminder %s was not sent: %s", reminder.pk, error)
        Reminder.objects.filter(pk=reminder.pk).update(claimed_at=None)
        return False
    Reminder.objects.filter(pk=reminder.pk).update(sent_at=timezone.now())
    return True


def mail_of(task: Task, reminder: Reminder) -> EmailMessage:
    """The mail about one to-do, in its owner's zone and language."""
    user = task.owner.user
    assert user is not None  # noqa: S101 - due_at asks for one
    zone = zones.zone(task.owner.time_zone) or timezone.get_default_timezone()
    language = languages.known(task.owner.language) or settings.LANGUAGE_CODE
    with timezone.override(zone), translation.override(language):
        subject = _("Reminder: %(title)s") % {"title": task.title}
        page = f"{settings.SITE_URL}{reverse('todos:todo', args=[task.pk])}"
        body = render_to_string("projects/todos/reminder_mail.txt", {"task": task, "page": page})
    name = f"<reminder-{task.pk}-{reminder.at:%Y%m%d%H%M}@futura>"
    return EmailMessage(
        " ".join(subject.split()), body, settings.DEFAULT_FROM_EMAIL, [user.email],
        headers={"Message-ID": name},
    )  # fmt: skip
