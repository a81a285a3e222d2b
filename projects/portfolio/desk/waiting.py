"""Tells the home page of questions that visitors asked and nothing answered."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Count
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.identity import Identity
from projects import waiting
from projects.portfolio.models import OpenQuestion
from projects.waiting import Waiting


def tell(identity: Identity) -> Sequence[Waiting]:
    """One line for each of the person's portfolios that has such questions. One query."""
    if not identity.participant_ids:
        return []
    open_ones = OpenQuestion.objects.filter(
        owner_id__in=identity.participant_ids,
        deleted_at=None,
        status=OpenQuestion.Status.OPEN,
        portfolio__deleted_at=None,
    )
    counted = (
        open_ones.order_by("portfolio")
        .values_list("portfolio", "portfolio__owner_name")
        .annotate(n=Count("pk"))
    )
    return [
        Waiting(
            ngettext(
                "One question of visitors without an answer",
                "%(n)d questions of visitors without an answer",
                n,
            )
            % {"n": n},
            _("Portfolio of %(name)s") % {"name": name},
            reverse("portfolio_desk:inbox", args=[portfolio_id]),
        )
        for portfolio_id, name, n in counted
    ]


def register() -> None:
    """Called once, when the app is ready."""
    waiting.register(tell)
