"""Contact data that nobody decided about: named by keys, and left out of what visitors are shown.

A key is of a row, a field, a kind and a text. What an owner lets stay is a Clearance of that key,
so the decision holds for what was shown and for nothing else.
"""

from __future__ import annotations

import copy
import hashlib
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

from django.db.models import Model
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _

from chat.operations.registry import OperableModel, Plain
from projects.portfolio.contact import ContactHit, Kind, find_contacts
from projects.portfolio.models import Clearance, Entry, EntryImage, OpenQuestion, Portfolio
from projects.portfolio.schema.kinds import KINDS, TABLES

RowT = TypeVar("RowT", bound=Model)
LEFT_OUT: Final = "[…]"
NAMES: Final[dict[Kind, str | Promise]] = {
    "mail": _("Email address"),
    "phone": _("Phone number"),
    "post": _("Postal address"),
}


_OTHERS: Final[dict[type[Model], tuple[str, ...]]] = {
    Portfolio: ("photo_alt",),
    Entry: ("blocks",),
    EntryImage: ("alt", "caption"),
    OpenQuestion: ("question", "answer"),
}
# in what something may be written that visitors read
FIELDS: Final[dict[type[Model], tuple[str, ...]]] = _OTHERS | {
    model: (
        *(field.name for field in table if field.shape.is_written and not field.is_private),
        *_OTHERS.get(model, ()),
    )
    for model, table in TABLES.items()
}
# of blocks: what is no text of the owner's, but the machine's
_NO_TEXT: Final = frozenset({"type", "level", "images", "before", "after"})
_URLS: Final = frozenset({"url", "repository_url", "live_url"})


# Decisions --------------------------------------------------------------------------------------
def key_of(row: Model, field: str, contact: ContactHit) -> str:
    named = f"{row._meta.label} {row.pk} {field} {contact.kind} {contact.text}"
    return hashlib.sha256(named.encode()).hexdigest()[:16]


def keys_in(rows: Iterable[Model]) -> set[str]:
    return {key_of(row, field, contact) for row in rows for field, contact in row_hits(row)}


def cleared(portfolio_id: uuid.UUID) -> frozenset[str]:
    """Keys of what may be shown. One query."""
    return frozenset(
        Clearance.objects.filter(portfolio_id=portfolio_id).values_list("key", flat=True)
    )


def clear(portfolio_id: uuid.UUID, keys: Collection[str]) -> None:
    rows = [Clearance(portfolio_id=portfolio_id, key=key) for key in sorted(set(keys))]
    Clearance.objects.bulk_create(rows, ignore_conflicts=True)


def refusal(portfolio: Any, changed: Plain) -> str:
    """For the ledger: why an open portfolio may not be called so; empty when it may.

    What names it stands everywhere, so it cannot be left out until somebody decided.
    """
    if portfolio.status != Portfolio.Status.PUBLISHED:
        return ""
    values = [changed[name] for name in FIELDS[Portfolio] if name in changed]
    contacts = [contact.text for text in texts_in(values) for contact in find_contacts(text)]
    text = gettext("This would make contact data public: %(found)s.")
    return text % {"found": ", ".join(contacts)} if contacts else ""


def row_hits(row: Model) -> Iterator[tuple[str, ContactHit]]:
    """The contact data of a row: the field it stands in, and what it is."""
    for field in FIELDS[type(row)]:
        for text in texts_in(getattr(row, field)):
            for contact in find_contacts(text):
                yield field, contact


def texts_in(value: Any) -> Iterator[str]:
    """The texts of a field: of a list each, of blocks and links each of their words."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name not in _NO_TEXT:
                yield from texts_in(item)


# What visitors see ------------------------------------------------------------------------------
Hide = Callable[[Any], Any]


def hider(portfolio: Portfolio) -> Hide:
    """Gives a row as visitors may see it. One query for an open portfolio, else none.

    Of one that is not open everything is shown, to its owner alone; nobody can open it without
    having decided.
    """
    if portfolio.status != Portfolio.Status.PUBLISHED:
        return unmasked
    return partial(masked, cleared=cleared(portfolio.pk))


def unmasked(row: Any) -> Any:
    return row


def masked(row: RowT, *, cleared: Collection[str]) -> RowT:
    """The row, or where something in it is undecided a copy without that; never to be saved."""
    undecided: dict[str, set[str]] = {}
    for field, contact in row_hits(row):
        if key_of(row, field, contact) not in cleared:
            undecided.setdefault(field, set()).add(contact.text)
    if not undecided:
        return row
    public = copy.copy(row)
    for field, contacts in undecided.items():
        longest_first = sorted(contacts, key=len, reverse=True)
        value = _masked(getattr(row, field), longest_first, is_url=field in _URLS)
        setattr(public, field, value)
    return public


def _masked(value: Any, contacts: Sequence[str], *, is_url: bool = False) -> Any:
    if isinstance(value, str):
        if is_url and any(contact in value for contact in contacts):
            return ""
        for contact in contacts:
            value = value.replace(contact, LEFT_OUT)
        return value
    if isinstance(value, list):
        items = [_masked(item, contacts) for item in value]
        # a link that leads nowhere is none
        return [item for item in items if not (isinstance(item, dict) and item.get("url") == "")]
    if isinstance(value, dict):
        return {
            name: item if name in _NO_TEXT else _masked(item, contacts, is_url=name in _URLS)
            for name, item in value.items()
        }
    return value


# What the owner decides about -------------------------------------------------------------------
@dataclass(frozen=True)
class Hit:
    """Contact data in one field of one row, and where to mend it. `key` names it for “leave it”."""

    kind_name: str | Promise
    text: str
    where: str
    field: str
    url: str
    key: str


def digest_of(rows: Iterable[OperableModel]) -> str:
    """A short name for rows as they stand, to publish what was looked at and nothing else."""
    versions = "\n".join(sorted(f"{row.pk} {row.version}" for row in rows))
    return hashlib.sha256(versions.encode()).hexdigest()[:16]


def open_among(hits: Collection[Hit], portfolio: Portfolio) -> list[Hit]:
    """Those that nobody decided about: visitors are not shown them. One query."""
    decided = cleared(portfolio.pk) if hits else frozenset()
    return [hit for hit in hits if hit.key not in decided]


def public_rows(portfolio: Portfolio) -> Iterator[tuple[OperableModel, str]]:
    """What visitors are told of a portfolio, with the pages on which it is mended."""
    pk = portfolio.pk
    own = {"portfolio": portfolio, "deleted_at": None}
    yield portfolio, reverse("portfolio:settings", args=[pk])
    entries = Entry.objects.filter(**own, status=Entry.Status.PUBLISHED)
    for entry in entries:
        yield entry, entry.url()
    images = EntryImage.objects.filter(entry__in=entries, deleted_at=None).select_related("entry")
    for image in images:
        yield image, image.entry.url()
    for kind in KINDS.values():
        for row in kind.model._default_manager.filter(**own):
            yield row, reverse("portfolio:record", args=[pk, kind.slug, row.pk])
    inbox = f"{reverse('portfolio_desk:inbox', args=[pk])}?tab=answered"
    for question in OpenQuestion.objects.filter(**own, status=OpenQuestion.Status.ANSWERED):
        yield question, f"{inbox}#question-{question.pk}"


def hits_in(row: Model, url: str) -> Iterator[Hit]:
    for field, contact in row_hits(row):
        yield Hit(
            kind_name=NAMES[contact.kind],
            text=contact.text,
            where=str(row),
            field=str(getattr(row._meta.get_field(field), "verbose_name", field)).capitalize(),
            url=url,
            key=key_of(row, field, contact),
        )
