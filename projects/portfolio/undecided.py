"""Contact data that nobody decided about: named by keys, and left out of what visitors are shown.

A key is of a row, a field, a kind and a text. What an owner lets stay is a Clearance of that key,
so the decision holds for what was shown and for nothing else.
"""

from __future__ import annotations

import copy
import hashlib
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from django.db.models import Model
from django.utils.translation import gettext as _

from chat.operations.registry import Plain
from projects.portfolio.contact import Found, find_contacts
from projects.portfolio.models import Clearance, Entry, EntryImage, OpenQuestion, Portfolio
from projects.portfolio.schema.entry import FIELDS as ENTRY
from projects.portfolio.schema.portfolio import FIELDS as PORTFOLIO
from projects.portfolio.schema.records import KINDS
from projects.portfolio.schema.tables import Field

RowT = TypeVar("RowT", bound=Model)
LEFT_OUT: Final = "[…]"


def _texts(fields: Sequence[Field]) -> tuple[str, ...]:
    """The fields of a table in which something may be written that visitors read."""
    return tuple(
        field.name
        for field in fields
        if not (field.is_private or field.shape.is_chosen or field.shape.is_rows)
    )


FIELDS: Final[dict[type[Model], tuple[str, ...]]] = {
    Portfolio: (*_texts(PORTFOLIO), "photo_alt"),
    Entry: (*_texts(ENTRY), "blocks"),
    EntryImage: ("alt", "caption"),
    **{kind.model: _texts(kind.fields) for kind in KINDS.values()},
    OpenQuestion: ("question", "answer"),
}
# of blocks: what is no text of the owner's, but the machine's
_NO_TEXT: Final = frozenset({"type", "level", "images", "before", "after"})
_URLS: Final = frozenset({"url", "repository_url", "live_url"})


def key_of(row: Model, field: str, found: Found) -> str:
    """The name of a piece of contact data."""
    told = f"{row._meta.label} {row.pk} {field} {found.kind} {found.text}"
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def cleared(portfolio_id: uuid.UUID) -> frozenset[str]:
    """Keys of what may be shown. One query."""
    return frozenset(
        Clearance.objects.filter(portfolio_id=portfolio_id).values_list("key", flat=True)
    )


def clear(portfolio_id: uuid.UUID, keys: Collection[str]) -> None:
    """Lets these be shown from now on."""
    rows = [Clearance(portfolio_id=portfolio_id, key=one) for one in sorted(set(keys))]
    Clearance.objects.bulk_create(rows, ignore_conflicts=True)


def settle(portfolio_id: uuid.UUID, rows: Iterable[Model], keys: Collection[str]) -> None:
    """Lets these be shown that are among the contact data of these rows, and no others."""
    clear(portfolio_id, {key for key in keys_in(rows) if key in keys})


def keys_in(rows: Iterable[Model]) -> set[str]:
    """The keys of all contact data in these rows."""
    return {key_of(row, field, found) for row in rows for field, _text, found in found_in(row)}


def refusal(portfolio: Any, changed: Plain) -> str:
    """For the ledger: why an open portfolio may not be called so; empty when it may.

    What names it stands everywhere, so it cannot be left out until somebody decided.
    """
    if portfolio.status != Portfolio.Status.PUBLISHED:
        return ""
    words = [changed[one] for one in FIELDS[Portfolio] if one in changed]
    if found := [one.text for text in texts_in(words) for one in find_contacts(text)]:
        told = ", ".join(found)
        return _("This would make contact data public: %(found)s.") % {"found": told}
    return ""


def found_in(row: Model) -> Iterator[tuple[str, str, Found]]:
    """The contact data of a row: the field, the text it stands in, and what it is."""
    for field in FIELDS[type(row)]:
        for text in texts_in(getattr(row, field)):
            for found in find_contacts(text):
                yield field, text, found


def texts_in(value: Any) -> Iterator[str]:
    """The texts of a field: of a list each, of blocks and links each of their words."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from texts_in(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name not in _NO_TEXT:
                yield from texts_in(one)


Hide = Callable[[Any], Any]


def hider(portfolio: Portfolio) -> Hide:
    """Gives a row as visitors may see it. One query for an open portfolio, else none.

    Of one that is not open everything is shown, to its owner alone; nobody can open it without
    having decided.
    """
    if portfolio.status != Portfolio.Status.PUBLISHED:
        return as_it_is
    return partial(without, cleared=cleared(portfolio.pk))


def as_it_is(row: Any) -> Any:
    """Nothing is left out."""
    return row


def without(row: RowT, *, cleared: Collection[str]) -> RowT:
    """The row, or where something in it is undecided a copy without that; never to be saved."""
    if all(key_of(row, field, found) in cleared for field, _text, found in found_in(row)):
        return row
    shown = copy.copy(row)
    for field in FIELDS[type(row)]:
        is_undecided = partial(_is_undecided, row, field, cleared)
        setattr(shown, field, _masked(getattr(row, field), is_undecided, is_url=field in _URLS))
    return shown


def _is_undecided(row: Model, field: str, cleared: Collection[str], found: Found) -> bool:
    return key_of(row, field, found) not in cleared


def _masked(value: Any, is_undecided: Callable[[Found], bool], *, is_url: bool = False) -> Any:
    if isinstance(value, str):
        return _masked_text(value, is_undecided, is_url=is_url)
    if isinstance(value, list):
        told = [_masked(one, is_undecided) for one in value]
        # a link that leads nowhere is none
        return [one for one in told if not (isinstance(one, dict) and one.get("url") == "")]
    if isinstance(value, dict):
        return {
            name: one if name in _NO_TEXT else _masked(one, is_undecided, is_url=name in _URLS)
            for name, one in value.items()
        }
    return value


def _masked_text(text: str, is_undecided: Callable[[Found], bool], *, is_url: bool) -> str:
    parts, at = [], 0
    for found in filter(is_undecided, find_contacts(text)):
        parts += [text[at : found.start], LEFT_OUT]
        at = found.start + len(found.text)
    if not parts:
        return text
    return "" if is_url else "".join([*parts, text[at:]])
