"""What a portfolio holds, what is missing before visitors can be let in, and what publishing it
shows its owner first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext

from chat.identity import Identity
from projects.hooks import Line
from projects.portfolio.contact_review import Hit, digest_of, hits_in, open_among, public_rows
from projects.portfolio.models import Entry, OpenQuestion, Portfolio, Source
from projects.portfolio.queries import Public, public_of
from projects.portfolio.schema.kinds import KINDS


@dataclass(frozen=True)
class Missing:
    """Something that stands in the way, and the page where it is put right.

    `is_needed`: without it nothing can be published; the others only make answers better.
    """

    text: str
    url: str
    is_needed: bool


@dataclass(frozen=True)
class Holdings:
    """How much there is: entries, and `records` by the names of their kinds."""

    entries: int
    published: int
    records: Mapping[str, int]

    @property
    def resume(self) -> int:
        return sum(n for slug, n in self.records.items() if not KINDS[slug].is_single)

    @property
    def is_empty(self) -> bool:
        return not (self.entries or self.resume or self.records["profile"])


def holdings_of(portfolio: Portfolio) -> Holdings:
    """Counts, in eight queries however much there is."""
    alive = Q(portfolio=portfolio, deleted_at=None)
    entries: dict[str, Any] = Entry.objects.filter(alive).aggregate(
        all=Count("pk"), published=Count("pk", filter=Q(status=Entry.Status.PUBLISHED))
    )
    return Holdings(
        entries=entries["all"],
        published=entries["published"],
        records={
            slug: kind.model._default_manager.filter(alive).count() for slug, kind in KINDS.items()
        },
    )


def missing(portfolio: Portfolio, holdings: Holdings | None = None) -> list[Missing]:
    """What stands between a portfolio and its public page, what is needed first."""
    holdings = holdings or holdings_of(portfolio)
    pk = portfolio.pk
    sources, entries = reverse("portfolio:sources", args=[pk]), reverse("entries:list", args=[pk])
    unchecked = Source.objects.filter(portfolio=portfolio, outcome=Source.Outcome.CHECK).first()
    check = reverse("portfolio:check", args=[pk, unchecked.pk]) if unchecked else ""
    rules = (
        (unchecked, _("Check the records from your sources. They are not saved yet."), check,
         False),
        (not holdings.records["profile"], _("Add a profile: who you are, in your own words."),
         f"{sources}#profile", True),
        (not holdings.entries, _("Add an entry: one piece of work, told as a story."), entries,
         True),
        (holdings.entries and not holdings.published,
         _("Publish an entry. Visitors do not see drafts."), entries, True),
        (not holdings.resume,
         _("Add a resume, so visitors can ask about your positions and skills."),
         f"{sources}#resume", False),
    )  # fmt: skip
    return [Missing(text, url, is_needed) for fails, text, url, is_needed in rules if fails]


@dataclass(frozen=True)
class Review:
    """Everything that a decision to publish rests on; `digest` binds the decision to it."""

    public: Public
    answers: Sequence[OpenQuestion]
    drafts: Sequence[Entry]
    hits: Sequence[Hit]
    missing: Sequence[Missing]
    digest: str

    @property
    def needed(self) -> Sequence[Missing]:
        """What must be there first."""
        return [item for item in self.missing if item.is_needed]

    @property
    def undecided(self) -> Sequence[Hit]:
        """What wants a decision: all of it before the page is open, then what came since."""
        if self.public.portfolio.status != Portfolio.Status.PUBLISHED:
            return self.hits
        return open_among(self.hits, self.public.portfolio)


def review_of(portfolio: Portfolio) -> Review:
    """The review as things stand. About twenty queries, however much there is."""
    public = public_of(portfolio)
    own = {"portfolio": portfolio, "deleted_at": None}
    rows = list(public_rows(portfolio))
    return Review(
        public=public,
        answers=[row for row, _url in rows if isinstance(row, OpenQuestion)],
        drafts=list(Entry.objects.filter(**own).exclude(status=Entry.Status.PUBLISHED)),
        hits=[hit for row, url in rows for hit in hits_in(row, url)],
        missing=missing(portfolio),
        digest=digest_of(row for row, _url in rows),
    )


def waiting_items(identity: Identity) -> list[Line]:
    """What could not be read, what is to be checked, what nothing answered. Two queries."""
    if not identity.participant_ids:
        return []
    own = {"portfolio__owner_id__in": identity.participant_ids, "portfolio__deleted_at": None}
    columns = ("portfolio", "portfolio__owner_name")
    outcomes = [Source.Outcome.FAILED, Source.Outcome.CHECK]
    sources = Source.objects.filter(**own, outcome__in=outcomes, given_at__isnull=False)
    by_outcome = sources.order_by("portfolio", "outcome").values_list(*columns, "outcome")
    rows = []
    for key, name, outcome, n in by_outcome.annotate(n=Count("pk")):
        if outcome == Source.Outcome.FAILED:
            text = ngettext("One source could not be read", "%(n)d sources could not be read", n)
        else:
            text = ngettext("Check one source", "Check %(n)d sources", n)
        rows.append((text, n, name, "portfolio:sources", key))
    questions = OpenQuestion.objects.filter(
        **own, deleted_at=None, status=OpenQuestion.Status.OPEN
    ).order_by("portfolio")
    for key, name, n in questions.values_list(*columns).annotate(n=Count("pk")):
        text = ngettext("Answer one visitor question", "Answer %(n)d visitor questions", n)
        rows.append((text, n, name, "portfolio_desk:inbox", key))
    where = _("Portfolio of %(name)s")
    return [
        Line(text % {"n": n}, where % {"name": name}, reverse(route, args=[key]))
        for text, n, name, route, key in rows
    ]
