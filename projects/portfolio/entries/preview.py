"""An entry as its owner sees it before anybody else may: what visitors read, with each sentence
marked that stands on words or records, or on nothing; and the panel of it beside the builder.
"""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.safestring import mark_safe

from projects.portfolio import blocks
from projects.portfolio.article import Article, Shown, article_of
from projects.portfolio.entries.publishing import check
from projects.portfolio.models import Entry, EntryImage
from projects.portfolio.visitors.marking import html_of, source_id


def own_url(image: EntryImage, width: int) -> str:
    """A picture as its owner gets it, published or not."""
    entry = image.entry
    url = reverse("entries:picture", args=[entry.portfolio_id, entry.pk, image.pk])
    return f"{url}?w={width}"


def own_article(entry: Entry) -> Article:
    """The entry with its marks, and with pictures that its owner may fetch."""
    return article_of(entry, image_url=own_url, show_text=_marked)


def _marked(block: blocks.Text) -> Shown:
    """A text whose sentences link to what they stand on, as claims do on the visitors' page."""
    stored = block.model_dump(mode="json")
    key = str(blocks.identified([stored])[0]["id"])
    claims: list[dict[str, Any]] = []
    sources: list[dict[str, Any]] = []
    at = 0
    for number, one in enumerate(blocks.standing_sources(stored), start=1):
        start = block.text.find(one.sentence, at)
        if start < 0:
            continue
        at = start + len(one.sentence)
        claims.append({"start": start, "end": at, "evidence": [number]})
        anchor = source_id(key, number)
        sources.append({"anchor": anchor, "number": number, "source": one})
    html = str(html_of(block.text, claims, key))
    for row in sources:
        if not row["source"].is_supported:
            link = f'class="claim" href="#{row["anchor"]}"'
            html = html.replace(link, link.replace("claim", "claim claim--unsupported", 1))
    return Shown("text", html=mark_safe(html), sources=sources)  # noqa: S308 - sanitised


def preview_of(entry: Entry) -> dict[str, Any]:
    """What the panel shows: the article, and what is missing to publish it. Four queries."""
    article = own_article(entry)
    sources = [row["source"] for block in article.blocks for row in block.sources]
    unsupported = sum(not one.is_supported for one in sources)
    return {"article": article, "failed": check(entry), "unsupported": unsupported}
