"""The owner's doors: a view gets the row that its address names, or the caller gets NotFound."""

from __future__ import annotations

import functools
import uuid
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from chat.identity import identity_of
from projects.portfolio.queries import entry_for, portfolio_for

View = Callable[..., HttpResponseBase]


def own_portfolio(view: View) -> View:
    """The view gets the caller's own portfolio, whatever its status."""

    @functools.wraps(view)
    def opened(request: HttpRequest, portfolio_id: uuid.UUID, **more: Any) -> HttpResponseBase:
        return view(request, portfolio_for(identity_of(request), portfolio_id), **more)

    return opened


def own_entry(view: View) -> View:
    """The view gets the caller's own entry of the very portfolio that the address names."""

    @functools.wraps(view)
    def opened(
        request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID, **more: Any
    ) -> HttpResponseBase:
        entry = entry_for(identity_of(request), entry_id, portfolio_id=portfolio_id)
        return view(request, entry, **more)

    return opened
