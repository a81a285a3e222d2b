"""Where a participant is on the way through a campaign, which page is next, and when it is over."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _

from tasks.campaigns.models import Campaign, ExtraQuestion, Participation
from tasks.campaigns.queries import questions_of
from tasks.models import SurveyResponse


def next_url(participation: Participation) -> str:
    """The page that goes on where this person was; one query for the questions."""
    campaign, response = participation.campaign, participation.response
    is_over = campaign.phase == Campaign.Phase.CLOSED
    requested = [] if is_over else questions_of(campaign)
    if response is None:
        if is_over:
            return page("mine", campaign)
        if participation.before_at is None and _has(requested, ExtraQuestion.Place.BEFORE):
            return page("questions", campaign, ExtraQuestion.Place.BEFORE)
        return page("job", campaign)
    if response.session.deleted_at is not None:
        return page("mine", campaign)
    if response.submitted_at is None:
        return talk_url(response)
    if participation.finished_at is None and _has(requested, ExtraQuestion.Place.AFTER):
        return page("questions", campaign, ExtraQuestion.Place.AFTER)
    return page("end", campaign)


def talk_url(response: SurveyResponse) -> str:
    """The survey's own page where this response is at."""
    if response.submitted_at is not None:
        name = "complete"
    else:
        is_talking = response.step == SurveyResponse.Step.IDLE
        name = "chat" if is_talking and not closed_words(response.campaign) else "tasks"
    return reverse(f"survey:{name}", args=[response.pk])


def page(name: str, campaign: Campaign, *more: str) -> str:
    return reverse(f"s:{name}", args=[campaign.slug, *more])


def _has(questions: Sequence[ExtraQuestion], place: str) -> bool:
    return any(item.place == place for item in questions)


# The end ----------------------------------------------------------------------------------------
def note_sent(response: SurveyResponse) -> None:
    """The list was sent: the participation behind it knows when. Nothing without one."""
    if response.campaign_id is not None:
        Participation.objects.filter(response=response.pk, submitted_at=None).update(
            submitted_at=response.submitted_at
        )


def closed_words(campaign: Campaign | None) -> str:
    """Why nothing can be added to a response of this campaign any more; empty while it can."""
    if campaign is None or campaign.phase != Campaign.Phase.CLOSED:
        return ""
    return _("This survey is closed. Your answers so far are saved.")


def fixed_words(response: SurveyResponse) -> str:
    """Why a talk and its list can only be read: sent, or closed before; empty while they go on."""
    if response.submitted_at is not None:
        return _("This task list was submitted. It can no longer be changed.")
    return closed_words(response.campaign)
