"""An entry as its owner sees it before anybody else may, and the panel of it beside the builder."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from chat.presenters import Rendered
from projects.portfolio.article import Article, article_of
from projects.portfolio.blocks import standing_sources
from projects.portfolio.entries.publishing import check
from projects.portfolio.models import Entry, EntryImage


def own_url(image: EntryImage, width: int) -> str:
    """A picture as its owner gets it, published or not."""
    entry = image.entry
    url = reverse("entries:picture", args=[entry.portfolio_id, entry.pk, image.pk])
    return f"{url}?w={width}"


def own_article(entry: Entry) -> Article:
    """The entry as visitors would read it, with pictures that its owner may fetch."""
    return article_of(entry, image_url=own_url)


def preview_of(entry: Entry) -> dict[str, Any]:
    """What the panel shows: the article, and what is missing to publish it. Four queries."""
    sources = [source for block in entry.blocks for source in standing_sources(block)]
    unsupported = [source.sentence for source in sources if not source.is_supported]
    return {"article": own_article(entry), "failed": check(entry), "unsupported": unsupported}


def fragments(entry: Entry) -> list[Rendered]:
    """What a change of the entry changes on an open page."""
    context = {"entry": entry, "preview": preview_of(entry), "oob": True}
    return [Rendered("projects/portfolio/entries/_preview.html", context)]
