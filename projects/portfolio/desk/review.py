"""What publishing a portfolio shows its owner first: what becomes public, what stays private."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from projects.portfolio.desk.contacts import Hit, hits_of, open_among
from projects.portfolio.models import Entry, OpenQuestion, Portfolio
from projects.portfolio.public.queries import Public, public_of
from projects.portfolio.readiness import Missing, missing


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
        return [one for one in self.missing if getattr(one, "is_needed", True)]

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
            _("Your contact data: addresses and numbers of the resume and the profile"),
            _("Notes for yourself, of the portfolio, its entries and positions"),
            _("The files and texts that were read: resume, README, profile"),
            _("Drafts, and entries that you put away"),
            _("Your projects, to-dos and conversations"),
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


def left(review: Review, keys: Sequence[str]) -> Mapping[str, bool]:
    """Which hits the owner wants to leave, by key."""
    return {one.key: one.key in keys for one in review.hits}
