"""Writes a participant's way: consent, answers to extra questions, the talk, the last page."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.models import Participant
from futura.errors import BadInput, Conflict, NotFound
from tasks.actions import start_survey
from tasks.campaigns.closing import closed_words
from tasks.campaigns.codes import read_code
from tasks.campaigns.models import (
    Campaign,
    Consent,
    ExtraAnswer,
    Invitation,
    Participation,
)
from tasks.models import SurveyResponse


def check_code(campaign: Campaign, typed: str) -> Invitation | None:
    """The invitation a person came with; None where none is needed.

    Raises BadInput that says what is wrong with it. Count attempts before (`limits.CODE`).
    """
    if campaign.access != Campaign.Access.CODES:
        return None
    if not typed.strip():
        raise BadInput(_("Type the code of your invitation."), field="code")
    found = campaign.invitations.filter(code=read_code(typed)).first()
    if found is None:
        raise BadInput(
            _("This code is not known here. Look at your invitation again: it has ten signs."),
            field="code",
        )
    _refuse_full(found)
    return found


def _refuse_full(invitation: Invitation) -> None:
    if invitation.revoked_at is not None:
        raise BadInput(
            _("This code is no longer valid. Ask who invited you for another one."), field="code"
        )
    if not invitation.has_room:
        raise BadInput(
            _(
                "This code was used already. If that was you, go on in the browser where you began,"
                " or sign in."
            ),
            field="code",
        )


def agree(
    *,
    campaign: Campaign,
    participant: Participant,
    version: int,
    code: str = "",
    is_invented: bool = False,
) -> Participation:
    """Takes part from now on: records the consent to the text of `version`, uses up the code.

    Twice gives the same participation. Raises Conflict when the text changed meanwhile or the
    campaign takes nobody, BadInput for the code.
    """
    with transaction.atomic():
        stored = Campaign.objects.select_for_update().get(pk=campaign.pk)
        mine = stored.participations.filter(participant=participant, erased_at=None).first()
        if mine is not None:
            return mine
        _refuse_entry(stored)
        if version != stored.consent_version:
            raise Conflict(_("The consent text was changed meanwhile. Read it again, please."))
        invitation = _used(check_code(stored, code))
        last = stored.participations.aggregate(last=Max("number"))["last"] or 0
        made = Participation.objects.create(
            campaign=stored,
            number=last + 1,
            participant=participant,
            invitation=invitation,
            is_invented=is_invented,
        )
        Consent.objects.create(
            participation=made,
            version=version,
            text=stored.consent,
            language=stored.language,
        )
    return made


def _refuse_entry(campaign: Campaign) -> None:
    phase = campaign.phase(timezone.now())
    if phase == Campaign.Phase.COMING:
        raise Conflict(_("This survey has not opened yet."))
    if phase != Campaign.Phase.OPEN:
        raise Conflict(_("This survey has closed; nobody new can take part."))
    if campaign.max_people is not None and campaign.participations.count() >= campaign.max_people:
        raise Conflict(_("This survey is full: as many people took part as were asked for."))


def _used(invitation: Invitation | None) -> Invitation | None:
    """One use less of a code that has one left; the campaign's row is held."""
    if invitation is not None:
        Invitation.objects.filter(pk=invitation.pk).update(uses=F("uses") + 1)
    return invitation


def answer_questions(
    *, participation: Participation, place: str, values: Mapping[uuid.UUID, Any]
) -> None:
    """Keeps the answers to the questions of one place; what was left empty is no answer."""
    now = timezone.now()
    with transaction.atomic():
        row = _held(participation)
        asked = {one.pk for one in row.campaign.questions.filter(place=place, removed_at=None)}
        row.extra_answers.filter(question__in=asked).delete()
        ExtraAnswer.objects.bulk_create(
            ExtraAnswer(participation=row, question_id=pk, value=value)
            for pk, value in values.items()
            if pk in asked and value not in (None, "", [])
        )
        if place == "before":
            row.before_at = row.before_at or now
        else:
            row.finished_at = row.finished_at or now
        row.save(update_fields=["before_at", "finished_at"])


def _held(participation: Participation) -> Participation:
    """The row, held and still open. Raises NotFound, Conflict."""
    rows = Participation.objects.select_for_update(of=("self",)).select_related("campaign")
    row = rows.filter(pk=participation.pk, erased_at=None).first()
    if row is None:
        raise NotFound
    if words := closed_words(row.campaign):
        raise Conflict(words)
    return row


def start_talk(
    *,
    participation: Participation,
    job_title: object,
    occupation_code: object = "",
    initial_tasks: object = "",
) -> SurveyResponse:
    """Begins the talk of a participation, about a job title the campaign allows.

    Twice gives the same response. Raises BadInput, Conflict when the campaign is over.
    """
    with transaction.atomic():
        row = _held(participation)
        if row.response is not None:
            return row.response
        if row.participant is None:
            raise NotFound
        response = start_survey(
            participant=row.participant,
            job_title=allowed_title(row.campaign, job_title),
            occupation_code=occupation_code,
            initial_tasks=initial_tasks,
            language=row.campaign.language,
        )
        response.campaign = row.campaign
        response.save(update_fields=["campaign", "updated_at"])
        row.response = response
        row.started_at = timezone.now()
        row.save(update_fields=["response", "started_at"])
    return response


def allowed_title(campaign: Campaign, title: object) -> object:
    """The title as the campaign writes it. Raises BadInput for one it does not allow."""
    if not campaign.job_titles:
        return title
    typed = " ".join(title.split()).casefold() if isinstance(title, str) else ""
    found = next((one for one in campaign.job_titles if one.casefold() == typed), None)
    if found is None:
        raise BadInput(_("Choose one of the job titles of this survey."), field="job_title")
    return found


def finish(*, participation: Participation) -> None:
    """The last page was reached. Twice changes nothing."""
    Participation.objects.filter(pk=participation.pk, finished_at=None).exclude(
        submitted_at=None
    ).update(finished_at=timezone.now())
