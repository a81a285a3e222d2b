"""“Your data”: what a participant sees of themselves, takes along, and deletes."""

from __future__ import annotations

import json

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from chat.models import Message
from chat.staff.audit import readings_of
from chat.staff.models import Access
from futura.attachments import attachment
from tasks import queries as survey
from tasks.campaigns import queries
from tasks.campaigns.actions import joining
from tasks.campaigns.journey import page, talk_url
from tasks.campaigns.models import Campaign
from tasks.campaigns.privacy_notice import promises_of
from tasks.campaigns.views.participant import campaign_page, of_campaign, own_participation
from tasks.export import response_as_json


@require_safe
@never_cache  # nor does it come back once everything was deleted
@of_campaign
def everything(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """What is stored about the caller here, and what can be done with it."""
    taken = own_participation(request, campaign)
    response, readings = taken.response, list[Access]()
    if response is not None and taken.participant_id is not None:  # who of staff opened this talk
        read = readings_of([taken.participant_id])
        readings = [item for item in read if item.session_id == response.pk]
    return campaign_page(
        request,
        "mine",
        campaign,
        taken=taken,
        response=response,
        talk=talk_url(response) if response else "",
        is_in_bin=bool(response and response.session.deleted_at),
        consents=list(taken.consents.all()),
        answers=queries.answers_in_words(taken),
        tasks=survey.tasks_of(response) if response else [],
        readings=readings,
        promises=promises_of(campaign),
    )


@require_safe
@of_campaign
def as_json(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """All of it as JSON: consents, answers, every message, the list."""
    taken = own_participation(request, campaign)
    response = taken.response
    # wordings that were replaced included: they are stored, too
    utterances = Message.objects.filter(session=response.pk).order_by("seq") if response else ()
    values = {
        "survey": campaign.title,
        "pseudonym": taken.pseudonym,
        "takenPartSince": taken.created_at.isoformat(),
        "sentAt": taken.submitted_at.isoformat() if taken.submitted_at else None,
        "consents": [
            {
                "version": consent.version,
                "text": consent.text,
                "givenAt": consent.given_at.isoformat(),
            }
            for consent in taken.consents.all()
        ],
        "answers": [
            {"question": word.question.text, "answer": word.value}
            for word in queries.answers_in_words(taken)
        ],
        "messages": [
            {"at": item.created_at.isoformat(), "by": item.role, "text": item.text}
            for item in utterances
        ],
        "list": response_as_json(response, survey.tasks_of(response)) if response else None,
    }
    text = json.dumps(values, ensure_ascii=False, indent=2)
    return attachment(text, "application/json; charset=utf-8", f"{campaign.slug}-my-data.json")


@require_http_methods(["GET", "HEAD", "POST"])
@of_campaign
def delete(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Asks once, then deletes all that was told."""
    taken = own_participation(request, campaign)
    if request.method != "POST":
        return campaign_page(request, "delete", campaign, taken=taken)
    joining.erase_participation(participation=taken)
    messages.success(request, _("Your data in this survey was deleted."))
    return redirect(page("welcome", campaign))
