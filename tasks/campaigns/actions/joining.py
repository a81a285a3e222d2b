"""Writes of a participant's way: consent, answers, the talk, the last page; and its deletion.

What goes: the talk with every message, the list, what the ledger of changes has of its words, the
answers to extra questions. What stays names nobody: the number of the participation, when its
steps were reached, which consent was given, the counts; and model calls without a conversation.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Max, Min, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy

from chat import actions as chat_actions
from chat.models import Message, Participant
from chat.staff import audit
from futura.errors import BadInput, Conflict, NotFound
from futura.llm.models import ModelCall
from futura.rows import only
from tasks.actions import start_survey
from tasks.campaigns.journey import closed_words
from tasks.campaigns.models import Campaign, Consent, ExtraAnswer, Invitation, Participation
from tasks.campaigns.privacy_notice import promises_of
from tasks.campaigns.queries import due_for_deletion, participation_called
from tasks.campaigns.sharing import read_code
from tasks.insights import stored_reports
from tasks.models import SurveyResponse, WorkTask

ErasedBy = Participation.ErasedBy
BEGUN: Final = gettext_lazy("This survey has started already. Add your text to the conversation.")
CHANGED: Final = gettext_lazy("The questions have changed. Check your answers again.")


def erase_participation(
    *, participation: Participation, by: Participation.ErasedBy = ErasedBy.PERSON
) -> None:
    """Deletes all that was told in a participation, for good and at once. Twice changes nothing."""
    with transaction.atomic():
        for row in _open_rows(pk=participation.pk):
            session = row.response.session if row.response is not None else None
            _close(row, by)
            if session is not None:
                chat_actions.erase(session)


def erase_on_request(*, campaign: Campaign, pseudonym: str, user: Any) -> Participation | None:
    """The same by staff, for who asks for it, noted; None where nobody here is called so."""
    taken = participation_called(campaign, pseudonym)
    if taken is not None:
        about = {"campaign": campaign.title, "participant": taken.pseudonym}
        with transaction.atomic():
            erase_participation(participation=taken, by=ErasedBy.STAFF)
            audit.changed(user=user, what="Data deleted on request", about=about)
    return taken


def let_go(session_id: uuid.UUID) -> None:
    """Before a survey is erased, whoever does it: its participation keeps the counts only.

    Must run in the transaction that erases the session.
    """
    for row in _open_rows(response=session_id):
        _close(row, ErasedBy.PERSON)


def forget_people(people: Sequence[uuid.UUID]) -> None:
    """Closes every participation of these participants; their talks are erased after this."""
    for row in _open_rows(participant__in=people):
        _close(row, ErasedBy.PERSON)


def _open_rows(**which: object) -> QuerySet[Participation]:
    """Participations that are not erased, held until the transaction ends."""
    rows = Participation.objects.select_for_update(of=("self",)).select_related("campaign")
    return rows.filter(erased_at=None, **which).order_by("pk")


def _close(row: Participation, by: Participation.ErasedBy) -> None:
    if row.response_id is not None:
        messages = Message.objects.filter(session=row.response_id, superseded_at=None)
        span = messages.aggregate(first=Min("created_at"), last=Max("created_at"))
        if span["first"] is not None:
            row.talk_minutes = round((span["last"] - span["first"]).total_seconds() / 60)
        row.turn_count = messages.filter(role=Message.Role.PERSON).count()
        row.task_count = WorkTask.objects.filter(response=row.response_id, deleted_at=None).count()
        ModelCall.objects.filter(session_id=row.response_id).update(
            session_id=None, run_id=None, error=""
        )
    row.extra_answers.all().delete()
    row.response = row.participant = row.invitation = None
    row.erased_at, row.erased_by = timezone.now(), by
    row.save()
    stored_reports.outdated(row.campaign)


def purge_expired(*, now: datetime | None = None, limit: int = 200) -> int:
    """Deletes what was kept for as long as its campaign said; how many participations.

    The time runs from the end of the campaign, grace included; while that has no end, from the
    day a list was sent (or a talk was begun). Safe to call again; goes on where it stopped.
    """
    at, gone = now or timezone.now(), 0
    for campaign in due_for_deletion():
        for participation in _expired(campaign, at)[: limit - gone]:
            erase_participation(participation=participation, by=ErasedBy.RETENTION)
            gone += 1
    return gone


def _expired(campaign: Campaign, at: datetime) -> list[Participation]:
    stored = timedelta(days=campaign.retention_days or 0)
    rows = campaign.participations.filter(erased_at=None).order_by("created_at")
    ends = campaign.grace_ends_at
    if ends is not None:
        return list(rows) if ends + stored <= at else []
    return [row for row in rows if (row.submitted_at or row.created_at) + stored <= at]


def check_code(campaign: Campaign, typed: str) -> Invitation | None:
    """The invitation a person came with; None where none is needed.

    Raises BadInput that says what is wrong with it. Count attempts before (`limits.CODE`).
    """
    if campaign.access != Campaign.Access.CODES:
        return None
    invitation = campaign.invitations.filter(code=read_code(typed)).first()
    if not typed.strip():
        problem = _("Enter your invitation code.")
    elif invitation is None:
        problem = _("This invitation code does not exist. Check it: a code has ten characters.")
    elif invitation.revoked_at is not None:
        problem = _(
            "This invitation code is no longer valid. Ask the person who invited you for a new one."
        )
    elif not invitation.has_room:
        problem = _(
            "This invitation code was already used. If you used it, continue in the "
            "same browser, or sign in."
        )
    else:
        return invitation
    raise BadInput(problem, field="code")


def agree(
    *, campaign: Campaign, participant: Participant, version: int, code: str = ""
) -> Participation:
    """Takes part from now on: records the consent to the text of `version`, uses up the code.

    Twice gives the same participation. Raises Conflict when the text changed meanwhile or the
    campaign takes nobody, BadInput for the code.
    """
    with transaction.atomic():
        stored = only(Campaign.objects.select_for_update().filter(pk=campaign.pk))
        existing = stored.participations.filter(participant=participant, erased_at=None).first()
        if existing is not None:
            return existing
        _refuse_entry(stored)
        if version != stored.consent_version:
            raise Conflict(_("The consent text has changed. Read it again, please."))
        invitation = check_code(stored, code)
        if invitation is not None:  # one use less; the campaign's row is held
            Invitation.objects.filter(pk=invitation.pk).update(uses=F("uses") + 1)
        last = stored.participations.aggregate(last=Max("number"))["last"] or 0
        participation = Participation.objects.create(
            campaign=stored,
            number=last + 1,
            participant=participant,
            invitation=invitation,
        )
        Consent.objects.create(
            participation=participation,
            version=version,
            text=stored.consent,
            promises=promises_of(stored),
            language=stored.language,
        )
    return participation


def _refuse_entry(campaign: Campaign) -> None:
    if campaign.phase == Campaign.Phase.COMING:
        raise Conflict(_("This survey is not open yet."))
    if campaign.phase != Campaign.Phase.OPEN:
        raise Conflict(_("This survey is closed and takes no new participants."))
    if campaign.max_people is not None and campaign.participations.count() >= campaign.max_people:
        raise Conflict(_("This survey is full: it has reached its maximum number of participants."))


def answer_questions(
    *,
    participation: Participation,
    place: str,
    values: Mapping[uuid.UUID, Any],
    version: int | None = None,
) -> None:
    """Keeps the answers to the questions of one place; what was left empty is no answer.

    `version` is the campaign's, as the page had it. Raises Conflict when that has changed.
    """
    now = timezone.now()
    with transaction.atomic():
        row = _held(participation)
        if version not in {None, row.campaign.version}:
            raise Conflict(str(CHANGED))
        question_ids = {
            question.pk for question in row.campaign.questions.filter(place=place, removed_at=None)
        }
        row.extra_answers.filter(question__in=question_ids).delete()
        ExtraAnswer.objects.bulk_create(
            ExtraAnswer(participation=row, question_id=pk, value=value)
            for pk, value in values.items()
            if pk in question_ids and value not in (None, "", [])
        )
        if place == "before":
            row.before_at = row.before_at or now
        else:
            row.finished_at = row.finished_at or now
        row.save(update_fields=["before_at", "finished_at"])


def _held(participation: Participation) -> Participation:
    """The row, held and still open. Raises NotFound, Conflict."""
    row = only(_open_rows(pk=participation.pk))
    if words := closed_words(row.campaign):
        raise Conflict(words)
    return row


def start_talk(
    *,
    participation: Participation,
    job_title: str,
    occupation_code: str = "",
    initial_tasks: str = "",
) -> SurveyResponse:
    """Begins the talk of a participation, about a job title the campaign allows.

    Twice gives the same response. Raises BadInput, Conflict when the campaign is over, or when
    it began with other words.
    """
    with transaction.atomic():
        row = _held(participation)
        if row.response is not None:
            first = Message.objects.filter(session=row.response.pk, text=initial_tasks.strip())
            if initial_tasks.strip() and not first.exists():
                raise Conflict(str(BEGUN))
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


def allowed_title(campaign: Campaign, title: str) -> str:
    """The title as the campaign writes it. Raises BadInput for one it does not allow."""
    if not campaign.job_titles:
        return title
    typed = " ".join(title.split()).casefold()
    for allowed in map(str, campaign.job_titles):
        if allowed.casefold() == typed:
            return allowed
    raise BadInput(_("Select one of the job titles of this survey."), field="job_title")


def finish(*, participation: Participation) -> None:
    """The last page was reached. Twice changes nothing."""
    Participation.objects.filter(pk=participation.pk, finished_at=None).exclude(
        submitted_at=None
    ).update(finished_at=timezone.now())
