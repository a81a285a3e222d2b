"""What would make an entry better: advice, which never stands in the way of publishing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from projects.portfolio import blocks
from projects.portfolio.builder import sections, topics
from projects.portfolio.builder.understanding import facts
from projects.portfolio.models import Entry, EntryImage

MOST: int = 4
LONG_PARAGRAPH: int = 900


def tips_for(entry: Entry, images: Sequence[EntryImage], told: Mapping[str, str]) -> list[str]:
    """The most useful advice first, a sentence each."""
    found = [*_about_story(entry, told), *_about_page(entry, images)]
    return found[:MOST]


def _about_story(entry: Entry, told: Mapping[str, str]) -> list[str]:
    gaps = [one for one in topics.missing(entry, told) if one in sections.STORY or one == "role"]
    tips = []
    if gaps:
        names = ", ".join(str(topics.NAMES[one]) for one in gaps[:3])
        tips.append(
            _("Visitors will ask about this; nothing is said yet of: %(names)s.") % {"names": names}
        )
    outcome = f"{sections.text_about(entry.blocks, 'outcome')} {entry.impact}".strip()
    if outcome and not facts.FIGURE.search(outcome):
        tips.append(_("A number would make what came of it easier to believe."))
    if (
        not any(one["type"] == "quote" for one in entry.blocks)
        and blocks.word_count(entry.blocks) > 80
    ):
        tips.append(_("A sentence by somebody who uses it would help: say “add a quote”."))
    return tips


def _about_page(entry: Entry, images: Sequence[EntryImage]) -> list[str]:
    tips = []
    if len(images) == 1:
        tips.append(_("Two or three more pictures would show how it was made."))
    if not entry.started:
        tips.append(_("Say when it was: visitors ask for recent work."))
    if any(
        len(str(one.get("text", ""))) > LONG_PARAGRAPH
        for one in entry.blocks
        if one["type"] == "text"
    ):
        tips.append(_("One paragraph is long; a heading in between would let people breathe."))
    if not entry.tags:
        tips.append(_("Tags help visitors to find it; “write the draft” proposes some."))
    if not (entry.seo_title and entry.seo_description):
        tips.append(
            _("Search engines have no words of their own yet; “write the draft” proposes them.")
        )
    return tips
