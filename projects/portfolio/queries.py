"""The owner's doors from an id to a portfolio, an entry, a picture, a record; their lists; and what
visitors see of a portfolio.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import F, Prefetch, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from chat.identity import Identity
from chat.models import Session
from chat.operations.queries import Page, touching, within
from chat.queries import session_for
from futura.errors import NotFound
from futura.rows import only
from projects.portfolio.contact_review import Hide, hider
from projects.portfolio.models import (
    Award,
    Credential,
    Education,
    Entry,
    EntryImage,
    Experience,
    Portfolio,
    Profile,
    Skill,
    Source,
    StoredImage,
)
from projects.portfolio.models.portfolio import Belonging
from projects.portfolio.schema.kinds import KINDS, Kind
from projects.portfolio.visitors.contract import KIND as VISIT

BUILDER: Final = "portfolio_builder"
"""The kind of the conversation about an entry."""
_ALIVE = Q(deleted_at__isnull=True)
CREDENTIALS: Final[dict[str, Any]] = {
    Credential.Kind.PUBLICATION: _("Publications"),
    Credential.Kind.CERTIFICATE: _("Certificates"),
    Credential.Kind.LANGUAGE: _("Languages"),
}


def portfolio_for(identity: Identity, portfolio_id: uuid.UUID) -> Portfolio:
    """The caller's own living portfolio; NotFound for strangers and unknown ids alike."""
    return only(portfolios_of(identity).filter(pk=portfolio_id))


def portfolios_of(identity: Identity) -> QuerySet[Portfolio]:
    """The caller's living portfolios, last changed first."""
    own = Portfolio.objects.filter(_ALIVE, owner_id__in=identity.participant_ids)
    return own.order_by("-updated_at")


def published_portfolio(**named: str | uuid.UUID) -> Portfolio:
    """The portfolio that visitors find by its `slug` or `pk`. NotFound unless it is published."""
    published = Portfolio.objects.filter(_ALIVE, status=Portfolio.Status.PUBLISHED)
    return only(published.filter(**named))


def history_of(portfolio: Portfolio, after: str = "") -> Page:
    """The batches that touched a portfolio or anything in it, newest first; `after` is a key."""
    images = EntryImage.objects.filter(entry__portfolio=portfolio).values("pk")
    of_entries = Q(entity="portfolio_image", entity_id__in=images)
    return touching(within("portfolio", portfolio.pk) | of_entries, after=after)


# Entries ----------------------------------------------------------------------------------------
def entry_for(
    identity: Identity, entry_id: uuid.UUID, *, portfolio_id: uuid.UUID | None = None
) -> Entry:
    """The caller's own living entry with its portfolio, whatever its status.

    NotFound for strangers, unknown ids, and entries of another portfolio than the one named.
    """
    own = Entry.objects.filter(_ALIVE, pk=entry_id, owner_id__in=identity.participant_ids)
    if portfolio_id is not None:
        own = own.filter(portfolio_id=portfolio_id)
    return only(own.filter(portfolio__deleted_at=None).select_related("portfolio"))


def images_of(entry: Entry) -> list[EntryImage]:
    """Its living pictures with their files, the leading one first, the others in order."""
    return list(entry.images.filter(_ALIVE).select_related("image"))


def in_order(entry: Entry) -> list[EntryImage]:
    """Its living pictures by their places, the leading one among them."""
    images = entry.images.filter(_ALIVE).select_related("image")
    return list(images.order_by("position", "created_at"))


def living_images() -> QuerySet[EntryImage]:
    """Pictures with their files, the leading ones first."""
    return EntryImage.objects.filter(_ALIVE).select_related("image")


def entries_of(portfolio: Portfolio) -> Sequence[Entry]:
    """The living entries of a portfolio in order, with their `living_images`: two queries."""
    prefetch = Prefetch("images", queryset=living_images(), to_attr="living_images")
    return list(Entry.objects.filter(_ALIVE, portfolio=portfolio).prefetch_related(prefetch))


def session_of(entry: Entry) -> Session | None:
    """The living conversation about an entry: what is done by hand is told there, too."""
    about = Session.objects.filter(
        kind=BUILDER, participant_id=entry.owner_id, state__entry_id=str(entry.pk), deleted_at=None
    )
    return about.order_by("created_at").first()


# Sources ----------------------------------------------------------------------------------------
def source_for(portfolio: Portfolio, source_id: uuid.UUID) -> Source:
    """A source of this very portfolio that its owner gave; NotFound for others."""
    own = Source.objects.filter(pk=source_id, portfolio=portfolio).exclude(given_at=None)
    return only(own.select_related("portfolio"))


def sources_of(portfolio: Portfolio) -> list[Source]:
    """What the owner gave, the latest first; what the command read comes after. One query."""
    rows = Source.objects.filter(portfolio=portfolio).defer("text", "upload", "drafts")
    return list(rows.order_by(F("given_at").desc(nulls_last=True), "-read_at"))


# Records ----------------------------------------------------------------------------------------
def kind_for(slug: str) -> Kind:
    """A kind by its name in addresses; NotFound for others."""
    if slug not in KINDS:
        raise NotFound
    return KINDS[slug]


