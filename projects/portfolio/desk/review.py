"""What publishing a portfolio shows its owner first: what becomes public, what stays private, and
each piece of contact data in it with where to mend it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Model
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from projects.portfolio import undecided
from projects.portfolio.contact import Kind
from projects.portfolio.models import Entry, EntryImage, OpenQuestion, Portfolio
from projects.portfolio.public.queries import Public, public_of
from projects.portfolio.readiness import Missing, missing
from projects.portfolio.schema.records import KINDS as RECORDS

AROUND: Final = 60
KINDS: Final[dict[Kind, str | Promise]] = {
    "mail": _("Email address"),
    "phone": _("Phone number"),
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
    return [hit for row in (entry, *images) for hit in _in_row(row, _entry_url(entry))]


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
        yield entry, _entry_url(entry)
    images = EntryImage.objects.filter(entry__in=entries, deleted_at=None).select_related("entry")
    for image in images:
        yield image, _entry_url(image.entry)
    for kind in RECORDS.values():
        for row in kind.model._default_manager.filter(**own):
            yield row, reverse("portfolio:record", args=[pk, kind.slug, row.pk])
    answered = OpenQuestion.objects.filter(**own, status=OpenQuestion.Status.ANSWERED)
    for question in answered:
        at = reverse("portfolio_desk:inbox", args=[pk])
        yield question, f"{at}?tab=answered#question-{question.pk}"


def _entry_url(entry: Entry) -> str:
    return reverse("entries:workspace", args=[entry.portfolio_id, entry.pk])


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


@dataclass(frozen=True)
class Review:
    """Everything that a decision to publish rests on; `digest` binds the decision to it."""

    public: Public
    answers: Sequence[OpenQuestion]
    drafts: Sequence[Entry]
    hidden: Sequence[Entry]
    hits: Sequence[Hit]
    missing: Sequence[Missing]
    digest: str

    @property
    def portfolio(self) -> Portfolio:
        """Whose page it is."""
        return self.public.portfolio

    @property
    def stands_in_the_way(self) -> Sequence[Missing]:
        """What must be there first."""
        return [one for one in self.missing if one.is_needed]

    @property
    def undecided(self) -> Sequence[Hit]:
        """What wants a decision: all of it before the page is open, then what came since."""
        if self.portfolio.status != Portfolio.Status.PUBLISHED:
            return self.hits
        return open_among(self.hits, self.portfolio)

    @property
    def private(self) -> Sequence[str]:
        """What is never shown, in words."""
        return [
            gettext("Contact data from your resume and profile"),
            gettext("Private notes of the portfolio, its entries and positions"),
            gettext("Files and texts of your sources: resume, profile, READMEs"),
            gettext("Drafts and archived entries"),
            gettext("Your projects, to-dos and conversations"),
        ]


def review_of(portfolio: Portfolio) -> Review:
    """The review as things stand. About twenty queries, however much there is."""
    public = public_of(portfolio)
    own = {"portfolio": portfolio, "deleted_at": None}
    answers = list(OpenQuestion.objects.filter(**own, status=OpenQuestion.Status.ANSWERED))
    private = Entry.objects.filter(**own).exclude(status=Entry.Status.PUBLISHED)
    return Review(
        public=public,
        answers=answers,
        drafts=list(private),
        hidden=[one for one in public.entries if one.hide_from_chat],
        hits=hits_of(portfolio),
        missing=missing(portfolio),
        digest=_digest(public, answers),
    )


def _digest(public: Public, answers: Sequence[OpenQuestion]) -> str:
    rows = [
        *(public.portfolio, public.profile, *public.entries, *public.experiences),
        *(*public.education, *public.awards, *answers),
        *(one for skills in public.skills.values() for one in skills),
    ]
    told = sorted(f"{one.pk}:{one.version}" for one in rows if one is not None)
    return hashlib.sha256(" ".join(told).encode()).hexdigest()
