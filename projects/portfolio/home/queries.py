"""Reads of portfolios for their owner: what was changed in them."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Q

from chat.operations.models import Operation, OperationBatch
from chat.operations.queries import Page, page_of
from projects.portfolio.models import EntryImage, Portfolio
from projects.portfolio.operables import OPERABLES

_OF_PORTFOLIO: Final = [
    one for one in OPERABLES if one.name not in {"portfolio", "portfolio_image"}
]


def history_of(portfolio: Portfolio, after: str = "") -> Page:
    """The batches that touched a portfolio or anything in it, newest first; `after` is a key."""
    own = Q(entity="portfolio", entity_id=portfolio.pk)
    for one in _OF_PORTFOLIO:
        model: Any = one.model
        rows = model._default_manager.filter(portfolio=portfolio)
        own |= Q(entity=one.name, entity_id__in=rows.values("pk"))
    images = EntryImage.objects.filter(entry__portfolio=portfolio)
    own |= Q(entity="portfolio_image", entity_id__in=images.values("pk"))
    touching = Operation.objects.filter(own, executed_at__isnull=False)
    batches = OperationBatch.objects.filter(pk__in=touching.values("batch_id"))
    return page_of(batches.exclude(status=OperationBatch.Status.REVIEW), after=after)
