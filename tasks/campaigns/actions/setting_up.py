"""Writes of staff: a campaign set up and copied, opened and closed, its codes; what is over."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.models import Message
from chat.staff import audit
from futura.errors import BadInput, Conflict
from futura.rows import only
from tasks.actions import start_pipeline
from tasks.campaigns.actions.joining import erase_participation
from tasks.campaigns.models import Campaign, ExtraQuestion, Invitation, Participation
from tasks.campaigns.privacy_notice import promises_of
from tasks.campaigns.sharing import new_code, new_slug
from tasks.models import SurveyResponse


def open_now(*, campaign: Campaign, again: bool = False) -> Campaign:
    """Lets people in from now on, or from the opening time when that is still to come.

    `again`: a closing time that is over is dropped. Raises BadInput when the consent text is
    missing, or when its time is over, Conflict for one that was closed, unless `again`.
    """
    with transaction.atomic():
        stored = _held(campaign)
        if stored.status == Campaign.Status.CLOSED and not again:
            raise Conflict(_("Someone else has closed this campaign. Reopen it to let people in."))
        if not stored.consent.strip():
            raise BadInput(
                _("Add a consent text first. Nobody can take part without giving consent."),
                field="consent",
            )
        if stored.closes_at is not None and stored.closes_at <= timezone.now():
            if not again:
                raise BadInput(
                    _("The closing time has passed. Set a later one first."), field="closes_at"
                )
            stored.closes_at = None
        stored.status, stored.closed_at = Campaign.Status.OPEN, None
        _save(stored)
    return stored


def close(*, campaign: Campaign) -> Campaign:
    """Lets nobody new in. Talks that were begun may be finished in the hours of grace.

    Twice changes nothing; nothing that was told is touched.
    """
    with transaction.atomic():
        stored = _held(campaign)
        if stored.status == Campaign.Status.OPEN:
            stored.status, stored.closed_at = Campaign.Status.CLOSED, timezone.now()
            _save(stored)
    return stored


def _held(campaign: Campaign) -> Campaign:
    """The row as it is, held. Raises NotFound when somebody has deleted it meanwhile."""
    return only(Campaign.objects.select_for_update().filter(pk=campaign.pk))


def _save(campaign: Campaign) -> None:
    campaign.version += 1
    campaign.save(update_fields=["status", "closed_at", "closes_at", "version", "updated_at"])


def wrap_up() -> int:
    """Writes the lists of talks that nobody finished before their campaign was over; how many.

    So that what was told there is kept as tasks, too. They count as not sent.
    """
    written = 0
    campaigns = Campaign.objects.exclude(status=Campaign.Status.DRAFT)
    over = [campaign for campaign in campaigns if campaign.phase == Campaign.Phase.CLOSED]
    messages = Message.objects.filter(session=OuterRef("pk"), role=Message.Role.PERSON)
    left = SurveyResponse.objects.filter(
        Exists(messages), campaign__in=over, step=SurveyResponse.Step.IDLE, submitted_at=None,
        session__deleted_at=None,
    )  # fmt: skip
    for response_id in list(left.values_list("pk", flat=True)[:AT_A_TIME]):
        written += start_pipeline(response_id)
    return written


AT_A_TIME: Final = 200  # lists that are written by one look of the clock, responses deleted
IN_ALL: Final = 20_000


def make_codes(
    *, campaign: Campaign, count: int, max_uses: int | None = 1, label: str = ""
) -> list[Invitation]:
    """That many new codes, each for `max_uses` people (None: any number). Raises BadInput."""
    with transaction.atomic():
        _held(campaign)
        taken = set(campaign.invitations.values_list("code", flat=True))
        if len(taken) + count > IN_ALL:
            raise BadInput(
                _("A campaign can have at most %(most)d codes.") % {"most": IN_ALL}, field="count"
            )
        fresh: set[str] = set()
        while len(fresh) < count:
            fresh |= {new_code()} - taken
        return Invitation.objects.bulk_create(
            Invitation(campaign=campaign, code=code, max_uses=max_uses, label=label[:100])
            for code in sorted(fresh)
        )


def revoke_code(*, campaign: Campaign, invitation_id: uuid.UUID) -> Invitation:
    """Lets nobody new in with this code; who is in stays. Twice changes nothing."""
    invitation = only(campaign.invitations.filter(pk=invitation_id))
    if invitation.revoked_at is None:
        invitation.revoked_at = timezone.now()
        invitation.save(update_fields=["revoked_at"])
    return invitation


COPIED: Final = (
    *("welcome", "closing", "consent", "language", "grace_hours", "access", "max_people"),
    *("job_titles", "may_download", "retention_days", "masks", "known_names", "min_group"),
    "has_second_review",
)
QUESTION_FIELDS: Final = (
    *("place", "position", "kind", "text", "options", "takes_many", "scale_low", "scale_high"),
    *("low_label", "high_label", "is_required"),
)


Question = Mapping[str, Any]
"""An extra question as the form has it; its `id` is None for a new one."""


def create(
    *, user_id: int | None, values: Mapping[str, Any], questions: Sequence[Question] = ()
) -> Campaign:
    """A new campaign, as a draft: nobody gets in before it is opened."""
    with transaction.atomic():
        campaign = Campaign.objects.create(
            **{"slug": new_slug(str(values["title"])), **values},
            created_by_id=user_id,
        )
        _ask(campaign, questions)
    return campaign


def update(
    *,
    campaign: Campaign,
    values: Mapping[str, Any],
    questions: Sequence[Question],
    version: int | None = None,
) -> Campaign:
    """Changes what was set up. A new consent text, or other use of data, is a new version of it.

    Raises Conflict when somebody changed the campaign since `version`.
    """
    with transaction.atomic():
        stored = _held(campaign)
        if version is not None and version != stored.version:
            raise Conflict(_("Someone else changed this campaign. Your text is still in the form."))
        before = [stored.consent.strip(), *promises_of(stored)]
        for name, value in values.items():
            setattr(stored, name, value)
        if [stored.consent.strip(), *promises_of(stored)] != before:
            stored.consent_version += 1
        stored.version += 1
        stored.save()
        _ask(stored, questions)
    return stored


def _ask(campaign: Campaign, questions: Sequence[Question]) -> None:
    """Makes the questions those given. What was answered is put away, the rest deleted."""
    existing = {question.pk: question for question in campaign.questions.filter(removed_at=None)}
    stored = {question["id"] for question in questions}
    gone = campaign.questions.filter(pk__in=existing.keys() - stored)
    gone.filter(answers__isnull=False).update(removed_at=timezone.now())
    gone.filter(answers__isnull=True).delete()
    columns = set(campaign.questions.values_list("column", flat=True))
    for question in questions:
        values = {name: value for name, value in question.items() if name != "id"}
        row = existing.get(question["id"])
        if row is not None and not (_means_other(row, values) and row.answers.exists()):
            ExtraQuestion.objects.filter(pk=row.pk).update(**values)
            continue
        if row is None:
            column = next(
                name for n in count(1) if (name := f"{values['place']}_{n}") not in columns
            )
        else:
            # old answers stay with the words they were given to
            ExtraQuestion.objects.filter(pk=row.pk).update(removed_at=timezone.now())
            column = next(name for n in count(1) if (name := row.column + n * "b") not in columns)
        columns.add(column)
        ExtraQuestion.objects.create(campaign=campaign, column=column, **values)


def _means_other(row: ExtraQuestion, values: Mapping[str, Any]) -> bool:
    names = ("kind", "text", "options", "takes_many", "scale_low", "scale_high")
    return any(name in values and values[name] != getattr(row, name) for name in names)


def delete(*, campaign: Campaign, user: Any, people: int = 0) -> None:
    """Deletes a campaign with its questions and codes, and with all that its people told, which is
    noted.

    Raises Conflict when more than `people` took part, when it is not closed yet, and when it had
    more responses than are deleted at a time: those that are left go when it is deleted again.
    """
    with transaction.atomic():
        stored = _held(campaign)
        number = stored.participations.count()
        if number and stored.is_running:
            raise Conflict(_("This campaign has participants. Close it before you delete it."))
        if number > people:
            message = _(
                "This campaign has participants. Confirm that all responses are deleted too."
            )
            raise Conflict(message)
        if number:  # before the first is gone: it may be broken off
            about = {"campaign": stored.title, "participants": str(number)}
            audit.changed(user=user, what="Campaign deleted with its responses", about=about)
    told = campaign.participations.filter(erased_at=None)
    for participation in told.order_by("number")[:AT_A_TIME]:  # each takes a tenth of a second
        erase_participation(participation=participation, by=Participation.ErasedBy.STAFF)
    with transaction.atomic():
        stored = _held(campaign)
        if left := told.count():
            message = _("Responses that are left: %(n)d. Delete the campaign again to continue.")
            raise Conflict(message % {"n": left})
        stored.participations.all().delete()
        stored.delete()


def duplicate(*, campaign: Campaign, user_id: int | None) -> Campaign:
    """A draft with the same texts, rules and questions; without times, codes and people.

    Its link has no number of the title: that was the year or the wave of the other one.
    """
    values = {name: getattr(campaign, name) for name in COPIED}
    values["slug"] = new_slug(re.sub(r"\d+", " ", campaign.title))
    title = _("%(title)s (copy)") % {"title": campaign.title}
    requested = campaign.questions.filter(removed_at=None)
    questions = [
        {"id": None, **{name: getattr(item, name) for name in QUESTION_FIELDS}}
        for item in requested
    ]
    return create(user_id=user_id, values={**values, "title": title[:200]}, questions=questions)
