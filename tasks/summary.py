"""The sentences that sum a list up, said the way one would say them."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.models import Message
from onet.groups import ActivityGroup
from tasks.models import SurveyResponse, WorkTask
from tasks.review import Review, percent


def summary_of(review: Review) -> str:
    """How many tasks from how long a talk, where most time goes, how far AI helps. One query."""
    if not review.living:
        return _("There is no task on the list yet.")
    return " ".join(part for part in (_count(review), _time(review), _ai(review)) if part)


def _count(review: Review) -> str:
    count = len(review.living)
    minutes = _minutes(review.response)
    if minutes:
        text = ngettext(
            "%(count)s task from a talk of %(minutes)s.",
            "%(count)s tasks from a talk of %(minutes)s.",
            count,
        )
        return text % {"count": count, "minutes": minutes}
    return ngettext("%(count)s task.", "%(count)s tasks.", count) % {"count": count}


def _minutes(response: SurveyResponse) -> str:
    """How long the talk took; empty when there was none, or it went over hours."""
    times = Message.objects.filter(session_id=response.pk).values_list("created_at", flat=True)
    stamps: list[datetime] = list(times)
    if len(stamps) < 2:
        return ""
    minutes = max(1, round((max(stamps) - min(stamps)).total_seconds() / 60))
    if minutes > 90:
        return ""
    return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}


def _time(review: Review) -> str:
    shares = {group: review.totals.by_group[group.value] for group in ActivityGroup}
    if not any(shares.values()):
        return ""
    most = max(shares, key=lambda group: shares[group])
    text = _("Most of the time, %(share)s %%, goes into %(group)s.")
    return text % {"share": percent(shares[most]), "group": str(most.label).lower()}


def _ai(review: Review) -> str:
    ai, level = review.totals.ai, WorkTask.AiLevel
    helped = ai[level.SOME] + ai[level.SIGNIFICANT]
    said = helped + ai[level.NONE]
    if not said:
        return ""
    if not helped:
        return _("AI is not used for any of it.")
    text = ngettext(
        "AI helps with %(n)d task of %(all)d.", "AI helps with %(n)d tasks of %(all)d.", helped
    )
    return text % {"n": helped, "all": said}
