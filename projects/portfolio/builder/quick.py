"""Next steps to tap, from the entry as it stands: worked out anew each time they are shown."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from chat.models import Session
from chat.operations.models import Operation, OperationBatch
from projects.portfolio import blocks
from projects.portfolio.builder import topics
from projects.portfolio.builder.state import BuilderState
from projects.portfolio.builder.undoing import last_of
from projects.portfolio.entries import limits, queries
from projects.portfolio.entries.publishing import check
from projects.portfolio.models import Entry, EntryImage

MOST: Final = 4


@dataclass(frozen=True)
class Action:
    """A chip: what stands on it, and what tapping it says."""

    key: str
    label: str
    says: str
    is_main: bool = False
    href: str = ""


def actions_for(session: Session, entry: Entry) -> list[Action]:
    """At most four, the most useful first. About eight queries."""
    state = BuilderState.model_validate(session.state)
    images = queries.images_of(entry)
    waits = _waits(session)
    if state.proposal is not None:
        return [
            Action("yes", _("Use it"), _("Yes, use it."), is_main=True),
            Action("no", _("Leave it"), _("No, leave it as it is.")),
        ]
    found = [
        *_waiting(waits),
        *_talk(state),
        *_work(entry, images, state),
        *_end(entry, waits=waits),
    ]
    if last_of(session.pk):
        found.append(Action("undo", _("Undo the last"), _("Undo that.")))
    rank = {key: at for at, key in enumerate(state.hinted)}
    found.sort(key=lambda one: rank.get(one.key, len(rank)))
    return found[:MOST]


def _talk(state: BuilderState) -> list[Action]:
    if state.open:
        return [Action("skip", _("Skip this question"), _("Skip this question."))]
    return []


def _work(entry: Entry, images: Sequence[EntryImage], state: BuilderState) -> list[Action]:
    words = blocks.word_count(entry.blocks)
    found = []
    if not images and (words >= limits.LEAST_WORDS or not state.open):
        found.append(Action("pictures", _("Add pictures"), _("I want to add pictures.")))
    elif images and not any(one.is_hero for one in images):
        found.append(Action("hero", _("Choose the hero"), _("Make the first picture the hero.")))
    if words >= limits.LEAST_WORDS and not (
        entry.seo_title and entry.seo_description and entry.tags
    ):
        found.append(Action("draft", _("Write the draft"), _("Write the draft.")))
    if images and len(entry.blocks) > 2 and not _is_laid_out(entry, images):
        found.append(Action("layout", _("Lay it out"), _("Lay it out.")))
    if not state.open and topics.missing(entry, state.told) and entry.blocks:
        found.append(Action("more", _("Ask me more"), _("Ask me more.")))
    return found


def _is_laid_out(entry: Entry, images: Sequence[EntryImage]) -> bool:
    shown = {
        str(one) for block in entry.blocks
        for one in (*block.get("images", ()), block.get("before"), block.get("after")) if one
    }  # fmt: skip
    rest = [one for one in images if not one.is_hero and str(one.pk) not in shown]
    return not rest and any(one["type"] == "facts" for one in entry.blocks)


def _end(entry: Entry, *, waits: uuid.UUID | None) -> list[Action]:
    if not entry.blocks or waits:
        return []
    if entry.status == Entry.Status.PUBLISHED:
        return [Action("check", _("Check it"), _("Check it."))]
    if check(entry):
        return [Action("check", _("What is missing?"), _("What is missing?"))]
    return [
        Action("publish", _("Publish it"), _("Publish it."), is_main=True),
        Action("check", _("Check it"), _("Check it.")),
    ]


def _waiting(batch_id: uuid.UUID | None) -> list[Action]:
    if batch_id is None:
        return []
    there = reverse("operations:batch", args=[batch_id])
    return [Action("review", _("Look at what waits"), "", is_main=True, href=there)]


def _waits(session: Session) -> uuid.UUID | None:
    """A change of this conversation that waits for its owner."""
    found = Operation.objects.filter(
        batch__session=session.pk,
        batch__status=OperationBatch.Status.REVIEW,
        status=Operation.Status.PENDING,
    )
    newest: uuid.UUID | None = (
        found.order_by("-batch__created_at").values_list("batch_id", flat=True).first()
    )
    return newest
