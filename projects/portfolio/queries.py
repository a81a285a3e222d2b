"""Reads of portfolios: the doors from an id, and from a public address, to a row."""

from __future__ import annotations

import uuid

from django.db.models import Q, QuerySet

from chat.identity import Identity
from futura.errors import NotFound
from projects.portfolio.models import Portfolio

_ALIVE = Q(deleted_at__isnull=True)


def portfolio_for(identity: Identity, portfolio_id: uuid.UUID) -> Portfolio:
    """The caller's own living portfolio; NotFound for strangers and unknown ids alike."""
    found = portfolios_of(identity).filter(pk=portfolio_id).first()
    if found is None:
        raise NotFound
    return found


def portfolios_of(identity: Identity) -> QuerySet[Portfolio]:
    """The caller's living portfolios, last changed first."""
    own = Portfolio.objects.filter(_ALIVE, owner_id__in=identity.participant_ids)
    return own.order_by("-updated_at")


def published_portfolio(slug: str) -> Portfolio:
    """The portfolio that visitors find at an address. NotFound unless it is published."""
    open_ones = Portfolio.objects.filter(_ALIVE, status=Portfolio.Status.PUBLISHED)
    found = open_ones.filter(slug=slug).first()
    if found is None:
        raise NotFound
    return found


def published_portfolio_by_id(portfolio_id: uuid.UUID) -> Portfolio:
    """The same by its id. NotFound unless it is published."""
    open_ones = Portfolio.objects.filter(_ALIVE, status=Portfolio.Status.PUBLISHED)
    found = open_ones.filter(pk=portfolio_id).first()
    if found is None:
        raise NotFound
    return found
