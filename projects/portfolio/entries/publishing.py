"""The rules of publishing an entry (DECISIONS 43), and the preview with what fails.

Coaching, the dry run, the page and the ledger itself ask the same function about the rules.
"""

from __future__ import annotations

import copy
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _, ngettext

from chat.operations.models import Operation, OperationBatch
from chat.operations.registry import Plain
from chat.operations.serialization import write
from futura import locks
from futura.errors import BadInput
from projects.portfolio import blocks
from projects.portfolio.article import owner_article
from projects.portfolio.entries import limits
from projects.portfolio.models import Entry, EntryImage
from projects.portfolio.queries import images_of

PUBLISHING: Final = frozenset({"status", "published_at"})


def lock(portfolio_id: uuid.UUID) -> None:
    """Within a transaction: others that name or count things of this portfolio wait."""
    locks.wait_for(f"portfolio {portfolio_id}")


def others_of(entry: Entry) -> QuerySet[Entry]:
    """The living entries beside it in its portfolio."""
    living = Entry.objects.filter(portfolio_id=entry.portfolio_id, deleted_at=None)
    return living.exclude(pk=entry.pk)


# Rules ------------------------------------------------------------------------------------------
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
        super().__init__(" ".join(rule.message for rule in failed), field="status")
        self.failed = tuple(failed)


def check(entry: Entry) -> list[FailedRule]:
    """The rules that fail, in the order a person meets them; empty when it may be published.

    Three queries.
    """
    images = images_of(entry)
    words = blocks.word_count(entry.blocks)
    undescribed = sum(not image.alt.strip() for image in images)
    is_taken = (
        not entry.slug
        or entry.slug in limits.RESERVED
        or others_of(entry).filter(slug=entry.slug).exists()
    )
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
    review = _("Changes need your review. Approve or reject them first.")
    rules = (
        (not entry.title.strip(), "title_missing", _("The title is missing."), "title"),
        (not entry.summary.strip(), "summary_missing", _("The summary is missing."),
         "summary"),
        (words < limits.LEAST_WORDS, "too_few_words",
         too_short % {"n": words, "least": limits.LEAST_WORDS}, "blocks"),
        (not any(image.is_hero for image in images), "hero_missing",
         _("The hero image is missing."), "images"),
        (undescribed, "alt_missing", without_alt % {"n": undescribed}, "images"),
        (is_taken, "slug_taken", _("The address is missing or taken."), "slug"),
        (_waits_for_review(entry, images), "open_review", review, "review"),
    )  # fmt: skip
    return [FailedRule(code, text, field) for fails, code, text, field in rules if fails]


def refusal(entry: Any, changed: Plain) -> str:
    """For the ledger: why an entry may not be changed so; empty when it may."""
    if changed.get("status") != Entry.Status.PUBLISHED:
        return ""
    as_it_would_be = copy.copy(entry)
    write(as_it_would_be, changed)
    return " ".join(rule.message for rule in check(as_it_would_be))


def _waits_for_review(entry: Entry, images: Sequence[EntryImage]) -> bool:
    """A proposal to publish is none: it is what the check is for."""
    pending = Operation.objects.filter(
        entity__in=("portfolio_entry", "portfolio_image"),
        entity_id__in=[entry.pk, *(image.pk for image in images)],
        status=Operation.Status.PENDING,
        batch__status=OperationBatch.Status.REVIEW,
    ).select_related("payload")
    return not all(
        item.type == Operation.Type.UPDATE and set(item.payload.requested or {}) <= PUBLISHING
        for item in pending
    )


def preview_of(entry: Entry) -> dict[str, Any]:
    """The panel beside the builder: the article, what is missing to publish it. Four queries."""
    article = owner_article(entry)
    sources = [row["source"] for block in article.blocks for row in block.sources]
    unsupported = sum(not source.is_supported for source in sources)
    return {"article": article, "failed": check(entry), "unsupported": unsupported}
