"""Words of a portfolio's own addresses, which no entry may have, and where things are found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from projects.portfolio.article import ImageUrl
from projects.portfolio.models import Portfolio

# what stands at /p/<portfolio>/…; an entry's address must be another
RESERVED: Final = frozenset(
    """about ask contact image kept new sitemap.xml visit widget widget.js work""".split()
)


@dataclass(frozen=True)
class Addresses:
    """Where the parts of one page lead: the public one, the owner's preview, or the widget."""

    page: str
    work: str
    ask: str
    new: str
    kept: str
    photo: str
    image: ImageUrl
    entry: Callable[[str], str]
    contact: str = ""  # nobody writes to themselves in a preview
    is_preview: bool = False


def public(portfolio: Portfolio) -> Addresses:
    """Addresses for everybody."""
    contact = reverse("visitors:contact", args=[portfolio.slug])
    return _addresses("visitors:", portfolio.slug, page="visitors:page", contact=contact)


def preview(portfolio: Portfolio) -> Addresses:
    """Addresses of the owner's preview, whether the portfolio is published or not."""
    route = "portfolio_desk:preview"
    return _addresses(f"{route}_", str(portfolio.pk), page=route, is_preview=True)


def _addresses(
    route: str, key: str, *, page: str, contact: str = "", is_preview: bool = False
) -> Addresses:
    """`route` begins the names of addresses in which `key` names the portfolio."""

    def at(name: str, *more: object) -> str:
        return reverse(f"{route}{name}", args=[key, *more])

    return Addresses(
        page=reverse(page, args=[key]),
        work=at("work"),
        ask=at("ask"),
        new=at("new"),
        kept=at("kept"),
        photo=at("photo"),
        image=lambda image, width: f"{at('image', image.pk)}?w={width}",
        entry=lambda slug: at("entry", slug),
        contact=contact,
        is_preview=is_preview,
    )
