"""The sentences that sum a list up, said the way one would say them."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.models import Message
from onet.groups import ActivityGroup
from tasks.models import SurveyResponse, WorkTask
from tasks.review import Review, percent

HALF: Final = 50
"""Percent of the time above which a part of it is most of it."""


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
    """Where the largest part goes; it is most of the time only when it is more than half."""
    shares = {str(one.label).lower(): review.totals.by_group[one.value] for one in ActivityGroup}
    shares[_("other work")] = review.totals.by_group[""]
    largest = max(shares.values())
    if not largest:
        return ""
    names = [name for name, share in shares.items() if share == largest]
    told = {"share": percent(largest), "group": get_text_list(names, _("and"))}
    if len(names) > 1:
        return _("The largest shares of the time, %(share)s %% each, go into %(group)s.") % told
    if largest > HALF:
        return _("Most of the time, %(share)s %%, goes into %(group)s.") % told
    return _("The largest share of the time, %(share)s %%, goes into %(group)s.") % told


def _ai(review: Review) -> str:
    """With how many of all tasks AI helps; of how many nobody has said so."""
    ai, level = review.totals.ai, WorkTask.AiLevel
    helped = ai[level.SOME] + ai[level.SIGNIFICANT]
    count, unsaid = review.totals.count, review.totals.without_ai
    told = {"n": helped, "all": count, "unsaid": unsaid}
    if unsaid == count:
        return ""
    if unsaid:
        text = ngettext(
            "AI helps with %(n)d of %(all)d tasks; of %(unsaid)d it is not said.",
            "AI helps with %(n)d of %(all)d tasks; of %(unsaid)d it is not said.",
            unsaid,
        )
        return text % told
    if not helped:
        return _("AI is not used for any of it.")
    if helped < count:
        return _("AI helps with %(n)d of %(all)d tasks.") % told
    return ngettext("AI helps with it.", "AI helps with all %(n)d tasks.", helped) % told
