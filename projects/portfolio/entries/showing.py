"""An entry as its owner sees it before anybody else may: with pictures of its own addresses."""

from __future__ import annotations

from django.urls import reverse

from projects.portfolio.article import Article, article_of
from projects.portfolio.models import Entry, EntryImage


def own_url(image: EntryImage, width: int) -> str:
    """A picture as its owner gets it, published or not."""
    entry = image.entry
    where = reverse("entries:picture", args=[entry.portfolio_id, entry.pk, image.pk])
    return f"{where}?w={width}"


def shown(entry: Entry) -> Article:
    """The entry as visitors would read it, with pictures that its owner may fetch."""
    return article_of(entry, image_url=own_url)
