"""Writes what staff set up: a campaign and its questions, made, changed and copied."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from futura.errors import Conflict
from tasks.campaigns.codes import new_slug
from tasks.campaigns.models import Campaign, ExtraQuestion

FIELDS: Final = (
    *("title", "welcome", "closing", "consent", "language", "opens_at", "closes_at"),
    *("grace_hours", "access", "max_people", "job_titles", "may_download", "retention_days"),
    *("masks", "known_names", "min_group", "has_second_review"),
)
COPIED: Final = tuple(name for name in FIELDS if name not in {"title", "opens_at", "closes_at"})
QUESTION_FIELDS: Final = (
    *("place", "position", "kind", "text", "options", "takes_many", "scale_low", "scale_high"),
    *("low_label", "high_label", "is_required"),
)


@dataclass(frozen=True)
class Question:
    """An extra question as the form has it; `id` is None for a new one."""

    id: uuid.UUID | None
    values: Mapping[str, Any]


def create(
    *, user_id: int | None, values: Mapping[str, Any], questions: Sequence[Question] = ()
) -> Campaign:
    """A new campaign, as a draft: nobody gets in before it is opened."""
    with transaction.atomic():
        campaign = Campaign.objects.create(
            **{name: values[name] for name in FIELDS if name in values},
            slug=new_slug(str(values["title"])),
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
    """Changes what was set up. A new consent text is a new version of it.

    Raises Conflict when somebody changed the campaign since `version`.
    """
    with transaction.atomic():
        stored = Campaign.objects.select_for_update().get(pk=campaign.pk)
        if version is not None and version != stored.version:
            raise Conflict(
                _("Somebody changed this campaign meanwhile. Your words are still in the form.")
            )
        before = stored.consent
        for name in FIELDS:
            if name in values:
                setattr(stored, name, values[name])
        if stored.consent.strip() != before.strip():
            stored.consent_version += 1
        stored.version += 1
        stored.save()
        _ask(stored, questions)
    return stored


def _ask(campaign: Campaign, questions: Sequence[Question]) -> None:
    """Makes the questions those given. What was answered is put away, the rest deleted."""
    known = {one.pk: one for one in campaign.questions.filter(removed_at=None)}
    kept = {one.id for one in questions if one.id in known}
    gone = campaign.questions.filter(pk__in=known.keys() - kept)
    gone.filter(answers__isnull=False).update(removed_at=timezone.now())
    gone.filter(answers__isnull=True).delete()
    for question in questions:
        values = {
            name: question.values[name] for name in QUESTION_FIELDS if name in question.values
        }
        row = known.get(question.id) if question.id else None
        if row is not None and _means_other(row, values) and row.answers.exists():
            # old answers stay with the words they were given to
            ExtraQuestion.objects.filter(pk=row.pk).update(removed_at=timezone.now())
            row = None
        if row is None:
            ExtraQuestion.objects.create(campaign=campaign, **values)
        else:
            ExtraQuestion.objects.filter(pk=row.pk).update(**values)


def _means_other(row: ExtraQuestion, values: Mapping[str, Any]) -> bool:
    told = ("kind", "text", "options", "takes_many", "scale_low", "scale_high")
    return any(name in values and values[name] != getattr(row, name) for name in told)


def delete(*, campaign: Campaign) -> None:
    """Deletes a campaign with its questions and codes. Raises Conflict when anybody took part."""
    with transaction.atomic():
        stored = Campaign.objects.select_for_update().get(pk=campaign.pk)
        if stored.participations.exists():
            raise Conflict(
                _("People took part in it: close it instead, and let its time delete their words.")
            )
        stored.delete()


def duplicate(*, campaign: Campaign, user_id: int | None) -> Campaign:
    """A draft with the same texts, rules and questions; without times, codes and people."""
    values = {name: getattr(campaign, name) for name in COPIED}
    title = _("%(title)s (copy)") % {"title": campaign.title}
    asked = campaign.questions.filter(removed_at=None)
    questions = [
        Question(None, {name: getattr(one, name) for name in QUESTION_FIELDS}) for one in asked
    ]
    return create(user_id=user_id, values={**values, "title": title[:200]}, questions=questions)
