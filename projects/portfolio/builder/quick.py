"""Next steps to tap, from the entry as it stands: worked out anew each time they are shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from chat.models import Session
from projects.portfolio import blocks
from projects.portfolio.builder.state import BuilderState
from projects.portfolio.entries import limits, queries
from projects.portfolio.entries.publishing import check
from projects.portfolio.models import Entry

MOST: Final = 4


@dataclass(frozen=True)
class Action:
    """A chip: what stands on it, and what tapping it says, or where it leads."""

    key: str
    label: str
    says: str = ""
    is_main: bool = False
    href: str = ""


def actions_for(session: Session, entry: Entry) -> list[Action]:
    """At most four, the most useful first. About eight queries."""
    state = BuilderState.model_validate(session.state)
    steps = [*_talk(entry, state), *_work(entry, state), *_end(entry)]
    rank = {key: at for at, key in enumerate(state.hinted)}
    steps.sort(key=lambda one: rank.get(one.key, len(rank)))
    return steps[:MOST]


def _talk(entry: Entry, state: BuilderState) -> list[Action]:
    if state.open:
        return [Action("skip", _("Skip this question"), _("Skip this question."))]
    return [Action("more", _("Ask me more"), _("Ask me more."))] if entry.blocks else []


def _work(entry: Entry, state: BuilderState) -> list[Action]:
    images = queries.images_of(entry)
    if not images and (blocks.word_count(entry.blocks) >= limits.LEAST_WORDS or not state.open):
        return [Action("pictures", _("Add pictures"), _("I want to add pictures."))]
    if images and any(not one.alt for one in images):
        return [Action("words", _("Describe the pictures"), href=_page("pictures", entry))]
    return []


def _end(entry: Entry) -> list[Action]:
    details = Action("details", _("Details"), href=_page("details", entry))
    if not entry.blocks or entry.status == Entry.Status.PUBLISHED:
        return [details]
    publish = _page("publish", entry)
    if check(entry):
        return [Action("check", _("What is missing?"), _("What is missing?")), details]
    return [Action("publish", _("Publish"), is_main=True, href=publish), details]


def _page(name: str, entry: Entry) -> str:
    return reverse(f"entries:{name}", args=[entry.portfolio_id, entry.pk])
