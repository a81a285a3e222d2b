"""What the queues of the review are told of surveys: sent or not, tasks, weak matches, campaign."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence

from django.db.models import Count, Q
from django.utils.translation import ngettext

from chat.staff.facts import Facts
from tasks.campaigns.models import Campaign, Participation
from tasks.models import SurveyResponse, TaskMatch

DECIDED = (TaskMatch.Method.PERSON, TaskMatch.Method.STAFF)
"""Whoever chose by hand has no doubt any more."""


def is_doubtful(match: TaskMatch | None) -> bool:
    """Whether a match wants a look: weak, none or failed, and nobody chose it by hand."""
    if match is None or match.method in DECIDED:
        return False
    is_weak = match.confidence == TaskMatch.Confidence.LOW
    return is_weak or match.status in (TaskMatch.Status.NONE, TaskMatch.Status.FAILED)


class SurveyFacts:
    """Registered with `chat.staff.facts` for sessions of kind `survey`."""

    def facts(self, session_ids: Sequence[uuid.UUID]) -> Mapping[uuid.UUID, Facts]:
        """One query."""
        living = Q(tasks__deleted_at=None, tasks__isnull=False)
        weak = Q(tasks__match__confidence=TaskMatch.Confidence.LOW) | Q(
            tasks__match__status__in=(TaskMatch.Status.NONE, TaskMatch.Status.FAILED)
        )
        open_ = ~Q(tasks__match__method__in=DECIDED)
        counted = SurveyResponse.objects.filter(pk__in=session_ids).annotate(
            living=Count("tasks", filter=living),
            weak=Count("tasks", filter=living & weak & open_),
        )
        return {
            pk: Facts(is_ready=sent is not None, results=number, doubts=doubts, group_id=campaign)
            for pk, sent, campaign, number, doubts in counted.values_list(
                "pk", "submitted_at", "campaign", "living", "weak"
            )
        }

    def doubted(self, doubts: int) -> str:
        """The matches that are weak or missing, in words."""
        told = ngettext("%(number)d weak match", "%(number)d weak matches", doubts)
        return told % {"number": doubts}

    def groups(self) -> Sequence[tuple[uuid.UUID, str]]:
        """The campaigns, newest first."""
        return list(Campaign.objects.order_by("-created_at").values_list("pk", "title")[:200])

    def names(self, session_ids: Sequence[uuid.UUID]) -> Mapping[uuid.UUID, str]:
        """The numbers of participants of campaigns."""
        taking = Participation.objects.filter(response__in=session_ids)
        return {one.response_id: one.pseudonym for one in taking if one.response_id}
