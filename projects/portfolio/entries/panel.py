"""The live preview of an entry: what visitors will see, and what is missing to publish it."""

from __future__ import annotations

from typing import Any

from chat.presenters import Rendered
from projects.portfolio.blocks import standing_sources
from projects.portfolio.entries.publishing import check
from projects.portfolio.entries.showing import shown
from projects.portfolio.models import Entry


def preview_of(entry: Entry) -> dict[str, Any]:
    """What the panel shows. Four queries."""
    sources = [source for block in entry.blocks for source in standing_sources(block)]
    unsupported = [one.sentence for one in sources if not one.is_supported]
    return {"article": shown(entry), "failed": check(entry), "unsupported": unsupported}


def fragments(entry: Entry) -> list[Rendered]:
    """What a change of the entry changes on an open page."""
    context = {"entry": entry, "preview": preview_of(entry), "oob": True}
    return [Rendered("projects/portfolio/entries/_preview.html", context)]
