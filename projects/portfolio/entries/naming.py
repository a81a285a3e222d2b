"""Stable names of entries: the id in the corpus, and the public address."""

from __future__ import annotations

import uuid
from itertools import count
from typing import Final

from django.utils.translation import gettext as _

from futura import locks
from futura.errors import BadInput, Conflict
from projects.portfolio.intake.ids import id_of
from projects.portfolio.models import Entry, Portfolio
from projects.portfolio.public.addresses import RESERVED
from projects.slugs import slug_of

SLUG_CHARS: Final = 80
_UNTITLED: Final = "entry"


def lock(portfolio_id: uuid.UUID) -> None:
    """Within a transaction: others that name or count things of this portfolio wait."""
    locks.wait_for(f"portfolio {portfolio_id}")


def new_names(portfolio: Portfolio, title: str) -> tuple[str, str]:
    """A free id and a free address. Call it within a transaction, `lock` held."""
    entries = Entry.objects.filter(portfolio=portfolio, deleted_at=None)
    ids = set(Entry.objects.filter(portfolio=portfolio).values_list("doc_id", flat=True))
    slugs = {*entries.values_list("slug", flat=True), *RESERVED}
    return id_of("project", title or _UNTITLED, taken=ids), _free(title, slugs)


def free_slug(entry: Entry, title: str) -> str:
    """A free address for another title. Within a transaction it stays free until the end."""
    lock(entry.portfolio_id)
    others = Entry.objects.filter(portfolio_id=entry.portfolio_id, deleted_at=None)
    taken = others.exclude(pk=entry.pk).values_list("slug", flat=True)
    return _free(title, {*taken, *RESERVED})


def is_made_of(slug: str, title: str) -> bool:
    """Whether nobody chose this address: it is the title's, perhaps with a number behind it."""
    stem = _stem(title)
    rest = slug.removeprefix(stem)
    return slug.startswith(stem) and (not rest or rest.lstrip("-").isdigit())


def _stem(title: str) -> str:
    wanted = slug_of(title) if title.strip() else _UNTITLED
    # a title without letters that an address can have
    return _UNTITLED if wanted == "project" else wanted


def _free(title: str, taken: set[str]) -> str:
    wanted = _stem(title)
    if wanted not in taken:
        return wanted
    return next(slug for n in count(2) if (slug := f"{wanted}-{n}") not in taken)


def slug_checked(entry: Entry, wanted: str) -> str:
    """An address that the entry may have. Raises BadInput, Conflict when another has it."""
    slug = wanted.strip().lower()
    if not slug or slug_of(slug) != slug:
        raise BadInput(_("Use lower-case letters, digits and hyphens."), field="slug")
    if slug in RESERVED:
        raise BadInput(_("This address is reserved."), field="slug")
    if is_taken(entry, slug):
        raise Conflict(_("This address is taken by another entry."), field="slug")
    return slug


def is_taken(entry: Entry, slug: str) -> bool:
    """Whether another living entry of the portfolio has this address."""
    others = Entry.objects.filter(portfolio_id=entry.portfolio_id, deleted_at=None, slug=slug)
    return others.exclude(pk=entry.pk).exists()
