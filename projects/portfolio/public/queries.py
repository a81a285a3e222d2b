"""Reads of the public page: what is public of a portfolio, and nothing else; a visitor's talk."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from chat.identity import Identity
from chat.models import Session
from chat.queries import session_for
from futura.errors import NotFound
from projects.portfolio import models
from projects.portfolio.contact_review import Hide, hider, unmasked
from projects.portfolio.queries import only
from projects.portfolio.visitors.contract import KIND

CREDENTIALS: Final[dict[str, Any]] = {
    models.Credential.Kind.PUBLICATION: _("Publications"),
    models.Credential.Kind.CERTIFICATE: _("Certificates"),
    models.Credential.Kind.LANGUAGE: _("Languages"),
}


@dataclass(frozen=True)
class Public:
    """Everything that visitors may see of a portfolio."""

    portfolio: models.Portfolio
    profile: models.Profile | None
    entries: Sequence[models.Entry] = ()
    experiences: Sequence[models.Experience] = ()
    education: Sequence[models.Education] = ()
    awards: Sequence[models.Award] = ()
    credentials: Mapping[str, Sequence[models.Credential]] = field(default_factory=dict)
    skills: Mapping[str, Sequence[models.Skill]] = field(default_factory=dict)
    hide: Hide = unmasked


def public_of(portfolio: models.Portfolio) -> Public:
    """What is public now. Ten queries, however much there is.

    Contact data that the owner has not decided about are left out.
    """
    hide = hider(portfolio)
    own = {"portfolio": portfolio, "deleted_at": None}
    experiences = models.Experience.objects.filter(**own).prefetch_related("linked_entries")
    skills: dict[str, list[models.Skill]] = {}
    for skill in models.Skill.objects.filter(**own).order_by("position", "created_at"):
        skills.setdefault(skill.category, []).append(hide(skill))
    credentials: dict[str, list[models.Credential]] = {}
    for row in models.Credential.objects.filter(**own).order_by("kind", "position", "created_at"):
        credentials.setdefault(str(CREDENTIALS[row.kind]), []).append(hide(row))
    profile = models.Profile.objects.filter(**own).first()
    return Public(
        portfolio=portfolio,
        profile=hide(profile) if profile else None,
        entries=[hide(entry) for entry in published_entries(portfolio)],
        experiences=[hide(experience) for experience in sorted(experiences, key=_latest_first)],
        education=[hide(education) for education in models.Education.objects.filter(**own)],
        awards=[hide(award) for award in models.Award.objects.filter(**own)],
        credentials=credentials,
        skills=skills,
        hide=hide,
    )


def _latest_first(experience: models.Experience) -> tuple[int, int]:
    """What goes on comes first, then the latest; without dates in the order of the resume."""
    until = "9999" if experience.is_current else experience.ended or experience.started
    return (-int((until + "-00")[:7].replace("-", "").ljust(6, "0") or 0), experience.position)


def published_entries(portfolio: models.Portfolio) -> QuerySet[models.Entry]:
    """Entries that visitors see, in the owner's order."""
    return models.Entry.objects.filter(
        portfolio=portfolio, deleted_at=None, status=models.Entry.Status.PUBLISHED
    ).order_by("position", "created_at")


def published_image(portfolio: models.Portfolio, image_id: uuid.UUID | None) -> models.StoredImage:
    """The bytes of a picture in its place in a published entry of this portfolio.

    `image_id` is the EntryImage's; None for the photo of its person. NotFound for others.
    """
    key = portfolio.photo_id
    if image_id is not None:
        placed = models.EntryImage.objects.filter(
            pk=image_id, deleted_at=None, entry__in=published_entries(portfolio)
        )
        key = placed.values_list("image_id", flat=True).first()
    return only(models.StoredImage.objects.filter(pk__in=[key], portfolio=portfolio))


def visit_of(identity: Identity, portfolio: models.Portfolio) -> Session | None:
    """The caller's running conversation with a portfolio, if there is one."""
    if not identity.participant_ids:
        return None
    own = Session.objects.filter(
        participant_id__in=identity.participant_ids,
        kind=KIND,
        archived_at=None,
        deleted_at=None,
        state__portfolio_id=str(portfolio.pk),
    )
    return own.order_by("-created_at").first()


def visit_for(identity: Identity, visit_id: uuid.UUID) -> tuple[Session, models.Portfolio]:
    """The caller's own conversation with its portfolio. NotFound for others and other kinds."""
    session = session_for(identity, visit_id)
    if session.kind != KIND:
        raise NotFound
    portfolios = models.Portfolio.objects.filter(deleted_at=None)
    return session, only(portfolios.filter(pk=session.state.get("portfolio_id")))
