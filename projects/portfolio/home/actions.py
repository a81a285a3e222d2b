"""Writes a portfolio as a whole: start, edit, delete; all through the ledger."""

from __future__ import annotations

from itertools import count
from typing import Final

from django.db import connection, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from chat.operations.changes import Actor, Create, Delete, Update, Values
from futura.errors import BadInput
from projects.portfolio.models import Portfolio
from projects.portfolio.writing import Done, perform

ROOM: Final = 72
_LOCK: Final = 0x46757471  # any fixed number: addresses of portfolios are given one at a time


def start_portfolio(*, actor: Actor, values: Values) -> Done[Portfolio]:
    """A new, empty, unpublished portfolio. Raises BadInput when its address is taken."""
    with transaction.atomic():
        told = dict(values)
        if told.get("slug"):
            _refuse_taken(str(told["slug"]))
        else:
            told["slug"] = _free_slug(str(told.get("owner_name", "")))
        change = Create("portfolio", told)
        batch = perform([change], actor=actor, title=_("Started the portfolio"))
    return Done(Portfolio.objects.get(pk=change.id), batch)


def edit_portfolio(
    *, actor: Actor, portfolio: Portfolio, values: Values, version: int | None = None
) -> Done[Portfolio]:
    """Other values for some fields. Raises BadInput, Conflict for a stale version."""
    told = dict(values)
    with transaction.atomic():
        if told.get("slug", portfolio.slug) != portfolio.slug:
            _refuse_taken(str(told["slug"]))
        change = Update("portfolio", portfolio.pk, told, version)
        batch = perform([change], actor=actor, title=_("Changed the portfolio"))
    return Done(Portfolio.objects.get(pk=portfolio.pk), batch)


def delete_portfolio(*, actor: Actor, portfolio: Portfolio) -> Done[Portfolio]:
    """Takes it away with everything in it; undo brings all of it back."""
    change = Delete("portfolio", portfolio.pk)
    batch = perform([change], actor=actor, title=_("Deleted the portfolio"))
    return Done(Portfolio.objects.get(pk=portfolio.pk), batch)


def _alone() -> None:
    """Until the transaction ends nobody else is given an address."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


def _is_taken(slug: str) -> bool:
    return Portfolio.objects.filter(slug=slug, deleted_at=None).exists()


def _refuse_taken(slug: str) -> None:
    _alone()
    if _is_taken(slug):
        raise BadInput(_("Another portfolio has this address. Choose another one."), field="slug")


def _free_slug(name: str) -> str:
    _alone()
    wanted = slugify(name).replace("_", "-")[:ROOM].strip("-") or "portfolio"
    candidates = (f"{wanted}-{n}" if n > 1 else wanted for n in count(1))
    return next(one for one in candidates if not _is_taken(one))
