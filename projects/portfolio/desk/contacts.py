"""Contact data in everything that is public, or would be: each hit named, with where to mend it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Model
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from projects.portfolio import undecided
from projects.portfolio.contact import Kind
from projects.portfolio.models import Entry, EntryImage, OpenQuestion, Portfolio
from projects.portfolio.schema.records import KINDS as RECORDS

AROUND: Final = 60
KINDS: Final[dict[Kind, str | Promise]] = {
    "mail": _("Mail address"),
    "phone": _("Telephone number"),
    "post": _("Postal address"),
}


@dataclass(frozen=True)
class Hit:
    """Contact data in one field of one row. `key` names it for “leave it”."""

    kind: Kind
    text: str
    before: str
    after: str
    where: str
    field: str
    url: str
    key: str

    @property
    def kind_name(self) -> str | Promise:
        """What it is, in words."""
        return KINDS[self.kind]


def hits_of(portfolio: Portfolio) -> list[Hit]:
    """All contact data in what is public. Ten queries."""
    return [hit for row, url in _public_rows(portfolio) for hit in _in_row(row, url)]


def hits_in(entry: Entry, images: Sequence[EntryImage]) -> list[Hit]:
    """The contact data of one entry, public or not."""
    return [hit for row in (entry, *images) for hit in _in_row(row, entry_url(entry))]


def open_among(hits: Collection[Hit], portfolio: Portfolio) -> list[Hit]:
    """Those that nobody decided about: visitors are not shown them. One query."""
    decided = undecided.cleared(portfolio.pk) if hits else frozenset()
    return [one for one in hits if one.key not in decided]


def _public_rows(portfolio: Portfolio) -> Iterator[tuple[Model, str]]:
    pk = portfolio.pk
    own = {"portfolio": portfolio, "deleted_at": None}
    yield portfolio, reverse("portfolio:settings", args=[pk])
    entries = Entry.objects.filter(**own, status=Entry.Status.PUBLISHED)
    for entry in entries:
        yield entry, entry_url(entry)
    images = EntryImage.objects.filter(entry__in=entries, deleted_at=None).select_related("entry")
    for image in images:
        yield image, entry_url(image.entry)
    for kind in RECORDS.values():
        for row in kind.model._default_manager.filter(**own):
            yield row, _record_url(pk, kind.slug, row.pk)
    answered = OpenQuestion.objects.filter(**own, status=OpenQuestion.Status.ANSWERED)
    for question in answered:
        at = reverse("portfolio_desk:inbox", args=[pk])
        yield question, f"{at}?tab=answered#question-{question.pk}"


def entry_url(entry: Entry) -> str:
    """Where the owner works on an entry."""
    return f"/portfolio/{entry.portfolio_id}/entries/{entry.pk}"


def _record_url(portfolio_id: Any, kind: str, row_id: Any) -> str:
    return reverse("portfolio:record", args=[portfolio_id, kind, row_id])


def _in_row(row: Model, url: str) -> Iterator[Hit]:
    for field, text, one in undecided.found_in(row):
        end = one.start + len(one.text)
        name = getattr(row._meta.get_field(field), "verbose_name", field)
        yield Hit(
            kind=one.kind,
            text=text[one.start : end],
            before=_tail(text[: one.start]),
            after=_head(text[end:]),
            where=str(row),
            field=str(name).capitalize(),
            url=url,
            key=undecided.key_of(row, field, one),
        )


def _head(text: str) -> str:
    return text if len(text) <= AROUND else f"{text[:AROUND]}…"


def _tail(text: str) -> str:
    return text if len(text) <= AROUND else f"…{text[-AROUND:]}"
