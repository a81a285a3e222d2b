"""Where changes are looked at, undone and decided: their addresses, and what a card offers.

A panel names hundreds of addresses; each kind is resolved once and filled in from then on.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat.operations.models import Operation

_BATCH, _ONE = uuid.UUID(int=1), uuid.UUID(int=2)


@dataclass(frozen=True)
class Offer:
    """Something to do about a change: a link that opens in the dialog of an open panel.

    `about` tells links of the same words apart for those who only hear them.
    """

    id: str
    url: str
    words: str | Promise
    icon: str = ""
    about: str = ""
    opens: bool = True


@cache
def _pattern(name: str, places: int) -> str:
    return reverse(f"operations:{name}", args=[_BATCH, _ONE][:places])


def of_batch(name: str, batch_id: uuid.UUID) -> str:
    """The address of that name for a batch."""
    return _pattern(name, 1).replace(str(_BATCH), str(batch_id))


def of(name: str, operation: Operation) -> str:
    """The address of that name for an operation."""
    pattern = _pattern(name, 2).replace(str(_BATCH), str(operation.batch_id))
    return pattern.replace(str(_ONE), str(operation.pk))


VIEW: Final = _("View details")
EDIT: Final = _("Edit")
UNDO: Final = _("Undo")
REDO: Final = _("Redo")
OPEN: Final = _("Open")


def offers(
    operation: Operation,
    *,
    headline: str,
    title: str,
    can_edit: bool,
    can_undo: bool,
    redo: Operation | None,
    url: str,
) -> Iterator[Offer]:
    """What can be done about a change that is not waiting; `redo` is the undo of it that stands."""
    key, whole = operation.pk, f"{headline}, {title}"
    yield Offer(f"details-{key}", of("details", operation), VIEW, about=whole)
    if can_edit:
        yield Offer(f"edit-{key}", of("amend", operation), EDIT, about=title)
    if can_undo:
        yield Offer(f"undo-{key}", of("undo", operation), UNDO, "undo", whole)
    if redo is not None:
        yield Offer(f"undo-{key}", of("undo", redo), REDO, "retry", whole)
    if url:
        yield Offer(f"open-{key}", url, OPEN, about=title, opens=False)
