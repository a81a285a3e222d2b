"""JSON for programs: portfolios, the entries of one, one of them, and publishing with its check."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, Literal

from django.db.models import BooleanField, JSONField
from django.http import HttpRequest
from ninja import Router, Status
from pydantic import create_model

from chat.api import Camel, own
from chat.commands.api import ErrorBody, scope_of
from chat.commands.run import run
from chat.identity import identity_of
from projects.portfolio import queries
from projects.portfolio.article import owner_url
from projects.portfolio.commands import reads
from projects.portfolio.commands.entries import PublishEntry
from projects.portfolio.entries.publishing import FailedRule, NotReady, check
from projects.portfolio.home.export import exported
from projects.portfolio.models import Entry
from projects.portfolio.schema.kinds import ENTRY

State = Literal["draft", "published", "archived"]
router = Router(tags=["Portfolio"])


class PortfolioLine(Camel, reads.PortfolioLine):
    """A portfolio in a list; `slug` is the end of its public address."""


class PortfoliosOut(Camel):
    """A person's portfolios, last changed first."""

    portfolios: list[PortfolioLine]


class EntryLine(Camel):
    """An entry in a list."""

    id: uuid.UUID
    portfolio_id: uuid.UUID
    slug: str
    status: State
    title: str
    summary: str
    entry_type: str
    location: str
    version: int
    updated_at: datetime
    published_at: datetime | None


class ListOut(Camel):
    """The entries of a portfolio in their order."""

    entries: list[EntryLine]


class RuleOut(Camel):
    """A rule that an entry fails: a code, words for people, and the field it is about."""

    code: str
    message: str
    field: str


class PictureOut(Camel):
    """A picture in its place; `url` is for its owner alone, `?w=480` gives a smaller one."""

    id: uuid.UUID
    url: str
    alt: str
    caption: str
    is_hero: bool
    position: int
    width: int
    height: int


def _type(name: str) -> Any:
    field = Entry._meta.get_field(name)
    if isinstance(field, JSONField):
        return list[str]
    return bool if isinstance(field, BooleanField) else str


EntryFieldsOut: Final = create_model(
    "EntryFieldsOut",
    __base__=EntryLine,
    **{
        field.name: (_type(field.name), ...)
        for field in ENTRY
        if field.name not in EntryLine.model_fields and not field.is_private
    },
)  # type: ignore[call-overload]


class EntryOut(EntryFieldsOut):
    """An entry whole, with its pictures (the leading one first) and what hinders publishing it.

    `blocks` have a `type`: heading, text, gallery, before_after, quote, facts. Private notes are
    left out.
    """

    project_id: uuid.UUID | None
    blocks: list[dict[str, Any]]
    images: list[PictureOut]
    failed: list[RuleOut]


class Publish(Camel):
    """With `dryRun` (or `dry_run`) nothing is changed."""

    dry_run: bool = False


class PublishOut(Camel):
    """Whether an entry may be published, each rule that fails, and what was done."""

    ready: bool
    dry_run: bool
    failed: list[RuleOut]
    status: State
    published_at: datetime | None = None
    batch_id: uuid.UUID | None = None


class NotPublishedOut(PublishOut):
    """The same for an entry that may not be published yet."""

    error: ErrorBody


@router.get(
    "/portfolio", response=PortfoliosOut, by_alias=True, url_name="portfolios",
    summary="List portfolios",
)  # fmt: skip
def list_portfolios(request: HttpRequest) -> Any:
    """Your own, whether they are published or not."""
    return {"portfolios": queries.portfolios_of(identity_of(request))}


@router.get(
    "/portfolio/{uuid:portfolio_id}", response=dict[str, Any], url_name="portfolio",
    summary="A portfolio whole",
)  # fmt: skip
def get_portfolio(request: HttpRequest, portfolio_id: uuid.UUID) -> dict[str, Any]:
    """Your own, as its export file has it: fields, photo, records, entries with their pictures,
    answers you gave. The ZIP file of the settings page has the pictures themselves.
    """
    return exported(queries.portfolio_for(identity_of(request), portfolio_id))


@router.get(
    "/portfolio/{uuid:portfolio_id}/entries", response=ListOut, by_alias=True, url_name="entries",
    summary="Entries of a portfolio",
)  # fmt: skip
def list_entries(request: HttpRequest, portfolio_id: uuid.UUID) -> Any:
    """Your own portfolio's, whatever their status."""
    portfolio = queries.portfolio_for(identity_of(request), portfolio_id)
    return {"entries": queries.entries_of(portfolio)}


@router.get(
    "/portfolio/entries/{uuid:entry_id}", response=EntryOut, by_alias=True, url_name="entry",
    summary="One entry",
)  # fmt: skip
def get_entry(request: HttpRequest, entry_id: uuid.UUID) -> Any:
    """Your own, with its pictures and what still hinders publishing it."""
    return entry_out(queries.entry_for(identity_of(request), entry_id))


def entry_out(entry: Entry) -> dict[str, Any]:
    names = set(EntryOut.model_fields) - {"images", "failed"}
    columns = ("id", "alt", "caption", "is_hero", "position")
    images = [
        {
            **{name: getattr(image, name) for name in columns},
            "url": owner_url(image, image.image.width),
            "width": image.image.width,
            "height": image.image.height,
        }
        for image in queries.images_of(entry)
    ]
    values = {name: getattr(entry, name) for name in names}
    return {**values, "images": images, "failed": check(entry)}


OWNED: Final = own("entry_id", queries.entry_for)


@router.post(
    "/portfolio/entries/{uuid:entry_id}/publish",
    response={200: PublishOut, 422: NotPublishedOut},
    by_alias=True,
    exclude_none=True,
    url_name="entry_publish",
    auth=OWNED,
    summary="Publish an entry",
)
def publish(request: HttpRequest, entry_id: uuid.UUID, payload: Publish | None = None) -> Any:
    """Asks the rules and publishes; with `dryRun` it only asks.

    Each rule that fails is named: title_missing, summary_missing, too_few_words, hero_missing,
    alt_missing, slug_taken, open_review.
    """
    entry = queries.entry_for(identity_of(request), entry_id)
    payload = payload or Publish()
    in_address = {request.GET.get(name) for name in ("dryRun", "dry_run")}
    if payload.dry_run or in_address & {"1", "true"}:
        return _answer(entry, check(entry), is_dry=True)
    try:
        outcome = run(PublishEntry(id=entry.pk), scope_of(request))
    except NotReady as error:
        refused = {"code": error.code, "message": str(error), "field": error.field, "retry": False}
        return Status(422, _answer(entry, error.failed) | {"error": refused})
    entry.refresh_from_db()
    return _answer(entry, ()) | {"batch_id": outcome.batch_id}


def _answer(entry: Entry, failed: Sequence[FailedRule], *, is_dry: bool = False) -> dict[str, Any]:
    return {
        "ready": not failed,
        "dry_run": is_dry,
        "failed": failed,
        "status": entry.status,
        "published_at": entry.published_at,
    }