def record_for(portfolio: Portfolio, kind: Kind, record_id: uuid.UUID) -> Belonging:
    """A living row of this very portfolio and its owner; NotFound for others."""
    own = {"portfolio": portfolio, "owner_id": portfolio.owner_id}
    return only(kind.model._default_manager.filter(_ALIVE, pk=record_id, **own))


def records_of(portfolio: Portfolio, kind: Kind) -> list[Belonging]:
    """The living rows as visitors see them, each with its `origin`, a source. Two queries."""
    rows = sorted(
        kind.model._default_manager.filter(_ALIVE, portfolio=portfolio), key=_latest_first
    )
    with_origin(rows)
    return rows


def with_origin(rows: Sequence[Belonging]) -> None:
    """Sets `origin` on each: a source without its text, or None. One query, none without rows."""
    ids = {row.source_id for row in rows if row.source_id}
    sources = Source.objects.defer("text", "upload").in_bulk(ids) if ids else {}
    for row in rows:
        row.origin = sources.get(row.source_id)  # type: ignore[attr-defined]


# What visitors see -------------------------------------------------------------------------------
@dataclass(frozen=True)
class Public:
    """Everything that visitors may see of a portfolio; `hide` leaves undecided contact data out."""

    portfolio: Portfolio
    profile: Profile | None
    entries: Sequence[Entry]
    experiences: Sequence[Experience]
    education: Sequence[Education]
    awards: Sequence[Award]
    credentials: Mapping[str, Sequence[Credential]]
    skills: Mapping[str, Sequence[Skill]]
    hide: Hide


def public_of(portfolio: Portfolio) -> Public:
    """What is public now. Ten queries, however much there is."""
    hide = hider(portfolio)
    own = {"portfolio": portfolio, "deleted_at": None}
    experiences = Experience.objects.filter(**own).prefetch_related("linked_entries")
    skills: dict[str, list[Skill]] = {}
    for skill in Skill.objects.filter(**own):
        skills.setdefault(skill.category, []).append(hide(skill))
    credentials: dict[str, list[Credential]] = {}
    for row in sorted(Credential.objects.filter(**own), key=lambda row: row.kind):
        credentials.setdefault(str(CREDENTIALS[row.kind]), []).append(hide(row))
    profile = Profile.objects.filter(**own).first()
    return Public(
        portfolio=portfolio,
        profile=hide(profile) if profile else None,
        entries=[hide(entry) for entry in published_entries(portfolio)],
        experiences=[hide(row) for row in sorted(experiences, key=_latest_first)],
        education=[hide(row) for row in sorted(Education.objects.filter(**own), key=_latest_first)],
        awards=[hide(row) for row in sorted(Award.objects.filter(**own), key=_latest_first)],
        credentials={name: sorted(rows, key=_latest_first) for name, rows in credentials.items()},
        skills=skills,
        hide=hide,
    )


def _latest_first(row: Any) -> tuple[int, int]:
    """What goes on comes first, then the latest; without dates in the order of the resume."""
    ended, started = getattr(row, "ended", ""), getattr(row, "started", "")
    ended = ended or getattr(row, "date", "")
    until = "9999" if getattr(row, "is_current", False) else ended or started
    return -int(until.replace("-", "").ljust(6, "0")), getattr(row, "position", 0)


def published_entries(portfolio: Portfolio) -> QuerySet[Entry]:
    """Entries that visitors see, in the owner's order."""
    return Entry.objects.filter(_ALIVE, portfolio=portfolio, status=Entry.Status.PUBLISHED)


def published_image(portfolio: Portfolio, image_id: uuid.UUID | None) -> StoredImage:
    """The bytes of a picture in its place in a published entry of this portfolio.

    `image_id` is the EntryImage's; None for the photo of its person. NotFound for others.
    """
    key = portfolio.photo_id
    if image_id is not None:
        placed = EntryImage.objects.filter(
            pk=image_id, deleted_at=None, entry__in=published_entries(portfolio)
        )
        key = placed.values_list("image_id", flat=True).first()
    return only(StoredImage.objects.filter(pk__in=[key], portfolio=portfolio))


def visits_of(portfolio: Portfolio) -> QuerySet[Session]:
    """Conversations with a portfolio, deleted ones included."""
    return Session.objects.filter(kind=VISIT, state__portfolio_id=str(portfolio.pk))


def visit_of(identity: Identity, portfolio: Portfolio) -> Session | None:
    """The caller's running conversation with a portfolio, if there is one."""
    if not identity.participant_ids:
        return None
    own = visits_of(portfolio).filter(participant_id__in=identity.participant_ids)
    return own.filter(_ALIVE, archived_at=None).order_by("-created_at").first()


def portfolio_of_visit(identity: Identity, visit_id: uuid.UUID) -> Portfolio:
    """What the caller's own conversation is about. NotFound for others and other kinds."""
    session = session_for(identity, visit_id)
    if session.kind != VISIT:
        raise NotFound
    return only(Portfolio.objects.filter(_ALIVE, pk=session.state.get("portfolio_id")))
