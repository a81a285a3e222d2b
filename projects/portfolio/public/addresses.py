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
    image: ImageUrl
    photo: str
    entry: Callable[[str], str]
    contact: str = ""  # nobody writes to themselves in a preview
    is_preview: bool = False


def public(portfolio: Portfolio) -> Addresses:
    """Addresses for everybody."""
    slug = portfolio.slug
    return Addresses(
        page=reverse("visitors:page", args=[slug]),
        work=reverse("visitors:work", args=[slug]),
        ask=reverse("visitors:ask", args=[slug]),
        new=reverse("visitors:new", args=[slug]),
        kept=reverse("visitors:kept", args=[slug]),
        contact=reverse("visitors:contact", args=[slug]),
        image=lambda one, width: f"{reverse('visitors:image', args=[slug, one.pk])}?w={width}",
        photo=reverse("visitors:photo", args=[slug]),
        entry=lambda entry_slug: reverse("visitors:entry", args=[slug, entry_slug]),
    )


def preview(portfolio: Portfolio) -> Addresses:
    """Addresses of the owner's preview, whether the portfolio is published or not."""
    pk = portfolio.pk
    return Addresses(
        page=reverse("portfolio_desk:preview", args=[pk]),
        work=reverse("portfolio_desk:preview_work", args=[pk]),
        ask=reverse("portfolio_desk:preview_ask", args=[pk]),
        new=reverse("portfolio_desk:preview_new", args=[pk]),
        kept=reverse("portfolio_desk:preview_kept", args=[pk]),
        image=lambda one, width: (
            f"{reverse('portfolio_desk:preview_image', args=[pk, one.pk])}?w={width}"
        ),
        photo=reverse("portfolio_desk:preview_photo", args=[pk]),
        entry=lambda entry_slug: reverse("portfolio_desk:preview_entry", args=[pk, entry_slug]),
        is_preview=True,
    )
