"""Whether an entry may be published: each rule that fails is named (DECISIONS 43).

Coaching, the dry run, the page and the ledger itself ask the same function.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.operations.models import Operation, OperationBatch
from chat.operations.registry import Plain
from chat.operations.serialization import write
from futura.errors import BadInput
from projects.portfolio import blocks, undecided
from projects.portfolio.entries import limits, naming
from projects.portfolio.models import Entry, EntryImage, Portfolio
from projects.portfolio.public.addresses import RESERVED

CONTACTS: Final = "contacts_undecided"
PUBLISHING: Final = frozenset({"status", "published_at"})


@dataclass(frozen=True)
class FailedRule:
    """One thing that stands in the way: a code for programs, words for people, and where."""

    code: str
    message: str
    field: str


class NotReady(BadInput):
    """Publishing was refused; `failed` names every rule that fails."""

    code = "not_ready"
    status = 422

    def __init__(self, failed: Sequence[FailedRule]) -> None:
        super().__init__(" ".join(one.message for one in failed), field="status")
        self.failed = tuple(failed)


def check(entry: Entry) -> list[FailedRule]:
    """The rules that fail, in the order a person meets them; empty when it may be published.

    Three queries; two more for contact data in an open portfolio.
    """
    images = list(EntryImage.objects.filter(entry=entry, deleted_at=None))
    words = blocks.word_count(entry.blocks)
    undescribed = sum(not one.alt.strip() for one in images)
    is_taken = not entry.slug or entry.slug in RESERVED or naming.is_taken(entry, entry.slug)
    too_short = ngettext(
        "The story has %(n)d word; at least %(least)d are required.",
        "The story has %(n)d words; at least %(least)d are required.",
        words,
    )
    without_alt = ngettext(
        "%(n)d picture has no alternative text.",
        "%(n)d pictures have no alternative text.",
        undescribed,
    )
    contacts = _("It contains contact data. Decide about each item under Publish.")
    review = _("Changes need your review. Approve or reject them first.")
    rules = (
        (not entry.title.strip(), "title_missing", _("The title is missing."), "title"),
        (not entry.summary.strip(), "summary_missing", _("The summary is missing."),
         "summary"),
        (words < limits.LEAST_WORDS, "too_few_words",
         too_short % {"n": words, "least": limits.LEAST_WORDS}, "blocks"),
        (not any(one.is_hero for one in images), "hero_missing", _("The hero image is missing."),
         "images"),
        (undescribed, "alt_missing", without_alt % {"n": undescribed}, "images"),
        (is_taken, "slug_taken", _("The address is missing or taken."), "slug"),
        (_has_undecided(entry, images), CONTACTS, contacts, "contacts"),
        (_waits_for_review(entry, images), "open_review", review, "review"),
    )  # fmt: skip
    return [FailedRule(code, text, field) for fails, code, text, field in rules if fails]


def print_of(entry: Entry, images: Sequence[EntryImage]) -> str:
    """A short name for what stands on the page, to publish what was looked at and nothing else."""
    told = [f"{entry.pk} {entry.version}", *(f"{one.pk} {one.version}" for one in images)]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:16]


def refusal(entry: Any, changed: Plain) -> str:
    """For the ledger: why an entry may not be changed so; empty when it may."""
    if changed.get("status") != Entry.Status.PUBLISHED:
        return ""
    as_it_would_be = copy.copy(entry)
    write(as_it_would_be, changed)
    return " ".join(one.message for one in check(as_it_would_be))


def _has_undecided(entry: Entry, images: Sequence[EntryImage]) -> bool:
    """Of an open portfolio nobody looks over everything again before an entry is seen."""
    if entry.portfolio.status != Portfolio.Status.PUBLISHED:
        return False
    keys = undecided.keys_in([entry, *images])
    return bool(keys) and not keys <= undecided.cleared(entry.portfolio_id)


def _waits_for_review(entry: Entry, images: Sequence[EntryImage]) -> bool:
    """A proposal to publish is none: it is what the check is for."""
    pending = Operation.objects.filter(
        entity__in=("portfolio_entry", "portfolio_image"),
        entity_id__in=[entry.pk, *(one.pk for one in images)],
        status=Operation.Status.PENDING,
        batch__status=OperationBatch.Status.REVIEW,
    ).select_related("payload")
    return not all(
        one.type == Operation.Type.UPDATE and set(one.payload.requested or {}) <= PUBLISHING
        for one in pending
    )
