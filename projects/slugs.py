"""Short names for addresses and files: one for each living project of an owner."""

from __future__ import annotations

import uuid
from itertools import count
from typing import Final

from django.utils.text import slugify

from futura import locks
from projects.models import Project

SLUG_CHARS: Final = 80
_ROOM: Final = SLUG_CHARS - 8  # for a number behind it
_FALLBACK: Final = "project"


def slug_of(name: str) -> str:
    """A name in lower-case ASCII words with hyphens; never empty, room left for a number."""
    whole = slugify(name.casefold())
    cut = whole[: _ROOM + 1].rpartition("-")[0] if len(whole) > _ROOM else whole
    return (cut or whole[:_ROOM]).strip("-_") or _FALLBACK


def free_slug(owner_id: uuid.UUID, name: str) -> str:
    """The first of `name`, `name-2`, `name-3` … that no living project of the owner has.

    Within a transaction it stays free until the end: others who ask for the same owner wait.
    """
    locks.wait_for(f"slugs {owner_id}")
    wanted = slug_of(name)
    same = Project.objects.filter(owner_id=owner_id, deleted_at=None, slug__startswith=wanted)
    taken = set(same.values_list("slug", flat=True))
    if wanted not in taken:
        return wanted
    return next(slug for n in count(2) if (slug := f"{wanted}-{n}") not in taken)
