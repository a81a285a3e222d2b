"""What a portfolio holds, and what is still missing before visitors can be let in."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.identity import Identity
from projects import hooks
from projects.hooks import Waiting
from projects.portfolio.models import Entry, OpenQuestion, Persona, Portfolio, Source
from projects.portfolio.schema.records import KINDS


@dataclass(frozen=True)
class Missing:
    """Something that stands in the way, and the page where it is put right.

    `is_needed`: without it nothing can be published; the others only make answers better.
    """

    code: str
    text: str
    url: str
    is_needed: bool = True


@dataclass(frozen=True)
class Holdings:
    """How much there is: entries, and `records` by the names of their kinds."""

    entries: int
    published: int
    records: Mapping[str, int]
    voice_examples: int

    @property
    def resume(self) -> int:
        """Everything that a resume tells."""
        return sum(n for slug, n in self.records.items() if not KINDS[slug].is_single)

    @property
    def is_empty(self) -> bool:
        """Nothing was told yet."""
        return not (self.entries or self.resume or self.records["profile"])


def holdings_of(portfolio: Portfolio) -> Holdings:
    """Counts, in nine queries however much there is."""
    alive = Q(portfolio=portfolio, deleted_at=None)
    entries: dict[str, Any] = Entry.objects.filter(alive).aggregate(
        all=Count("pk"), published=Count("pk", filter=Q(status=Entry.Status.PUBLISHED))
    )
    persona = Persona.objects.filter(alive).only("voice_examples").first()
    return Holdings(
        entries=entries["all"],
        published=entries["published"],
        records={
            slug: kind.model._default_manager.filter(alive).count() for slug, kind in KINDS.items()
        },
        voice_examples=len(persona.voice_examples) if persona else 0,
    )


def missing(portfolio: Portfolio, holdings: Holdings | None = None) -> list[Missing]:
    """What stands between a portfolio and its public page, what is needed first."""
    held = holdings or holdings_of(portfolio)
    sources = reverse("portfolio:sources", args=[portfolio.pk])
    entries = reverse("entries:list", args=[portfolio.pk])
    found: list[Missing] = []
    to_check = Source.objects.filter(portfolio=portfolio, outcome=Source.Outcome.CHECK).first()
    if to_check is not None:
        told = _("Check the records from your sources. They are not saved yet.")
        url = reverse("portfolio:check", args=[portfolio.pk, to_check.pk])
        found.append(Missing("check", told, url, is_needed=False))
    if not held.records["profile"]:
        told = _("Add a profile: who you are, in your own words.")
        found.append(Missing("profile", told, f"{sources}#profile"))
    if not held.entries:
        told = _("Add an entry: one piece of work, told as a story.")
        found.append(Missing("entry", told, entries))
    elif not held.published:
        told = _("Publish an entry. Visitors do not see drafts.")
        found.append(Missing("published_entry", told, entries))
    if not held.resume:
        told = _("Add a resume, so visitors can ask about your positions and skills.")
        found.append(Missing("resume", told, f"{sources}#resume", is_needed=False))
    if held.records["profile"] and not held.voice_examples:
        told = _("Add voice examples, so answers sound like you.")
        url = reverse("portfolio:records", args=[portfolio.pk, "persona"])
        found.append(Missing("voice", told, url, is_needed=False))
    return found


def failed_sources(portfolio: Portfolio) -> Sequence[Source]:
    """What could not be read and waits for its owner."""
    return list(
        Source.objects.filter(portfolio=portfolio, outcome=Source.Outcome.FAILED)
        .exclude(given_at=None)
        .defer("text", "upload")
    )


def tell_waiting(identity: Identity) -> list[Waiting]:
    """For the home page: what could not be read, and what is to be checked. One query."""
    if not identity.participant_ids:
        return []
    waiting = Source.objects.filter(
        portfolio__owner_id__in=identity.participant_ids,
        portfolio__deleted_at=None,
        outcome__in=[Source.Outcome.FAILED, Source.Outcome.CHECK],
        given_at__isnull=False,
    )
    counted = waiting.order_by("portfolio", "outcome").values_list(
        "portfolio", "portfolio__owner_name", "outcome"
    )
    counts = {"n": Count("pk"), "resumes": Count("pk", filter=Q(kind=Source.Kind.RESUME))}
    return [
        _waiting(_waiting_text(outcome, n, resumes), name, "portfolio:sources", portfolio_id)
        for portfolio_id, name, outcome, n, resumes in counted.annotate(**counts)
    ]


def _waiting(title: str, name: str, route: str, portfolio_id: uuid.UUID) -> Waiting:
    where = _("Portfolio of %(name)s") % {"name": name}
    return Waiting(title, where, reverse(route, args=[portfolio_id]))


def _waiting_text(outcome: str, n: int, resumes: int) -> str:
    if outcome == Source.Outcome.CHECK and n == resumes:
        told = ngettext("Check one resume", "Check %(n)d resumes", n)
    elif outcome == Source.Outcome.CHECK:
        told = ngettext("Check one source", "Check %(n)d sources", n)
    else:
        told = ngettext("One source could not be read", "%(n)d sources could not be read", n)
    return told % {"n": n}


def tell_questions(identity: Identity) -> list[Waiting]:
    """For the home page: questions that visitors asked and nothing answered. One query."""
    if not identity.participant_ids:
        return []
    unanswered = OpenQuestion.objects.filter(
        owner_id__in=identity.participant_ids,
        deleted_at=None,
        status=OpenQuestion.Status.OPEN,
        portfolio__deleted_at=None,
    ).order_by("portfolio")
    counted = unanswered.values_list("portfolio", "portfolio__owner_name").annotate(n=Count("pk"))
    return [
        _waiting(_questions_text(n), name, "portfolio_desk:inbox", portfolio_id)
        for portfolio_id, name, n in counted
    ]


def _questions_text(n: int) -> str:
    text = ngettext("Answer one visitor question", "Answer %(n)d visitor questions", n)
    return text % {"n": n}


def register() -> None:
    """Called once, when the app is ready."""
    hooks.register_waiting(tell_waiting)
    hooks.register_waiting(tell_questions)
